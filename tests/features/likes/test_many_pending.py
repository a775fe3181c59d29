"""The work of a request depends on what the request shows, not on how many changes of its user are pending."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from types import FrameType
from typing import Any

from models.counters import EntityRef
from models.likes import Reaction
from models.own_sets import Transition
from observability import metrics
from store.write_log.operations import Operation, Status
from tests.support.costs import cost
from tests.support.follows import follow, registered
from tests.support.journal_entries import Someone, like_of, someone
from tests.support.stores import standalone
from tests.support.system import REACT, Person, System

NUMBERS = count(1)
KEYS = [f"k{i}" for i in range(20)]
LIKE = "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"
PAGE = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) {
  id likeCount dislikeCount viewCount shareCount plays: actionCount(action: "plays") viewerReaction
  owner { handle likesReceivedCount viewerRelation } } }"""
PEOPLE = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { followerCount viewerRelation } } }"
LIKES = '{ viewer { user { likes(business: "video", first: 50) { nodes { id likeCount } } } } }'
LIKERS = '{ entity(business: "video", key: "k0") { likers(first: 50) { nodes { handle } } } }'


@dataclass(frozen=True)
class Work:
    """The work of one request: the calls of functions of store/write_log/pending.py and store/write_log/journal.py, the
    commands of Redis, and the bytes that Redis sent.
    """

    calls: Counter[str]
    commands: dict[str, int]
    sent: int

    @property
    def histories(self) -> int:
        """Returns how many pending histories were read."""
        return self.calls["PendingHistory.__init__"]

    @property
    def changes(self) -> int:
        """Returns how many pending changes were parsed."""
        return self.calls["version_of"]


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Counts the calls of functions about pending changes while the block runs."""
    calls: Counter[str] = Counter()

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "/store/write_log/" in frame.f_code.co_filename:
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(None)


async def work(system: System, person: Person, query: str, **variables: Any) -> Work:
    """Returns what a request does. The request must succeed."""
    redis = system.state.redis.client
    await redis.execute_command("CONFIG", "RESETSTAT")
    with counted() as calls:
        await person.ask(query, **variables)
    stats = await redis.info("commandstats")
    commands = {name.removeprefix("cmdstat_"): figures["calls"] for name, figures in stats.items()}
    return Work(calls, commands, (await redis.info("stats"))["total_net_output_bytes"])


async def community(system: System) -> tuple[Someone, list[str]]:
    """Returns alice and the videos of the page, which belong to owen. Alice likes five of them."""
    videos, alice = await system.videos(*KEYS, owner="owen"), await someone(system, "alice")
    for video in videos[:5]:
        await alice.person.like(video)
    return alice, videos


async def like_others(system: System, alice: Someone, owner: str, number: int) -> None:
    """Lets alice like this number of other things of an owner."""
    (owner_id,) = (await system.rows("SELECT user_id FROM users WHERE handle = :owner", owner=owner))[0]
    video, own_sets = system.state.businesses["video"], system.state.own_sets
    known = 0, await own_sets.clock_ms("react", alice.user_id, video.id)
    refs = [EntityRef(video.id, next(NUMBERS)) for _ in range(number)]
    calls = (
        own_sets.change(
            alice.user_id,
            Transition("react", ref, Reaction.LIKE, like_of(alice, ref, owner=owner_id)["data"]),
            Operation(str(ref.entity_id), "", 60_000),
            known,
        )
        for ref in refs
    )
    assert {one.status for one in await asyncio.gather(*calls)} == {Status.DONE}


async def read_twice(system: System, one: Someone, query: str, **variables: Any) -> Work:
    """Returns what a request does when it is repeated."""
    await one.person.ask(query, **variables)
    return await work(system, one.person, query, **variables)


@standalone
async def test_a_page_reads_the_changes_that_it_shows(system: System) -> None:
    alice, _ = await community(system)
    await like_others(system, alice, "registrar", 170)
    few = await read_twice(system, alice, PAGE, keys=KEYS)
    await like_others(system, alice, "registrar", 900)
    many = await read_twice(system, alice, PAGE, keys=KEYS)

    assert few.histories == many.histories == 5
    assert few.changes == many.changes
    assert max(few.sent, many.sent) < 10_000


@standalone
async def test_the_payload_of_a_like_reads_the_changes_of_its_target(system: System) -> None:
    alice, videos = await community(system)
    await like_others(system, alice, "registrar", 100)
    await alice.person.like(videos[9])
    await alice.person.ask(PAGE, keys=KEYS)
    few = await work(system, alice.person, REACT % "like", id=videos[10])
    await like_others(system, alice, "registrar", 900)
    many = await work(system, alice.person, REACT % "like", id=videos[11])

    assert few.histories == many.histories == 1
    assert few.changes == many.changes
    assert max(few.sent, many.sent) < 3000


async def test_many_pending_changes_add_no_round_trip(system: System) -> None:
    alice, videos = await community(system)
    for video in await system.videos(*[f"other{i}" for i in range(70)]):
        await alice.person.ask(LIKE, id=video)
    people = await registered(system, "p1", "p2", "p3")
    await alice.person.ask(PAGE, keys=KEYS)
    await alice.person.ask(LIKES)
    await alice.person.ask(LIKERS)

    assert await cost(alice.person, PAGE, keys=KEYS) == (3, 0)
    assert await cost(alice.person, LIKES) == (4, 0)
    assert await cost(alice.person, LIKERS) == (3, 0)
    assert await cost(alice.person, REACT % "like", id=videos[10]) == (2, 0)
    await follow(alice.person, people[0])
    await alice.person.ask(PEOPLE, ids=people)
    assert await cost(alice.person, PEOPLE, ids=people) == (2, 0)


@standalone
async def test_a_page_reads_all_changes_at_once_unless_they_are_more_than_it_could_show(system: System) -> None:
    alice, _ = await community(system)
    kinds = len(["react", "view", "share", "save", "content_follow", *system.state.businesses["video"].counters])
    await like_others(system, alice, "registrar", kinds * len(KEYS) - 5)  # with five likes
    few = await read_twice(system, alice, PAGE, keys=KEYS)
    await like_others(system, alice, "registrar", 1)
    many = await read_twice(system, alice, PAGE, keys=KEYS)
    await system.drain()
    none = await read_twice(system, alice, PAGE, keys=KEYS)

    assert (few.commands["hgetall"], few.commands.get("hmget")) == (2, None)
    assert (many.commands["hgetall"], many.commands.get("hmget")) == (1, 1)
    assert (none.commands["hgetall"], none.commands.get("hmget")) == (2, None)
    assert none.histories == 0


@standalone
async def test_few_changes_are_read_at_once(system: System) -> None:
    alice, videos = await community(system)
    await like_others(system, alice, "registrar", 10)
    few = await work(system, alice.person, REACT % "like", id=videos[10])
    await like_others(system, alice, "registrar", 1)
    await alice.person.like(videos[11])
    many = await work(system, alice.person, REACT % "like", id=videos[12])

    # The script of the like has an HMGET of its own.
    assert (few.commands.get("hgetall"), few.commands.get("hmget")) == (1, 1)
    assert (many.commands.get("hgetall"), many.commands.get("hmget")) == (None, 2)


@standalone
async def test_a_page_without_users_reads_no_follows(system: System) -> None:
    alice, _ = await community(system)
    await system.drain()

    page = await read_twice(system, alice, PAGE[: PAGE.index("owner")] + "} }", keys=KEYS)

    assert page.commands["hgetall"] == 1
    assert metrics.usage.get() == metrics.Usage(2, 0)
