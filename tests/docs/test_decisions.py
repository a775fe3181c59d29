"""The list of decisions names every page by its title."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "adr"
TITLE = re.compile(r"# (\d+)\. (.+)")


def test_the_list_has_the_title_of_every_page_in_order() -> None:
    expected = []
    for page in sorted(FOLDER.glob("[0-9]*.md")):
        title = TITLE.fullmatch(page.read_text(encoding="utf-8").split("\n")[0])
        assert title
        assert page.name.startswith(f"{int(title[1]):04}-")
        expected.append(f"| {title[1]} | [{title[2]}]({page.name}) |")

    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("| ") and line[2].isdigit()] == expected
