"""Writes through Redis: one atomic script changes the actor's state in Redis and appends the change to the actor's
journal.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from domain.errors import Unavailable, UserError
from models.counters import EntityRef
from models.follows import FollowState
from models.saves import NOT_SAVED
from projections import suspensions
from projections.events import parse
from projections.events.moderation import Suspended
from state import State
from store.content.patches import SUSPEND
from store.people import follows
from store.people.boundaries import REMOVED, BoundariesNotCached
from store.postgres.client import PostgresDown
from store.reactions.actions import Action, ActionKind
from store.reactions.collections import CollectionChange, CollectionsNotCached
from store.reactions.likes import UNKNOWN, Known, NotCached, ReactionTarget, Verb
from store.redis.client import RedisDown
from store.write_log import partition_leases
from store.write_log.journal import Entry, moment_of, version_of
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import BLOCK

_ATTEMPTS = 3
"""How often a write is tried. A repetition is needed if a cached set expires between loading and use, which is rare."""


class JournalLog:
    """The WriteLog (commands/write_log.py) that writes each change with one script to Redis."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """Returns the outcome that Redis has stored for an earlier call with this operation, or None."""
        return await self._state.operations.find(actor_id, operation)

    async def conclude(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Stores in Redis why a command did not make the write that `operation` identifies: its user errors; none if
        there was nothing to change. Returns the outcome that was stored before, or None.
        """
        return await self._state.operations.conclude(actor_id, operation, errors)

    async def react(
        self, actor_id: int, verb: Verb, target: ReactionTarget, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a like or dislike, or the removal of one, to the journal. Reads the actor's current reaction from
        Postgres if it is not cached.

        If it is not cached and Postgres is down, a like or dislike is written without the current reaction; unlike and
        undislike raise PostgresDown.
        """
        reactions = self._state.reactions

        async def read(answer: NotCached) -> int:
            scored = await reactions.from_truth(
                actor_id, target.business, [target.entity_id], asked_ms=answer.asked_ms, newest=not answer.warm
            )
            item = scored.get(target.entity_id)
            return item.moment if item else 0

        async def run(known: Known | None) -> Outcome | NotCached:
            return await reactions.react(actor_id, verb, target, operation, entry, known)

        return await self._run_knowing(run, read, is_absolute=verb.is_absolute)

    async def save(
        self, actor_id: int, collection_id: int, target: ReactionTarget, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a save, or the removal of one (`NOT_SAVED`), to the journal. Reads the actor's current save from
        Postgres if it is not cached. If it is not cached and Postgres is down, writes without it.
        """
        saves, counters = self._state.saves, [counter.id for counter in target.business.counters]

        async def read(answer: NotCached) -> int:
            found = await saves.from_truth(actor_id, [target.ref], asked_ms=answer.asked_ms, newest=not answer.warm)
            return found[target.ref].collection_id if target.ref in found else NOT_SAVED

        async def run(known: Known | None) -> Outcome | NotCached:
            for _ in range(_ATTEMPTS):
                answer = await saves.save(actor_id, collection_id, target.ref, counters, operation, entry, known)
                if not isinstance(answer, CollectionsNotCached):
                    return answer
                await self._state.collections.warm([actor_id])
            raise Unavailable("Your collections could not be read.")

        return await self._run_knowing(run, read, is_absolute=True)

    async def change_collection(
        self, actor_id: int, change: CollectionChange, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a new, changed or deleted collection to the journal. Reads the actor's collections from Postgres if
        they are not cached. The value of the outcome is the id of the collection.
        """
        store = self._state.collections
        for _ in range(_ATTEMPTS):
            answer = await store.change(actor_id, change, operation, entry)
            if not isinstance(answer, CollectionsNotCached):
                return answer
            await store.warm([actor_id])
        raise Unavailable("Your collections could not be read.")

    async def _run_knowing(
        self,
        run: Callable[[Known | None], Awaitable[Outcome | NotCached]],
        read: Callable[[NotCached], Awaitable[int]],
        *,
        is_absolute: bool,
    ) -> Outcome:
        """Runs a script. If the current state is not cached, reads it from Postgres with `read` and runs the script
        again. If Postgres is down, runs the script without the state if `is_absolute`; otherwise raises PostgresDown.
        """
        redis = self._state.redis
        known: Known | None = None
        for _ in range(_ATTEMPTS):
            generation = redis.generation
            answer = await run(known)
            if not isinstance(answer, NotCached):
                return answer
            try:
                state = await read(answer)
            except PostgresDown:
                if not is_absolute:
                    raise
                known = UNKNOWN
                continue
            if redis.generation == generation:
                known = Known(state, answer.asked_ms)
        raise Unavailable("Your current reaction or save could not be read.")

    async def follow(
        self, actor_id: int, state: FollowState, followee_id: int, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a follow, an unfollow or a request to follow to the journal. Reads the actor's follow set from
        Postgres if it is not cached.

        If it is not cached and Postgres is down, a follow or unfollow is written without checking the limit of followed
        users; for a request, raises PostgresDown. Also raises PostgresDown if a block between the two users cannot be
        read.
        """
        return await self._follow(actor_id, state, followee_id, operation, entry)

    async def answer_request(
        self, follower_id: int, accepts: bool, followee_id: int, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends to the requester's journal that a user accepts or rejects the request to follow the user. The cached
        lists of the user show that at once.

        Raises PostgresDown if the requester's follow set is not cached and Postgres is down.
        """
        state = FollowState.FOLLOWS if accepts else FollowState.NONE
        outcome = await self._follow(follower_id, state, followee_id, operation, entry, answers=True)
        if outcome.value and outcome.status is Status.DONE:  # a repetition must not show an older answer again
            moment, cap = moment_of(version_of(outcome.value)), self._state.settings.cached_followers
            publish = follows.publish_acceptance if accepts else follows.publish_end
            with suppress(RedisDown):
                await publish(self._state.cache, follower_id, followee_id, moment, cap=cap)
        return outcome

    async def _follow(
        self,
        actor_id: int,
        state: FollowState,
        followee_id: int,
        operation: Operation,
        entry: bytes,
        *,
        answers: bool = False,
    ) -> Outcome:
        unknown = False
        for _ in range(_ATTEMPTS):
            answer = await self._state.follows.follow(
                actor_id, state, followee_id, operation, entry, answers=answers, unknown=unknown
            )
            if not isinstance(answer, follows.FollowsNotCached):
                return answer
            try:
                if answer.boundaries:
                    await self._warm_boundaries(actor_id, followee_id, answer.asked_ms)
                else:
                    await self._state.follows.warm(actor_id, answer.asked_ms)
            except PostgresDown:
                if answers or answer.boundaries or state is FollowState.REQUESTED:
                    raise
                unknown = True
        raise Unavailable("The users that you follow could not be read.")

    async def _warm_boundaries(self, actor_id: int, other_id: int, asked_ms: int) -> None:
        """Caches the actor's boundaries, and whether `other_id` blocks the actor."""
        store = self._state.boundaries
        if (await store.warm(actor_id, asked_ms)).blockers is None:
            await store.blockers_among(actor_id, [other_id])

    async def set_boundary(
        self, actor_id: int, kind: str, state: int, ref: EntityRef, operation: Operation, entry: bytes
    ) -> Outcome:
        """Appends a block or mute of the user `ref`, or a mute of the thread `ref`, or the end of one to the journal.
        Reads the actor's boundaries from Postgres if they are not cached. Then tells the slot of a blocked or unblocked
        user. If that fails, a worker repeats it.
        """
        store = self._state.boundaries
        for _ in range(_ATTEMPTS):
            answer = await store.change(actor_id, kind, state, ref, operation, entry)
            if isinstance(answer, BoundariesNotCached):
                await store.warm(actor_id, answer.asked_ms)
                continue
            if kind == BLOCK and answer.value:
                moment = moment_of(version_of(answer.value))
                await self._tell(ref.entity_id, actor_id, moment if state else -moment, answer.value)
            return answer
        raise Unavailable("Your blocks and mutes could not be read.")

    async def remove_follower(self, actor_id: int, follower_id: int, operation: Operation, entry: bytes) -> Outcome:
        """Appends the removal of a follower to the journal. Then ends the follow in the slot of the follower. If that
        fails, a worker repeats it.
        """
        outcome = await self._state.boundaries.remove_follower(actor_id, operation, entry)
        if outcome.status is Status.DONE:  # a repeated request must not end a follow that is newer than the removal
            await self._tell(follower_id, actor_id, REMOVED, operation.digest)
        return outcome

    async def _tell(self, user_id: int, actor_id: int, mark: int, change: str) -> None:
        """Tells the slot of a user about a change of another user's boundaries. If this ends a follow, the other user's
        lists show that at once.
        """
        state = self._state
        with suppress(RedisDown):
            outcome = await state.boundaries.receive(user_id, actor_id, mark, change)
            if outcome.value and outcome.status is Status.DONE:  # a repetition must not show an older end again
                moment = moment_of(version_of(outcome.value))
                await follows.publish_end(state.cache, user_id, actor_id, moment, cap=state.settings.cached_followers)

    async def record(
        self, actor_id: int, kind: ActionKind, recorded: Sequence[Action], operation: Operation, hour: int
    ) -> Outcome:
        """Appends actions of one kind to the journal, except those beyond the limits of an anonymous device's network,
        and those that count once per hour and were counted in this hour already.
        """
        return await self._state.actions.record(actor_id, kind, recorded, operation, hour)

    async def write(
        self, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes, *, changes: bool = True
    ) -> Outcome:
        """Appends a new, edited or deleted post or comment to the journal. The value of the outcome is the id of the
        post or comment. If the actor sees the wanted state already (`changes` is false), stores only the outcome.
        """
        if not changes:
            return await self.conclude(actor_id, operation, ()) or Outcome(Status.DONE)
        return await self._state.patches.write(actor_id, kind, ref, operation, entry)

    async def append(
        self,
        actor_id: int,
        kind: str,
        ref: EntityRef,  # noqa: ARG002 - DirectLog stores the target beside the operation
        operation: Operation,
        entry: bytes,
    ) -> Outcome:
        """Appends a report, an appeal or what a moderator decides to the journal. The value of the outcome is the id of
        the entry.
        """
        return await self._state.patches.append(actor_id, kind, operation, entry)

    async def suspend(
        self,
        moderator_id: int,
        ref: EntityRef,  # noqa: ARG002 - DirectLog stores the target beside the operation
        operation: Operation,
        entry: bytes,
    ) -> Outcome:
        """Appends the suspension of a user, or its end, to the journal, and writes it to Postgres, so that it holds
        whichever store fails next. Raises PostgresDown, and appends nothing, if Postgres takes no writes. Raises
        RedisDown or PostgresDown if a store fails meanwhile; a repetition then writes the same decision.
        """
        state, partition = self._state, self._state.keys.partition_of(moderator_id)
        async with state.postgres.transaction() as transaction:
            await partition_leases.lock(transaction, partition)  # Postgres must take writes before the journal does
        outcome = await state.patches.append(moderator_id, SUSPEND, operation, entry)
        if outcome.value:
            event = parse(Entry(partition, version_of(outcome.value), {b"kind": SUSPEND.encode(), b"data": entry}))
            assert isinstance(event, Suspended)
            await suspensions.apply_alone(state, event)
        return outcome

    async def mark_read(self, user_id: int, moment: int, operation: Operation) -> Outcome:
        """Appends to the journal that a user has read the notifications up to and including this moment."""
        return await self._state.read_marks.mark(user_id, moment, operation)
