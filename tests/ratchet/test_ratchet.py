"""A new kind of own set is a set of new files. `bookmark` is one: its set, counter, list, state, event and repair."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BOOKMARK = Path(__file__).parent / "bookmark"
MOST_FILES = 12
NOT_COPIED = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "bench", "ratchet")


def files() -> list[Path]:
    """Returns the files of the kind, relative to a checkout."""
    return sorted(file.relative_to(BOOKMARK) for file in BOOKMARK.rglob("*.py"))


def test_a_kind_has_few_files_and_replaces_none() -> None:
    assert len(files()) <= MOST_FILES
    assert [file for file in files() if (ROOT / file).exists()] == []


def test_a_kind_works_in_a_checkout_to_which_its_files_are_added(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT, checkout, ignore=NOT_COPIED)
    last = max(file.name[:4] for file in (ROOT / "alembic" / "versions").glob("*.py"))
    for file in files():
        (checkout / file).parent.mkdir(parents=True, exist_ok=True)
        (checkout / file).write_text((BOOKMARK / file).read_text().replace('"LAST"', f'"{last}"'))

    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "not prove", "tests/features/bookmarks"]
    ran = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr
