"""The journals: the durable queues of acknowledged changes that workers store in Postgres.

Each partition has one journal, a Redis stream. The head of a partition is the version of the last entry that is stored.
A version is the id of an entry as one integer (domain/versions.py).
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from redis.exceptions import ResponseError
from sqlalchemy import text

from domain.versions import SEQUENCE_BITS, entry_id, version_ms, version_of
from store.groups import grouped
from store.keys import Keys
from store.postgres.client import Postgres, Transaction
from store.redis.client import Redis, RedisDown
from store.redis.connection import RedisCommand
from store.scripts import OPEN_JOURNALS, RAISE_IDS, READ_JOURNALS

_INSTALLED = text("SELECT count(*) FROM partitions")
_HEADS = text("SELECT p, head FROM partitions")
_MOST_VERSIONS = 256
_NEXT = text(f"""
    UPDATE partitions
    SET direct = greatest(direct, head, (extract(epoch FROM clock_timestamp()) * 1000)::bigint << {SEQUENCE_BITS})
               + {_MOST_VERSIONS}
    WHERE p = :p RETURNING direct
""")  # noqa: S608 - constants
_INCLUDE = text("UPDATE partitions SET direct = greatest(direct, :version) WHERE p = :p")
_ENDS = text("SELECT p, greatest(head, direct) FROM partitions")
_NEVER = b"0-0"
"""The last id of a journal that has never had an entry."""


async def installed_partitions(postgres: Postgres) -> int:
    """Returns the number of journals with which the deployment was installed."""
    return int((await postgres.read(_INSTALLED))[0][0])


async def heads(postgres: Postgres) -> dict[int, int]:
    """Returns, by partition, the version of the newest journal entry that is stored in Postgres; 0 if none is."""
    return dict(await postgres.read(_HEADS))


async def next_versions(transaction: Transaction, partition: int) -> int:
    """Reserves 256 versions of a partition for direct writes, which do not go through the journal. Returns the lowest.

    Locks the row of the partition until the end of the transaction.
    """
    return int((await transaction.execute(_NEXT, p=partition))[0].direct) - _MOST_VERSIONS + 1


async def include(transaction: Transaction, partition: int, version: int) -> None:
    """Records that Postgres already has the change of a journal entry with this version, which no worker has read yet.

    Locks the row of the partition until the end of the transaction.
    """
    await transaction.execute(_INCLUDE, p=partition, version=version)


async def ends(transaction: Transaction) -> dict[int, int]:
    """Returns, by partition, the newest version that is stored in Postgres, from a journal entry or a direct write."""
    return dict(await transaction.execute(_ENDS))


ACTING = "act:"
"""The prefix of `ClientTrace.client` if a service acted for the user. The user id of the service follows."""


class ClientTrace(NamedTuple):
    """The data that the logs of likes, follows and so on store about the client that sent a change. `source` is what
    the client says about the place of the change; the others are its IP address, its device id, and its kind. None:
    unknown.
    """

    source: str | None = None
    ip: str | None = None
    device: str | None = None
    client: str | None = None

    @property
    def service(self) -> str | None:
        """Returns `client` if a service acted for the user; otherwise None."""
        return self.client if self.client and self.client.startswith(ACTING) else None


class Entry(NamedTuple):
    """An acknowledged change, as it is in the journal: the partition, the version (the entry's id as one integer), and
    the names and values of the entry's fields.
    """

    partition: int
    version: int
    fields: dict[bytes, bytes]

    @property
    def traceparent(self) -> bytes | None:
        """Returns the W3C traceparent of the request that made the change; None if the request was not traced."""
        return self.fields.get(b"traceparent")


Wanted = tuple[int, int, int]
"""The part of a journal to read: (partition, version after which to start, largest number of entries)."""


class Opened(NamedTuple):
    """The state of one journal: the version of the last entry ever appended, the generation for which the journal takes
    writes, and the run ids of the servers that hold these two. There can be two servers while the journal's slot is
    being moved.
    """

    last: int
    generation: int
    run_ids: set[str]


def run_ids(opened: Mapping[int, Opened]) -> set[str]:
    """Returns the run ids of all servers that hold these journals."""
    return {run_id for one in opened.values() for run_id in one.run_ids}


class JournalSize(NamedTuple):
    """The number of entries in a journal, and the oldest entry that is not stored in Postgres yet; None if all are."""

    entries: int
    oldest: Entry | None

    def lag_s(self, now_ms: int) -> float:
        """Returns the age in seconds of the oldest entry that is not stored yet; 0 if there is none. `now_ms` is the
        current time, in milliseconds since the Unix epoch.
        """
        return max(0.0, (now_ms - version_ms(self.oldest.version)) / 1000) if self.oldest else 0.0


class Journals:
    """The journals of all partitions. Scripts (store/scripts) append the changes of users; this class reads, trims and
    opens journals.
    """

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def read(self, wanted: Sequence[Wanted]) -> list[list[Entry]]:
        """Reads entries of several journals in one round trip. Returns a list for each element of `wanted`. Raises
        RedisDown if a server does not answer.
        """
        return _entries(wanted, await self._redis.gather(self._reads(wanted)))

    async def read_each(self, wanted: Sequence[Wanted]) -> list[list[Entry] | None]:
        """Reads entries as `read` does, but returns None for a partition whose server does not answer."""
        return await asyncio.gather(*[self._read_if_up(one) for one in wanted])

    async def read_any(self, wanted: Sequence[Wanted]) -> list[list[Entry]]:
        """Reads entries as `read` does, but returns an empty list for a partition whose server does not answer. Raises
        RedisDown if no server answers.
        """
        answers = await self._redis.gather(self._reads(wanted), partly=True)
        if wanted and all(answer is None for answer in answers):
            raise RedisDown
        return _entries(wanted, [answer or [] for answer in answers])

    def _reads(self, wanted: Sequence[Wanted]) -> list[RedisCommand]:
        return [
            ("XRANGE", self._keys.journal(p), f"({entry_id(after)}", "+", "COUNT", most) for p, after, most in wanted
        ]

    async def _read_if_up(self, wanted: Wanted) -> list[Entry] | None:
        with suppress(RedisDown):
            return (await self.read([wanted]))[0]
        return None

    async def append(self, entries: Sequence[tuple[int, int | None, Mapping[str, Any]]]) -> list[int]:
        """Appends entries in order, in one pipeline. An entry is (partition, time in milliseconds since the Unix epoch
        or None for now, fields). Returns the versions of the entries.

        Raises ResponseError if a partition already has newer entries than the time of an entry. The other entries are
        appended nevertheless. Raises RedisDown.
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
        """Raises RedisDown if no server that has a journal answers."""
        journals = map(self._keys.journal, range(self._keys.partitions))
        answers = await self._redis.gather([("EXISTS", journal) for journal in journals], partly=True)
        if all(answer is None for answer in answers):
            raise RedisDown

    async def trim(self, through: dict[int, int]) -> None:
        """Removes entries from journals: for each partition, those up to and including the version in `through`."""
        await self._redis.gather(
            [("XTRIM", self._keys.journal(p), "MINID", "=", entry_id(version + 1)) for p, version in through.items()],
            write=True,
        )

    def by_server(self) -> list[list[int]]:
        """Returns the partitions in groups, one for each server that has journals, as far as this process knows."""
        server_of = self._redis.servers.server_of
        return [*grouped((server_of(self._keys.journal(p)), p) for p in range(self._keys.partitions)).values()]

    async def opened(self, partitions: Sequence[int]) -> dict[int, Opened]:
        """Returns the state of each partition's journal, even while its slot is being moved to another server. Raises
        RedisDown.
        """
        calls = [([self._keys.journal(p)], ["XINFO"]) for p in partitions]
        calls += [([self._keys.generation(p)], ["GET"]) for p in partitions]
        answer = await self._redis.run_many(READ_JOURNALS, [], calls)
        values, servers = answer[::2], [run_id.decode() for run_id in answer[1::2]]
        count = len(partitions)
        return {
            p: Opened(version_of(last or _NEVER), int(generation or 0), {server, other})
            for p, last, generation, server, other in zip(
                partitions, values[:count], values[count:], servers[:count], servers[count:], strict=True
            )
        }

    async def last(self, partition: int) -> int:
        """Returns the version of the last entry that was ever appended to a journal; 0 if none was. Also works on a
        replica. Raises RedisDown.
        """
        try:
            info = await self._redis("XINFO", "STREAM", self._keys.journal(partition))
        except ResponseError:  # there is no such journal
            return 0
        return version_of(dict(zip(info[::2], info[1::2], strict=True))[b"last-generated-id"])

    async def open_for(self) -> int:
        """Returns the generation for which all journals take writes; the lowest one if they differ. Also works on a
        replica. Raises RedisDown.
        """
        answers = await self._redis.gather([("GET", self._keys.generation(p)) for p in range(self._keys.partitions)])
        return min(int(answer or 0) for answer in answers)

    async def open(self, generation: int, after: Mapping[int, int]) -> None:
        """Opens the journals of the partitions in `after` for a generation, so that processes that use this generation
        can write to them. New entries of a partition get higher versions than `after` has for it. A journal that is
        open for a later generation stays as it is.
        """
        raised = [([self._keys.journal(p)], [entry_id(max(1, version))]) for p, version in after.items()]
        await self._redis.run_many(RAISE_IDS, [], raised)
        await self._redis.run_many(OPEN_JOURNALS, [generation], [([self._keys.generation(p)], ()) for p in after])

    async def sizes(self, heads: Mapping[int, int]) -> dict[int, JournalSize]:
        """Returns the size of each partition's journal. `heads` has, by partition, the version of the last entry that
        is stored in Postgres. Leaves out journals whose server does not answer.
        """
        lengths = await self._redis.gather([("XLEN", self._keys.journal(p)) for p in heads], partly=True)
        sizes = {p: JournalSize(length, None) for p, length in zip(heads, lengths, strict=True) if length is not None}
        filled = [p for p, size in sizes.items() if size.entries]
        for p, waiting in zip(filled, await self.read_each([(p, heads[p], 1) for p in filled]), strict=True):
            if waiting:
                sizes[p] = JournalSize(sizes[p].entries, waiting[0])
        return sizes

    async def lengths(self, partitions: Sequence[int]) -> list[int]:
        """Returns the number of entries in the journals of these partitions, in this order."""
        return list(await self._redis.gather([("XLEN", self._keys.journal(p)) for p in partitions]))


def _entries(wanted: Sequence[Wanted], answers: Sequence[Any]) -> list[list[Entry]]:
    return [[_entry(p, raw) for raw in answer] for (p, _, _), answer in zip(wanted, answers, strict=True)]


def _entry(partition: int, raw: Any) -> Entry:
    identifier, fields = raw
    each = iter(fields)
    return Entry(partition, version_of(identifier), dict(zip(each, each, strict=True)))
