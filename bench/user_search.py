"""Measures searches for users by the number of users: the time of a statement while somebody types, the size of the
terms, and what a new name costs.

Names follow Zipf's law, as real ones do: the most frequent first name has about a hundredth of all users.
"""

import itertools
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from random import Random

import asyncpg

from bench.machine import Machine
from bench.results import Result, percentiles, plain
from domain.search_terms import terms, words
from models.counters import CounterKind
from models.users import UserRow
from settings import USERS
from store.content import user_terms
from store.people import user_search

_FIRST = 1 << 53
"""The id of the first user that this section makes."""
_SIZES = 1000, 10_000, 100_000, 1_000_000
_FIRST_NAMES, _LAST_NAMES = 5000, 50_000
_TYPED, _QUERIES, _RENAMED = 300, 300, 100
_FOLLOWED = 200
_AT_ONCE = 50_000
_SYLLABLES = [one + other for one in "bcdfghjklmnprstvw" for other in "aeiou"]


def _names(number: int, random: Random) -> tuple[list[str], Sequence[float]]:
    """Returns this many names, and their cumulative weights by Zipf's law."""
    names = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 4))) for _ in range(number)]
    return names, list(itertools.accumulate(1 / (10 + rank) for rank in range(number)))


def _users(random: Random) -> Iterator[tuple[str, str, int]]:
    """Yields users: a handle, a display name, and a number of followers, which is below ten for most."""
    first, last = _names(_FIRST_NAMES, random), _names(_LAST_NAMES, random)
    for number in itertools.count():
        (given,), (family,) = (random.choices(names, cum_weights=weights) for names, weights in (first, last))
        followers = min(10_000_000, int(random.random() ** -1.2))
        yield f"{given}_{family}{number}", f"{given.title()} {family.title()}", followers


async def measure(machine: Machine) -> list[Result]:
    """Makes users, up to `sizes.searched_users`, and measures searches at each size."""
    random, results, count = Random(1), list[Result](), 0
    users = _users(random)
    connection = await machine.connect("public")
    viewer = _FIRST
    for size in (size for size in _SIZES if size <= machine.sizes.searched_users):
        made = [next(users) for _ in range(count, size)]
        async with _indexed_later(connection):
            for at in range(0, len(made), _AT_ONCE):
                await _store(connection, _FIRST + count + at, made[at : at + _AT_ONCE])
        count = size
        followed = random.sample(range(size), min(size, _FOLLOWED))
        await connection.executemany(
            "INSERT INTO following VALUES ($1, $2, 1) ON CONFLICT DO NOTHING",
            [(viewer, _FIRST + number) for number in followed if number],
        )
        await connection.execute("ANALYZE users, user_terms, counters, following")
        typed = [random.choice(made) for _ in range(_TYPED)]
        keys = [handle[: 1 + number % 8] for number, (handle, *_) in enumerate(typed)]
        name = f"{size:,} users"
        results += percentiles("user-search", f"{name}: ms of a keystroke", await _timed(machine, viewer, keys, 50, 1))
        queries = [display for _, display, _ in typed[:_QUERIES]]
        results += percentiles(
            "user-search", f"{name}: ms of two words", await _timed(machine, viewer, queries, 200, 10)
        )
        wrong = [display.split()[1][:3] + "x" + display.split()[1][4:] for _, display, _ in typed[:_QUERIES]]
        results += percentiles(
            "user-search", f"{name}: ms of a typing error", await _timed(machine, viewer, wrong, 200, 10)
        )
        total = await connection.fetchval("SELECT pg_total_relation_size('user_terms')")
        results.append(plain("user-search", f"{name}: bytes of terms for each user", total / size))
        results.append(plain("user-search", f"{name}: ms to write a new name", await _renamed(machine, random, size)))
    await connection.close()
    return results


@asynccontextmanager
async def _indexed_later(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Removes the indexes of terms, except the primary key, and builds them when the block ends."""
    indexes = await connection.fetch(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'user_terms' AND indexname <> 'user_terms_pkey'"
    )
    for name, _ in indexes:
        await connection.execute(f"DROP INDEX {name}")
    yield
    await connection.execute("SET maintenance_work_mem = '256MB'")
    for _, definition in indexes:
        await connection.execute(definition)


async def _store(connection: asyncpg.Connection, first: int, made: Sequence[tuple[str, str, int]]) -> None:
    rows = [(first + number, *one) for number, one in enumerate(made)]
    columns = ["user_id", "handle", "display_name"]
    await connection.copy_records_to_table("users", records=[row[:3] for row in rows], columns=columns)
    counters = [(USERS, user, int(CounterKind.FOLLOWERS), followers, 1) for user, *_, followers in rows]
    columns = ["business_id", "entity_id", "kind", "value", "version"]
    await connection.copy_records_to_table("counters", records=counters, columns=columns)
    found = [
        (user, term, followers.bit_length() // 2)
        for user, handle, display, followers in rows
        for term in terms(handle, display)
    ]
    await connection.copy_records_to_table("user_terms", records=found, columns=["user_id", "term", "tier"])


async def _timed(machine: Machine, viewer: int, queries: Sequence[str], most: int, few: int) -> list[float]:
    """Returns how many milliseconds each of these searches takes, with the way to Postgres and back."""
    taken: list[float] = []
    state = machine.state
    shown = partial(user_search.find, now_ms=state.now_ms(), moderates=False, private=True, most=most, few=few)
    for query in [*queries[:20], *queries]:  # the first ones fill caches
        began = time.perf_counter()
        await shown(state.postgres, words(query), None, viewer)
        taken.append((time.perf_counter() - began) * 1000)
    return taken[20:]


async def _renamed(machine: Machine, random: Random, size: int) -> float:
    began = time.perf_counter()
    for number in range(_RENAMED):
        user = UserRow(_FIRST + random.randrange(size), f"renamed_{number}", f"New Name{number}", None, "", 1)
        async with machine.state.postgres.transaction() as transaction:
            await user_terms.rewrite(transaction, [user])
    return (time.perf_counter() - began) * 1000 / _RENAMED
