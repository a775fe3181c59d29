"""The cost of boundaries: round trips, commands and bytes of pages, with none and with many blocks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from store.people.boundary_rows import write_blocks, write_thread_mutes
from store.redis.standalone import OneServer
from tests.support.comments import added
from tests.support.costs import cost
from tests.support.follows import follow
from tests.support.notifications import UNREAD, post_of
from tests.support.posts import publish
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGES = {
    "home": "{ viewer { home { nodes { id text author { handle } likeCount viewerReaction } } } }",
    "square": "{ square { nodes { id text author { handle } likeCount viewerReaction } } }",
}
NOTIFICATIONS = "{ viewer { notifications { nodes { subject { id } } } } }"
MUTED = "{ square { nodes { viewerMutesThread } } }"
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


async def store_boundaries(system: System, *, by_alice: int = 0, of_alice: int = 0, threads: int = 0) -> None:
    """Writes rows of blocks between alice and users who do not exist, and of threads that alice mutes and that do not
    exist. Forgets what is cached.
    """
    ((alice,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    rows = [(alice, 1000 + number, True, 1 << 60) for number in range(by_alice)]
    rows += [(10_000_000 + number, alice, True, 1 << 60) for number in range(of_alice)]
    async with system.state.postgres.transaction() as transaction:
        await write_blocks(transaction, rows)
        muted = [(alice, 2, 1000 + number, True, 1 << 60) for number in range(threads)]
        await write_thread_mutes(transaction, muted)
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
    "stored",
    [{}, {"by_alice": MANY}, {"of_alice": 1000}, {"of_alice": 10_000}, {"threads": MANY}],
    ids=["none", "5000", "by 1000", "by 10000", "5000 threads"],
)
@pytest.mark.parametrize("page", PAGES)
async def test_a_warm_page_costs_as_many_trips_with_boundaries_as_without(
    system: System, page: str, stored: dict[str, int]
) -> None:
    alice = await community(system)
    await alice.ask(PAGES[page])
    without = min([await cost(alice, PAGES[page]) for _ in range(3)])
    await store_boundaries(system, **stored)
    await alice.ask(PAGES[page])

    trips, queries = min([await cost(alice, PAGES[page]) for _ in range(3)])

    assert queries == 0
    assert (trips, queries) == without


async def test_boundaries_that_did_not_change_are_not_sent_again(system: System) -> None:
    alice = await community(system)
    await alice.ask(PAGES["square"])
    without = min([await size_of(alice, PAGES["square"]) for _ in range(3)])
    await store_boundaries(system, by_alice=MANY, threads=MANY)
    first = await size_of(alice, PAGES["square"])

    assert first > without + 20 * MANY
    assert min([await size_of(alice, PAGES["square"]) for _ in range(3)]) < without + 200


async def test_muted_threads_cost_notifications_one_trip_and_posts_none(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = await post_of(system, alice)
    comment = await added(alice, post, "hello")
    await system.drain()
    for target in (post, comment):
        await bob.like(target)
    await system.drain()
    costs = {}
    for threads in (0, MANY):
        await store_boundaries(system, threads=threads)
        for query in (NOTIFICATIONS, UNREAD, MUTED):
            await alice.ask(query)
            costs[query, threads] = min([await cost(alice, query) for _ in range(3)])

    for query, trips in ((NOTIFICATIONS, 1), (UNREAD, 1), (MUTED, 0)):
        assert costs[query, MANY] == (costs[query, 0][0] + trips, 0), query
