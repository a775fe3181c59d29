"""Boundaries: the users that a user blocks and mutes, the threads that the user mutes, and the users that block the
user. The topics and entities that the user follows, the user's preferences, hidden posts and muted words are read with
them.

All but the users that block the user are own sets of the user (store/own_sets/own_sets.py). A process reads all of
these sets together and remembers them. Redis has a stamp, which changes whenever one of the sets changes. If the stamp
is still the one that the process knows, the process uses what it remembers. So a request does not pay for a set that it
does not need.

A block is written in two slots: the blocker's and the blocked user's. The blocker's script writes the block to the
blocker's journal. A second script writes it to the slot of the blocked user, where it prevents follows and hides the
blocker. The request runs the second script at once, and a worker repeats it until it succeeds.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cachetools import LRUCache
from redis.exceptions import NoScriptError

from domain.digests import digest
from domain.errors import NotHere
from domain.idempotency import LIFE_MS
from models.boundaries import BLOCK, MUTE, Boundaries
from models.content_follows import CONTENT_FOLLOW, ContentFollow, name_in
from models.counters import EntityRef
from models.follows import FOLLOW
from models.hidden_posts import HiddenPost
from models.muted_words import MUTED_WORDS
from models.own_sets import Member
from settings import USERS
from store.keys import Keys
from store.own_sets.filling import filling
from store.own_sets.kinds import KINDS
from store.people import boundary_rows
from store.people.boundary_rows import BLOCKER, OWN
from store.people.follows import ended
from store.postgres.client import Postgres
from store.redis.client import Redis
from store.scripts import BOUNDARIES, FILL_OWN_SETS, FORGET, RECEIVE, WRITE
from store.write_log import operations
from store.write_log.operations import Operation, Outcome
from store.write_log.pending import field_of

FOREVER_MS = (1 << 53) - 1
"""The end of a mute without an end, in milliseconds since the Unix epoch: the largest exact score of a sorted set."""
UNFOLLOWER = "unfollower"
"""The kind of the journal entry with which a user removes a follower."""
REMOVED = 0
"""The mark of a user who was removed from the followers of another user."""
_WEEK_MS = 7 * 86_400_000
_REMEMBERED = 10_000
"""The number of users whose boundaries a process keeps."""
_NEVER = -1
"""The mark of a user who has never blocked."""


class BoundaryStore:
    """The boundaries of all users: which users each user blocks and mutes, which threads the user mutes, who blocks the
    user, what the user follows, and the user's preferences, hidden posts and muted words. Scripts change them. Reads
    use complete cached sets, which are rebuilt from rows if they are not cached. `pending_ms` is for how many
    milliseconds after a read of rows the result may be cached.
    """

    def __init__(
        self, redis: Redis, keys: Keys, postgres: Postgres, *, pending_ms: int, journal_max_entries: int
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._pending_ms = pending_ms
        self._journal_bound = journal_max_entries
        self._known: LRUCache[int, Boundaries] = LRUCache(_REMEMBERED)
        """The boundaries that this process has read last. Redis tells by their stamps whether they have changed."""
        self._sets = lru_cache(_REMEMBERED)(self._keys_of)
        """Returns the keys of a user that boundaries.lua reads."""

    async def remove_follower(self, actor_id: int, operation: Operation, entry: bytes) -> Outcome:
        """Appends `entry`, the removal of a follower of the actor, to the actor's journal. If nothing was appended, the
        status of the outcome says why. The outcome is recorded under the name of `operation`; its value is the id of
        the journal entry. The follow itself ends only with `receive`. Raises RedisDown, and Moved (`operations.run`).
        """
        named = [self._keys.pending(actor_id, BLOCK), self._keys.operation(actor_id, operation.name)]
        args = [UNFOLLOWER, operation.fingerprint, operation.life_ms, "", self._journal_bound, 0, "", entry]
        return Outcome.parse(await operations.run(self._redis, self._keys, WRITE, actor_id, named, args))

    async def receive(self, user_id: int, other_id: int, mark: int, change: str) -> Outcome:
        """Stores in the Redis slot of the user `user_id` what the user `other_id` has done: blocked the user (`mark` is
        the moment of the change), unblocked the user (minus the moment), or removed the user from the followers of
        `other_id` (`REMOVED`). Ends the user's follow of `other_id`, except after an unblock.

        `change` names what the other user has done, such as by its journal id: a repeated call has the same. Repeated
        and late calls change nothing. The value of the outcome is the journal id of the unfollow; None if no follow had
        to be ended. Raises RedisDown, and Moved (`operations.run`).
        """
        keys = self._keys
        name = digest("receive", str(other_id), change)
        named = [
            keys.own_set(BLOCKER, user_id),
            keys.own_set(FOLLOW, user_id),
            keys.pending(user_id, FOLLOW),
            keys.operation(user_id, name),
            keys.boundaries(user_id),
        ]
        args = [
            *(mark, other_id, field_of(FOLLOW, EntityRef(USERS, other_id)), name, LIFE_MS),
            *(_WEEK_MS, boundary_rows.MOST_BLOCKERS, ended(user_id, other_id)),
        ]
        return Outcome.parse(await operations.run(self._redis, keys, RECEIVE, user_id, named, args))

    def ask(self, user_id: int) -> "Reading":
        """Starts to read the boundaries of a user: queues the command and does not wait. Pass the result to `answered`
        or `read`.
        """
        known, keys = self._known.get(user_id), self._sets(user_id)
        stamp = known.stamp if known else b""
        return Reading(user_id, keys, known, self._redis("EVALSHA", BOUNDARIES.sha, len(keys), *keys, stamp))

    def answered(self, reading: "Reading") -> Boundaries | None:
        """Returns the boundaries that a read, which `ask` has started, has found. Call it only after the answer of
        Redis has arrived. Returns None if the answer is an error, or if Redis does not have the user's own sets: then
        call `read`.
        """
        if reading.coming.cancelled() or reading.coming.exception():
            return None
        answer = reading.coming.result()
        return None if isinstance(answer[0], int) else self._parsed(reading, answer)

    async def read(self, reading: "Reading") -> Boundaries:
        """Waits for a read, which `ask` has started, and returns the boundaries. If Redis does not have the user's own
        sets, reads the boundaries from Postgres and caches them (`warm`). Raises RedisDown and PostgresDown.
        """
        try:
            answer = await reading.coming
        except NoScriptError:
            answer = await self._redis.run(BOUNDARIES, reading.keys, [""])
        if isinstance(answer[0], int):
            return await self.warm(reading.user_id, answer[0])
        return self._parsed(reading, answer)

    def _parsed(self, reading: "Reading", answer: Sequence[Any]) -> Boundaries:
        if len(answer) == 1:
            assert reading.known
            return reading.known
        stamp, blocks, mutes, threads, follows, preferences, hidden, words, blockers, texts = answer
        names = {member: name_in(text.decode()) for member, text in zip(texts[::2], texts[1::2], strict=True)}
        found = Boundaries(
            _scored(blocks),
            {int(user): int(end) for user, end in zip(mutes[::2], mutes[1::2], strict=True)},
            {ref: moment for _, ref, moment in _objects(threads)},
            {ref: ContentFollow(moment, names.get(member, "")) for member, ref, moment in _objects(follows)},
            frozenset(_scored(preferences)),
            {post: HiddenPost(abs(mark), mark < 0) for post, mark in _scored(hidden).items()},
            "".join(name_in(text.decode()) for text in words[1::2]),
            frozenset(user for user, mark in _scored(blockers).items() if mark > 0) if blockers else None,
            stamp,
        )
        self._known[reading.user_id] = found
        return found

    async def warm(self, user_id: int, asked_ms: int) -> Boundaries:
        """Reads the boundaries of a user from Postgres and fills the cached sets with them. Returns the boundaries with
        pending changes, which Postgres lacks; without them if the sets could not be filled. `asked_ms` is the time of
        the Redis server that has the sets, in milliseconds since the Unix epoch, read before this call. Raises
        RedisDown and PostgresDown; NotHere if Redis is a replica: rows lack the newest blocks, and it cannot be filled.
        """
        if self._redis.is_replica:
            raise NotHere
        generation = self._redis.generation
        stored = await boundary_rows.stored(self._postgres, user_id, asked_ms)
        if self._redis.generation != generation:
            return stored.boundaries
        args: list[object] = [asked_ms, self._pending_ms, _WEEK_MS, secrets.token_hex(8)]
        for what, members in stored.own.items():
            args += filling(KINDS[what].member, KINDS[what].prefix(0), members, 0, None, KINDS[what].is_listed)
        marks = [Member(mark, EntityRef(USERS, user), 1) for user, mark in stored.marks.items()]
        args += filling(lambda ref: str(ref.entity_id), "", marks, 0 if stored.has_all_blockers else "", None)
        named = [key for what in (*stored.own, BLOCKER) for key in self._keys.of_own_set(what, user_id, None)]
        filled = await self._redis.run(FILL_OWN_SETS, [*named, self._keys.boundaries(user_id)], args)
        # Pending changes, which rows lack, are in the sets.
        sets = self._sets(user_id)
        answer = await self._redis.run(BOUNDARIES, sets, [""]) if filled else [0]
        if isinstance(answer[0], int):
            return stored.boundaries
        return self._parsed(Reading(user_id, sets, None, None), answer)

    async def forget(self, users: Iterable[int]) -> None:
        """Removes the cached boundaries of these users, except own sets with pending changes. Later reads rebuild them
        from rows.
        """
        for user in users:
            for what in OWN:
                await self._redis.run(FORGET, self._keys.of_own_set(what, user, None), [KINDS[what].prefix(0)])
            await self.forget_blockers(user)

    async def forget_blockers(self, user_id: int) -> None:
        """Removes the cached set of the users who block this user. Processes then read the user's boundaries again."""
        blockers = self._keys.own_set(BLOCKER, user_id)
        await self._redis("DEL", blockers, self._keys.boundaries(user_id), write=True)

    async def blockers_among(self, user_id: int, others: Sequence[int]) -> set[int]:
        """Returns those of `others` who block the user: from the cache, else from rows. Caches which of `others` do not
        block the user. Call it for users who are blocked by more users than are cached together. Raises RedisDown and
        PostgresDown.
        """
        key = self._keys.own_set(BLOCKER, user_id)
        marks = await self._redis("ZMSCORE", key, *others)
        blockers = {other for other, mark in zip(others, marks, strict=True) if mark is not None and float(mark) > 0}
        if unknown := [other for other, mark in zip(others, marks, strict=True) if mark is None]:
            found = await boundary_rows.blockers_among(self._postgres, user_id, unknown)
            blockers |= found
            absent = [word for other in unknown if other not in found for word in (_NEVER, other)]
            if absent and not self._redis.is_replica:
                commands = [("ZADD", key, "NX", *absent), ("PEXPIRE", key, _WEEK_MS, "NX")]
                await self._redis.gather(commands, write=True)
        return blockers

    def _keys_of(self, user_id: int) -> Sequence[str]:
        keys = self._keys
        sets = [keys.own_set(what, user_id) for what in (*OWN, BLOCKER)]
        states = [keys.own_states(what, user_id) for what in (MUTE, CONTENT_FOLLOW, MUTED_WORDS)]
        return *sets, *states, keys.boundaries(user_id)


@dataclass(frozen=True, slots=True)
class Reading:
    """A read of a user's boundaries that `BoundaryStore.ask` has started: the user, the Redis keys, the boundaries that
    this process knew before (None: it knew none), and a future of Redis's answer (`coming`).
    """

    user_id: int
    keys: Sequence[str]
    known: Boundaries | None
    coming: Any


def _objects(raw: Sequence[bytes]) -> Iterator[tuple[bytes, EntityRef, int]]:
    """Yields the members of a set of objects, such as muted threads: each with the object and the moment of the last
    change. `raw` is a flat list of members and scores as Redis returns it.
    """
    for member, score in zip(raw[::2], raw[1::2], strict=True):
        business, _, entity = member.partition(b":")
        if entity:
            yield member, EntityRef(int(business), int(entity)), int(float(score))


def _scored(raw: Iterable[bytes]) -> dict[int, int]:
    words = iter(raw)
    scores = {int(member): int(float(score)) for member, score in zip(words, words, strict=True)}
    scores.pop(0, None)
    return scores
