"""Clones of the last commit, in which tests release a version."""

import shutil
import subprocess
from pathlib import Path

from tests.support.deployment import ROOT

VERSION = "9.8.0-rc.1"
WHEEL_VERSION = "9.8.0rc1"


def cloned(folder: Path) -> Path:
    """Clones the last commit of this checkout. Gives the changelog of the clone a section for VERSION."""
    git(ROOT, "clone", "--quiet", "--shared", "--no-tags", str(ROOT), str(folder))
    git(folder, "config", "user.name", "Test")
    git(folder, "config", "user.email", "test@example.org")
    changelog = folder / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    changelog.write_text(
        text.replace("\n## ", f"\n## {VERSION} (today)\n\n- One thing is new.\n\n## ", 1), encoding="utf-8"
    )
    git(folder, "commit", "--quiet", "--all", "--message=Notes")
    return folder


def git(folder: Path, *words: str) -> str:
    """Runs git in a folder, which must succeed. Returns what it prints."""
    program = shutil.which("git")
    assert program, "git is not on the PATH"
    return subprocess.run((program, *words), cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
