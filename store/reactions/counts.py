"""Counters, such as the number of likes: rows in Postgres, and one cached JSON document per entity with its counters of
all kinds.
"""

from collections.abc import Mapping, Sequence

import orjson
from sqlalchemy import text

from models.counters import Counter, CounterKind, Counts, EntityRef
from settings import USERS
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.content import user_terms
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import some_shards

_READ = some_shards(
    """
    SELECT c.business_id, c.entity_id, c.kind, c.value, c.version, c.included::text
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN counters c USING (business_id, entity_id) WHERE {in_shard}
    """,
    column="c.entity_id",
    parameter="entities",
)

# An entry of `included` is needed while the change of the event's actor is pending, which ends soon after the event is
# published. So if a counter has not changed for ten minutes before this change, its older entries are removed. An entry
# never decreases, even if a dead letter with an older version is replayed.
_ADD = text("""
    INSERT INTO counters AS c (business_id, entity_id, kind, value, version, included)
    SELECT business_id, entity_id, kind, delta,
           CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) << 20, CAST(included AS jsonb)
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:kinds AS smallint[]),
                CAST(:deltas AS bigint[]), CAST(:included AS text[]))
         AS moved(business_id, entity_id, kind, delta, included)
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET
        value = c.value + excluded.value,
        version = greatest(c.version + 1, excluded.version),
        included = CASE WHEN c.version > excluded.version - (600000::bigint << 20) THEN c.included || (
            SELECT coalesce(
                jsonb_object_agg(key, greatest(CAST(value AS bigint), CAST(c.included ->> key AS bigint))), '{}'
            ) FROM jsonb_each_text(excluded.included)
        ) ELSE excluded.included END
""")

_ADD_DAILY = text("""
    INSERT INTO daily_likes AS d (business_id, day, entity_id, value)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:days AS integer[]), CAST(:entities AS bigint[]),
                         CAST(:deltas AS bigint[]))
    ON CONFLICT (business_id, day, entity_id) DO UPDATE SET value = d.value + excluded.value
""")

_ADD_REACTIONS = text("""
    INSERT INTO daily_reactions AS d (business_id, day, kind, entity_id, value)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:days AS integer[]), CAST(:kinds AS smallint[]),
                         CAST(:entities AS bigint[]), CAST(:deltas AS bigint[]))
    ON CONFLICT (business_id, day, kind, entity_id) DO UPDATE SET value = d.value + excluded.value
""")

_FOLLOWED = USERS, CounterKind.FOLLOWERS

_Place = tuple[int, int, int]
"""The key of a counter: business, entity, kind."""


class CounterDeltas:
    """The changes that a batch makes to counters: for each counter, the sum of its changes, and, for each partition
    that the changes come from, its watermark (the version of the newest event that the counter includes). Also the
    changes of likes by day.

    `through` is, for each partition, the version of the newest event in the batch. The rows include all events up to
    that version, so it is the watermark of a changed counter. The version of the event that changed the counter would
    be wrong: after it the batch may have an unlike that cancels out an earlier like. Readers would then take only the
    like for counted.
    """

    def __init__(self, through: Mapping[int, int]) -> None:
        self._through = through
        self._moves: dict[_Place, tuple[int, dict[int, int]]] = {}
        self._daily: dict[tuple[int, int, int], int] = {}
        self._daily_reactions: dict[tuple[int, int, int, int], int] = {}

    def add(self, ref: EntityRef, kind: int, delta: int, partition: int | None = None) -> None:
        """Adds `delta` to the counter `kind` of the entity `ref`. `partition` is that of the actor, whose watermark is
        updated even if the changes of two actors cancel out. Pass None for a counter to which readers add no pending
        changes.
        """
        place = (*ref, kind)
        total, included = self._moves.get(place) or (0, {})
        if partition is not None:
            included[partition] = self._through[partition]
        self._moves[place] = total + delta, included

    def add_likes_of_day(self, ref: EntityRef, day: int, delta: int) -> None:
        """Adds `delta` to the likes that an entity got on `day`; negative for removed likes. Days are counted from the
        Unix epoch.
        """
        place = ref.business_id, day, ref.entity_id
        self._daily[place] = self._daily.get(place, 0) + delta

    def add_reactions_of_day(self, ref: EntityRef, day: int, kind: int, delta: int) -> None:
        """Adds `delta` to the reactions of a kind, which is not a like or dislike, that an entity got on `day`;
        negative for removed ones. `kind` is the id of the kind. Days are counted from the Unix epoch.
        """
        place = ref.business_id, day, kind, ref.entity_id
        self._daily_reactions[place] = self._daily_reactions.get(place, 0) + delta

    @property
    def refs(self) -> set[EntityRef]:
        """Returns the entities with counters that this batch changes."""
        return {EntityRef(business, entity) for business, entity, _ in self._moves}

    async def write(self, transaction: Transaction) -> None:
        """Adds all changes to the rows of likes by day and of counters, in a fixed order, so that two batches cannot
        deadlock.

        The counters of users come last: a few users own most of what is liked, and other batches wait for their rows
        until the commit. Only the tiers of followed users, by which searches order them, come later.
        """
        if not self._moves:
            return
        rows = [
            (*place, delta, orjson.dumps(included, option=orjson.OPT_NON_STR_KEYS).decode())
            for place, (delta, included) in sorted(self._moves.items(), key=_hot_last)
        ]
        changes = columns(rows, "businesses", "entities", "kinds", "deltas", "included")
        if daily := sorted((*place, delta) for place, delta in self._daily.items() if delta):
            await transaction.execute(_ADD_DAILY, **columns(daily, "businesses", "days", "entities", "deltas"))
        if by_kind := sorted((*place, delta) for place, delta in self._daily_reactions.items() if delta):
            names = "businesses", "days", "kinds", "entities", "deltas"
            await transaction.execute(_ADD_REACTIONS, **columns(by_kind, *names))
        await transaction.execute(_ADD, **changes)
        if followed := [entity for business, entity, kind in self._moves if (business, kind) == _FOLLOWED]:
            await user_terms.rank(transaction, followed)


def _hot_last(move: tuple[_Place, object]) -> tuple[bool, _Place]:
    return move[0][0] == USERS, move[0]


async def read_encoded(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, Cached]:
    """Reads the counters of many entities in one query, encoded for the cache, so that publishing need not decode them.

    Versions of rows only grow, so the sum of the versions of an entity's rows, which is the version of the result,
    tells which of two readings is newer. An entity without counters has version 0.
    """
    rows = await postgres.read(_READ, **columns(refs, "businesses", "entities"))
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for business_id, entity_id, kind, value, version, included in rows:
        place, one = (business_id, entity_id), f'"{kind}":[{value},{included}]'
        before = found.get(place)
        found[place] = (before[0] + version, f"{before[1]},{one}") if before else (version, one)
    nothing = 0, ""
    each = ((ref, *found.get(ref, nothing)) for ref in refs)
    return {ref: Cached(version, b"{%s}" % kinds.encode()) for ref, version, kinds in each}


async def read(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, Counts]:
    """Reads the counters of many entities in one query. An entity without counters has empty counts and version 0."""
    return {ref: decode(cached) for ref, cached in (await read_encoded(postgres, refs)).items()}


def encode(counts: Counts) -> Cached:
    """Encodes counters for the cache, in the form that `read_encoded` returns."""
    kinds = {str(kind): [counter.value, counter.included] for kind, counter in counts.kinds.items()}
    return Cached(counts.version, orjson.dumps(kinds))


def decode(cached: Cached) -> Counts:
    """Returns the counters that `encode` has encoded."""
    kinds = orjson.loads(cached.body)
    return Counts(cached.version, {int(kind): Counter(*pair) for kind, pair in kinds.items()})


CODEC = Codec("counts", keys.counts, encode, decode, absent=Counts(0, {}))
"""How the counters of entities are cached."""


async def publish(cache: Cache, fresh: Mapping[EntityRef, Cached], life_ms: int) -> None:
    """Replaces cached counters with these encoded ones, unless the cached ones are newer, and sets their lifetimes to
    `life_ms`. Entities without cached counters stay uncached. Raises RedisDown.
    """
    await cache.publish([(keys.counts(ref), one) for ref, one in fresh.items()], life_ms)
