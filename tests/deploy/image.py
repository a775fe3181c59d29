"""Builds the kit's image with Buildah, from a minimal Debian with Python 3.15 in place of the base image.

Needs root rights, buildah and debootstrap. No image registry is asked.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from tests.deploy.kit import DOCKERFILE, KIT
from tests.support.deployment import ROOT

DEBIAN, PYTHON = "sid", "python3.15"
PROGRAMS = f"{os.defpath}:/usr/sbin:/sbin"
BUILDAH = shutil.which("buildah", path=PROGRAMS)
DEBOOTSTRAP = shutil.which("debootstrap", path=PROGRAMS)
MISSING = (
    "needs root rights, to build an image"
    if os.geteuid() != 0
    else "buildah or debootstrap is not on the PATH: apt-get install buildah debootstrap"
    if BUILDAH is None or DEBOOTSTRAP is None
    else None
)
"""Why no image can be built here; None if one can."""
CARRIED = ("http_proxy", "https_proxy", "no_proxy", "pip_", "ssl_cert_", "uv_")
"""The prefixes, in lower case, of the environment variables that tell how this machine reaches the package index."""
BASE = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)[-1]


@dataclass(frozen=True)
class Images:
    """Images in a folder of their own."""

    folder: Path

    def command(self, *words: str) -> list[str]:
        """Returns the command line of a command of Buildah."""
        assert BUILDAH
        places = (f"--root={self.folder}/images", f"--runroot={self.folder}/run", "--storage-driver=overlay")
        return [BUILDAH, *places, *words]

    def must_run(self, *words: str) -> str:
        """Runs a command of Buildah, which must succeed. Returns its output."""
        done = subprocess.run(self.command(*words), check=False, capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout.strip()

    def build(self, sources: Path, tag: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Builds an image with the Dockerfile of the kit. Steps that were run before are not run again."""
        kept = (f"--unsetenv={name}" for name in _carried())
        how = ("--pull-never", "--layers", "--format=docker", "--isolation=chroot", f"--file={KIT / 'Dockerfile'}")
        words = self.command("build", *how, *kept, f"--tag={tag}", *options, str(sources))
        return subprocess.run(words, check=False, capture_output=True, text=True)

    def config(self, tag: str) -> dict[str, Any]:
        """Returns what an image says about the programs that run in it."""
        return dict(json.loads(self.must_run("inspect", "--type=image", tag))["Docker"]["config"])

    def container(self, tag: str) -> "Container":
        """Makes a container of an image."""
        name = self.must_run("from", "--pull-never", tag)
        return Container(self, name, Path(self.must_run("mount", name)))

    def add_base(self) -> None:
        """Makes an image with the name of the base image. As there, `python` and `pip` are in /usr/local/bin, and the
        standard library has no bytecode.
        """
        root = _debian(self.folder / "debian")
        name = self.must_run("from", "scratch")
        self.must_run("copy", "--quiet", name, str(root), "/")
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        variables = [f"--env={one}" for one in (path, *(f"{name}={value}" for name, value in _carried().items()))]
        self.must_run("config", *variables, name)
        self.must_run("commit", "--quiet", "--rm", "--format=docker", name, f"docker.io/library/{BASE}")


@dataclass(frozen=True)
class Container:
    """A container, whose programs use the network of this machine. `root` is its root directory."""

    images: Images
    name: str
    root: Path

    def command(self, *words: str, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """Returns the command line that runs a program in the container, as the user of the image."""
        variables = [f"--env={name}={value}" for name, value in (environment or {}).items()]
        return tuple(self.images.command("run", "--isolation=chroot", *variables, self.name, "--", *words))

    def run(self, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Runs a program in the container."""
        command = self.command(*words, environment=environment)
        return subprocess.run(command, check=False, capture_output=True, text=True)

    def must_run(self, *words: str, environment: Mapping[str, str] | None = None) -> str:
        """Runs a program in the container, which must succeed. Returns its output."""
        done = self.run(*words, environment=environment)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout


def context(folder: Path) -> Path:
    """Copies what a build sees: the files of the checkout that .dockerignore does not name."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    ignored = [line.removeprefix("**/") for line in lines if not line.startswith("#")]
    git = shutil.which("git")
    assert git, "git is not on the PATH"
    listed = subprocess.run([git, "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    for name in map(Path, listed.stdout.decode().splitlines()):
        if (ROOT / name).is_file() and not any(fnmatch(name.parts[0], pattern) for pattern in ignored):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def _debian(root: Path) -> Path:
    assert DEBOOTSTRAP
    packages = f"--include=ca-certificates,{PYTHON}-venv,lib{PYTHON}-dev"
    words = [DEBOOTSTRAP, "--variant=minbase", packages, DEBIAN, str(root)]
    made = subprocess.run(words, check=False, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    (root / "etc/apt/apt.conf.d/mirrors").write_text('Acquire::Check-Valid-Until "false";')  # a mirror may be old
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    if certificates.exists():
        shutil.copy(certificates, root / "etc/ssl/certs")
    venv = ["/usr/sbin/chroot", str(root), f"/usr/bin/{PYTHON}", "-m", "venv", "/usr/local"]
    subprocess.run(venv, check=True, env={"PATH": PROGRAMS})
    for file in root.rglob("*.pyc"):
        file.unlink()
    return root


def _carried() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.lower().startswith(CARRIED)}
