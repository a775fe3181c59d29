"""Compares two ways to find a viewer's reactions to the entities of a page if they are not cached: one SQL query, or
first a Bloom filter in Redis.

Half of the filter's bits are set, at random, as in a full filter. The cost of filling, rotating and repairing a filter
is not measured.
"""

import itertools
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from hashlib import blake2b
from os import urandom
from random import Random
from statistics import median

import asyncpg

from bench.machine import Machine
from bench.results import Result, compared, plain
from bench.rounds import Turn, alternate
from models.counters import EntityRef
from models.likes import REACT

_PAGE = 20
_EACH = 5000
"""The number of reactions of each user: five times as many as a cached set holds."""
_WRONG = 0.01
"""The share of false positives for which the filter is dimensioned."""
_BITS_EACH = -math.log(_WRONG) / math.log(2) ** 2
_PROBES = round(_BITS_EACH * math.log(2))
_SEGMENT = 1 << 23
"""The number of bits in each Redis key of the filter. Rotating, copying or losing a key reads or writes all of them."""
_FIRST = 1 << 50
_INSERT = """
    INSERT INTO reactions (user_id, business_id, entity_id, state, version)
    SELECT $1::bigint + i % $3, $2::smallint, $1::bigint + 977 * i, 1, $4::bigint + i
    FROM generate_series(0, $5::bigint - 1) AS i ON CONFLICT DO NOTHING
"""
_INDEX = "SELECT pg_relation_size('reactions_pkey')"

Page = tuple[int, list[int]]
"""A user, and the entities of a page to which this user has no reaction."""


async def measure(machine: Machine) -> list[Result]:
    """Measures pages per second, one request at a time: with the query, and with two forms of the filter."""
    count = machine.sizes.stored_reactions
    connection = await machine.connect("public")
    try:
        users = await _write(machine, connection, count)
        index = await connection.fetchval(_INDEX)
    finally:
        await connection.close()
    segments = await _filter(machine, count)
    business, bits, segment = machine.state.businesses["video"], len(segments) * _SEGMENT, _SEGMENT // 8

    async def by_query(page: Page) -> None:
        user, entities = page
        refs = [EntityRef(business.id, entity) for entity in entities]
        read = machine.state.own_sets.from_rows
        found = await read(REACT, user, refs, business.id, asked_ms=None, newest=False)
        assert not found

    async def by_bits(page: Page) -> None:
        user, entities = page
        places = [place % bits for entity in entities for place in _places(user, entity)]
        await machine.state.redis.gather(
            [("GETBIT", segments[place // _SEGMENT], place % _SEGMENT) for place in places]
        )

    async def by_blocks(page: Page) -> None:
        """Reads a blocked Bloom filter, in which all bits of a reaction are in one block of 64 bytes."""
        user, entities = page
        starts = [next(_places(user, entity)) % (bits // 512) * 64 for entity in entities]
        ranges = [(segments[at // segment], at % segment, at % segment + 63) for at in starts]
        await machine.state.redis.gather([("GETRANGE", *one) for one in ranges])

    pages = _pages(users)
    query, bitwise, blocks = await alternate(
        machine.sizes.rounds, *[_turn(machine, one, pages) for one in (by_query, by_bits, by_blocks)]
    )
    return [
        compared("cold", f"pages of {_PAGE}/s from one query, against {_PAGE * _PROBES} bits", query, bitwise),
        compared("cold", f"pages of {_PAGE}/s from one query, against {_PAGE} blocks", query, blocks),
        plain("cold", "kB of the index that the query reads", index / 1000),
        plain("cold", f"kB of the filter, {_BITS_EACH:.1f} bits a reaction", count * _BITS_EACH / 8 / 1000),
    ]


def _turn(machine: Machine, ask: Callable[[Page], Awaitable[None]], pages: Iterator[Page]) -> Turn:
    async def rate() -> float:
        waits, until = list[float](), time.perf_counter() + machine.sizes.round_seconds
        while (began := time.perf_counter()) < until:
            await ask(next(pages))
            waits.append(time.perf_counter() - began)
        return 1 / median(waits)

    return rate


def _pages(users: Sequence[int]) -> Iterator[Page]:
    random = Random(7)
    for user in itertools.cycle(users):
        # Entities with reactions of other users: their distance to the first is no multiple of 977.
        yield user, [_FIRST + 977 * random.randrange(len(users) * _EACH) + 1 for _ in range(_PAGE)]


async def _write(machine: Machine, connection: asyncpg.Connection, count: int) -> list[int]:
    """Writes `count` rows of reactions, unless they exist. Returns the users who have them."""
    users, version = max(1, count // _EACH), machine.state.now_ms() << 20
    await connection.execute(_INSERT, _FIRST, machine.state.businesses["video"].id, users, version, count, timeout=600)
    await connection.execute("VACUUM ANALYZE reactions", timeout=600)
    return [_FIRST + i for i in range(users)]


async def _filter(machine: Machine, count: int) -> list[str]:
    """Writes a Bloom filter for `count` reactions into several Redis keys. Returns the keys."""
    names = [f"bloom:{i}" for i in range(math.ceil(count * _BITS_EACH / _SEGMENT))]
    await machine.state.redis.gather([("SET", name, urandom(_SEGMENT // 8)) for name in names], write=True)
    return names


def _places(user_id: int, entity_id: int) -> Iterator[int]:
    """Yields the positions of a reaction's bits in the Bloom filter, made of two hashes (Kirsch and Mitzenmacher,
    2006).
    """
    digest = blake2b(b"%d:%d" % (user_id, entity_id), digest_size=16).digest()
    first, step = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
    return (first + i * step for i in range(_PROBES))
