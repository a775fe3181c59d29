"""OpenTelemetry spans of the SQL statements that run for traced requests and batches."""

import re
from collections.abc import Awaitable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from observability import tracing

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_WORD = re.compile(r"([A-Z]+)")
"""The first word of a statement. An expression may begin with a parenthesis."""
_TABLE = re.compile(r"\b(?:INTO|UPDATE|JOIN|(?<!epoch )FROM)(?!\s+\w+\()\s+([a-z_]+)")
"""Finds a table in a statement, after a word such as FROM. Skips a function in its place."""


def in_span(sql: str, answer: Awaitable[Any]) -> Awaitable[Any]:
    """Returns `answer`, the awaitable that runs the statement `sql`. If the current request or batch is traced, returns
    a coroutine that awaits it in a span. The span has the statement with its placeholders, and no values.
    """
    return _in_span(parent, sql, answer) if tracing.tracer and (parent := tracing.current()) else answer


async def _in_span(parent: "Span", sql: str, answer: Awaitable[Any]) -> Any:
    name = _summary(sql)
    about = {"db.system.name": "postgresql", "db.query.summary": name, "db.query.text": sql}
    span = tracing.child(parent, name, about)
    try:
        return await answer
    except BaseException as error:
        tracing.fail(span, type(error).__name__)
        raise
    finally:
        span.end()


@lru_cache(1000)
def _summary(sql: str) -> str:
    """Returns the first word of a statement and the first table that it names, such as `UPDATE partitions`."""
    word, table = _WORD.search(sql), _TABLE.search(sql)
    return " ".join(found[1] for found in (word, table) if found)
