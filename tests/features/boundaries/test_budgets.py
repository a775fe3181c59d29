"""The cost of boundaries: round trips, commands and bytes of pages, with none and with many blocks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from store.people.boundary_rows import write_blocks
from store.redis.standalone import OneServer
from tests.support.costs import cost
from tests.support.follows import follow
from tests.support.posts import publish
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGES = {
    "home": "{ viewer { home { nodes { id text author { handle } likeCount viewerReaction } } } }",
    "square": "{ square { nodes { id text author { handle } likeCount viewerReaction } } }",
}
MANY = 5000


async def community(system: System) -> Person:
    """Returns alice, who follows bob, who has published twenty posts."""
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id()
    await follow(alice, await bob.id())
    await alice.ask(PAGES["home"])
    for number in range(20):
        await publish(bob, f"post {number}", key=str(number))
    await system.drain()
    return alice


async def store_blocks(system: System, *, by_alice: int = 0, of_alice: int = 0) -> None:
    """Writes rows of blocks between alice and users who do not exist, and forgets what is cached."""
    ((alice,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    rows = [(alice, 1000 + number, True, 1 << 60) for number in range(by_alice)]
    rows += [(10_000_000 + number, alice, True, 1 << 60) for number in range(of_alice)]
    async with system.state.postgres.transaction() as transaction:
        await write_blocks(transaction, rows)
    await system.state.boundaries.forget([alice])


@asynccontextmanager
async def bytes_sent_back() -> AsyncIterator[list[int]]:
    """Yields a list to which each pipeline adds the size of its answers."""
    sizes: list[int] = []
    send = OneServer.send

    async def counted(server: OneServer, *args: object, **options: object) -> object:
        answers = await send(server, *args, **options)  # type: ignore[arg-type]
        sizes.append(len(repr(answers)))
        return answers

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(OneServer, "send", counted)
        yield sizes


async def size_of(person: Person, query: str) -> int:
    async with bytes_sent_back() as sizes:
        await person.ask(query)
    return sum(sizes)


@pytest.mark.parametrize(
    ("by_alice", "of_alice"), [(0, 0), (MANY, 0), (0, 1000), (0, 10_000)], ids=["none", "5000", "by 1000", "by 10000"]
)
@pytest.mark.parametrize("page", PAGES)
async def test_a_warm_page_costs_as_many_trips_with_boundaries_as_without(
    system: System, page: str, by_alice: int, of_alice: int
) -> None:
    alice = await community(system)
    await alice.ask(PAGES[page])
    without = min([await cost(alice, PAGES[page]) for _ in range(3)])
    await store_blocks(system, by_alice=by_alice, of_alice=of_alice)
    await alice.ask(PAGES[page])

    trips, queries = min([await cost(alice, PAGES[page]) for _ in range(3)])

    assert queries == 0
    assert (trips, queries) == without


async def test_boundaries_that_did_not_change_are_not_sent_again(system: System) -> None:
    alice = await community(system)
    await alice.ask(PAGES["square"])
    without = min([await size_of(alice, PAGES["square"]) for _ in range(3)])
    await store_blocks(system, by_alice=MANY)
    first = await size_of(alice, PAGES["square"])

    assert first > without + 10 * MANY
    assert min([await size_of(alice, PAGES["square"]) for _ in range(3)]) < without + 200
