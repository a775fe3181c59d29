"""An account with very many followers: pages and counts cost no more than those of a small account."""

import time
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import TextClause, text

from models.counters import CounterKind
from settings import USERS
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.postgres.client import Postgres
from tests.support.follows import follow, registered, unfollow
from tests.support.journal_entries import Someone, someone
from tests.support.system import Person, System

pytestmark = [
    pytest.mark.parametrize("redis_mode", ["standalone"]),
    pytest.mark.parametrize("count", [20_000, pytest.param(200_000, marks=pytest.mark.prove)]),
]

FIRST = 20
IN_PAGE: ContextVar[bool] = ContextVar("in_page", default=False)
"""Whether a page is being read. The application's own tasks, which read at any time, have the default."""
READ = FIRST + 2
"""The rows read for a page: one more for `hasNextPage`, and one more in case the viewer has just unfollowed."""
FILLS, FURTHER = 300 + 1, 3 * READ
"""The rows that fill a cold list, and the rows of each further read below the cached part."""
PAGE = """query ($id: ID!, $after: String) { node(id: $id) { ... on User { followerCount
  followers(first: 20, after: $after) { nodes { handle } pageInfo { hasNextPage endCursor } } } } }"""
FOLLOWERS = text("""
    WITH people AS (SELECT n, 1800000000000000000 + n AS id, ((1700000000000 + n) << 10) AS moment
                    FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS n),
         users AS (INSERT INTO users (user_id, handle, display_name) SELECT id, 'f' || n, 'F' FROM people),
         pairs AS (INSERT INTO follows (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
                   SELECT :star, id, false, true, 0, moment << 10, moment FROM people)
    INSERT INTO followers (user_id, follower_id, moment) SELECT :star, id, moment FROM people
""")
COUNTER = text(
    "INSERT INTO counters (business_id, entity_id, kind, value, version) VALUES (:users, :star, :kind, :n, 1)"
)
ANALYZE = text("ANALYZE followers, users, counters")


@dataclass
class RowCounter:
    """A replacement of `Postgres.read` that records the number of rows of each read."""

    postgres: Postgres
    returned: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._read = self.postgres.read

    async def __call__(self, statement: TextClause, **parameters: Any) -> Sequence[Any]:
        rows = await self._read(statement, **parameters)
        if IN_PAGE.get():
            self.returned.append(len(rows))
        return rows


@pytest.fixture
def row_counter(system: System, monkeypatch: pytest.MonkeyPatch) -> RowCounter:
    row_counter = RowCounter(system.state.postgres)
    monkeypatch.setattr(system.state.postgres, "read", row_counter)
    return row_counter


async def star(system: System, count: int) -> Someone:
    """Returns a user with this many followers: f1, f2 and so on, oldest first."""
    star, chunk = await someone(system, "star"), 20_000
    for done in range(0, count, chunk):
        async with system.state.postgres.transaction() as transaction:
            last = min(done + chunk, count)
            await transaction.execute(FOLLOWERS, first=done + 1, last=last, star=star.user_id)
    async with system.state.postgres.transaction() as transaction:
        kind = int(CounterKind.FOLLOWERS)
        await transaction.execute(COUNTER, users=USERS, star=star.user_id, kind=kind, n=count)
        await transaction.execute(ANALYZE)
    return star


def handles(count: int, number: int) -> list[str]:
    """Returns the handles on page `number`, counted from 1."""
    newest = count - (number - 1) * FIRST
    return [f"f{n}" for n in range(newest, newest - FIRST, -1)]


def cursor(system: System, star: Someone, count: int, number: int) -> str | None:
    """Returns the cursor before page `number`, or None for page 1."""
    passed = (number - 1) * FIRST
    n = count - passed + 1
    position = (1_700_000_000_000 + n) << 10, 1_800_000_000_000_000_000 + n, passed
    return system.state.cursors.seal(f"followers:{star.user_id}", *position) if passed else None


async def page(reader: Person, star: Someone, after: str | None) -> Any:
    token = IN_PAGE.set(True)
    try:
        return (await reader.ask(PAGE, id=f"User:{star.user_id}", after=after))["node"]
    finally:
        IN_PAGE.reset(token)


def commands() -> float:
    """Returns the number of Redis commands so far, without those of budget reservations."""
    reservations = [
        REGISTRY.get_sample_value("plaudit_budget_charges_total", {"budget": budget, "outcome": "bucket"})
        for budget in ("user", "ip")
    ]
    return (REGISTRY.get_sample_value("plaudit_redis_commands_total") or 0) - sum(count or 0 for count in reservations)


async def cached_items(system: System, star: Someone) -> int:
    """Returns the length of the cached list, with its floor."""
    return int(await system.state.cache.redis("ZCARD", keys.followers(star.user_id)))


async def test_all_pages_cost_the_same_at_any_depth(system: System, row_counter: RowCounter, count: int) -> None:
    big, numbers = await star(system, count), (1, 100, 500, 900)
    queries: dict[int, list[int]] = {}
    sent: dict[int, float] = {}
    seconds: dict[int, float] = {}
    for number in numbers * 5:  # the first round caches the profiles
        row_counter.returned.clear()
        before, started = commands(), time.perf_counter()
        answer = await page(big.person, big, cursor(system, big, count, number))
        seconds[number] = min(seconds.get(number, 60), time.perf_counter() - started)
        queries[number], sent[number] = list(row_counter.returned), commands() - before
        assert answer["followerCount"] == count
        assert [node["handle"] for node in answer["followers"]["nodes"]] == handles(count, number)

    assert queries == {1: [], 100: [READ], 500: [READ], 900: [READ]}
    assert len(set(sent.values())) == 1
    print(f"{count} followers: page 500 takes {seconds[500] / seconds[1]:.2f} times as long as page 1")


async def test_a_cold_first_page_reads_a_bounded_number_of_rows(
    system: System, row_counter: RowCounter, count: int
) -> None:
    big = await star(system, count)
    row_counter.returned.clear()

    answer = await page(big.person, big, None)

    assert sorted(row_counter.returned) == [0, 1, FIRST, FILLS]  # boundaries, counters, profiles, the list
    assert answer["followers"]["nodes"][0] == {"handle": f"f{count}"}


async def test_paging_to_the_end_reads_several_pages_per_query_and_caches_at_most_the_cap(
    system: System, row_counter: RowCounter, count: int
) -> None:
    big, cap = await star(system, count), system.settings.caches.followers
    after, found, reads = None, [], 0
    await big.person.ask("{ viewer { user { handle followerCount } blocks { nodes { id } } } }")

    for _ in range(2 * cap // FIRST):
        row_counter.returned.clear()
        answer = await page(big.person, big, after)
        after = answer["followers"]["pageInfo"]["endCursor"]
        found += [node["handle"] for node in answer["followers"]["nodes"]]
        list_reads = [rows for rows in row_counter.returned if rows != FIRST]
        reads += bool(list_reads) and len(found) <= cap
        assert set(list_reads) <= {FILLS, FURTHER, READ}
        assert await cached_items(system, big) <= cap + 1

    assert found == [f"f{n}" for n in range(count, count - 2 * cap, -1)]
    assert await cached_items(system, big) > cap - FURTHER
    assert reads <= (cap - FILLS) // (3 * FIRST) + 3, "each read is enough for at least three pages"
    await page(big.person, big, None)
    row_counter.returned.clear()
    assert [node["handle"] for node in (await page(big.person, big, None))["followers"]["nodes"]] == handles(count, 1)
    assert row_counter.returned == []


@pytest.mark.prove
async def test_the_cached_list_stays_bounded_while_hundreds_follow_and_unfollow(
    system: System, row_counter: RowCounter, count: int
) -> None:
    big, cap = await star(system, count), system.settings.caches.followers
    id_ = f"User:{big.user_id}"
    fans = [f"new{i}" for i in range(100)]
    await registered(system, *fans)
    await page(big.person, big, None)
    row_counter.returned.clear()

    for rounds in range(3):
        for fan in fans:
            await (unfollow if rounds == 1 else follow)(system.person(fan), id_)
        await system.drain()
        answer = await page(big.person, big, None)
        expected = handles(count, 1) if rounds == 1 else fans[: -FIRST - 1 : -1]
        assert [node["handle"] for node in answer["followers"]["nodes"]] == expected
        assert answer["followerCount"] == count + (0 if rounds == 1 else len(fans))
        assert await cached_items(system, big) <= 2.1 * cap + 1

    assert row_counter.returned == [], "workers keep the list and the counter warm"


async def test_more_new_followers_than_the_cap_push_out_the_oldest(system: System, count: int) -> None:
    big, cap = await star(system, count), system.settings.caches.followers
    await page(big.person, big, None)
    key, base = keys.followers(big.user_id), (1_800_000_000_000 << 10)

    for at in range(0, 3 * cap, 500):
        joined = [Item(base + n, 1_850_000_000_000_000_000 + n) for n in range(at, at + 500)]
        await lists.publish(system.state.cache, [(key, joined)], cap=cap)
        assert await cached_items(system, big) <= 1.1 * cap + 1

    (newest,) = await lists.read(system.state.cache.redis, [key], [None], [5])
    assert newest is not None
    assert [item.score for item in newest.items] == [base + n for n in range(3 * cap - 1, 3 * cap - 6, -1)]
