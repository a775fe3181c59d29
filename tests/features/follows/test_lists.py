"""One account with very many followers: no page, count or scan costs more than the same of a small one."""

import time
from collections.abc import Sequence
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
READ = FIRST + 2
"""Rows that are read for a page: one more tells whether there are more, one takes the place of a viewer who leaves."""
FILLS, FURTHER = 300 + 1, 3 * READ
"""How many rows fill a cold list, and how many more are read where somebody pages past what is cached."""
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
class Spy:
    """A Postgres that remembers how many rows its reads returned."""

    postgres: Postgres
    returned: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._read = self.postgres.read

    async def __call__(self, statement: TextClause, **parameters: Any) -> Sequence[Any]:
        rows = await self._read(statement, **parameters)
        self.returned.append(len(rows))
        return rows


@pytest.fixture
def spy(system: System, monkeypatch: pytest.MonkeyPatch) -> Spy:
    spy = Spy(system.state.postgres)
    monkeypatch.setattr(system.state.postgres, "read", spy)
    return spy


async def star(system: System, count: int) -> Someone:
    """Somebody with so many followers: f1, f2 and so on, the last the newest."""
    star, at_once = await someone(system, "star"), 20_000
    for done in range(0, count, at_once):
        async with system.state.postgres.transaction() as transaction:
            last = min(done + at_once, count)
            await transaction.execute(FOLLOWERS, first=done + 1, last=last, star=star.user_id)
    async with system.state.postgres.transaction() as transaction:
        kind = int(CounterKind.FOLLOWERS)
        await transaction.execute(COUNTER, users=USERS, star=star.user_id, kind=kind, n=count)
        await transaction.execute(ANALYZE)
    return star


def handles(count: int, number: int) -> list[str]:
    """Whom the page of this number shows, the first being 1."""
    newest = count - (number - 1) * FIRST
    return [f"f{n}" for n in range(newest, newest - FIRST, -1)]


def cursor(system: System, star: Someone, count: int, number: int) -> str | None:
    """What the page of this number is asked for with."""
    passed = (number - 1) * FIRST
    n = count - passed + 1
    position = (1_700_000_000_000 + n) << 10, 1_800_000_000_000_000_000 + n, passed
    return system.state.cursors.seal(f"followers:{star.user_id}", *position) if passed else None


async def page(reader: Person, star: Someone, after: str | None) -> Any:
    return (await reader.ask(PAGE, id=f"User:{star.user_id}", after=after))["node"]


def commands() -> float:
    """All but those that take points out of budgets, which happens now and then."""
    asked = [
        REGISTRY.get_sample_value("plaudit_budget_charges_total", {"budget": whose, "outcome": "bucket"})
        for whose in ("user", "ip")
    ]
    return (REGISTRY.get_sample_value("plaudit_redis_commands_total") or 0) - sum(one or 0 for one in asked)


async def cached(system: System, star: Someone) -> int:
    """How much lies in the cached list."""
    return int(await system.state.cache.redis("ZCARD", keys.followers(star.user_id)))


async def test_a_page_costs_the_same_at_any_depth(system: System, spy: Spy, count: int) -> None:
    big, numbers = await star(system, count), (1, 100, 500, 900)
    queries: dict[int, list[int]] = {}
    sent: dict[int, float] = {}
    seconds: dict[int, float] = {}
    for number in numbers * 5:  # the first time finds out who the people are
        spy.returned.clear()
        before, started = commands(), time.perf_counter()
        answer = await page(big.person, big, cursor(system, big, count, number))
        seconds[number] = min(seconds.get(number, 60), time.perf_counter() - started)
        queries[number], sent[number] = list(spy.returned), commands() - before
        assert answer["followerCount"] == count
        assert [node["handle"] for node in answer["followers"]["nodes"]] == handles(count, number)

    assert queries == {1: [], 100: [READ], 500: [READ], 900: [READ]}
    assert len(set(sent.values())) == 1
    print(f"{count} followers: page 500 takes {seconds[500] / seconds[1]:.2f} times as long as page 1")


async def test_a_cold_first_page_reads_as_much_of_a_big_account_as_of_any(system: System, spy: Spy, count: int) -> None:
    big = await star(system, count)
    spy.returned.clear()

    answer = await page(big.person, big, None)

    assert sorted(spy.returned) == [1, FIRST, FILLS]  # counters, people's profiles, the list
    assert answer["followers"]["nodes"][0] == {"handle": f"f{count}"}


async def test_paging_on_and_on_reads_a_few_pages_at_a_time_and_caches_no_more_than_its_cap(
    system: System, spy: Spy, count: int
) -> None:
    big, cap = await star(system, count), system.settings.cached_followers
    after, found, reads = None, [], 0
    await big.person.ask("{ viewer { user { handle followerCount } } }")

    for _ in range(2 * cap // FIRST):
        spy.returned.clear()
        answer = await page(big.person, big, after)
        after = answer["followers"]["pageInfo"]["endCursor"]
        found += [node["handle"] for node in answer["followers"]["nodes"]]
        of_the_list = [rows for rows in spy.returned if rows != FIRST]
        reads += bool(of_the_list) and len(found) <= cap
        assert set(of_the_list) <= {FILLS, FURTHER, READ}
        assert await cached(system, big) <= cap + 1

    assert found == [f"f{n}" for n in range(count, count - 2 * cap, -1)]
    assert await cached(system, big) > cap - FURTHER
    assert reads <= (cap - FILLS) // (3 * FIRST) + 3, "each is good for three pages at least"
    await page(big.person, big, None)
    spy.returned.clear()
    assert [node["handle"] for node in (await page(big.person, big, None))["followers"]["nodes"]] == handles(count, 1)
    assert spy.returned == []


@pytest.mark.prove
async def test_the_cached_list_stays_within_its_bound_while_hundreds_follow_and_leave(
    system: System, spy: Spy, count: int
) -> None:
    big, cap = await star(system, count), system.settings.cached_followers
    id_ = f"User:{big.user_id}"
    fans = [f"new{i}" for i in range(100)]
    await registered(system, *fans)
    await page(big.person, big, None)
    spy.returned.clear()

    for rounds in range(3):
        for fan in fans:
            await (unfollow if rounds == 1 else follow)(system.person(fan), id_)
        await system.drain()
        answer = await page(big.person, big, None)
        expected = handles(count, 1) if rounds == 1 else fans[: -FIRST - 1 : -1]
        assert [node["handle"] for node in answer["followers"]["nodes"]] == expected
        assert answer["followerCount"] == count + (0 if rounds == 1 else len(fans))
        assert await cached(system, big) <= 2.1 * cap + 1

    assert max(spy.returned) <= 4 * len(fans)  # what was published, of those who came; never of those who are there


async def test_more_new_followers_than_are_cached_push_out_the_oldest(system: System, count: int) -> None:
    big, cap = await star(system, count), system.settings.cached_followers
    await page(big.person, big, None)
    key, base = keys.followers(big.user_id), (1_800_000_000_000 << 10)

    for at in range(0, 3 * cap, 500):
        joined = [Item(base + n, 1_850_000_000_000_000_000 + n) for n in range(at, at + 500)]
        await lists.publish(system.state.cache, [(key, joined)], cap=cap)
        assert await cached(system, big) <= 1.1 * cap + 1

    (newest,) = await lists.read(system.state.cache.redis, [key], [None], [5])
    assert newest is not None
    assert [item.moment for item in newest.items] == [base + n for n in range(3 * cap - 1, 3 * cap - 6, -1)]
