"""Relative links of Markdown files have existing targets, and the source files that pages name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = "docs", "bench", "cli", "clients", "tests", "web"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")) if "node_modules" not in page.parts),
]
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
FILE = re.compile(r"`((?:\w+/)+\w+\.(?:py|lua|txt|yml|js))(?:::\w+)?`")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def is_of_project(page: Path) -> bool:
    """Returns whether a page names files by their paths in the project. Decisions can name files of their time."""
    return page.parent.name != "adr" and page.relative_to(ROOT).parts[0] in ("docs", page.name)


def text_of(page: Path) -> str:
    """Returns a page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Returns the anchors that GitHub gives the headings of a page."""
    titles = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower() for title in HEADING.findall(text_of(page))]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def broken(page: Path) -> list[str]:
    """Returns the relative links of a page that are broken."""
    wrong = []
    for target, anchor in LINK.findall(text_of(page)):
        if re.match(r"[a-z]+:", target):
            continue
        goal = (page.parent / target).resolve() if target else page
        if not goal.exists() or (anchor and goal.suffix == ".md" and anchor not in anchors(goal)):
            wrong.append(f"{target}#{anchor}")
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_has_a_target(page: Path) -> None:
    assert broken(page) == []


@pytest.mark.parametrize("page", [page for page in PAGES if is_of_project(page)], ids=name_of)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert [name for name in FILE.findall(page.read_text(encoding="utf-8")) if not (ROOT / name).exists()] == []


def test_a_broken_link_and_a_missing_heading_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One title\n[a](#one-title) [b](#other) [c](none.md) [d](https://example.com/x)\n")

    assert broken(page) == ["#other", "none.md#"]


def test_the_tests_of_the_page_of_duties_exist() -> None:
    named = re.findall(r"`(tests/[^`]+)`", (ROOT / "docs/operate/duties.md").read_text())

    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []
