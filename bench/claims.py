"""Measures the figures of docs/operate/beyond.md: counter updates that are collected for some seconds, a Bloom filter,
how users are spread over partitions, and the query for followees of followees.
"""

import itertools
import math
import time
from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from statistics import median

import asyncpg

from bench.machine import Machine
from bench.results import Result, plain

_PER_SECOND, _WINDOW_SECONDS = 15_000, 10
"""The likes per second in the project's first requirements, and the seconds for which a message queue would collect
them.
"""
_BATCH = 500
_ENTITIES = 1_000_000
_EXPONENT = 1.0
"""The exponent of Zipf's law, by which likes are distributed over entities: 1 means that the second most popular entity
gets half as many as the first, and the third a third.
"""
_WRONG = 0.01
"""The share of false positives for which the Bloom filter is dimensioned."""
_FIRST = 1 << 52
_FOLLOW = """
    INSERT INTO following (user_id, followee_id, moment)
    SELECT $1::bigint + i, $1::bigint + (i + k * 7919) % $2::bigint, i
    FROM generate_series(0, $2::bigint - 1) AS i CROSS JOIN generate_series(1, $3::int) AS k ON CONFLICT DO NOTHING
"""
_SECOND_DEGREE = """
    SELECT second.followee_id, count(*) FROM following first JOIN following second ON second.user_id = first.followee_id
    WHERE first.user_id = $1 AND second.followee_id <> $1 AND NOT EXISTS (
        SELECT FROM following known WHERE known.user_id = $1 AND known.followee_id = second.followee_id)
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
"""
_READERS = 20


async def measure(machine: Machine) -> list[Result]:
    """Measures all figures. No other section must run before."""
    return [*_collected(), *_filtered(machine.sizes.filtered), *_spread(machine), *await _second_degree(machine)]


def _collected() -> list[Result]:
    """Counts the counter updates for a number of likes: if likes are collected for ten seconds, and if they are stored
    in batches of 500.
    """
    weights = list(itertools.accumulate(1 / rank**_EXPONENT for rank in range(1, _ENTITIES + 1)))
    likes = Random(1).choices(range(_ENTITIES), cum_weights=weights, k=_PER_SECOND * _WINDOW_SECONDS)
    batches = sum(len(set(likes[at : at + _BATCH])) for at in range(0, len(likes), _BATCH))
    return [
        plain("claims", f"counter updates of {len(likes):,} likes, in batches of {_BATCH}", batches),
        plain("claims", f"the same, collected for {_WINDOW_SECONDS} s", len(set(likes))),
    ]


def _filtered(count: int) -> list[Result]:
    """Fills a Bloom filter with `count` reactions, and counts how many of as many other reactions it seems to contain.
    Then counts how many of a tenth of its reactions it still contains after they are removed.
    """
    size = math.ceil(-count * math.log(_WRONG) / math.log(2) ** 2)
    probes, bits = round(size / count * math.log(2)), bytearray(size // 8 + 1)

    def places(number: int) -> Sequence[int]:
        digest = blake2b(b"%d" % number, digest_size=16).digest()
        first, step = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
        return [(first + at * step) % size for at in range(probes)]

    for number in range(count):
        for place in places(number):
            bits[place >> 3] |= 1 << (place & 7)

    def found(numbers: Sequence[int]) -> int:
        return sum(all(bits[place >> 3] >> (place & 7) & 1 for place in places(number)) for number in numbers)

    wrong, removed = found(range(count, 2 * count)), range(count // 10)
    pages = 100 * (1 - (1 - wrong / count) ** 20)
    return [
        plain("claims", "bits of a Bloom filter for a reaction, times 100", 100 * size / count),
        plain("claims", f"false positives of {count:,} absent reactions", wrong),
        plain("claims", "% of pages of 20 with a false positive", pages),
        plain("claims", f"of {len(removed):,} removed reactions still found", found(removed)),
    ]


def _spread(machine: Machine) -> list[Result]:
    """Counts the users of each journal partition, with ids as Plaudit issues them. Returns the largest and the smallest
    count.
    """
    keys, users = machine.state.keys, [machine.state.new_id() for _ in range(machine.sizes.filtered)]
    sizes = [0] * machine.settings.partitions
    for user in users:
        sizes[keys.partition_of(user)] += 1
    mean = len(users) / len(sizes)
    return [
        plain("claims", f"% of the mean: users of the fullest of {len(sizes)} partitions", 100 * max(sizes) / mean),
        plain("claims", "% of the mean: users of the emptiest", 100 * min(sizes) / mean),
    ]


async def _second_degree(machine: Machine) -> list[Result]:
    """Measures the time of the query for the accounts that most of a user's followees follow."""
    connection = await machine.connect("public")
    try:
        results = list[Result]()
        for each in machine.sizes.second_degree:
            users = machine.sizes.second_degree_rows // each
            first = _FIRST + each * machine.sizes.second_degree_rows
            await connection.execute(_FOLLOW, first, users, each, timeout=600)
            await connection.execute("VACUUM ANALYZE following", timeout=600)
            results.append(
                plain(
                    "claims",
                    f"µs for followees of {each} times {each} followees",
                    await _microseconds(connection, [first + at for at in range(_READERS)]),
                )
            )
        return results
    finally:
        await connection.close()


async def _microseconds(connection: asyncpg.Connection, users: Sequence[int]) -> float:
    taken = list[float]()
    for user in users:
        began = time.perf_counter()
        await connection.fetch(_SECOND_DEGREE, user, timeout=60)
        taken.append((time.perf_counter() - began) * 1_000_000)
    return median(taken)
