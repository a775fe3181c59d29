"""Counted actions: views, shares, and the actions of counters that businesses define. The script that counts and
acknowledges them, and their rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import text

from domain.versions import version_at
from models.actions import ActionKind
from models.counters import EntityRef
from models.devices import devices_of, network_of
from observability import metrics
from store.keys import Keys
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.redis.client import Redis
from store.scripts import COUNT_ACTIONS
from store.write_log import operations
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import field_of

HOUR_MS = 3_600_000
_ACTIONS_PER_HOUR = 10_000
"""How many actions of one actor are counted in an hour, for a kind that counts once per hour. Further actions are
accepted and not counted.
"""

_ADDED = text("""
    SELECT business_id, entity_id, count(*) AS added, bool_or(actor_id = :actor) AS by_actor FROM records
    WHERE actor_id BETWEEN :first AND :last AND kind = :kind AND bucket BETWEEN :begins AND :ends
    GROUP BY business_id, entity_id
""")
_INSERT = text("""
    INSERT INTO records (actor_id, business_id, entity_id, kind, bucket, version)
    SELECT * FROM unnest(CAST(:actors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:kinds AS smallint[]), CAST(:buckets AS bigint[]), CAST(:versions AS bigint[]))
    ON CONFLICT DO NOTHING
    RETURNING actor_id, business_id, entity_id, kind, bucket
""")

Bucket = tuple[int, int, int, int, int]
"""The key of a row: actor, business, entity, kind, bucket. The bucket is the hour, for a kind that counts once per
hour; otherwise the version.
"""


class AnonymousBounds(NamedTuple):
    """How many actions of each kind all anonymous devices of one network together may add in an hour, to one entity
    (`of_target`) and to all entities (`of_network`).
    """

    of_target: int
    """The limit per entity."""
    of_network: int
    """The limit for all entities together."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action, such as a view or share, on the object `ref`, and the JSON of its journal entry."""

    ref: EntityRef
    entry: bytes


class ActionStore:
    """Appends actions (views, shares, and those of counters that businesses define) to the journal and counts them."""

    def __init__(self, redis: Redis, keys: Keys, journal_max_entries: int, bounds: AnonymousBounds) -> None:
        self._redis = redis
        self._keys = keys
        self._journal_bound = journal_max_entries
        self.bounds = bounds

    async def viewed(self, actor_id: int, refs: Sequence[EntityRef], hour: int) -> set[EntityRef]:
        """Returns those of the given entities that an actor (a user or anonymous device) has viewed in `hour` or in the
        hour before. Hours are counted from the Unix epoch. Raises RedisDown.
        """
        members = [f"{ref.business_id}:{ref.entity_id}" for ref in refs]
        commands = [("SMISMEMBER", self._keys.viewed(actor_id, one), *members) for one in (hour, hour - 1)]
        now, before = await self._redis.gather(commands) if members else ((), ())
        return {ref for ref, *seen in zip(refs, now, before, strict=True) if any(seen)}

    async def record(
        self, actor_id: int, kind: ActionKind, recorded: Sequence[Action], operation: Operation, hour: int
    ) -> Outcome:
        """Appends an actor's actions of one kind to the journal, atomically. If nothing was appended, the status of the
        outcome says why. `hour` is the current hour, counted from the Unix epoch. The value of the outcome is how many
        actions were left out because of the limits of an anonymous device's network; None if none were.

        Also leaves out an action that counts once per hour and that the actor has already done in this hour, and
        further actions of such a kind when 10,000 of the actor's were counted in this hour. Raises RedisDown, and Moved
        (`operations.run`).
        """
        viewed, network = self._keys.viewed(actor_id, hour, kind.counter), network_of(actor_id)
        added = viewed if network is None else self._keys.added(actor_id, network, hour)
        named = [self._keys.pending(actor_id), self._keys.operation(actor_id, operation.name), viewed, added]
        life = 2 * HOUR_MS if kind.once_per_hour else ""
        args: list[object] = [kind.name, operation.fingerprint, operation.life_ms, life, _ACTIONS_PER_HOUR]
        args += [self._journal_bound, "" if network is None else 2 * HOUR_MS, *self.bounds]
        for one in recorded:
            member = f"{one.ref.business_id}:{one.ref.entity_id}"
            args += [member, field_of(kind.name, one.ref), one.entry]
        outcome = Outcome.parse(await operations.run(self._redis, self._keys, COUNT_ACTIONS, actor_id, named, args))
        if outcome.value and outcome.status is Status.DONE:
            metrics.ACTIONS_NOT_COUNTED.inc(int(outcome.value))
        return outcome


async def within(
    transaction: Transaction,
    actor_id: int,
    kind: ActionKind,
    recorded: Sequence[Action],
    hour: int,
    bounds: AnonymousBounds,
) -> Sequence[Action]:
    """Returns those of the given actions that may be written directly to Postgres. For a user, these are all. For an
    anonymous device, leaves out an action that counts once per hour and that the device has already done in `hour`, and
    actions beyond the limits of the device's network, as the rows show. `hour` is counted from the Unix epoch. The
    transaction must have locked the row of the actor's partition.
    """
    network = network_of(actor_id)
    if network is None:
        return recorded
    first, last = devices_of(network)
    begins, ends = (hour, hour) if kind.once_per_hour else (version_at(hour * HOUR_MS), _end_of(hour))
    parameters = {"actor": actor_id, "first": first, "last": last, "begins": begins, "ends": ends}
    rows = await transaction.execute(_ADDED, kind=int(kind.counter), **parameters)
    added = {EntityRef(row.business_id, row.entity_id): row.added for row in rows}
    viewed = {EntityRef(row.business_id, row.entity_id) for row in rows if row.by_actor}
    fresh = [one for one in recorded if not (kind.once_per_hour and one.ref in viewed)]
    left = bounds.of_network - sum(added.values())
    allowed = [one for one in fresh if added.get(one.ref, 0) < bounds.of_target][: max(0, left)]
    metrics.ACTIONS_NOT_COUNTED.inc(len(fresh) - len(allowed))
    return allowed


async def insert_actions(transaction: Transaction, rows: Sequence[tuple[int, ...]]) -> list[Bucket]:
    """Inserts rows of actions, each given as a `Bucket` followed by a version, unless the bucket has a row. Returns the
    buckets of the inserted rows.
    """
    names = "actors", "businesses", "entities", "kinds", "buckets", "versions"
    fresh = await transaction.execute(_INSERT, **columns(rows, *names))
    return [(actor, business, entity, kind, bucket) for actor, business, entity, kind, bucket in fresh]


def _end_of(hour: int) -> int:
    """Returns the highest version that an action in this hour can have."""
    return version_at((hour + 1) * HOUR_MS) - 1
