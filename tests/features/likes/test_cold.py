"""Reactions that are not in the viewer's cached set: what can answer does, and truth once per business (L2, L11)."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from domain.degraded import Degraded
from loaders import Loaders
from loaders.reactions import NotLookedUp
from loaders.shared import shared_loaders
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
pages_ask_truth = %s
"""
EXITS = ("pending", "held", "complete", "young", "truth", "skipped")
HALF_AN_HOUR_MS = 1_800_000


@pytest.fixture
def clock() -> ForwardClock:
    return ForwardClock()


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], clock: ForwardClock) -> AsyncIterator[System]:
    async with running(make_settings(), clock) as one:
        yield one


@pytest_asyncio.fixture
async def hurried(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    """Where pages of the business stop before truth."""
    (tmp_path / "businesses.toml").write_text(BUSINESSES % "false")
    async with running(make_settings(businesses_file=tmp_path / "businesses.toml")) as one:
        yield one


async def old_hand(system: System) -> tuple[Person, list[str]]:
    """Somebody who likes the second half of 16 things, of which their set holds the last five; all is cached."""
    things = await system.videos(*[f"e{i:02}" for i in range(16)], business="tiny")
    alice = system.person("alice")
    for thing in things[8:]:
        await alice.like(thing)
    await system.drain()
    await system.person(None).ask(PAGE, ids=things)
    return alice, things


async def reactions(viewer: Person, things: list[str]) -> list[str | None]:
    return [one["viewerReaction"] for one in (await viewer.ask(PAGE, ids=things))["nodes"]]


async def exits(viewer: Person, query: str, ids: Any) -> dict[str, int]:
    """How many reactions of one request left by each exit."""
    before = _exits()
    await viewer.ask(query, ids=ids)
    return {name: times for name in EXITS if (times := _exits()[name] - before[name])}


def _exits() -> dict[str, int]:
    metric = "plaudit_reaction_lookups_total"
    return {name: int(REGISTRY.get_sample_value(metric, {"exit": name}) or 0) for name in EXITS}


async def test_each_leaves_by_the_first_exit_that_can_answer(system: System, clock: ForwardClock) -> None:
    alice, things = await old_hand(system)
    clock.ahead_ms = HALF_AN_HOUR_MS
    (young,) = await system.videos("young", business="tiny")
    page = [*things, young]
    await alice.like(things[0])
    await alice.unlike(things[15])

    assert await exits(alice, PAGE, page) == {"pending": 2, "held": 3, "young": 1, "truth": 11}

    assert await reactions(alice, page) == ["LIKE", *[None] * 7, *["LIKE"] * 7, None, None]
    await system.drain()
    assert await reactions(alice, page) == ["LIKE", *[None] * 7, *["LIKE"] * 7, None, None]


async def test_who_has_reacted_little_has_a_complete_set(system: System) -> None:
    _, things = await old_hand(system)
    bob = system.person("bob")
    await bob.like(things[3])
    await system.drain()

    assert await exits(bob, PAGE, things) == {"held": 1, "complete": 15}
    assert (await cost(bob, PAGE, ids=things))[1] == 0


@pytest.mark.parametrize("cold", ["trimmed", "gone"])
async def test_truth_is_asked_once_for_each_business_of_a_page(system: System, cold: str) -> None:
    alice, things = await old_hand(system)
    videos = await system.videos(*[f"v{i}" for i in range(8)])
    for one in (alice, system.person(None)):
        await one.ask(PAGE, ids=[*things, *videos])
    user_id = (await system.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0][0]
    if cold == "gone":
        gone = [system.state.keys.reactions(user_id, business) for business in (100, 102)]
        await system.state.redis.gather([("DEL", key) for key in gone], write=True)

    assert (await cost(alice, PAGE, ids=[*things, *videos]))[1] == (2 if cold == "gone" else 1)
    assert (await cost(alice, PAGE, ids=videos))[1] == 0


async def test_a_page_may_stop_before_truth_and_says_what_it_left_open(hurried: System) -> None:
    alice, things = await old_hand(hurried)

    assert await exits(alice, PAGE, things) == {"held": 5, "skipped": 11}
    assert await reactions(alice, things) == [*[None] * 11, *["LIKE"] * 5]
    assert (await cost(alice, PAGE, ids=things))[1] == 0

    (user_id,) = (await hurried.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0]
    loaders = Loaders(hurried.state, shared_loaders(hurried.state), Degraded(), user_id, user_id)
    refs = [await ref_of(hurried, thing) for thing in things]
    found = await loaders.reactions.ask(refs, each=True)
    assert [isinstance(one, NotLookedUp) for one in found] == [*[True] * 11, *[False] * 5]
    (told,) = (await alice.send(PAGE, ids=things)).json()["extensions"]["degraded"]
    assert (told["effect"], told["count"], told["reason"]) == ("MISSING", 11, "NOT_LOOKED_UP")
    assert told["retryAfter"] is None


async def test_what_is_left_open_by_rule_is_no_outage(hurried: System) -> None:
    alice, things = await old_hand(hurried)

    def outages(field: str) -> list[float | None]:
        return [
            REGISTRY.get_sample_value("plaudit_degraded_fields_total", {"field": field, "reason": "NOT_LOOKED_UP"}),
            REGISTRY.get_sample_value("plaudit_requests_total", {"operation": "nodes", "outcome": "degraded"}),
        ]

    (told,) = (await alice.send(PAGE, ids=things)).json()["extensions"]["degraded"]
    before = outages(told["field"])
    await alice.send(PAGE, ids=things)

    assert before[0] is None
    assert outages(told["field"]) == before


async def test_a_set_that_cannot_be_warmed_costs_no_second_query(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, things = await old_hand(system)

    async def down(*_: object) -> None:
        raise RedisDown

    monkeypatch.setattr(system.state.reactions, "_install", down)

    assert (await cost(alice, PAGE, ids=things))[1] == 1


async def test_what_is_asked_for_by_itself_never_stops_before_truth(hurried: System) -> None:
    alice, things = await old_hand(hurried)

    assert (await alice.ask(ONE, ids=things[8]))["node"]["viewerReaction"] == "LIKE"
    assert (await alice.ask(ONE, ids=things[0]))["node"]["viewerReaction"] is None
    assert await exits(alice, ONE, things[0]) == {"truth": 1}

    both = await alice.ask(BOTH, ids=things, id=things[9])
    assert both["node"]["viewerReaction"] == "LIKE"
    assert await exits(alice, ONE, things[10]) == {"truth": 1}


async def test_what_a_page_left_open_is_looked_up_for_who_singles_it_out_after_it(hurried: System) -> None:
    _, things = await old_hand(hurried)
    (user_id,) = (await hurried.rows("SELECT user_id FROM users WHERE handle = 'alice'"))[0]
    loaders = Loaders(hurried.state, shared_loaders(hurried.state), Degraded(), user_id, user_id)
    refs = [await ref_of(hurried, thing) for thing in things]
    await loaders.reactions.ask(refs, each=True)

    loaders.require_exact([refs[8]])

    assert await loaders.reactions.load(refs[8]) == 1


async def test_a_set_that_is_gone_is_read_even_for_a_page_that_stops(hurried: System) -> None:
    alice, things = await old_hand(hurried)
    await hurried.empty_redis()

    assert await exits(alice, PAGE, things) == {"truth": 16}
    assert await reactions(alice, things) == [*[None] * 8, *["LIKE"] * 8]
