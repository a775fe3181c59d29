"""The cache Redis of a reading site: repeats the log of another site there (store/cache/log.py)."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import NamedTuple

from domain.versions import version_ms, version_of
from store.cache.log import LogEntry, Run
from store.keys import drained, relayed, relaying
from store.redis.client import Redis

_TURN_MS = 3000
"""How long a relay that has died keeps others from working, in milliseconds."""


class Repeated(NamedTuple):
    """How far a cache has the changes of the log: the id of the entry that was repeated last, its position in the WAL
    of Postgres, and the run ids of the servers that the log was on, as a text (`names`).
    """

    id: str
    position: int
    servers: str

    @property
    def ms(self) -> int:
        """Returns until when the cache has all changes, by the clock of the state Redis, in milliseconds since the Unix
        epoch.
        """
        return version_ms(version_of(self.id))


async def reached(cache: Redis) -> Repeated | None:
    """Returns how far this cache has the changes of the log; None if that is unknown, as for an empty cache. Raises
    RedisDown.
    """
    stored: bytes | None = await cache("GET", relayed())
    if stored is None:
        return None
    id_, position, servers = stored.decode().split(" ", 2)
    return Repeated(id_, int(position), servers)


async def has_turn(cache: Redis, name: str) -> bool:
    """Returns whether the relay with this name is the one that works: no other relay has called this function in the
    last three seconds, or only after this relay. Raises RedisDown.
    """
    key = relaying()
    holder: bytes | None = await cache("SET", key, name, "NX", "GET", "PX", _TURN_MS, write=True)
    if holder == name.encode():
        await cache("PEXPIRE", key, _TURN_MS, write=True)
    return holder in (None, name.encode())


async def leave(cache: Redis, name: str) -> None:
    """Lets another relay work at once, if the one with this name has its turn. Raises RedisDown."""
    if await cache("GET", relaying()) == name.encode():
        await cache("DEL", relaying(), write=True)


def names(run_ids: Collection[str]) -> str:
    """Returns the run ids of servers as a text."""
    return ",".join(sorted(run_ids))


async def repeat(cache: Redis, entries: Sequence[LogEntry], servers: str) -> None:
    """Repeats entries in this cache, in their order, and stores that it has them. Call it only when the local Postgres
    has replayed the WAL up to the positions of the entries. `servers` are the servers that the log is on (`names`).
    Raises RedisDown; all entries may then be repeated again.
    """
    changes = (change for entry in entries for change in entry.changes)
    for is_run, some in groupby(changes, lambda change: isinstance(change, Run)):
        if is_run:
            for run in some:
                assert isinstance(run, Run)
                await cache.run_many(*run)
        else:
            await cache.gather([tuple(command) for command in some], write=True)
    if entries:
        await _store(cache, entries[-1], servers)


async def begin(cache: Redis, state: Redis, entry: LogEntry, servers: str) -> None:
    """Empties this cache, and stores that it has all changes up to an entry. Call it only when the local Postgres has
    replayed the WAL up to the position of the entry: what readers cache from then on includes the changes. Reads that
    have begun before cache nothing, because their leases are gone. `servers` are the servers that the log is on
    (`names`). Raises RedisDown, or the error of a server. Raises ValueError if this cache is also `state`, the state
    Redis, which must never be emptied.

    A drained site stays drained.
    """
    if cache is state:
        raise ValueError("A site that only reads needs a cache Redis of its own: set PLAUDIT_CACHE_URL.")
    mark = await cache("GET", drained())
    answers = await cache.servers.send_to_all([("FLUSHDB", "ASYNC")])
    for (answer,) in answers.values():
        if isinstance(answer, Exception):
            raise answer
    if mark is not None:
        await cache("SET", drained(), mark, write=True)
    await _store(cache, entry, servers)


async def _store(cache: Redis, entry: LogEntry, servers: str) -> None:
    await cache("SET", relayed(), f"{entry.id} {entry.position} {servers}", write=True)
