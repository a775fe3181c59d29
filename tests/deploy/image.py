"""Runs the build steps of the kit's Dockerfile in a folder, without a container engine."""

import os
import re
import shlex
import shutil
import subprocess
import venv
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tests.deploy.kit import DOCKERFILE
from tests.support.deployment import ROOT

INSTALLED = "/opt/plaudit"


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


@dataclass
class Build:
    """A build in a folder: `context` has the sources, `src` is the working directory, `opt` takes the program."""

    folder: Path
    opt: Path = field(init=False)

    def __post_init__(self) -> None:
        self.opt, self.src = self.folder / "opt", self.folder / "src"
        self.src.mkdir()
        self.sources = context(self.folder / "context")
        venv.create(self.folder / "base", with_pip=True)  # stands for the Python of the base image

    def run(self, command: str, **arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs the command of a RUN instruction, with these arguments of the build."""
        path = f"{self.folder}/base/bin:/usr/bin:/bin"
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PLAUDIT", "VIRTUAL"))}
        return subprocess.run(
            ["/bin/sh", "-c", command.replace(INSTALLED, str(self.opt))],
            check=False,
            cwd=self.src,
            env={**environment, **arguments, "PATH": path},
            capture_output=True,
            text=True,
        )

    def copy(self, words: str) -> None:
        """Follows a COPY instruction into the working directory."""
        *names, target = shlex.split(words)
        assert target in {".", "./"}
        for name in names:
            if name == ".":
                shutil.copytree(self.sources, self.src, dirs_exist_ok=True)
            else:
                shutil.copy(self.sources / name, self.src)

    def all(self) -> None:
        """Follows every instruction of the first stage. Each must succeed."""
        for name, words in instructions(0):
            if name == "COPY":
                self.copy(words)
            elif name == "RUN":
                done = self.run(words)
                assert done.returncode == 0, done.stderr
            else:
                assert (name, words) in {("WORKDIR", "/src"), ("ARG", "EXTRAS=")}
