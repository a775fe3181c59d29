"""The code blocks of the guides for operators."""

import re

from tests.support.deployment import ROOT

_HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)


def blocks(page: str, heading: str, language: str = "sh") -> list[str]:
    """Returns the code blocks in this language below a heading of docs/operate/<page>, up to the next heading."""
    text = (ROOT / "docs" / "operate" / page).read_text(encoding="utf-8")
    fenced = re.compile(rf"^```{language}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return fenced.findall(_section(text, heading))


def archive_settings(page: str) -> dict[str, str]:
    """Returns the settings of Postgres in the one block of `postgresql.conf` on a page."""
    text = (ROOT / "docs" / "operate" / page).read_text(encoding="utf-8")
    (block,) = re.findall(r"^```ini\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    pairs = [line.split(" = ", 1) for line in block.splitlines()]
    return {name: value.strip("'") for name, value in pairs}


def _section(text: str, heading: str) -> str:
    outside = re.sub(r"^```.*?^```$", lambda code: "`" * len(code[0]), text, flags=re.MULTILINE | re.DOTALL)
    headings = [*_HEADING.finditer(outside)]
    (at,) = [number for number, found in enumerate(headings) if found[2] == heading]
    end = headings[at + 1].start() if at + 1 < len(headings) else len(text)
    return text[headings[at].end() : end]
