"""How much of a table a statement reads, from the plan that Postgres has executed."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import TextClause, text

from tests.support.system import System


class Reads(NamedTuple):
    """The reads of a table by a statement: the scans of the table or its indexes, and the rows that the scans found."""

    scans: int
    rows: int


LARGE = ("hashjoin", "mergejoin", "seqscan")
"""Methods that Postgres does not use on large tables."""


async def reads(
    system: System, statement: TextClause, table: str, *, without: Sequence[str] = (), **parameters: Any
) -> Reads:
    """Executes a statement that changes nothing, with a plan that uses none of the methods in `without`. Returns how
    often it has scanned the table, and the rows of all scans.
    """
    async with system.state.postgres.transaction() as transaction:
        for method in without:
            await transaction.execute(text(f"SET LOCAL enable_{method} = off"))
        explained = text(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement.text}")
        ((plans,),) = await transaction.execute(explained, **parameters)
    scans = [node for node in _nodes(plans[0]["Plan"]) if node.get("Relation Name") == table]
    loops = [node["Actual Loops"] for node in scans]
    found = [node["Actual Rows"] + node.get("Rows Removed by Filter", 0) for node in scans]
    return Reads(sum(loops), round(sum(many * rows for many, rows in zip(loops, found, strict=True))))


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from _nodes(child)
