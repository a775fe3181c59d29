"""The upgrade guide says of every migration what it blocks."""

import re
from collections import Counter
from pathlib import Path

from models.database.revisions import revisions

GUIDE = Path(__file__).parents[2] / "docs" / "operate" / "upgrade.md"
BASELINE = 45
"""The migration that creates all tables."""


def test_every_migration_has_one_row() -> None:
    cells = re.findall(r"^\| (0[\d, ]+) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    named = Counter(int(number) for cell in cells for number in cell.split(", "))

    assert named == Counter(number for number in map(int, revisions()) if number > BASELINE)
