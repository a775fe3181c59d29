"""The durable write queue: one Redis stream per partition.

A change's *version* is its journal id as one integer, `ms << 20 | sequence`: unique and growing within a partition.
Its *moment* is the same in the 53 bits a sorted set's score holds exactly, `ms << 10 | min(sequence, 1023)`.
"""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import text

from store.keys import Keys
from store.postgres.client import Postgres, Transaction
from store.redis.client import Redis, RedisDown
from store.scripts import OPEN, OPENED

T = TypeVar("T")
_INSTALLED = text("SELECT count(*) FROM partitions")
_HEADS = text("SELECT p, head FROM partitions")
_SEQUENCE_BITS = 20
_MOST_VERSIONS = 256
_NEXT = text(f"""
    UPDATE partitions
    SET direct = greatest(direct, head, (extract(epoch FROM clock_timestamp()) * 1000)::bigint << {_SEQUENCE_BITS})
               + {_MOST_VERSIONS}
    WHERE p = :p RETURNING direct
""")  # noqa: S608 - constants
_ENDS = text("SELECT p, greatest(head, direct) FROM partitions")
_MOMENT_SEQUENCE = 1023


def version_of(entry_id: bytes | str) -> int:
    """`b"1700000000000-3"` as a version."""
    ms, sequence = entry_id.split(b"-" if isinstance(entry_id, bytes) else "-")  # type: ignore[arg-type]
    return int(ms) << _SEQUENCE_BITS | int(sequence)


def entry_id(version: int) -> str:
    """A version as the journal id it came from."""
    return f"{version >> _SEQUENCE_BITS}-{version & ((1 << _SEQUENCE_BITS) - 1)}"


def version_at(ms: int) -> int:
    """The lowest version an entry written at `ms` can have."""
    return ms << _SEQUENCE_BITS


def version_ms(version: int) -> int:
    """Returns when an entry was written, in milliseconds since the Unix epoch."""
    return version >> _SEQUENCE_BITS


def moment_of(version: int) -> int:
    """What lists order this version by."""
    return version >> _SEQUENCE_BITS << 10 | min(version & ((1 << _SEQUENCE_BITS) - 1), _MOMENT_SEQUENCE)


def moment_ms(moment: int) -> int:
    """When a moment was, in milliseconds since the Unix epoch."""
    return moment >> 10


async def installed_partitions(postgres: Postgres) -> int:
    """How many journals the deployment was installed with."""
    return int((await postgres.read(_INSTALLED))[0][0])


async def heads(postgres: Postgres) -> dict[int, int]:
    """The newest version that is in the tables, by partition; 0 where there has been none."""
    return dict(await postgres.read(_HEADS))


async def next_versions(transaction: Transaction, partition: int) -> int:
    """The first of 256 versions for changes that go past the journal, whose partition is the transaction's now."""
    return int((await transaction.execute(_NEXT, p=partition))[0].direct) - _MOST_VERSIONS + 1


async def ends(transaction: Transaction) -> dict[int, int]:
    """The newest version that truth knows of each partition."""
    return dict(await transaction.execute(_ENDS))


class ClientTrace(NamedTuple):
    """What logs keep of where a change came from."""

    source: str | None = None
    ip: str | None = None
    device: str | None = None
    client: str | None = None


class Entry(NamedTuple):
    """One acknowledged change, as it lies in the journal."""

    partition: int
    version: int
    fields: dict[bytes, bytes]


class Opened(NamedTuple):
    """The last version ever given in a journal, the generation it is open for, and which run of a server it is in."""

    last: int
    generation: int
    run_id: str


class Journals:
    """Reading and trimming. Appending is what the actor scripts do; and the seed, which nobody waits for."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def read(self, wanted: Sequence[tuple[int, int, int]]) -> list[list[Entry]]:
        """For each (partition, after this version, at most so many): its next entries, in order. One round trip."""
        answers = await self._redis.gather(
            [("XRANGE", self._keys.journal(p), f"({entry_id(after)}", "+", "COUNT", most) for p, after, most in wanted]
        )
        return [[_entry(p, raw) for raw in answer] for (p, _, _), answer in zip(wanted, answers, strict=True)]

    async def read_each(self, wanted: Sequence[tuple[int, int, int]]) -> list[list[Entry] | None]:
        """Reads as `read` does. Returns None for each partition whose server does not answer."""
        each = await asyncio.gather(*[_unless_down(self.read([one])) for one in wanted])
        return [one[0] if one is not None else None for one in each]

    async def append(self, entries: Sequence[tuple[int, int | None, Mapping[str, Any]]]) -> list[int]:
        """Appends (partition, ms or None for now, fields) in order, and returns the versions. One pipeline.

        Raises ResponseError where a partition has newer entries than one of `ms`; the others are there all the same.
        """
        answers = await self._redis.gather(
            [
                ("XADD", self._keys.journal(p), "*" if ms is None else f"{ms}-*", *chain(*fields.items()))
                for p, ms, fields in entries
            ],
            write=True,
        )
        return [version_of(answer) for answer in answers]

    async def check_servers(self) -> None:
        """Raises RedisDown unless every server that has a journal answers."""
        journals = map(self._keys.journal, range(self._keys.partitions))
        await self._redis.gather([("EXISTS", journal) for journal in journals])

    async def trim(self, through: dict[int, int]) -> None:
        """Forgets the entries up to and including the version given for each partition."""
        await self._redis.gather(
            [("XTRIM", self._keys.journal(p), "MINID", "=", entry_id(version + 1)) for p, version in through.items()],
            write=True,
        )

    async def opened(self, partitions: Sequence[int]) -> dict[int, "Opened"]:
        """How each partition's journal is, as its server says."""
        answer = await self._redis.run_many(OPENED, [], [(self._places(p), ()) for p in partitions])
        each = zip(partitions, answer[::3], answer[1::3], answer[2::3], strict=True)
        return {p: Opened(version_of(last), int(of), run_id.decode()) for p, last, of, run_id in each}

    async def open(self, generation: int, after: Mapping[int, int]) -> None:
        """Opens each partition's journal for a generation, above the version given."""
        calls = [(self._places(p), [entry_id(max(1, version))]) for p, version in after.items()]
        await self._redis.run_many(OPEN, [generation], calls)

    def _places(self, partition: int) -> list[str]:
        return [self._keys.journal(partition), self._keys.generation(partition)]

    async def lengths(self, partitions: Sequence[int]) -> list[int]:
        """How many entries each partition holds."""
        return list(await self._redis.gather([("XLEN", self._keys.journal(p)) for p in partitions]))


async def _unless_down(asked: Awaitable[T]) -> T | None:
    try:
        return await asked
    except RedisDown:
        return None


def _entry(partition: int, raw: Any) -> Entry:
    identifier, fields = raw
    each = iter(fields)
    return Entry(partition, version_of(identifier), dict(zip(each, each, strict=True)))
