"""An older version of Plaudit, from the history of this checkout."""

import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.support.deployment import ROOT

PREVIOUS = "e9f2058c441aac6e99634309853875ebb5d8071e"
"""The oldest version that answers all operations of the fault suite's users, and whose journal entries and keys of own
sets are those of this version. Upgrades are tested from it on.
"""


def checked_out(commit: str, folder: Path) -> Path:
    """Writes the files of a commit into a folder, and returns it. Skips the test if the history lacks the commit."""
    git = ("git", "-C", str(ROOT), "archive", "--format=tar", commit)
    packed = subprocess.run(git, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip(f"needs the history of the repository, with the commit {commit[:12]}: {packed.stderr.decode()}")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def installed(checkout: Path, folder: Path, version: str | None = None) -> Path:
    """Builds the wheel of a checkout, and installs it in a folder for PYTHONPATH, which is returned. If `version` is
    given, gives the checkout this version before.
    """
    if version:
        project = checkout / "pyproject.toml"
        project.write_text(re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', project.read_text(), count=1))
    python = (sys.executable, "-m")
    build = [*python, "hatchling", "build", "-t", "wheel", "-d", f"{folder}-wheel"]
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    (wheel,) = Path(f"{folder}-wheel").glob("*.whl")
    install = [
        *python,
        "uv",
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-deps",
        "--target",
        str(folder),
        str(wheel),
    ]
    subprocess.run(install, check=True)
    return folder


def limits_known_to(code: Path, limits: str) -> str:
    """Returns a value of PLAUDIT_LIMITS without the kinds of writes that an older version does not know, whose modules
    are in the folder `code`. An operator sets no limit that the older version refuses.
    """
    declared = re.search(r"WriteKind = Literal\[(.*?)\]", (code / "settings" / "limits.py").read_text(), re.DOTALL)
    assert declared
    known = set(re.findall(r'"(\w+)"', declared[1]))
    chosen = json.loads(limits)
    for caller in filter(None, chosen.values()):
        caller["writes"] = {kind: rate for kind, rate in caller["writes"].items() if kind in known}
    return json.dumps(chosen)
