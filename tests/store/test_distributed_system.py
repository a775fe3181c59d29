"""The system on a distributed Postgres: users and a worker, reconciliation, and what pages, likes and batches cost.

`PLAUDIT_TEST_CITUS=1` runs other tests on a distributed Postgres; `make prove` does so.
"""

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import pytest_asyncio

from runner.pgdata import USER
from runner.valkey import Valkey
from tests.support.citus import Cluster, archive, distributed_cluster
from tests.support.comments import ADD
from tests.support.posts import published
from tests.support.reconciliation import drift, populate
from tests.support.system import LENIENT, LIMITLESS, Person, System, running, settings_for_tests

pytestmark = pytest.mark.timeout(600)
SHARDS = 8
PEOPLE, LIKED = 20, 10
VIDEO = '{ entity(business: "video", key: "v0") { %s } }'
PAGES = {
    "entity": VIDEO % "id title likeCount viewerReaction owner { handle } likers(first: 5) { nodes { handle } }",
    "comments": VIDEO % "comments(first: 20) { nodes { id text likeCount author { handle } } }",
    "home": "{ viewer { home(first: 20) { nodes { id text likeCount author { handle } } } } }",
}
MOST = {"entity": 3 * SHARDS, "comments": 5 * SHARDS, "home": 5 * SHARDS}
"""The most queries to nodes for a page that is not cached. How many there are depends on the shards of the ids."""
FOLLOW = "mutation ($id: ID!) { follow(input: {userId: $id}) { userErrors { code } } }"
_SENT = re.compile(rf"issuing (\w+(?: PREPARED)?)(?:(?!issuing ).)*?on server {USER}@", re.DOTALL)
"""A message of the log. Citus itself also asks nodes, as another role."""
_ENDS = {"BEGIN", "PREPARE", "COMMIT", "COMMIT PREPARED"}
_LOGGED = {"citus.log_remote_commands": "on", "log_min_messages": "notice", "client_min_messages": "error"}

Sent = Callable[[], Counter[str]]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with distributed_cluster(archive(), shards=SHARDS, settings=_LOGGED) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def system(cluster: Cluster, valkey: Valkey) -> AsyncIterator[System]:
    valkey.command("FLUSHALL")
    stores = {"database_url": cluster.coordinator.url, "redis_url": valkey.url}
    async with running(settings_for_tests(**stores, limits=LIMITLESS, moderation=LENIENT)) as one:
        yield one


@pytest.fixture
def sent(cluster: Cluster) -> Sent:
    """Returns a function that counts what was sent to nodes since its last call: queries, and ends of transactions."""
    log = cluster.coordinator.log
    at = log.stat().st_size

    def counted() -> Counter[str]:
        nonlocal at
        with log.open("rb") as file:
            file.seek(at)
            text = file.read()
        at += len(text)
        kinds = _SENT.findall(text.decode(errors="replace"))
        return Counter(kind if kind in _ENDS else "queries" for kind in kinds)

    return counted


async def test_everything_is_stored_and_agrees(system: System) -> None:
    await populate(system)

    assert await drift(system) == {}
    assert await system.rows("SELECT count(*) FROM dead_letters") == [(0,)]


async def test_cached_pages_and_likes_ask_no_node(system: System, sent: Sent) -> None:
    people = await _community(system)
    rows: dict[str, Counter[str]] = {}
    for what, query in PAGES.items():
        await system.state.cache.redis.client.flushall()
        await people[2].id()
        sent()
        await people[2].ask(query)
        rows[f"{what}, cold"] = sent()
        await people[2].ask(query)
        rows[what] = sent()
    videos = await system.videos(*(f"w{number}" for number in range(LIKED)))
    await people[3].like(videos[0])
    sent()
    await people[3].unlike(videos[0])
    rows["unlike"] = sent()
    for count in (1, PEOPLE):
        await system.drain()
        for person in people[:count]:
            for video in videos:
                await person.like(video)
        rows[f"storing {count * LIKED} likes of {count} users"] = await _stored(system, sent)
    print(*(f"{what}: {dict(counts)}" for what, counts in rows.items()), sep="\n")

    assert not any(rows[what] for what in (*PAGES, "unlike"))
    cold = {what: rows[f"{what}, cold"] for what in PAGES}
    assert not cold["entity"]["BEGIN"] + cold["comments"]["BEGIN"]
    assert {what: counts["queries"] for what, counts in cold.items() if counts["queries"] > MOST[what]} == {}
    for what, counts in rows.items():
        assert what.startswith("storing") == bool(counts["PREPARE"])
        assert counts["PREPARE"] == counts["COMMIT PREPARED"]


async def _community(system: System) -> list[Person]:
    people = [system.person(f"p{number}") for number in range(PEOPLE)]
    (video,) = await system.videos("v0", owner="p0")
    for number, person in enumerate(people):
        await person.like(video)
        await person.ask(ADD, subject=video, to=None, text="seen", key=f"k{number}")
    await published(people[1], "news")
    await people[2].ask(FOLLOW, id=await people[1].id())
    await system.drain()
    return people


async def _stored(system: System, sent: Sent) -> Counter[str]:
    """Returns what a worker sends while it empties the journals."""
    worker = await system.owner()
    sent()
    while await worker.step():
        pass
    return sent()
