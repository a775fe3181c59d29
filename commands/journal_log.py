"""Writes through Redis: one atomic script changes the actor's state in Redis and appends the change to the actor's
journal.
"""

from commands.changes import Change
from domain.errors import UserError
from state import State
from store.write_log.operations import Operation, Outcome


class JournalLog:
    """The WriteLog (commands/write_log.py) that writes each change with one script to Redis."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """Returns the outcome that Redis has stored for an earlier call with this operation, or None."""
        return await self._state.operations.find(actor_id, operation)

    async def conclude(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Stores in Redis the user errors for which a command did not make the write that `operation` identifies.
        Returns the outcome that was stored before, or None.
        """
        return await self._state.operations.conclude(actor_id, operation, errors)

    async def append(self, actor_id: int, operation: Operation, change: Change) -> Outcome:
        """Appends a change to the journal. Reads what the script needs from Postgres if it is not cached."""
        return await change.journal(self._state, actor_id, operation)
