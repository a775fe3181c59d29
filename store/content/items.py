"""Reads a page of a list from rows."""

from functools import cache
from typing import Any

from sqlalchemy import TextClause, text

from store.cache.lists import NEWEST, Above, Item
from store.postgres.client import Reader
from store.postgres.distributed import for_citus, on_citus

_LARGEST = (1 << 63) - 1


async def page(source: Reader, statement: TextClause, before: Item | None, count: int, **parameters: Any) -> list[Item]:
    """Reads up to `count` items that come after `before` in their list; the first items if `before` is None. If
    `before` is an `Above`, reads the items that come before it, nearest first.

    `statement` selects (moment or score, id) in the order of the list. It gets the parameters `moment` and `member`,
    the score and the id of `before`, at most the largest number of Postgres; `count`; and those in `parameters`.
    """
    moment, member = before or NEWEST
    statement = mirrored(statement) if isinstance(before, Above) else statement
    rows = await source.read(statement, moment=moment, member=min(member, _LARGEST), count=count, **parameters)
    return [Item(*row) for row in rows]


@cache
def mirrored(statement: TextClause) -> TextClause:
    """Returns the statement that reads the other way: it selects the rows whose place is greater than that of the
    parameter `moment`, in ascending order. `statement` compares places with `< (:moment` or `< :moment`, and orders
    all rows with `DESC`. Its indexes serve both directions.
    """
    return on_citus(*(text(_ascending(one.text)) for one in (statement, for_citus(statement))))


def _ascending(sql: str) -> str:
    return sql.replace("< (:moment", "> (:moment").replace("< :moment", "> :moment").replace(" DESC", "")
