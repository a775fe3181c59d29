"""Follows the kit's Dockerfile in root directories, without a container engine.

A minimal Debian with Python 3.11 takes the place of the base image. Needs root rights and debootstrap.
"""

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from string import Template

from tests.deploy.kit import DOCKERFILE
from tests.support.deployment import ROOT

DEBIAN = "bookworm"  # its Python is 3.11
DEBOOTSTRAP = shutil.which("debootstrap", path=f"{os.defpath}:/usr/sbin:/sbin")
MISSING = (
    "needs root rights, to change the root directory"
    if os.geteuid() != 0
    else "debootstrap is not on the PATH: apt-get install debootstrap"
    if DEBOOTSTRAP is None
    else None
)
"""Why the steps cannot be followed here; None if they can."""
CARRIED = ("http_proxy", "https_proxy", "no_proxy", "pip_", "ssl_cert_", "uv_")
"""What the names of variables begin with, in lower case, that say how this machine reaches the package index."""
WITHOUT_EFFECT = {"EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
"""Instructions that change no file and no environment."""


def instructions(stage: int) -> list[tuple[str, str]]:
    """Returns the instructions of a stage with their arguments, without FROM."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    lines = re.split(r"^FROM .*\n", text, flags=re.MULTILINE)[1 + stage].splitlines()
    return [(line.split()[0], line.partition(" ")[2]) for line in lines if line]


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


def base(root: Path) -> Path:
    """Makes a root directory like that of the base image: `python` and `pip` are in /usr/local/bin."""
    assert DEBOOTSTRAP
    words = [DEBOOTSTRAP, "--variant=minbase", "--include=ca-certificates,python3-venv", DEBIAN, str(root)]
    made = subprocess.run(words, check=False, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(name).exists():
            shutil.copy(name, root / name[1:])
    Stage(root).must_run("/usr/bin/python3", "-m", "venv", "/usr/local")
    return root


def _environment() -> dict[str, str]:
    found = {name: value for name, value in os.environ.items() if name.lower().startswith(CARRIED)}
    return {**found, "HOME": "/root", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}


@dataclass
class Stage:
    """A stage of the Dockerfile in a root directory, with what its instructions have set so far."""

    root: Path
    environment: dict[str, str] = field(default_factory=_environment)
    directory: str = "/"
    user: str = "0:0"

    def command(self, *words: str) -> tuple[str, ...]:
        """Returns the words of a command that becomes a program in the root directory, as the user of the stage."""
        unshare = shutil.which("unshare")
        assert unshare, "unshare is not on the PATH: it belongs to util-linux"
        user, _, group = self.user.partition(":")
        places = (f"--root={self.root}", f"--wd={self.directory}", "--mount-proc")
        return (unshare, *places, f"--setgid={group}", f"--setuid={user}", *words)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs a program in the root directory, with these variables too."""
        environment = {**self.environment, **variables}
        return subprocess.run(self.command(*words), check=False, env=environment, capture_output=True, text=True)

    def must_run(self, *words: str) -> str:
        """Runs a program that must succeed. Returns its output."""
        done = self.run(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def copy(self, words: str, sources: Path, other: "Stage | None") -> None:
        """Follows a COPY instruction, from the sources of the build or from another stage."""
        *names, target = shlex.split(words)
        if names[0].startswith("--from="):
            assert other
            sources = other.root
            names = [name.removeprefix("/") for name in names[1:]]
        place = self.root / self.directory.removeprefix("/") / target.removeprefix("/")
        for name in names:
            if (sources / name).is_dir():
                shutil.copytree(sources / name, place, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy(sources / name, place)

    def follow(self, number: int, sources: Path, other: "Stage | None" = None) -> None:
        """Follows every instruction of a stage. Each must succeed."""
        for name, words in instructions(number):
            match name:
                case "COPY":
                    self.copy(words, sources, other)
                case "RUN":
                    self.must_run("/bin/sh", "-c", words)
                case "WORKDIR":
                    self.directory = words
                    (self.root / words.removeprefix("/")).mkdir(parents=True, exist_ok=True)
                case "ENV":
                    pairs = (pair.partition("=") for pair in shlex.split(words))
                    self.environment |= {name: Template(to).substitute(self.environment) for name, _, to in pairs}
                case "ARG":
                    assert words.endswith("="), "a default is not followed"
                case "USER":
                    self.user = words
                case _:
                    assert name in WITHOUT_EFFECT, name
