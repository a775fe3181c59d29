"""`make release` refuses what must not be released. What it builds depends on the commit alone."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from cli import released
from runner import release
from runner.errors import RunnerError
from tests.releases.checkouts import VERSION, WHEEL_VERSION, cloned, git
from tests.support.deployment import ROOT


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cloned(tmp_path_factory.mktemp("release") / "checkout")


def content(files: tarfile.TarFile, name: str) -> bytes:
    file = files.extractfile(name)
    assert file
    return file.read()


def refusal(checkout: Path, version: str | None) -> str:
    with pytest.raises(RunnerError) as refused:
        next(release.release(checkout, version, image=False))
    assert not (checkout / "dist").exists()
    return str(refused.value)


def test_a_checkout_with_changes_is_refused(checkout: Path) -> None:
    file = checkout / "new.txt"
    file.touch()
    try:
        assert "not committed:\n?? new.txt" in refusal(checkout, VERSION)
    finally:
        file.unlink()


def test_a_version_without_a_section_in_the_changelog_is_refused(checkout: Path) -> None:
    assert refusal(checkout, "9.8.1") == 'CHANGELOG.md has no section "## 9.8.1" with text.'
    assert refusal(checkout, "9.8.0") == 'CHANGELOG.md has no section "## 9.8.0" with text.'


def test_a_version_that_has_a_tag_is_refused(checkout: Path) -> None:
    git(checkout, "tag", f"v{VERSION}")
    try:
        assert f"the tag v{VERSION} exists" in refusal(checkout, VERSION)
    finally:
        git(checkout, "tag", "--delete", f"v{VERSION}")


def test_a_malformed_version_is_refused(checkout: Path) -> None:
    assert refusal(checkout, "v9") == "v9 is not a version such as 1.0.0 or 1.0.0-rc.1."


def test_a_candidate_may_have_the_notes_of_its_version(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 9.8.0\n\n- New.\n\n### Fixed\n\n- Old.\n\n## 9.7.0\n\n- No.\n"
    )

    assert release.notes_of(tmp_path, "9.8.0-rc.2") == "# Plaudit 9.8.0-rc.2\n\n- New.\n\n### Fixed\n\n- Old.\n"


def test_all_files_have_the_version_of_pyproject_toml() -> None:
    texts = release.with_version(ROOT, release.version_of(ROOT))

    assert {name: text for name, text in texts.items() if (ROOT / name).read_text(encoding="utf-8") != text} == {}


def test_another_version_is_a_new_commit_that_changes_only_files_with_the_version(checkout: Path) -> None:
    before = git(checkout, "log", "--all", "--format=%H")
    files = release.with_version(checkout, VERSION).keys()
    commits = set()
    for _ in range(2):
        with release.committed(checkout, VERSION) as sources:
            commits.add(git(sources, "rev-parse", "HEAD"))
            assert set(git(sources, "diff", "--name-only", "HEAD~1").splitlines()) == files
            assert release.version_of(sources) == VERSION

    assert len(commits) == 1
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "log", "--all", "--format=%H") == before
    assert len(git(checkout, "worktree", "list").splitlines()) == 1


def test_a_final_version_renews_the_promises_and_a_candidate_does_not(checkout: Path) -> None:
    told = {}
    for version in (VERSION, "9.8.0"):
        with release.committed(checkout, version) as sources:
            told[version] = (sources / "docs" / "released" / "version.txt").read_text()
            assert git(sources, "status", "--porcelain") == ""

    assert told == {VERSION: (released.FOLDER / "version.txt").read_text(), "9.8.0": "9.8.0\n"}


def built(checkout: Path, dist: Path, mask: int) -> release.Build:
    """Builds the wheel and the source archive, with the files of the checkout made under a mask of modes."""
    before = os.umask(mask)
    try:
        with release.committed(checkout, VERSION) as sources:
            build = release.Build.of(sources, dist)
            release.build_python(build)
            return build
    finally:
        os.umask(before)


@pytest.mark.timeout(300)  # five builds, while other tests use the processors
def test_two_builds_and_the_source_archive_give_the_same_bytes(checkout: Path, tmp_path: Path) -> None:
    first, build = (built(checkout, tmp_path / oct(mask), mask) for mask in (0o022, 0o077))

    made = {path.name: path.read_bytes() for path in first.artefacts("*")}
    assert {path.name: path.read_bytes() for path in build.artefacts("*")} == made
    wheel, archive = f"plaudit-{WHEEL_VERSION}-py3-none-any.whl", f"plaudit-{WHEEL_VERSION}.tar.gz"
    assert made.keys() == {wheel, archive}
    with tarfile.open(build.dist / archive) as packed:
        packed.extractall(tmp_path, filter="data")
    again = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    variables = {**os.environ, "SOURCE_DATE_EPOCH": build.seconds}
    subprocess.run(again, cwd=tmp_path / f"plaudit-{WHEEL_VERSION}", check=True, capture_output=True, env=variables)
    assert (tmp_path / wheel).read_bytes() == made[wheel]


def test_a_missing_program_is_named_and_with_image_is_a_refusal(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git_alone = checkout.parent / "bin"
    git_alone.mkdir()
    (git_alone / "git").symlink_to(str(shutil.which("git")))
    monkeypatch.setenv("PATH", str(git_alone))

    with pytest.raises(RunnerError, match="buildah is not on the PATH"):
        next(release.release(checkout, VERSION, image=True))
    with pytest.raises(RunnerError, match=r"npm is not on the PATH\."):
        release.run(checkout, "npm")


@pytest.mark.prove
@pytest.mark.skipif(release.why_no_image() is not None, reason=str(release.why_no_image()))
def test_the_file_of_the_image_has_its_name_labels_and_health_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = f'[storage]\ndriver = "vfs"\ngraphroot = "{tmp_path}/images"\nrunroot = "{tmp_path}/run"\n'
    (tmp_path / "storage.conf").write_text(stores)
    monkeypatch.setenv("CONTAINERS_STORAGE_CONF", str(tmp_path / "storage.conf"))
    dockerfile = tmp_path / "deploy" / "Dockerfile"
    dockerfile.parent.mkdir()
    dockerfile.write_text('FROM scratch\nCOPY storage.conf /\nHEALTHCHECK CMD ["true"]\n')

    release.build_image(release.Build(tmp_path, tmp_path, VERSION, "abc", "1700000000"))

    with tarfile.open(tmp_path / f"plaudit-{VERSION}-image.tar") as files:
        (manifest,) = json.loads(content(files, "manifest.json"))
        config = json.loads(content(files, manifest["Config"]))
    assert {name.rpartition("/")[2] for name in manifest["RepoTags"]} == {f"plaudit:{VERSION}"}
    assert config["created"].startswith("2023-11-14T22:13:20")
    assert config["config"]["Healthcheck"] == {"Test": ["CMD", "true"]}
    labels = {name.rpartition(".")[2]: value for name, value in config["config"]["Labels"].items()}
    assert labels.items() >= {"version": VERSION, "revision": "abc", "licenses": "MIT"}.items()


def test_the_printed_commands_publish_each_artefact(tmp_path: Path) -> None:
    names = ("p.whl", "p.tar.gz", "client.tgz", f"plaudit-{VERSION}-image.tar", "python.cdx.json")
    for name in names:
        (tmp_path / name).touch()
    build = release.Build(tmp_path, tmp_path, VERSION, "abc", "0")

    assert list(release.publishing(build)) == [
        f'git tag -a v{VERSION} -m "Plaudit {VERSION}" abc',
        f"git merge --ff-only v{VERSION}",
        f"git push origin HEAD v{VERSION}",
        f".venv/bin/uv publish {tmp_path}/p.whl {tmp_path}/p.tar.gz",
        f"npm publish {tmp_path}/client.tgz --access public --tag next",
        f"buildah push docker-archive:{tmp_path}/plaudit-{VERSION}-image.tar docker://$REGISTRY/plaudit:{VERSION}",
    ]
