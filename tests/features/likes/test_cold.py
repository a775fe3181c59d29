"""Reactions outside the viewer's cached set: the cheapest source answers, and Postgres once per business (L2, L11)."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from domain.degraded import Degraded
from loaders.own_sets import NotLookedUp
from loaders.request.lists import Lists
from loaders.request.own import Own
from loaders.request.reader import Reader
from loaders.shared import SharedLoaders
from models.likes import REACT
from settings import Settings
from store.redis.client import RedisDown
from tests.support.clocks import ForwardClock
from tests.support.costs import cost
from tests.support.journal_entries import ref_of
from tests.support.system import Person, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGE = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Reactable { viewerReaction } } }"
ONE = "query ($ids: ID!) { node(id: $ids) { ... on Reactable { viewerReaction } } }"
BOTH = """query ($ids: [ID!]!, $id: ID!) {
  nodes(ids: $ids) { ... on Reactable { viewerReaction } } node(id: $id) { ... on Reactable { viewerReaction } } }"""
BUSINESSES = """
[[business]]
id = 102
name = "tiny"
recent_reactions = 5
look_up_old_reactions = %s
"""
SOURCES = ("pending", "held", "complete", "young", "truth", "skipped")
HALF_AN_HOUR_MS = 1_800_000


@pytest.fixture
def clock() -> ForwardClock:
    return ForwardClock()


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], clock: ForwardClock) -> AsyncIterator[System]:
    async with running(make_settings(), clock) as system:
        yield system


@pytest_asyncio.fixture
async def system_skipping_truth(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    """Yields a system whose pages of the business do not read reactions from Postgres."""
    (tmp_path / "businesses.toml").write_text(BUSINESSES % "false")
    async with running(make_settings(businesses_file=tmp_path / "businesses.toml")) as system:
        yield system


async def user_with_old_likes(system: System) -> tuple[Person, list[str]]:
    """Returns a user who likes the second half of 16 cached things. The user's cached set has the last five."""
    things = await system.videos(*[f"e{i:02}" for i in range(16)], business="tiny")
    alice = system.person("alice")
    for thing in things[8:]:
        await alice.like(thing)
    await system.drain()
    await system.person(None).ask(PAGE, ids=things)
    return alice, things


async def reactions(viewer: Person, things: list[str]) -> list[str | None]:
    return [node["viewerReaction"] for node in (await viewer.ask(PAGE, ids=things))["nodes"]]


async def sources(viewer: Person, query: str, ids: Any) -> dict[str, int]:
    """Returns how many reactions of one request each source answered."""
    before = _source_counts()
    await viewer.ask(query, ids=ids)
    return {name: times for name in SOURCES if (times := _source_counts()[name] - before[name])}


def _own(system: System, user_id: int) -> Own:
    """Returns the loaders of what a user has done."""
    reader = Reader(user_id, user_id)
    common = system.state, SharedLoaders(system.state), Degraded(), reader, True
    return Own(*common, Lists(*common))


def _source_counts() -> dict[str, int]:
    metric = "plaudit_reaction_lookups_total"
    return {name: int(REGISTRY.get_sample_value(metric, {"exit": name}) or 0) for name in SOURCES}


async def test_each_reaction_is_answered_by_the_cheapest_source(system: System, clock: ForwardClock) -> None:
    alice, things = await user_with_old_likes(system)
    clock.ahead_ms = HALF_AN_HOUR_MS
    (young,) = await system.videos("young", business="tiny")
    page = [*things, young]
    await alice.like(things[0])
    await alice.unlike(things[15])

    assert await sources(alice, PAGE, page) == {"pending": 2, "held": 3, "young": 1, "truth": 11}

    assert await reactions(alice, page) == ["LIKE", *[None] * 7, *["LIKE"] * 7, None, None]
    await system.drain()
    assert await reactions(alice, page) == ["LIKE", *[None] * 7, *["LIKE"] * 7, None, None]


async def test_the_cached_set_of_a_user_with_few_reactions_is_complete(system: System) -> None:
    _, things = await user_with_old_likes(system)
    bob = system.person("bob")
    await bob.like(things[3])
    await system.drain()

    assert await sources(bob, PAGE, things) == {"held": 1, "complete": 15}
    assert (await cost(bob, PAGE, ids=things))[1] == 0


@pytest.mark.parametrize("cold", ["trimmed", "gone"])
async def test_a_cold_page_costs_one_query_per_business(system: System, cold: str) -> None:
    alice, things = await user_with_old_likes(system)
    videos = await system.videos(*[f"v{i}" for i in range(8)])
    for reader in (alice, system.person(None)):
        await reader.ask(PAGE, ids=[*things, *videos])
    user_id = (await system.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0][0]
    if cold == "gone":
        sets = [system.state.keys.own_set("react", user_id, business) for business in (100, 102)]
        await system.state.redis.gather([("DEL", key) for key in sets], write=True)

    assert (await cost(alice, PAGE, ids=[*things, *videos]))[1] == (2 if cold == "gone" else 1)
    assert (await cost(alice, PAGE, ids=videos))[1] == 0


async def test_a_page_that_does_not_read_postgres_reports_the_missing_reactions(system_skipping_truth: System) -> None:
    alice, things = await user_with_old_likes(system_skipping_truth)

    assert await sources(alice, PAGE, things) == {"held": 5, "skipped": 11}
    assert await reactions(alice, things) == [*[None] * 11, *["LIKE"] * 5]
    assert (await cost(alice, PAGE, ids=things))[1] == 0

    (user_id,) = (await system_skipping_truth.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0]
    own = _own(system_skipping_truth, user_id)
    refs = [await ref_of(system_skipping_truth, thing) for thing in things]
    found = await own.states(REACT).ask(refs, each=True)
    assert [isinstance(one, NotLookedUp) for one in found] == [*[True] * 11, *[False] * 5]
    (degraded,) = (await alice.send(PAGE, ids=things)).json()["extensions"]["degraded"]
    assert (degraded["effect"], degraded["count"], degraded["reason"]) == ("MISSING", 11, "NOT_LOOKED_UP")
    assert degraded["retryAfter"] is None


async def test_reactions_that_a_setting_leaves_out_do_not_count_as_an_outage(system_skipping_truth: System) -> None:
    alice, things = await user_with_old_likes(system_skipping_truth)

    def outages(field: str) -> list[float | None]:
        return [
            REGISTRY.get_sample_value("plaudit_degraded_fields_total", {"field": field, "reason": "NOT_LOOKED_UP"}),
            REGISTRY.get_sample_value("plaudit_requests_total", {"operation": "nodes", "outcome": "degraded"}),
        ]

    (degraded,) = (await alice.send(PAGE, ids=things)).json()["extensions"]["degraded"]
    before = outages(degraded["field"])
    await alice.send(PAGE, ids=things)

    assert before[0] is None
    assert outages(degraded["field"]) == before


async def test_a_set_that_cannot_be_cached_costs_no_second_query(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, things = await user_with_old_likes(system)

    async def down(*_: object, **__: object) -> None:
        raise RedisDown

    monkeypatch.setattr(system.state.own_sets, "_fill", down)

    assert (await cost(alice, PAGE, ids=things))[1] == 1


async def test_a_single_object_always_reads_its_reaction_from_postgres(system_skipping_truth: System) -> None:
    alice, things = await user_with_old_likes(system_skipping_truth)

    assert (await alice.ask(ONE, ids=things[8]))["node"]["viewerReaction"] == "LIKE"
    assert (await alice.ask(ONE, ids=things[0]))["node"]["viewerReaction"] is None
    assert await sources(alice, ONE, things[0]) == {"truth": 1}

    both = await alice.ask(BOTH, ids=things, id=things[9])
    assert both["node"]["viewerReaction"] == "LIKE"
    assert await sources(alice, ONE, things[10]) == {"truth": 1}


async def test_require_exact_reads_a_reaction_that_a_page_left_out(system_skipping_truth: System) -> None:
    _, things = await user_with_old_likes(system_skipping_truth)
    (user_id,) = (await system_skipping_truth.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0]
    own = _own(system_skipping_truth, user_id)
    refs = [await ref_of(system_skipping_truth, thing) for thing in things]
    await own.states(REACT).ask(refs, each=True)

    own.require_exact([refs[8]])

    assert await own.states(REACT).load(refs[8]) == 1


async def test_a_missing_set_is_read_from_postgres_even_for_a_page_that_does_not_read_reactions(
    system_skipping_truth: System,
) -> None:
    alice, things = await user_with_old_likes(system_skipping_truth)
    await system_skipping_truth.empty_redis()

    assert await sources(alice, PAGE, things) == {"truth": 16}
    assert await reactions(alice, things) == [*[None] * 8, *["LIKE"] * 8]
