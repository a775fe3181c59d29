"""The cost of boundaries: round trips, commands and bytes of pages, with none and with many blocks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from store.redis.connection import OneServer
from tests.support.comments import add, added
from tests.support.costs import cost
from tests.support.follows import follow
from tests.support.notifications import UNREAD, post_of
from tests.support.posts import publish
from tests.support.reconciliation import execute
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGES = {
    "home": "{ viewer { home { nodes { id text author { handle } likeCount viewerReaction } } } }",
    "square": "{ square { nodes { id text author { handle } likeCount viewerReaction } } }",
    "comments": """{ square(first: 1) { nodes { comments(sort: HOT) { nodes { text author { handle } } }
      newest: comments(sort: NEWEST) { nodes { text author { handle } } } } } }""",
    "people": """{ user(handle: "bob") { followers { nodes { handle } } following { nodes { handle } }
      friends { nodes { handle } } likes(business: "post") { nodes { id } } } }""",
    "likers": "{ square(first: 1) { nodes { likers { nodes { handle } } likedByFollowed { handle } } } }",
}
NOTIFICATIONS = "{ viewer { notifications { nodes { subject { id } } } } }"
MUTED = "{ square { nodes { viewerMutesThread } } }"
MANY = 5000
BLOCKS = """INSERT INTO {table} SELECT u.user_id, 10000000 + n, true, 1::bigint << 60
  FROM users u, generate_series(1, {count}) n WHERE u.handle = 'alice'"""
"""SQL that writes blocks between alice and users who do not exist."""
THREADS = """INSERT INTO thread_mutes SELECT u.user_id, 2, 1000 + n, true, 1::bigint << 60
  FROM users u, generate_series(1, {count}) n WHERE u.handle = 'alice'"""
"""SQL that writes mutes of threads that do not exist."""


async def community(system: System) -> Person:
    """Returns alice, who follows bob, who has published twenty posts, of which the newest has twenty comments."""
    alice, bob = system.person("alice"), system.person("bob")
    others = [system.person(f"person{number}") for number in range(5)]
    a, b, *_ = ids = [await person.id() for person in (alice, bob, *others)]
    await follow(bob, *(id_ for id_ in ids if id_ != b))
    for person in (alice, *others):
        await follow(person, b)
    await alice.ask(PAGES["home"])
    posts = [(await publish(bob, f"post {number}", key=str(number)))["post"]["id"] for number in range(20)]
    await system.drain()
    for number in range(20):
        await add(others[number % 5], posts[-1], f"comment {number}")
    for person in (bob, *others):
        await person.like(posts[-1])
    await system.drain()
    assert a
    return alice


async def store_boundaries(system: System, *, by_alice: int = 0, of_alice: int = 0, threads: int = 0) -> None:
    """Writes rows of blocks between alice and users who do not exist, and of threads that alice mutes and that do not
    exist. Forgets what is cached.
    """
    for statement, count in (
        (BLOCKS.format(table="blocks", count=by_alice), by_alice),
        (BLOCKS.format(table="blocked_by", count=of_alice), of_alice),
        (THREADS.format(count=threads), threads),
    ):
        if count:
            await execute(system, statement)
    ((alice,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    await system.state.boundaries.forget([alice])


async def costs(person: Person) -> dict[str, tuple[int, int]]:
    """Returns the round trips and SQL queries of each page, if all that it needs is cached."""
    return {name: min([await cost(person, query) for _ in range(4)]) for name, query in PAGES.items()}


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
    [{"by_alice": MANY}, {"of_alice": 1000}, {"of_alice": 10_000}, {"of_alice": 100_000}, {"threads": MANY}],
    ids=["5000", "by 1000", "by 10000", "by 100000", "5000 threads"],
)
async def test_a_warm_page_costs_as_many_trips_with_boundaries_as_without(
    system: System, stored: dict[str, int]
) -> None:
    alice = await community(system)
    without = await costs(alice)
    await store_boundaries(system, **stored)

    found = await costs(alice)

    assert found == without
    assert not any(queries for _, queries in found.values())
    for name, query in PAGES.items():
        system.state.boundaries._known.clear()  # as in a process that has just started
        trips, queries = await cost(alice, query)
        assert (trips - without[name][0], queries) <= (3, 0), name


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
