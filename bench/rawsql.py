"""Writes reactions as plain SQL: the code with which the section `drain` compares a worker.

It executes the worker's statements, prepared once with asyncpg. The reactions are in memory, so that it only builds the
columns and executes: no Redis, no parsing, no retries.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from secrets import randbits
from typing import Any, Self

import asyncpg
import orjson
from sqlalchemy import TextClause
from sqlalchemy.dialects.postgresql import asyncpg as dialect

from models.counters import CounterKind
from models.notifications import NotificationKind
from projections.entries.likes import Reacted
from settings import USERS
from store.groups import grouped
from store.notifications.muted_threads import _MUTED
from store.notifications.untold import _STORE as _STORE_NOTICES
from store.outgoing.events.likes import REACTION_CHANGED
from store.outgoing.new_events import _HEADS, _STORE, ROW_BYTES
from store.postgres.columns import columns
from store.reactions.counts import _ADD, _ADD_DAILY
from store.reactions.like_rows import _LOG, _UPSERT
from store.write_log.partition_leases import _ADVANCE

SCHEMA = "rawsql"
TABLES = (
    *("reactions", "counters", "daily_likes", "like_log", "partitions"),
    *("thread_mutes", "untold", "outgoing_events", "outgoing_heads"),
)
BATCH = 500

Columns = dict[str, list[Any]]


class Statement:
    """A statement of the worker, prepared on one connection."""

    def __init__(self, prepared: Any, names: Sequence[str]) -> None:
        self._prepared = prepared
        self._names = names

    @classmethod
    async def prepare(cls, connection: asyncpg.Connection, statement: TextClause) -> Self:
        """Prepares the text that SQLAlchemy would send for `statement`."""
        make: Any = dialect.dialect  # SQLAlchemy leaves its constructor untyped
        compiled = statement.compile(dialect=make())
        return cls(await connection.prepare(str(compiled)), compiled.positiontup or ())

    async def __call__(self, columns: Mapping[str, Any]) -> Sequence[Any]:
        """Executes the statement with these parameters, by name. Returns its rows."""
        rows: Sequence[Any] = await self._prepared.fetch(*[columns[name] for name in self._names])
        return rows


@dataclass(frozen=True, slots=True)
class Batch:
    """The reactions that one transaction writes. `rows` and `log` are the parameters of the statements that write them
    and their log. `heads` has the version of the last reaction of each partition.
    """

    rows: Columns
    log: Columns
    heads: dict[int, int]
    events: dict[tuple[int, int, int], Reacted]
    """The reactions, by user, business and entity."""

    @property
    def size(self) -> int:
        """Returns the number of reactions."""
        return len(self.events)

    @classmethod
    def of(cls, events: Sequence[Reacted]) -> Self:
        """Returns a batch of these reactions, sorted by user, business and entity. Each pair of user and entity must
        occur once.
        """
        by_key = sorted(events, key=lambda event: (event.actor_id, event.ref))
        common: Columns = {
            "users": [event.actor_id for event in by_key],
            "businesses": [event.ref.business_id for event in by_key],
            "entities": [event.ref.entity_id for event in by_key],
            "owners": [event.owner_id for event in by_key],
            "states": [event.state for event in by_key],
            "versions": [event.version for event in by_key],
        }
        log: Columns = {"verbs": [event.verb for event in by_key]}
        for at, column in enumerate(("sources", "ips", "devices", "clients")):
            log[column] = [event.trace[at] for event in by_key]
        heads = {event.partition: event.version for event in events}
        return cls(common, common | log, heads, {(event.actor_id, *event.ref): event for event in by_key})


class RawWriter:
    """Writes batches of reactions, each in one transaction. Checks like a worker that it still owns the partitions."""

    def __init__(self, connection: asyncpg.Connection, statements: Sequence[Statement], partitions: int) -> None:
        self._connection = connection
        self._upsert, self._log, self._add, self._add_daily, self._advance, *others = statements
        self._muted, self._notices, self._event_heads, self._events = others
        self._heads = dict.fromkeys(range(partitions), 0)

    @classmethod
    async def prepared(cls, connection: asyncpg.Connection, partitions: int) -> Self:
        """Returns a writer whose statements are prepared on this connection. Inserts the rows of the partitions."""
        await connection.execute("INSERT INTO partitions (p) SELECT * FROM generate_series(0, $1)", partitions - 1)
        texts = _UPSERT, _LOG, _ADD, _ADD_DAILY, _ADVANCE, _MUTED, _STORE_NOTICES, _HEADS, _STORE
        return cls(connection, [await Statement.prepare(connection, one) for one in texts], partitions)

    async def write(self, batch: Batch, *, with_events: bool = False) -> None:
        """Writes a batch in one transaction. If `with_events` is true, also writes an outgoing event for
        each reaction.
        """
        ps = sorted(batch.heads)
        moved = {"ps": ps, "epochs": [0] * len(ps), "old": [self._heads[p] for p in ps]}
        async with self._connection.transaction():
            await self._advance(moved | {"new": [batch.heads[p] for p in ps]})
            changed = await self._upsert(batch.rows)
            await self._log(batch.log)
            if with_events:
                await self._write_events(batch, changed)
            await self._write_notices(batch, changed, ps[0])
            await self._add_daily(_likes_of_days(batch, changed))
            await self._add(_counters(batch, changed))
        self._heads |= batch.heads

    async def _write_notices(self, batch: Batch, changed: Sequence[Any], p: int) -> None:
        """Writes the notifications about likes for the owners of the entities: about the first like of each user,
        unless the owner has muted the thread. `changed` are the rows that the batch has changed, and `p` is one of its
        partitions.
        """
        liked = int(NotificationKind.LIKE)
        notices = [
            (liked, owner, business, entity, user, batch.events[user, business, entity].version, None, 0)
            for user, business, entity, had_liked, *_, state, owner in changed
            if state == 1 and not had_liked and owner not in (None, user)
        ]
        threads = sorted({(owner, business, entity) for _, owner, business, entity, *_ in notices})
        muted = set(map(tuple, await self._muted(columns(threads, "users", "businesses", "entities"))))
        wanted = [notice for notice in notices if notice[1:4] not in muted]
        await self._notices({"p": p, "id": randbits(63), "notices": orjson.dumps(wanted)})

    async def _write_events(self, batch: Batch, changed: Sequence[Any]) -> None:
        by_partition = grouped(
            (event.partition, (event.version, place, {"owner": owner, "before": was, "after": state}))
            for *place, _, was, _, state, owner in changed
            for event in [batch.events[tuple(place)]]
        )
        datas = {p: [orjson.dumps(data) for *_, data in events] for p, events in sorted(by_partition.items())}
        sizes = {p: [len(data) + ROW_BYTES for data in some] for p, some in datas.items()}
        heads = [(p, len(some), sum(some)) for p, some in sizes.items()]
        rows: list[tuple[Any, ...]] = []
        for p, position, total in await self._event_heads(columns(heads, "ps", "counts", "sizes")):
            throughs = accumulate(sizes[p], initial=total - sum(sizes[p]))
            next(throughs)
            events = sorted(zip(by_partition[p], datas[p], strict=True))
            for place, ((version, key, _), data) in enumerate(events, position - len(events) + 1):
                object_ = ".".join(map(str, key))
                rows.append((p, place, REACTION_CHANGED.number, key[1], version, object_, data, next(throughs)))
        names = "ps", "positions", "kinds", "businesses", "versions", "objects", "datas", "throughs"
        await self._events(columns(rows, *names))


def _counters(batch: Batch, changed: Sequence[Any]) -> Columns:
    """Returns what the changed rows add to each counter, as columns of parameters: the sum, and the newest version of
    each partition.
    """
    moves: dict[tuple[int, int, int], tuple[int, dict[str, int]]] = {}
    for user, business, entity, _, was, _, state, owner in changed:
        event = batch.events[user, business, entity]
        partition, version = str(event.partition), event.version
        for key in ((business, entity, int(CounterKind.LIKES)), (USERS, owner, int(CounterKind.LIKES_RECEIVED))):
            total, included = moves.get(key, (0, {}))
            included[partition] = max(version, included.get(partition, 0))
            moves[key] = total + (state == 1) - (was == 1), included
    rows = sorted(moves.items())
    return {
        "businesses": [key[0] for key, _ in rows],
        "entities": [key[1] for key, _ in rows],
        "kinds": [key[2] for key, _ in rows],
        "deltas": [delta for _, (delta, _) in rows],
        "included": [orjson.dumps(included).decode() for _, (_, included) in rows],
    }


def _likes_of_days(batch: Batch, changed: Sequence[Any]) -> Columns:
    """Returns what the changed rows add to the likes of each entity and day, as columns of parameters."""
    likes = Counter[tuple[int, int, int]]()
    for user, business, entity, _, was, _, state, _ in changed:
        likes[business, batch.events[user, business, entity].day, entity] += (state == 1) - (was == 1)
    rows = sorted((*place, delta) for place, delta in likes.items())
    return columns(rows, "businesses", "days", "entities", "deltas")
