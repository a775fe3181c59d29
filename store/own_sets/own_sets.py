"""Own sets: for each user, what the user likes, saves, follows, blocks or mutes, cached in Redis. Changes members with
a script, looks members up, and loads sets from rows.

A set holds each member's last change: its moment and its state. A set with a floor holds all members whose moments are
above the floor. A cold set, which has no floor, is loaded when it is needed. If an object has pending changes, the
state after them counts, not the set.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple

from domain.errors import Unavailable
from domain.ids import born_ms
from domain.versions import moment_at
from models.counters import EntityRef
from models.own_sets import Member, Transition
from settings import POSTS, TOPICS, Settings
from store.gather import gather_all
from store.keys import Key, Keys
from store.own_sets.boundaries import BoundaryStore
from store.own_sets.filling import filling
from store.own_sets.kind import Bounds, Kind, ReadRowsOfUsers
from store.own_sets.kinds import KINDS, counted_changes
from store.postgres.client import Postgres, PostgresDown
from store.redis.client import Redis, RedisDown
from store.scripts import CHANGE_OWN_SET, FILL_OWN_SETS, FORGET
from store.write_log import operations
from store.write_log.operations import Changed, Operation, Outcome, Status
from store.write_log.pending import PendingHistory, field_of

_ATTEMPTS = 4
"""How often the script is run at most. A run may find one of three things missing: the set, the set of legal states, or
the boundaries. A fourth run is needed if one of the three expires meanwhile, which is rare.
"""
_CLOCK_SKEW_MS = 600_000
"""How much the clocks of an API process, which dates objects, and of Redis, which dates changes, may differ."""
_NO_AGE = 1 << 53
_FLOOR = 0
"""The member whose score is the floor."""
UNKNOWN = "?"
"""The current state, if Redis does not have it and Postgres is down."""


class _Cold(NamedTuple):
    """The answer of a script that changed nothing, because something that it needs (`what`) is not cached."""

    asked_ms: int
    """The time of the script's Redis server, in milliseconds since the Unix epoch."""
    what: str
    """`set`: the set, `within`: the set of the legal states, `guards`: the boundaries."""
    has_floor: bool
    """Whether the set has a floor, so that only this member can be missing."""


class Held(NamedTuple):
    """The cached states of one user about some objects. Unless the bounds of the set are `exact`, the states 1 and 2
    stand for all states that lists of the set have and leave out. Objects that are not in the cached set are left out
    here. `floor` is the moment above which the cached set is complete (0: it is complete); None if the set is not
    loaded.
    """

    states: dict[EntityRef, int]
    floor: int | None

    def rules_out(self, ref: EntityRef) -> bool:
        """Returns whether an object that is not in `states` is certainly not in the user's set: the cached set is
        complete, or the object is younger than the floor.
        """
        return self.floor is not None and (self.floor == 0 or self.floor < oldest_moment(ref.entity_id))


class AllHeld(NamedTuple):
    """All members of a cached set, in no order. `floor` is the moment above which the cached set is complete (0: it is
    complete); None if the set is not loaded.
    """

    members: list[Member]
    floor: int | None


def oldest_moment(entity_id: int) -> int:
    """Returns the lowest moment that users' changes about an object, such as likes, can have. No change is older than
    the object; the result allows for clocks that differ.
    """
    return moment_at(born_ms(entity_id) - _CLOCK_SKEW_MS)


class OwnSets:
    """The own sets of all users: what each user likes, saves, follows, blocks or mutes.

    In all methods, `what` is the name of a kind of own set (store/own_sets/kinds/). `business_id` is the business of
    the set, if the user has one set of this kind for each business; otherwise 0. Methods that use Redis raise RedisDown
    unless they say otherwise; those that read rows raise PostgresDown.
    """

    def __init__(
        self, redis: Redis, keys: Keys, postgres: Postgres, boundaries: BoundaryStore, settings: Settings
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._boundaries = boundaries
        self._pending_ms = int(settings.pending_seconds * 1000)
        self._journal_bound = settings.journal_max_entries
        self._counted = {
            business.id: counted_changes(business.id, (one.id for one in business.counters))
            for business in settings.businesses
        } | {TOPICS: counted_changes(TOPICS)}
        """The kinds of changes that can concern the counters of an object, by its business."""
        self._bounds = {kind.name: _bounds(kind, settings) for kind in KINDS.values()}
        """How large sets may be, by kind and business."""

    async def change(
        self, user_id: int, transition: Transition, operation: Operation, known: tuple[int, int] | None = None
    ) -> Outcome:
        """Changes a user's state about an object as `transition` says, and appends the journal entry, atomically. Loads
        what is not cached. `known` is the state in rows and the time before it was read, in milliseconds of the clock
        of the Redis server (`clock_ms`); None if it was not read.

        The status of the outcome is DONE, or says why nothing was changed (`Status`). The value is `transition.value`.
        If that is empty, the value is the id of the journal entry; None if nothing had to be changed. If the status is
        DONE, `after` has the state after the change, and the pending changes about the object. The outcome is recorded
        under the name of `operation`.

        Raises RedisDown; Moved (`operations.run`); PostgresDown if the current state cannot be read and the change is
        not `blind`; Unavailable if a set is lost again and again.
        """
        kind, state = KINDS[transition.kind], known or ("", 0)
        for _ in range(_ATTEMPTS):
            generation = self._redis.generation
            answer = await self._run(user_id, kind, transition, operation, state)
            if not isinstance(answer, _Cold):
                return answer
            try:
                found = await self._load(user_id, kind, transition, answer)
            except PostgresDown:
                if not transition.blind or answer.what != "set":
                    raise
                state = UNKNOWN, 0
                continue
            if found is not None and self._redis.generation == generation:
                state = found, answer.asked_ms
        raise Unavailable("Your current data could not be read.")

    async def _run(
        self, user_id: int, kind: Kind, change: Transition, operation: Operation, known: tuple[int | str, int]
    ) -> Outcome | _Cold:
        keys, ref = self._keys, change.ref
        of = ref.business_id if kind.by_business else None
        bounds = self._bounds[kind.name][ref.business_id]
        counted = self._counted.get(ref.business_id, ()) if kind.counters else ()
        guards = kind.guards if change.to else ()
        ends = kind.ends if change.to else None
        member, only = kind.member(ref), "" if change.only is None else int(change.only)
        named = [
            *keys.of_own_set(kind.name, user_id, of),
            keys.operation(user_id, operation.name),
            *([keys.own_set(kind.within, user_id)] if kind.within else ()),
            *(keys.own_set(guard, user_id) for guard in guards),
            *([keys.own_set(ends, user_id), keys.pending(user_id, ends)] if ends else ()),
            *([keys.boundaries(user_id)] if kind.is_boundary else ()),
        ]
        args = [
            *(kind.name, member, field_of(kind.name, ref), operation.fingerprint, operation.life_ms),
            *(int(change.to), only, int(change.must_be) or "", oldest_moment(ref.entity_id) if bounds.cap else _NO_AGE),
            *(*known, self._pending_ms, bounds.cap or "", bounds.limit or "", bounds.idle_ms),
            *(self._journal_bound, int(kind.within is not None) or "", len(guards)),
            *(field_of(ends, ref) if ends else "", int(kind.is_boundary) or "", int(kind.expires) or ""),
            *(change.text.encode(), change.expected.encode(), change.value, change.data, change.likes or ""),
            *(field_of(what, ref) for what in counted),
        ]
        answer = await operations.run(self._redis, keys, CHANGE_OWN_SET, user_id, named, args)
        match answer:
            case [b"COLD", asked_ms, what, has_floor]:
                return _Cold(int(asked_ms), what.decode(), bool(has_floor))
            case [b"DONE", after, entry_id, histories]:
                found = zip(counted, histories, strict=True)
                pending = {what: PendingHistory(history) for what, history in found if history}
                value = change.value or entry_id.decode() or None
                return Outcome(Status.DONE, value=value, after=Changed(int(after), keys.partition_of(user_id), pending))
            case _:
                return Outcome.parse(answer)

    def _named(self, kind: Kind, user_id: int, business_id: int) -> tuple[Key, Key, Key]:
        """Returns the Redis keys of a set, of its members' states, and of the user's pending changes of this kind."""
        return self._keys.of_own_set(kind.name, user_id, business_id if kind.by_business else None)

    async def _load(self, user_id: int, kind: Kind, change: Transition, cold: _Cold) -> int | None:
        """Loads what a script has not found in Redis. Returns the user's current state about the object if it was read,
        or None.
        """
        if cold.what == "guards" or kind.is_boundary:
            found = await self._boundaries.warm(user_id, cold.asked_ms)
            if cold.what == "guards" and found.blockers is None:
                await self._boundaries.blockers_among(user_id, [change.ref.entity_id])
            return None
        if cold.what == "within":
            assert kind.within
            await self.warm(kind.within, user_id)
            return None
        of, is_cold = change.ref.business_id, not cold.has_floor
        read = await self.from_rows(kind.name, user_id, [change.ref], of, asked_ms=cold.asked_ms, newest=is_cold)
        return read[change.ref].state if change.ref in read else 0

    async def held(self, what: str, user_id: int, refs: Sequence[EntityRef]) -> Held:
        """Returns the states that a user's cached set has for these objects, in one command; in two commands of one
        round trip if the bounds of the set are `exact`. If the user has a set for each business, all objects must
        belong to one business.
        """
        return _held(refs, await self._redis.gather(self._lookup(what, user_id, refs)))

    async def held_by_users(self, what: str, refs: Mapping[int, Sequence[EntityRef]]) -> list[Held]:
        """Returns the states that the cached set of each user has for the user's objects in `refs`, in one round trip.
        If a user has a set for each business, all objects of the user must belong to one business.
        """
        lookups = [self._lookup(what, user, some) for user, some in refs.items()]
        answers = iter(await self._redis.gather([*chain.from_iterable(lookups)]))
        each = zip(refs.values(), lookups, strict=True)
        return [_held(some, [*islice(answers, len(commands))]) for some, commands in each]

    def _lookup(self, what: str, user_id: int, refs: Sequence[EntityRef]) -> list[tuple[object, ...]]:
        """Returns the commands that read the floor of a user's cached set, and the scores of these objects; if the
        bounds of the set are `exact`, also their states.
        """
        kind, of = KINDS[what], refs[0].business_id
        key, states_key, _ = self._named(kind, user_id, of)
        members = [*map(kind.member, refs)]
        commands: list[tuple[object, ...]] = [("ZMSCORE", key, _FLOOR, *members)]
        if self._bounds[what][of].exact:
            commands.append(("HMGET", states_key, *members))
        return commands

    async def ids(self, what: str, user_id: int) -> set[int] | None:
        """Returns the ids of all objects in a user's cached set, except those in state 2. Returns None if the cached
        set is not complete. Call it only for kinds whose objects all belong to one business, such as users.
        """
        members = set(map(int, await self._redis("ZRANGE", self.key(what, user_id), 0, "+inf", "BYSCORE")))
        return members - {_FLOOR} if _FLOOR in members else None

    async def all_held(self, what: str, users: Sequence[int], business_id: int = 0) -> list[AllHeld]:
        """Reads all members of the cached set of each user, in one round trip. Returns the sets in the order of
        `users`.
        """
        named = [self._named(KINDS[what], user, business_id) for user in users]
        commands = ((("ZRANGE", key, 0, -1, "WITHSCORES"), ("HGETALL", states)) for key, states, _ in named)
        answers = await self._redis.gather([*chain.from_iterable(commands)])
        pairs = zip(answers[::2], answers[1::2], strict=True)
        return [_parse(KINDS[what], business_id, *pair) for pair in pairs]

    async def all_loaded(self, what: str, user_id: int) -> AllHeld:
        """Reads all members of a user's cached set. If the set is not cached, loads it from rows first."""
        (held,) = await self.all_held(what, [user_id])
        if held.floor is None:
            await self.warm(what, user_id)
            (held,) = await self.all_held(what, [user_id])
        return held

    async def of_users(self, what: str, users: Sequence[int], rows: ReadRowsOfUsers) -> dict[int, list[Member]]:
        """Returns, by user, all members of the user's set. The kind of set must have a limit. Sets that are not cached
        are read with `rows`, in one query, and cached.
        """
        held = dict(zip(users, await self.all_held(what, users), strict=True))
        cold = [user for user, one in held.items() if one.floor is None]
        found = {user: one.members for user, one in held.items()}
        if cold:
            generation = self._redis.generation
            asked = await gather_all(*[self.clock_ms(what, user) for user in cold])
            found |= await rows(self._postgres, cold)
            if self._redis.generation == generation and not self._redis.is_replica:
                fills = (self._fill(what, user, 0, found[user], ms) for user, ms in zip(cold, asked, strict=True))
                await gather_all(*fills)
        return found

    async def warm(self, what: str, user_id: int, business_id: int = 0) -> list[Member]:
        """Loads a user's set from rows into the cache. Returns its newest members, newest first; all members if the
        kind of set has a limit. The result lacks pending changes, which are not in rows yet.
        """
        asked_ms = await self.clock_ms(what, user_id, business_id)
        found = await self.from_rows(what, user_id, (), business_id, asked_ms=asked_ms, newest=True)
        return sorted(found.values(), reverse=True)

    async def clock_ms(self, what: str, user_id: int, business_id: int = 0) -> int:
        """Returns the time of the Redis server that has a user's set, in milliseconds since the Unix epoch. Pass it as
        `asked_ms` to `from_rows`.
        """
        return await self._redis.clock_ms(self._named(KINDS[what], user_id, business_id)[0])

    async def from_rows(
        self,
        what: str,
        user_id: int,
        refs: Sequence[EntityRef],
        business_id: int = 0,
        *,
        asked_ms: int | None,
        newest: bool,
    ) -> Mapping[EntityRef, Member]:
        """Reads from Postgres those of the objects `refs` that are in a user's set; with `newest`, also the newest
        members of the set, which are all members if the kind of set has a limit. Objects that are not in the set are
        left out. `asked_ms` is the time of the Redis server before this call (`clock_ms`).

        Adds the members to the cached set, unless `asked_ms` is None, Redis is a replica or down, or its data was lost
        meanwhile.
        With `newest`, the cached set becomes complete down to the oldest of the newest members.
        """
        kind, generation = KINDS[what], self._redis.generation
        bounds = self._bounds[kind.name][business_id]
        most = (bounds.cap or bounds.limit or 0) if newest else 0
        members = await kind.rows(self._postgres, user_id, business_id, refs, most)
        if asked_ms is not None and self._redis.generation == generation and not self._redis.is_replica:
            with suppress(RedisDown):
                await self._fill(what, user_id, business_id, members, asked_ms, newest=newest)
        return {member.ref: member for member in members}

    async def _fill(
        self,
        what: str,
        user_id: int,
        business_id: int,
        members: Sequence[Member],
        asked_ms: int,
        *,
        newest: bool = True,
    ) -> None:
        """Adds members to a cached set. With `newest`, they are the newest ones, and the set becomes complete down to
        the oldest of them.
        """
        kind = KINDS[what]
        bounds = self._bounds[kind.name][business_id]
        ordered = sorted(members, reverse=True)
        lowest = ordered[bounds.cap - 1].moment if bounds.cap and len(ordered) >= bounds.cap else 0
        one_set = filling(
            kind.member, kind.prefix(business_id), ordered, lowest if newest else "", bounds.cap, kind.is_listed
        )
        args = [asked_ms, self._pending_ms, bounds.idle_ms, "", *one_set]
        await self._redis.run(FILL_OWN_SETS, self._named(kind, user_id, business_id), args)

    async def forget(self, what: str, users: Iterable[int], businesses: Collection[int] = (0,)) -> None:
        """Removes the cached sets of these users in each of `businesses`. Later reads load them from rows."""
        named = [self._named(KINDS[what], user, business)[:2] for user in users for business in businesses]
        await self._redis.gather([("DEL", key) for key in chain.from_iterable(named)], write=True)

    async def forget_settled(self, what: str, user_id: int, business_id: int = 0) -> bool:
        """Removes a user's cached set, unless changes of its members are pending. Returns whether there was a set that
        is removed. If sets of this kind are boundaries (blocks and mutes), makes processes read the user's boundaries
        again.
        """
        kind = KINDS[what]
        removed = await self._redis.run(FORGET, self._named(kind, user_id, business_id), [kind.prefix(business_id)])
        if kind.is_boundary:  # processes must not use what they know
            await self._redis("DEL", self._keys.boundaries(user_id), write=True)
        return bool(removed)

    def key(self, what: str, user_id: int, business_id: int = 0) -> str:
        """Returns the Redis key of a user's set. `lists.read` can read the set. It leaves out members in states that
        are not `Kind.is_listed`.
        """
        return self._named(KINDS[what], user_id, business_id)[0]


def _bounds(kind: Kind, settings: Settings) -> Mapping[int, Bounds]:
    """Returns how large a user's set of this kind may be, by business. If the business was removed from the businesses
    file, this is the size of the set of posts: workers still remove members when they delete the account.
    """
    businesses = {business.id: business for business in settings.businesses} if kind.by_business else {}
    other = kind.bounds(settings, businesses.get(POSTS))
    return defaultdict(lambda: other, {id_: kind.bounds(settings, one) for id_, one in businesses.items()})


def _held(refs: Sequence[EntityRef], answers: Sequence[Sequence[bytes | None]]) -> Held:
    """Parses the answers to the commands that `OwnSets._lookup` has returned for these objects."""
    (floor, *scores), *values = answers
    each = zip(refs, scores, values[0] if values else (None,) * len(refs), strict=True)
    states = {ref: int(value or (2 if score.startswith(b"-") else 1)) for ref, score, value in each if score}
    return Held(states, None if floor is None else int(float(floor)))


def _parse(kind: Kind, business_id: int, raw: Sequence[bytes], states: Sequence[bytes]) -> AllHeld:
    """Parses a whole cached set: `raw` has members and scores as ZRANGE returns them, `states` the hash of members'
    states. `business_id` is the business of the set.
    """
    values = dict(zip(states[::2], states[1::2], strict=True))
    scored = dict(zip(raw[::2], map(float, raw[1::2]), strict=True))
    floor = scored.pop(b"0", None)
    members = [_member(kind.ref(name, business_id), score, values.get(name)) for name, score in scored.items()]
    return AllHeld(members, None if floor is None else int(floor))


def _member(ref: EntityRef, score: float, value: bytes | None) -> Member:
    moment, state = int(abs(score)), 2 if score < 0 else 1
    if value is None:
        return Member(moment, ref, state)
    return Member(moment, ref, int(value)) if value.isdigit() else Member(moment, ref, state, value.decode())
