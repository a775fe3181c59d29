"""An older version of Plaudit, from the history of this checkout."""

import io
import subprocess
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
