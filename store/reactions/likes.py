"""Reactions: the script that changes them, a user's cached reactions, and reads of the rows."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import text

from domain.ids import born_ms
from models.counters import EntityRef
from models.likes import Reaction, Verb
from settings import Business
from store.cache.lists import Item, Page
from store.content.items import page
from store.keys import Keys
from store.postgres.client import Postgres
from store.redis.client import Redis, RedisDown
from store.scripts import FILL_OWN_SET
from store.scripts import REACT as REACT_SCRIPT
from store.write_log import operations
from store.write_log.journal import moment_of, version_at
from store.write_log.operations import Changed, Operation, Outcome, Status
from store.write_log.pending import REACT, among, changes_of, field_of

_DAY_MS = 86_400_000
_CLOCK_SKEW_MS = 600_000
"""How much the clocks of an API process, which dates entities, and of Redis, which dates reactions, may differ."""

_OF_USER = text("""
    (SELECT entity_id, state, moment FROM reactions
     WHERE user_id = :user AND business_id = :business AND entity_id = ANY(CAST(:entities AS bigint[])) AND state <> 0)
    UNION
    (SELECT entity_id, state, moment FROM reactions
     WHERE user_id = :user AND business_id = :business AND state <> 0
     ORDER BY moment DESC, entity_id DESC LIMIT :newest)
""")
_LIKES_PAGE = text("""
    SELECT moment, entity_id FROM reactions
    WHERE user_id = :user AND business_id = :business AND state <> 0 AND state = 1
      AND (moment, entity_id) < (:moment, :member)
    ORDER BY moment DESC, entity_id DESC LIMIT :count
""")


class Known(NamedTuple):
    """A user's reaction to an entity as Postgres has it: the score that it has in the cached set (0 if there is no
    reaction), and the time before the query, in milliseconds of the Redis server's clock. Of a save, `state` is the
    collection (0 if the target is not saved).
    """

    state: int | str
    asked_ms: int


UNKNOWN = Known("?", 0)
"""The value while Postgres is down. A change whose result does not depend on the current state is then written without
it.
"""


class NotCached(NamedTuple):
    """The result of a script that changed nothing, because the current reaction or save is not cached.

    `asked_ms` is the time of the script's Redis server, in milliseconds since the Unix epoch. `warm` tells that the set
    has a floor, and that only a member below the floor can be missing from the set.
    """

    asked_ms: int
    warm: bool


@dataclass(frozen=True, slots=True)
class ReactionTarget:
    """The entity that a user reacts to."""

    business: Business
    entity_id: int

    @property
    def ref(self) -> EntityRef:
        """Returns the internal address of the entity."""
        return EntityRef(self.business.id, self.entity_id)


class Held(NamedTuple):
    """A user's cached reactions to some entities. The user has no other reactions to these entities with scores above
    `floor`. `floor` is None if the set is cold.
    """

    reactions: dict[int, Reaction]
    floor: float | None

    def rules_out(self, entity_id: int) -> bool:
        """Returns whether the user certainly has no reaction to an entity that is not in `reactions`: the entity is
        younger than the floor, so a reaction to it would be cached.
        """
        return self.floor is not None and self.floor < oldest_possible(entity_id)


def _score(state: int, moment: int) -> int:
    return 2 * moment + (state == Reaction.DISLIKE)


def reaction_of(score: float) -> Reaction:
    return Reaction.DISLIKE if int(score) % 2 else Reaction.LIKE


def oldest_moment(entity_id: int) -> int:
    """Returns the lowest moment that a reaction to an entity, or a save of it, can have. None is older than its
    entity.
    """
    return moment_of(version_at(born_ms(entity_id) - _CLOCK_SKEW_MS))


def oldest_possible(entity_id: int) -> int:
    """Returns the lowest score that a reaction to an entity can have."""
    return 2 * oldest_moment(entity_id)


class Reactions:
    """The reactions of each user: changed by one script, read with one command, rebuilt from rows."""

    def __init__(
        self, redis: Redis, keys: Keys, postgres: Postgres, *, pending_ms: int, journal_max_entries: int
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._pending_ms = pending_ms
        self._journal_bound = journal_max_entries

    async def react(
        self,
        actor_id: int,
        verb: Verb,
        target: ReactionTarget,
        operation: Operation,
        entry: bytes,
        known: Known | None,
    ) -> Outcome | NotCached:
        """Changes a user's reaction by one verb and appends `entry` to the journal, atomically. `known` is the current
        reaction as read from Postgres; None if it was not read.
        """
        business = target.business
        named = [
            self._keys.reactions(actor_id, business.id),
            self._keys.pending(actor_id),
            self._keys.operation(actor_id, operation.digest),
        ]
        args = [
            *(verb.value, target.entity_id, field_of(REACT, target.ref)),
            *(operation.fingerprint, operation.life_ms, oldest_possible(target.entity_id)),
            *(known or ("", 0)),
            *(self._pending_ms, business.recent_reactions, business.reactions_idle_days * _DAY_MS),
            *(self._journal_bound, entry),
        ]
        changes = changes_of(target.ref, [counter.id for counter in business.counters])
        args += [field_of(*change) for change in changes]
        answer = await operations.run(self._redis, self._keys, REACT_SCRIPT, actor_id, named, args)
        match answer:
            case [b"COLD", asked_ms, loaded]:
                return NotCached(int(asked_ms), bool(loaded))
            case [b"DONE", state, histories]:
                pending = among(self._keys.partition_of(actor_id), changes, histories)
                return Outcome(Status.DONE, after=Changed(int(state), pending))
            case _:
                return Outcome.parse(answer)

    async def forget(self, users: Sequence[int], businesses: Iterable[int]) -> None:
        """Removes the cached reactions of these users. The reactions can be read again from rows."""
        stale = [self._keys.reactions(user, business) for business in businesses for user in users]
        await self._redis.gather([("DEL", key) for key in stale], write=True)

    async def held(self, user_id: int, business_id: int, entity_ids: Sequence[int]) -> Held:
        """Reads a user's reactions to many entities from the cache, in one command."""
        key = self._keys.reactions(user_id, business_id)
        floor, *scores = await self._redis("ZMSCORE", key, 0, *entity_ids)
        found = zip(entity_ids, scores, strict=True)
        return Held(
            {entity: reaction_of(float(score)) for entity, score in found if score is not None},
            None if floor is None else float(floor),
        )

    async def clock_ms(self, user_id: int, business_id: int) -> int:
        """Returns the time of the Redis server that has this user's cached reactions, in milliseconds since the Unix
        epoch. Pass it as `asked_ms` to `from_truth`.
        """
        return await self._redis.clock_ms(self._keys.reactions(user_id, business_id))

    async def from_truth(
        self, user_id: int, business: Business, entity_ids: Sequence[int], *, asked_ms: int | None, newest: bool
    ) -> Mapping[int, Item]:
        """Reads a user's reactions to entities from rows, in one query. Returns items (score, entity id) by entity;
        entities without a reaction are left out.

        Adds the reactions to the cached set, unless `asked_ms` is None, Redis is down or its data was lost meanwhile.
        With `newest`, the query also reads the user's newest reactions, and the set becomes complete down to the oldest
        of them.
        """
        limit, generation = business.recent_reactions if newest else 0, self._redis.generation
        rows = await self._postgres.read(
            _OF_USER, user=user_id, business=business.id, entities=list(entity_ids), newest=limit
        )
        scored = {entity: Item(_score(state, moment), entity) for entity, state, moment in rows}
        if asked_ms is not None and self._redis.generation == generation:
            with suppress(RedisDown):
                await self._install(user_id, business, sorted(scored.values(), reverse=True), asked_ms, limit)
        return scored

    async def _install(
        self, user_id: int, business: Business, scored: Sequence[Item], asked_ms: int, limit: int
    ) -> None:
        floor: int | str = "" if not limit else scored[limit - 1].moment if len(scored) >= limit else 0
        life_ms = business.reactions_idle_days * _DAY_MS
        args = [asked_ms, self._pending_ms, floor, business.recent_reactions, life_ms, f"{REACT}:{business.id}:"]
        keys = [self._keys.reactions(user_id, business.id), self._keys.pending(user_id)]
        await self._redis.run(FILL_OWN_SET, keys, [*args, *(part for item in scored for part in item)])

    async def held_likes(self, user_id: int, business_id: int, before: Item | None, count: int) -> Page | None:
        """Returns up to `count` of a user's likes that are older than `before`, from the user's cached reactions; None
        if they are cold.
        """
        key = self._keys.reactions(user_id, business_id)
        start = 2 * before.moment + 1 if before else "+inf"
        floor, raw = await self._redis.gather(
            [("ZSCORE", key, 0), ("ZRANGE", key, start, "(0", "BYSCORE", "REV", "WITHSCORES")]
        )
        if floor is None:
            return None
        above = [item for item in _likes(raw) if 2 * item.moment > float(floor)]
        items = [item for item in above if before is None or item < before]
        return Page(items[:count], int(float(floor)) // 2, complete=len(items) >= count or float(floor) == 0)

    async def newest_likes(self, users: Sequence[int], business_id: int, count: int) -> list[list[Item]]:
        """Returns up to `count` of the newest likes of each user, from cached reactions only: no likes of a user whose
        reactions are cold.
        """
        keys = [self._keys.reactions(user, business_id) for user in users]
        answers = await self._redis.gather(
            [("ZRANGE", key, "+inf", "(0", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES") for key in keys]
        )
        return [_likes(raw) for raw in answers]

    async def likes_from_truth(self, user_id: int, business_id: int, before: Item | None, count: int) -> list[Item]:
        """Reads a user's likes that are older than `before` from rows, newest first."""
        return await page(self._postgres, _LIKES_PAGE, before, count, user=user_id, business=business_id)


def _likes(raw: Sequence[bytes]) -> list[Item]:
    """Returns the likes among a user's cached reactions. `raw` is a flat list of members and scores, as Redis returns
    them.
    """
    scores = [(float(score), int(entity)) for entity, score in zip(raw[::2], raw[1::2], strict=True)]
    return [Item(int(score) // 2, entity) for score, entity in scores if reaction_of(score) == Reaction.LIKE]
