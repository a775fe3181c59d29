"""The tables of the keys of Redis: in store/keys.py and in docs/reference/limits.md."""

import re
from pathlib import Path

from store import keys

DOCS = Path(__file__).parents[3] / "docs/reference/limits.md"


def rows(text: str) -> list[list[str]]:
    """Returns the cells of all lines of tables whose first cell is a key of Redis; a line for each of several keys."""
    lines = re.findall(r"^\| `?(\{.*) \|$", text, re.MULTILINE)
    found = list[list[str]]()
    for line in lines:
        names, *cells = [cell.strip().strip("`") for cell in line.split("|")]
        found += [[name, *cells] for name in names.split("`, `")]
    return found


_TABLES = (keys.__doc__ or "").split("Channels (")[0]
STATE, CACHE = map(rows, _TABLES.split("Cache (may be evicted"))
