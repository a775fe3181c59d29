"""Reads a page of a list from rows."""

from typing import Any

from sqlalchemy import TextClause

from store.cache.lists import NEWEST, Item
from store.postgres.client import Reader

_LARGEST = (1 << 63) - 1


async def page(source: Reader, statement: TextClause, before: Item | None, count: int, **parameters: Any) -> list[Item]:
    """Reads up to `count` items that come after `before` in their list; the first items if `before` is None.

    `statement` selects (moment or score, id) in the order of the list. It gets the parameters `moment` and `member`,
    the score and the id of `before`, at most the largest number of Postgres; `count`; and those in `parameters`.
    """
    moment, member = before or NEWEST
    rows = await source.read(statement, moment=moment, member=min(member, _LARGEST), count=count, **parameters)
    return [Item(*row) for row in rows]
