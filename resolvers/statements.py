"""Statements of reasons: the viewer's list, and the fields of a statement."""

from collections.abc import Sequence
from datetime import datetime

from context import Context
from domain.errors import BadCursor
from domain.moderation.statements import APPEALABLE
from models.base import at
from models.statements import StatementRow
from models.users import ViewerRow
from resolvers import nodes
from resolvers.nodes import NodeRow
from resolvers.pages import Connection, Pages, Scope, check_first, each, position
from store.moderation import statements

_DAY_MS = 86_400_000


async def of_viewer(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> Pages[StatementRow]:
    """Resolves Viewer.statements: a page of the statements for the viewer, newest first, read from Postgres. Raises
    BadInput unless `first` is 1 to 100.
    """
    check_first(first)

    async def page(viewer: ViewerRow) -> Connection[StatementRow] | BadCursor:
        cursors, scope = context.state.cursors, f"statements:{viewer.user_id}"
        try:
            before, passed = position(cursors, Scope(scope), after)
        except BadCursor as error:
            return error
        rows = await statements.page(context.state.postgres, viewer.user_id, before, first + 1)
        by_id: dict[int, StatementRow | None] = {row.statement_id: row for row in rows[:first]}
        items = list(map(statements.item_of, rows[:first]))
        return Connection(cursors, scope, items, passed, by_id, len(rows) > first, after is not None)

    return await each(page, viewers)


async def targets(context: Context, rows: Sequence[StatementRow]) -> list[NodeRow | Exception | None]:
    """Resolves Statement.target: what each statement is about; None if the object does not exist any more or the viewer
    may not see it, an exception if it cannot be read.
    """
    return await nodes.by_refs(context, [row.ref for row in rows])


def ends(context: Context, rows: Sequence[StatementRow]) -> list[datetime | None]:
    """Resolves Statement.endedAt: when each restriction ended; None for one that is in force."""
    now_ms = context.state.now_ms()
    return [None if (end_ms := row.end_ms(now_ms)) is None else at(end_ms) for row in rows]


def appealable_until(context: Context, rows: Sequence[StatementRow]) -> list[datetime | None]:
    """Resolves Statement.appealUntil: until when the person can appeal; None if an appeal is not possible."""
    days = context.state.settings.moderation.appeal_days
    return [at(row.since_ms + int(days * _DAY_MS)) if row.restriction in APPEALABLE else None for row in rows]
