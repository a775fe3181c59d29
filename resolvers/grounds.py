"""The configured grounds of decisions of moderation."""

from collections.abc import Sequence
from typing import Protocol

from context import Context
from settings import Ground


class Grounded(Protocol):
    """A row with the name of a ground."""

    @property
    def ground(self) -> str | None: ...


def every(context: Context) -> list[Ground]:
    """Resolves Query.grounds: all configured grounds, in their order."""
    return list(context.state.settings.grounds.values())


def of_rows(context: Context, rows: Sequence[Grounded]) -> list[Ground | None]:
    """Resolves Statement.ground and ModerationLogEntry.ground: the ground that each row names; None if it names none,
    and for a ground that is not configured any more.
    """
    grounds = context.state.settings.grounds
    return [grounds.get(row.ground) if row.ground is not None else None for row in rows]
