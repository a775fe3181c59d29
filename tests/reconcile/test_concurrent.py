"""Repairs while workers write: nothing is lost, nothing is counted twice, and what they repaired is right at once."""

import asyncio
import random

from store.counts import Moves
from store.notices import Notices
from tests.comments.world import said
from tests.conftest import standalone
from tests.follows.test_api import change, user_id
from tests.posts.world import published
from tests.reconcile.world import dismiss, drift, execute
from tests.system import System
from tests.workers.at_work import ready, working
from workers import likes
from workers.events import Reacted, parse
from workers.persist import apply

WRONG = "UPDATE counters SET value = value + 3"
LIKES = "SELECT value FROM counters WHERE (business_id, kind) = (100, 1)"
BROKEN = (
    WRONG,
    "DELETE FROM counters WHERE entity_id % 3 = 0",
    "DELETE FROM followers WHERE user_id % 2 = 0",
    "UPDATE outboxes SET state = 0",
    "UPDATE comments SET state = 0",
)
ROWS = "follows", "posts", "comments", "counters"


async def events_of(system: System, video: str) -> list[Reacted]:
    """A like that a worker has read."""
    await system.person("bob").like(video)
    worker = await ready(system)
    events = [parse(entry) for entry in await worker.read(worker.owned)]
    await worker.ownership.leave()
    return [event for event in events if isinstance(event, Reacted)]


async def once_liked(system: System) -> str:
    (video,) = await system.videos("v1", owner="owen")
    await system.person("alice").like(video)
    await system.drain()
    await dismiss(system)
    return video


@standalone
async def test_a_change_whose_rows_are_not_committed_is_added_to_what_was_repaired(system: System) -> None:
    video = await once_liked(system)
    events = await events_of(system, video)
    await execute(system, WRONG)
    moves, notices = Moves({event.partition: event.version for event in events}), Notices()

    async with system.state.postgres.transaction() as transaction:
        await likes.apply(transaction, events, moves, notices)
        await drift(system, "counters", repair=True)
        assert await system.rows(LIKES) == [(1,)]
        await moves.write(transaction)

    assert await system.rows(LIKES) == [(2,)]
    assert await drift(system, "counters") == {}


@standalone
async def test_a_repair_waits_for_counters_that_are_being_moved(system: System) -> None:
    video = await once_liked(system)
    events = await events_of(system, video)
    await execute(system, WRONG)

    async with system.state.postgres.transaction() as transaction:
        await apply(system.state, transaction, events)
        repair = asyncio.create_task(drift(system, "counters", repair=True))
        _, waiting = await asyncio.wait([repair], timeout=0.5)
        assert waiting

    await repair
    assert await system.rows(LIKES) == [(2,)]
    assert await drift(system, "counters") == {}


@standalone
async def test_a_repaired_counter_says_what_it_includes_and_replaces_copies(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = system.person("alice")
    assert (await alice.like(video))["target"]["likeCount"] == 1
    await (await ready(system)).step()  # stored and published, and pending still
    await execute(system, "DELETE FROM counters")

    await drift(system, "counters", repair=True)

    for person in (alice, system.person("bob")):
        assert (await person.ask("query ($id: ID!) { node(id: $id) { ... on Entity { likeCount } } }", id=video)) == {
            "node": {"likeCount": 1}
        }


async def act(system: System, name: str, things: list[str], people: list[str], rng: random.Random) -> None:
    """What one person does, for a while."""
    person, follows = system.person(name), set[str]()
    for i in range(12):
        thing = rng.choice(things)
        await person.react(rng.choice(["like", "unlike", "dislike"]), thing)
        whom = rng.choice(people)
        await change(person, "unfollow" if whom in follows else "follow", whom)
        follows ^= {whom}
        if i % 3 == 0:
            await said(person, thing, f"{name} {i}")
            await published(person, f"{name} {i}")


@standalone
async def test_repairs_among_all_that_people_do_are_exact(system: System) -> None:
    rng = random.Random(7)
    names = [f"user{i}" for i in range(4)]
    people = [await user_id(system.person(f"star{i}")) for i in range(3)]
    things = await system.videos("v1", "v2", owner="owen")
    async with working(system.worker()):
        acting = asyncio.gather(*[act(system, name, things, people, random.Random(name)) for name in names])
        repaired = 0
        while not (acting.done() and repaired):
            await execute(system, rng.choice(BROKEN))
            repaired += sum((await drift(system, *ROWS, repair=True)).values())
            assert await drift(system, *ROWS) == {}
        await acting
    await system.drain()

    assert repaired
    assert await drift(system) == {}
