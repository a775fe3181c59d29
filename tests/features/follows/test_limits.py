"""The limit of follows per user. Thanks to the limit, Redis holds the complete set of a user's follows."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from models.counters import EntityRef
from observability import metrics
from settings import USERS, Settings
from store.own_sets.own_sets import Held
from tests.support.follows import change, follow, refusal, registered, unfollow
from tests.support.journal_entries import journalled, someone
from tests.support.stores import standalone
from tests.support.system import System, running

LIMIT = 3
REACHED = ("FOLLOW_LIMIT_REACHED", ["userId"])
VERB_ALONE = "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } } }"


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system with a limit of three follows."""
    async with running(make_settings(people={"follow_limit": LIMIT})) as system:
        yield system


async def others(system: System, count: int) -> list[str]:
    return await registered(system, *[f"other{i}" for i in range(count)])


async def stored_follows(system: System, handle: str) -> int:
    """Drains the system. Returns the number of rows of the user's follows."""
    user = await someone(system, handle)
    await system.drain()
    return len(await system.rows("SELECT 1 FROM following WHERE user_id = :user", user=user.user_id))


async def test_a_follow_beyond_the_limit_is_refused_and_writes_nothing(system: System) -> None:
    alice, people = system.person("alice"), await others(system, LIMIT + 1)
    await follow(alice, *people[:LIMIT])

    assert refusal(await change(alice, "follow", people[LIMIT])) == REACHED

    assert await journalled(system) == LIMIT
    assert await stored_follows(system, "alice") == LIMIT


@standalone
async def test_a_repeated_follow_succeeds_at_the_limit(system: System) -> None:
    alice, people = system.person("alice"), await others(system, LIMIT)
    await follow(alice, *people)

    assert (await change(alice, "follow", people[0]))["viewer"]["user"]["followingCount"] == LIMIT


@standalone
@pytest.mark.parametrize("drained", [False, True], ids=["at once", "persisted"])
async def test_an_unfollow_permits_one_more_follow(system: System, drained: bool) -> None:
    alice, people = system.person("alice"), await others(system, LIMIT + 2)
    await follow(alice, *people[:LIMIT])
    if drained:
        await system.drain()

    await unfollow(alice, people[0])

    assert (await change(alice, "follow", people[LIMIT]))["userErrors"] == []
    assert refusal(await change(alice, "follow", people[LIMIT + 1])) == REACHED
    assert await stored_follows(system, "alice") == LIMIT


@standalone
async def test_a_repeated_key_repeats_its_refusal_after_an_unfollow(system: System) -> None:
    alice, people = system.person("alice"), await others(system, LIMIT + 1)
    await follow(alice, *people[:LIMIT])
    assert refusal(await change(alice, "follow", people[LIMIT], "k")) == REACHED
    await unfollow(alice, people[0])

    assert refusal(await change(alice, "follow", people[LIMIT], "k")) == REACHED
    assert (await change(alice, "follow", people[LIMIT], "another"))["userErrors"] == []


@standalone
async def test_the_limit_holds_after_redis_is_emptied(system: System) -> None:
    alice, people = system.person("alice"), await others(system, LIMIT + 1)
    await follow(alice, *people[:LIMIT])
    await system.drain()
    await system.empty_redis()

    assert refusal(await change(alice, "follow", people[LIMIT])) == REACHED
    assert await stored_follows(system, "alice") == LIMIT


@pytest.mark.parametrize("emptied", [False, True], ids=["warm", "cold"])
async def test_concurrent_follows_of_two_devices_never_exceed_the_limit(system: System, emptied: bool) -> None:
    devices, people = [system.person("alice", device_id=f"d{i}") for i in range(2)], await others(system, 20)
    await follow(devices[0], people[0])
    if emptied:
        await system.drain()
        await system.empty_redis()

    answers = await asyncio.gather(*[change(devices[i % 2], "follow", id_) for i, id_ in enumerate(people[1:])])

    done = [answer for answer in answers if not answer["userErrors"]]
    assert len(done) == LIMIT - 1
    assert all(refusal(answer) == REACHED for answer in answers if answer not in done)
    assert await stored_follows(system, "alice") == LIMIT


@standalone
async def test_concurrent_follows_and_unfollows_never_exceed_the_limit(system: System) -> None:
    devices, people = [system.person("alice", device_id=f"d{i}") for i in range(2)], await others(system, 8)

    for _ in range(3):
        verbs = [("follow", id_) for id_ in people] + [("unfollow", id_) for id_ in people[:4]]
        await asyncio.gather(*[change(devices[i % 2], verb, id_) for i, (verb, id_) in enumerate(verbs)])
        alice = await someone(system, "alice")
        assert await system.state.redis("ZCARD", system.state.own_sets.key("follow", alice.user_id)) - 1 <= LIMIT

    assert await stored_follows(system, "alice") <= LIMIT


@standalone
async def test_an_unfollow_without_a_follow_costs_no_query(system: System) -> None:
    alice = await someone(system, "alice")
    ids = await registered(system, *[f"stranger{i}" for i in range(50)])
    strangers = [int(id_.removeprefix("User:")) for id_ in ids]
    await follow(alice.person, *await others(system, LIMIT))
    await system.drain()
    await alice.person.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=ids)

    held = await system.state.own_sets.held("follow", alice.user_id, [EntityRef(USERS, one) for one in strangers])
    await alice.person.ask(VERB_ALONE % "unfollow", id=ids[0])

    assert held == Held({}, 0)
    assert metrics.usage.get() == metrics.Usage(redis_round_trips=2, sql_queries=0)
