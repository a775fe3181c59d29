"""For how long Redis keys live, as the table in store/keys.py says."""

import re

from store import keys

_ROW = re.compile(
    r"^\| (\{\S+?\}[^\s,]*)(?:, …:(\w+))? +\| (?:string|hash|zset|set|list|stream) +\|[^|]*\| *([^|]*?) *\|",
    re.MULTILINE,
)
"""A row of the table: a key, perhaps the ending of a second key, and how long both live."""


def lives() -> dict[str, str]:
    """Returns, for each key in the table, for how long it lives, such as `7 d idle`."""
    found: dict[str, str] = {}
    for name, other, life in _ROW.findall(keys.__doc__ or ""):
        found[name] = life
        if other:  # {board:<biz>:week}, …:all
            found[f"{name.rpartition(':')[0]}:{other}}}"] = life
    return found
