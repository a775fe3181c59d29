"""The write log acknowledges the changes that users request. It has two implementations; `current` chooses one of them.

Normally changes go to the journal in Redis (commands/journal_log.py). While Redis is unavailable, changes go directly
to Postgres (commands/direct_log.py). Commands do not depend on the implementation.
"""

from collections.abc import Sequence
from typing import Protocol

from commands.direct_log import DirectLog
from commands.journal_log import JournalLog
from domain.errors import UserError
from models.counters import EntityRef
from state import State
from store.reactions.actions import Action, ActionKind
from store.reactions.likes import ReactionTarget, Verb
from store.write_log.operations import Operation, Outcome


class WriteLog(Protocol):
    """A log that acknowledges changes. `entry` is a change as JSON. `operation` identifies one intended write by its
    idempotency key.

    Every method makes its change at most once per operation; later calls with the same operation return the first
    outcome. Raises RedisDown or PostgresDown if it is unknown whether the change was made; Moved if nothing was changed
    because another log is in use.
    """

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """Returns the outcome of an earlier call with this operation, or None."""

    async def refuse(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Stores that a command refused the write that `operation` identifies, with the errors for the client. Returns
        the outcome that was stored before, or None.
        """

    async def react(
        self, actor_id: int, verb: Verb, target: ReactionTarget, operation: Operation, entry: bytes
    ) -> Outcome:
        """Likes or dislikes an entity, post or comment, or removes the like or dislike."""

    async def follow(
        self, actor_id: int, follows: bool, followee_id: int, operation: Operation, entry: bytes
    ) -> Outcome:
        """Follows or unfollows a user. The status of the outcome is LIMIT if the actor already follows too
        many users.
        """

    async def record(
        self, actor_id: int, kind: ActionKind, recorded: Sequence[Action], operation: Operation, hour: int
    ) -> Outcome:
        """Counts actions of one kind. `hour` is the current hour, as a number of hours since the Unix epoch."""

    async def write(self, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Publishes, edits or deletes a post or comment. The value of the outcome is the id of the post or comment."""

    async def judge(self, moderator_id: int, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Approves or rejects a post or comment."""

    async def mark_read(self, user_id: int, moment: int, operation: Operation) -> Outcome:
        """Marks a user's notifications up to and including this moment as read."""


async def current(state: State) -> WriteLog:
    """Returns the write log that is in use. Raises Unavailable during the few seconds of a switch between the logs."""
    return DirectLog(state) if await state.write_mode.writes_directly() else JournalLog(state)
