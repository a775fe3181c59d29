"""Counters: rows in Postgres, and one cached JSON per entity that holds all its kinds."""

from collections.abc import Mapping, Sequence

import orjson
from sqlalchemy import text

from models.counters import Counter, Counts, EntityRef
from settings import USERS
from store import keys
from store.cache.values import Cache, Cached
from store.postgres.client import Postgres, Transaction

_READ = text("""
    SELECT c.business_id, c.entity_id, c.kind, c.value, c.version, c.included::text
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN counters c USING (business_id, entity_id)
""")

# An entry of `included` is needed for as long as the event's author has it pending, which ends soon after it is
# published. A counter that has not moved for ten minutes before this change can therefore forget all older ones.
# Entries never go back, as a replayed dead letter would have them do.
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
            SELECT jsonb_object_agg(key, greatest(CAST(value AS bigint), CAST(c.included ->> key AS bigint)))
            FROM jsonb_each_text(excluded.included)
        ) ELSE excluded.included END
""")

_ADD_DAILY = text("""
    INSERT INTO daily_likes AS d (business_id, day, entity_id, value)
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:days AS integer[]), CAST(:entities AS bigint[]),
                         CAST(:deltas AS bigint[]))
    ON CONFLICT (business_id, day, entity_id) DO UPDATE SET value = d.value + excluded.value
""")


class CounterDeltas:
    """What a batch did to counters: sums, and how far into each partition that moved one they reach.

    `through` is the newest event the batch has of each partition. Everything up to there is in the rows, and that is
    what a moved counter includes: by the version of the event that moved it, its readers would mistake a like and an
    unlike on either side of that event, which cancelled out and moved nothing, for a like that was counted.
    """

    def __init__(self, through: Mapping[int, int]) -> None:
        self._through = through
        self._moves: dict[tuple[int, int, int], tuple[int, dict[int, int]]] = {}
        self._daily: dict[tuple[int, int, int], int] = {}

    def add(self, ref: EntityRef, kind: int, delta: int, partition: int) -> None:
        """One real transition. Transitions of two actors that cancel out still tell what the value includes."""
        place = (*ref, kind)
        if move := self._moves.get(place):
            total, included = move
            included[partition] = self._through[partition]
            self._moves[place] = total + delta, included
        else:
            self._moves[place] = delta, {partition: self._through[partition]}

    def add_likes_of_day(self, ref: EntityRef, day: int, delta: int) -> None:
        """Likes given or taken back on a day."""
        place = ref.business_id, day, ref.entity_id
        self._daily[place] = self._daily.get(place, 0) + delta

    @property
    def refs(self) -> set[EntityRef]:
        """Whose counters moved."""
        return {EntityRef(business, entity) for business, entity, _ in self._moves}

    async def write(self, transaction: Transaction) -> None:
        """Adds everything to the rows, in one order so that two batches never wait for each other in a circle.

        Users come last: a few of them own most of what is liked, and whoever wants their rows waits for our commit.
        """
        if not self._moves:
            return
        if daily := sorted((*place, delta) for place, delta in self._daily.items() if delta):
            businesses, days, entities, deltas = zip(*daily, strict=True)
            await transaction.execute(_ADD_DAILY, businesses=businesses, days=days, entities=entities, deltas=deltas)
        rows = [(*place, *self._moves[place]) for place in sorted(self._moves, key=_hot_last)]
        businesses, entities, kinds, deltas, included = zip(*rows, strict=True)
        await transaction.execute(
            _ADD,
            businesses=businesses,
            entities=entities,
            kinds=kinds,
            deltas=deltas,
            included=[orjson.dumps(one, option=orjson.OPT_NON_STR_KEYS).decode() for one in included],
        )


def _hot_last(place: tuple[int, int, int]) -> tuple[bool, tuple[int, int, int]]:
    return place[0] == USERS, place


async def read_encoded(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, Cached]:
    """The counters of many entities in one query, as they lie in the cache: publishing need not look inside.

    Rows only ever move up, so the sum of their versions orders any two snapshots of one entity.
    """
    rows = await postgres.read(_READ, businesses=[r.business_id for r in refs], entities=[r.entity_id for r in refs])
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for business_id, entity_id, kind, value, version, included in rows:
        place, one = (business_id, entity_id), f'"{kind}":[{value},{included}]'
        before = found.get(place)
        found[place] = (before[0] + version, f"{before[1]},{one}") if before else (version, one)
    nothing = 0, ""
    each = ((ref, *found.get(ref, nothing)) for ref in refs)
    return {ref: Cached(version, b"{%s}" % kinds.encode()) for ref, version, kinds in each}


async def read(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, Counts]:
    """The same, to be looked into; an entity nobody ever touched has empty counts, version 0."""
    return {ref: decode(cached) for ref, cached in (await read_encoded(postgres, refs)).items()}


def encode(counts: Counts) -> Cached:
    """The form in which `read_encoded` reads them."""
    kinds = {str(kind): [counter.value, counter.included] for kind, counter in counts.kinds.items()}
    return Cached(counts.version, orjson.dumps(kinds))


def decode(cached: Cached) -> Counts:
    """The inverse of `encode`."""
    kinds = orjson.loads(cached.body)
    return Counts(cached.version, {int(kind): Counter(*pair) for kind, pair in kinds.items()})


cache_key = keys.counts
"""Names the cached counters of an entity."""


async def publish(cache: Cache, fresh: Mapping[EntityRef, Cached], life_ms: int) -> None:
    """Replaces older cached counters with encoded ones."""
    await cache.publish([(keys.counts(ref), one) for ref, one in fresh.items()], life_ms)
