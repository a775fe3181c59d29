"""The archive of the guide to imports is imported as it is."""

from pathlib import Path

from archive.records import KINDS
from tests.archive.archives import load
from tests.support.reconciliation import drift
from tests.support.system import System

OPERATE = Path(__file__).parents[2] / "docs" / "operate"


async def test_the_example_of_the_guide_is_imported(system: System, tmp_path: Path) -> None:
    lines = (OPERATE / "import.jsonl").read_text(encoding="utf-8").splitlines()

    checked = await load(system, tmp_path, *lines, check=True)
    imported = await load(system, tmp_path, *lines)

    assert checked.rejects == imported.rejects == []
    assert imported.done.keys() == KINDS.keys()
    assert sum(imported.done.values()) == len(lines)
    assert await drift(system) == {}


def test_the_lines_that_the_guide_shows_are_in_the_example() -> None:
    shown = (OPERATE / "import.md").read_text(encoding="utf-8").split("```json\n")[1].split("```")[0].splitlines()

    assert set(shown) <= set((OPERATE / "import.jsonl").read_text(encoding="utf-8").splitlines())
