"""Builds a release from the last commit into `dist/<version>`, and prints the commands that tag and publish it.

The folder holds a wheel, a source archive, the npm packages, the image, lists of components (CycloneDX), release notes
and checksums. Wheel, source archive and npm packages have the same bytes whenever the same commit is built.

The version stands in pyproject.toml. With `--version`, a new commit gives the files another version, and the release is
built from this commit. It is on no branch, and the checkout does not change. Nothing is tagged or published.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from runner.errors import RunnerError

ROOT = Path(__file__).parents[1]
CYCLONEDX_PYTHON = "cyclonedx-bom==7.5.0"
CYCLONEDX_NPM = "@cyclonedx/cyclonedx-npm@6.0.1"
APP = "web/app"
"""The workspace of the web apps, which the wheel contains."""
_VERSION = re.compile(r"\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?")
_IMAGE_TAG = re.compile(r"(newTag: ).*")
_OWN_PACKAGES = "@plaudit/"


@dataclass(frozen=True)
class Build:
    """A release that is built: the files of its commit are in `sources`, and its artefacts are written to `dist`."""

    sources: Path
    dist: Path
    version: str
    commit: str
    seconds: str
    """The time of the commit, which is the time of all files in archives."""

    @classmethod
    def of(cls, sources: Path, dist: Path) -> Self:
        """Returns the build of a checkout, whose artefacts are written to `dist`."""
        commit, seconds = run(sources, "git", "log", "-1", "--format=%H %ct").split()
        return cls(sources, dist, version_of(sources), commit, seconds)

    def run(self, *words: str) -> str:
        """Runs a program in the sources, which must succeed. Returns what it prints."""
        # Programs do not find the modules of another checkout, whatever the caller's variables are.
        return run(self.sources, *words, SOURCE_DATE_EPOCH=self.seconds, PYTHONPATH="")

    def artefacts(self, pattern: str) -> list[Path]:
        """Returns the artefacts whose names match, sorted."""
        return sorted(self.dist.glob(pattern))


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds a release and prints the commands that publish it. Returns 0, or 1 if the release is refused or a program
    fails.
    """
    parser = argparse.ArgumentParser(prog="make release", description="Build a release into dist.")
    parser.add_argument("--version", help="the version, such as 1.0.0-rc.1; by default that of pyproject.toml")
    parser.add_argument(
        "--image",
        action=argparse.BooleanOptionalAction,
        help="build the image, or fail; by default it is built if this is root and has buildah",
    )
    chosen = parser.parse_args(arguments)
    try:
        for line in release(ROOT, chosen.version, image=chosen.image):
            print(line, flush=True)
    except RunnerError as error:
        print(f"No release: {error}", file=sys.stderr)
        return 1
    return 0


def release(checkout: Path, wanted: str | None = None, *, image: bool | None = None) -> Iterator[str]:
    """Builds a release of a checkout. Yields lines for the person at the terminal. Raises RunnerError if the release is
    refused, or if a program fails.
    """
    version = wanted or version_of(checkout)
    _refuse(checkout, version)
    notes = notes_of(checkout, version)
    missing = why_no_image() if image is not False else "--no-image was given."
    if image and missing:
        raise RunnerError(missing)
    dist = checkout / "dist" / version
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)
    with committed(checkout, version) as sources:
        build = Build.of(sources, dist)
        yield f"Building {version} of commit {build.commit[:12]} into {dist}"
        build_python(build)
        build_npm(build)
        yield "Listing the components"
        _list_components(build)
        if missing:
            yield f"The image was not built: {missing}"
        else:
            yield "Building the image"
            build_image(build)
    (dist / "release-notes.md").write_text(notes, encoding="utf-8")
    _write_checksums(dist)
    yield from (f"  {path.name}" for path in build.artefacts("*"))
    yield "These commands publish the release. Nothing was tagged or published yet:"
    yield from (f"  {command}" for command in publishing(build))


def _refuse(checkout: Path, version: str) -> None:
    if not _VERSION.fullmatch(version):
        raise RunnerError(f"{version} is not a version such as 1.0.0 or 1.0.0-rc.1.")
    if changed := run(checkout, "git", "status", "--porcelain"):
        raise RunnerError(f"the checkout has changes that are not committed:\n{changed}")
    if run(checkout, "git", "tag", "--list", f"v{version}"):
        raise RunnerError(f"the tag v{version} exists. A version is released once.")


def version_of(checkout: Path) -> str:
    """Returns the version in pyproject.toml of a checkout."""
    return str(tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["version"])


def notes_of(checkout: Path, version: str) -> str:
    """Returns the section of a version in CHANGELOG.md. A candidate such as 1.0.0-rc.1 may have the section of 1.0.0.
    Raises RunnerError if there is no section, or if it is empty.
    """
    changelog = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = {title.split()[0]: text for title, text in re.findall(r"(?ms)^## (.+?)$(.*?)(?=^## |\Z)", changelog)}
    text = sections.get(version) or sections.get(version.partition("-")[0]) or ""
    if not text.strip():
        raise RunnerError(f'CHANGELOG.md has no section "## {version}" with text.')
    return f"# Plaudit {version}\n\n{text.strip()}\n"


@contextmanager
def committed(checkout: Path, version: str) -> Iterator[Path]:
    """Returns a folder with the files of the last commit, whose version is `version`. If the last commit has another
    version, makes a new commit. Its time is that of the last commit, so that a repetition makes the same commit.
    """
    with tempfile.TemporaryDirectory(prefix="plaudit-release-") as folder:
        sources = Path(folder) / "plaudit"
        run(checkout, "git", "worktree", "add", "--quiet", "--detach", str(sources), "HEAD")
        try:
            if version != version_of(sources):
                set_version(sources, version)
                if "-" not in version:  # candidates promise nothing
                    run(sources, sys.executable, "-m", "cli.released", PYTHONPATH="")
                date = run(sources, "git", "log", "-1", "--format=%cI").strip()
                commit = ("git", "commit", "--quiet", "--all", f"--message=Version {version}")
                run(sources, *commit, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
            yield sources
        finally:
            run(checkout, "git", "worktree", "remove", "--force", str(sources))


def set_version(checkout: Path, version: str) -> None:
    """Writes the version into pyproject.toml and into the files that repeat it."""
    for name, text in with_version(checkout, version).items():
        (checkout / name).write_text(text, encoding="utf-8")


def with_version(checkout: Path, version: str) -> dict[str, str]:
    """Returns the texts that the files with the version have if `version` is the version."""
    names = ["package-lock.json", *(f"{one}/package.json" for one in _workspaces(checkout))]
    texts = {}
    for name in names:
        content = json.loads((checkout / name).read_text(encoding="utf-8"))
        for package in (content, *content.get("packages", {}).values()):
            _set_npm_version(package, version)
        texts[name] = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    project, kit = (checkout / "pyproject.toml").read_text(), "deploy/kubernetes/kustomization.yaml"
    texts["pyproject.toml"] = re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', project, count=1)
    texts[kit] = _IMAGE_TAG.sub(rf"\g<1>{version}", (checkout / kit).read_text())
    return texts


def _set_npm_version(package: dict[str, Any], version: str) -> None:
    """Changes the content of a package.json, or an entry of package-lock.json."""
    if package.get("name", "").startswith(_OWN_PACKAGES):
        package["version"] = version
    for kind in ("dependencies", "devDependencies", "peerDependencies"):
        for name in package.get(kind, {}):
            if name.startswith(_OWN_PACKAGES):
                package[kind][name] = version


def _workspaces(checkout: Path, *, published: bool = False) -> list[str]:
    """Returns the folders of the npm packages, or of those that are published."""
    found: list[str] = json.loads((checkout / "package.json").read_text())["workspaces"]
    is_private = {one: json.loads((checkout / one / "package.json").read_text()).get("private") for one in found}
    return [one for one in found if not (published and is_private[one])]


def build_python(build: Build) -> None:
    """Builds the wheel and the source archive."""
    build.run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(build.dist))


def build_npm(build: Build) -> None:
    """Builds the npm packages, with the locked versions of the tools."""
    build.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    for one in _workspaces(build.sources, published=True):
        build.run("npm", "pack", "--silent", "-w", one, "--pack-destination", str(build.dist))


def _list_components(build: Build) -> None:
    """Writes which packages the wheel needs, with the locked versions, and which ones the npm packages and web apps
    contain or need.
    """
    (wheel,) = build.artefacts("*.whl")
    uv = (sys.executable, "-m", "uv")
    with tempfile.TemporaryDirectory() as folder:
        python = f"{folder}/bin/python"
        build.run(*uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder)
        install = ("pip", "install", "--system-certs", "--quiet", "--python", python, "--constraint=requirements.lock")
        build.run(*uv, *install, str(wheel))
        told = ("--pyproject=pyproject.toml", *_cyclonedx(build, "python"))
        run_tool = ("tool", "run", "--system-certs", "--quiet", "--from", CYCLONEDX_PYTHON)
        build.run(*uv, *run_tool, "cyclonedx-py", "environment", *told, python)
    workspaces = [f"--workspace={one}" for one in (*_workspaces(build.sources, published=True), APP)]
    which = ("--package-lock-only", "--omit=dev", *workspaces)
    build.run("npx", "--yes", f"--package={CYCLONEDX_NPM}", "--", "cyclonedx-npm", *which, *_cyclonedx(build, "npm"))


def _cyclonedx(build: Build, name: str) -> tuple[str, str]:
    return "--output-reproducible", f"--output-file={build.dist}/{name}.cdx.json"


def why_no_image() -> str | None:
    """Returns why no image can be built here, or None if one can."""
    if shutil.which("buildah") is None:
        return "buildah is not on the PATH. On Debian and Ubuntu: apt-get install buildah."
    return "buildah needs root rights here." if os.geteuid() else None


def build_image(build: Build) -> None:
    """Builds the image with the Dockerfile of the kit, and writes it to a file for `docker load`."""
    name = f"plaudit:{build.version}"
    labels = {"version": build.version, "revision": build.commit, "licenses": "MIT"}
    told = [f"--label=org.opencontainers.image.{label}={value}" for label, value in labels.items()]
    how = ("--format=docker", "--layers", f"--timestamp={build.seconds}", "--file=deploy/Dockerfile", f"--tag={name}")
    build.run("buildah", "build", *how, *told, ".")
    file = build.dist / f"plaudit-{build.version}-image.tar"
    build.run("buildah", "push", "--quiet", name, f"docker-archive:{file}:{name}")


def _write_checksums(dist: Path) -> None:
    lines = []
    for path in sorted(dist.iterdir()):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (dist / "SHA256SUMS").write_text("".join(lines))


def publishing(build: Build) -> Iterator[str]:
    """Yields the commands that tag and publish a release."""
    tag, is_candidate = f"v{build.version}", "-" in build.version
    yield f'git tag -a {tag} -m "Plaudit {build.version}" {build.commit}'
    yield f"git merge --ff-only {tag}"
    yield f"git push origin HEAD {tag}"
    yield " ".join([".venv/bin/uv publish", *map(str, build.artefacts("*.whl") + build.artefacts("*.tar.gz"))])
    for package in build.artefacts("*.tgz"):
        yield f"npm publish {package} --access public --tag {'next' if is_candidate else 'latest'}"
    for image in build.artefacts("*-image.tar"):
        yield f"buildah push docker-archive:{image} docker://$REGISTRY/plaudit:{build.version}"


def run(folder: Path, *words: str, **variables: str) -> str:
    """Runs a program in a folder. Returns what it prints. Raises RunnerError if it fails."""
    environment: Mapping[str, str] = {**os.environ, **variables}
    try:
        done = subprocess.run(words, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise RunnerError(f"{words[0]} is not on the PATH.") from None
    if done.returncode:
        raise RunnerError(f"`{' '.join(words)}` failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
