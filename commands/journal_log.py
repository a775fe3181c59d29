"""Writes through Redis: one atomic script changes the actor's state in Redis and appends the change to the actor's
journal.
"""

from collections.abc import Sequence

from domain.errors import Unavailable, UserError
from models.counters import EntityRef
from state import State
from store.people import follows
from store.postgres.client import PostgresDown
from store.reactions import likes
from store.reactions.actions import Action, ActionKind
from store.reactions.likes import UNKNOWN, KnownReaction, ReactionTarget, Verb
from store.write_log.operations import Operation, Outcome

_ATTEMPTS = 3
"""How often a write is tried. A repetition is needed if a cached set expires between loading and use, which is rare."""


class JournalLog:
    """The WriteLog (commands/write_log.py) that writes each change with one script to Redis."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """Returns the outcome that Redis has stored for an earlier call with this operation, or None."""
        return await self._state.operations.find(actor_id, operation)

    async def refuse(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Stores in Redis that a command refused the write that `operation` identifies. Returns the outcome that was
        stored before, or None.
        """
        return await self._state.operations.refuse(actor_id, operation, errors)

    async def react(
        self, actor_id: int, verb: Verb, target: ReactionTarget, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a like or dislike, or the removal of one, to the journal. Reads the actor's current reaction from
        Postgres if it is not cached.

        If it is not cached and Postgres is down, a like or dislike is written without the current reaction; unlike and
        undislike raise PostgresDown.
        """
        redis, reactions = self._state.redis, self._state.reactions
        known: KnownReaction | None = None
        for _ in range(_ATTEMPTS):
            generation = redis.generation
            answer = await reactions.react(actor_id, verb, target, operation, entry, known)
            if not isinstance(answer, likes.ReactionNotCached):
                return answer
            try:
                scored = await reactions.from_truth(
                    actor_id, target.business, [target.entity_id], asked_ms=answer.asked_ms, newest=not answer.warm
                )
            except PostgresDown:
                if not verb.is_absolute:
                    raise
                known = UNKNOWN
                continue
            item = scored.get(target.entity_id)
            if redis.generation == generation:
                known = KnownReaction(item.moment if item else 0, answer.asked_ms)
        raise Unavailable("Your current reaction could not be read.")

    async def follow(
        self, actor_id: int, follows_: bool, followee_id: int, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a follow or unfollow to the journal. Reads the actor's follows from Postgres if they are not cached.

        If they are not cached and Postgres is down, the change is written without checking the limit of followed users.
        """
        unknown = False
        for _ in range(_ATTEMPTS):
            answer = await self._state.follows.follow(
                actor_id, follows_, followee_id, operation, entry, unknown=unknown
            )
            if not isinstance(answer, follows.FollowsNotCached):
                return answer
            try:
                await self._state.follows.warm(actor_id, answer.asked_ms)
            except PostgresDown:
                unknown = True
        raise Unavailable("The users that you follow could not be read.")

    async def record(
        self, actor_id: int, kind: ActionKind, recorded: Sequence[Action], operation: Operation, hour: int
    ) -> Outcome:
        """Appends actions of one kind to the journal, except those beyond the limits of an anonymous device's network,
        and those that count once per hour and were counted in this hour already.
        """
        return await self._state.actions.record(actor_id, kind, recorded, operation, hour)

    async def write(self, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Appends a new, edited or deleted post or comment to the journal. The value of the outcome is the id of the
        post or comment.
        """
        return await self._state.patches.write(actor_id, kind, ref, operation, entry)

    async def judge(self, moderator_id: int, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Appends a moderator's decision about a post or comment to the journal."""
        return await self._state.patches.judge(moderator_id, ref, operation, entry)

    async def mark_read(self, user_id: int, moment: int, operation: Operation) -> Outcome:
        """Appends to the journal that a user has read the notifications up to and including this moment."""
        return await self._state.read_marks.mark(user_id, moment, operation)
