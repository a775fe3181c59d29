"""Positions: what a viewer has written, as a text that the viewer sends with later operations. A reading site
answers them only if it has these writes (ADR 104).

A position stands in `extensions.position` of the response to a mutation, and of later requests.
"""

import re
from contextlib import suppress
from typing import Any, NamedTuple, Self

from domain.errors import Unavailable
from observability import metrics
from state import State
from store.cache import log, repeated

_TEXT = re.compile(r"(\d{1,20})\.(\d{1,20})")


class Position(NamedTuple):
    """What a viewer has written: the id of the newest entry in the journal of the viewer's partition, as a version, and
    a position in the WAL of Postgres; 0 if nothing was written there.
    """

    version: int
    wal: int

    @classmethod
    def of(cls, extensions: dict[str, Any] | None) -> Self | None:
        """Returns the position in the extensions of a request; None if there is none, or if it is malformed."""
        text = (extensions or {}).get("position")
        found = _TEXT.fullmatch(text) if isinstance(text, str) else None
        return cls(*map(int, found.groups())) if found else None

    def __str__(self) -> str:
        return f"{self.version}.{self.wal}"


async def after_writes(state: State, actor_id: int | None) -> Position:
    """Returns the position after the writes of the current request. Leaves out a part that cannot be read, because its
    store is down.
    """
    version = wal = 0
    usage = metrics.usage.get()
    with suppress(Unavailable):
        if actor_id is not None and not state.write_mode.current.direct:
            partition = state.keys.partition_of(actor_id)
            version = await state.journals.last(partition)
        if usage is None or usage.transactions:
            wal = await log.written(state.postgres)
    return Position(version, wal)


async def is_here(state: State, actor_id: int | None, position: Position) -> bool:
    """Returns whether this site, which only reads, has the writes up to a position. Returns False if a store that knows
    it is down.
    """
    with suppress(Unavailable):
        version, reached = 0, None
        if actor_id is not None and position.version:
            partition = state.keys.partition_of(actor_id)
            version = await state.journals.last(partition)
        if position.wal:
            reached = await repeated.reached(state.cache.redis)
        return version >= position.version and (reached.position if reached else 0) >= position.wal
    return False
