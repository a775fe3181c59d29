"""Hot: the square and topics by votes and age, in rows and in what is cached, whoever published it."""

import pytest

from domain.ranking import hot
from store import keys
from store.cache.lists import FLOOR
from tests.features.ranking.ranked_lists import HOT, TOPIC, hottest, likers
from tests.support.costs import cost
from tests.support.posts import decide, delete, edit, publish, published
from tests.support.stores import standalone
from tests.support.system import Person, System

SCORES = "SELECT p.text, t.score FROM topic_posts t JOIN posts p USING (post_id) WHERE topic_id = 0 ORDER BY score DESC"


async def many(system: System, author: Person, count: int) -> list[str]:
    """The ids of new posts, drained: there is a bound to what one person may have pending."""
    ids: list[str] = []
    for at in range(0, count, 50):
        ids += await published(author, *map(str, range(at, min(at + 50, count))))
        await system.drain()
    return ids


async def hottest_about(viewer: Person, name: str) -> list[str]:
    return [post["text"] for post in (await viewer.ask(TOPIC, name=name, first=20))["topic"]["posts"]["nodes"]]


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_likes_heat_and_dislikes_cool(system: System, warm: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    old, middle, new = await published(alice, "old", "middle", "new")
    await system.drain()
    if warm:
        assert await hottest(bob) == ["new", "middle", "old"]

    await likers(system, old)
    await likers(system, new, verb="dislike")
    await system.drain()

    for viewer in (alice, bob, system.person(None)):
        assert await hottest(viewer) == ["old", "middle", "new"]
        assert await hottest(viewer, first=1) == ["old", "middle", "new"]
    await likers(system, old, verb="unlike")
    await likers(system, middle, count=1)
    await system.drain()
    assert await hottest(bob) == ["middle", "old", "new"]
    await system.empty_redis()
    assert await hottest(bob) == ["middle", "old", "new"]


async def test_rows_hold_the_score_of_the_formula_whichever_worker_came_last(system: System) -> None:
    alice = system.person("alice")
    first, _ = await published(alice, "first", "second")
    await system.drain()
    await likers(system, first, count=7)
    await likers(system, first, count=2, verb="dislike")
    await system.drain()

    moments = dict(await system.rows("SELECT text, moment FROM posts"))
    assert await system.rows(SCORES) == [("first", hot(moments["first"], 5, 2)), ("second", moments["second"])]


async def test_a_topic_has_its_own_hottest(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    cat = (await publish(alice, "a cat", "cats"))["post"]["id"]
    both = (await publish(alice, "a cat and a dog", "cats", "dogs"))["post"]["id"]
    await publish(alice, "a dog", "dogs")
    await system.drain()
    assert await hottest_about(bob, "cats") == ["a cat and a dog", "a cat"]

    await likers(system, cat)
    await likers(system, both, count=1)
    await system.drain()

    assert await hottest_about(bob, "cats") == ["a cat", "a cat and a dog"]
    assert await hottest_about(bob, "dogs") == ["a cat and a dog", "a dog"]
    await edit(alice, both, topics=["cats"])
    await system.drain()
    assert await hottest_about(bob, "dogs") == ["a dog"]
    assert await hottest_about(bob, "cats") == ["a cat", "a cat and a dog"]
    await edit(alice, cat, topics=["cats", "dogs"])
    await system.drain()
    assert await hottest_about(bob, "dogs") == ["a cat", "a dog"]


async def test_the_author_sees_it_at_once_and_everybody_once_it_is_approved(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(bob, "before")
    await system.drain()

    await published(alice, "hello")

    assert await hottest(alice) == ["hello", "before"]
    assert await hottest(bob) == ["before"]
    await system.drain()
    assert await hottest(alice) == await hottest(bob) == ["hello", "before"]


async def test_what_is_approved_and_not_yet_swept_is_there_once(system: System) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "hello")
    await hottest(alice)
    worker = system.worker()
    await worker.ownership.renew()
    while await worker.step():
        pass
    await likers(system, post)
    while await worker.step():
        pass

    assert await hottest(alice) == ["hello"]
    await worker.ownership.leave()


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_deleted_and_rejected_posts_leave_and_pages_are_full(system: System, warm: bool) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    ids = await published(alice, *map(str, range(10)))
    await system.drain()
    if warm:
        await hottest(bob)

    await delete(alice, ids[9])
    await decide(mia, ids[8], "REJECT")
    await decide(mia, ids[7], "REJECT")
    await system.drain()
    await likers(system, ids[8], count=1)
    await system.drain()

    assert await hottest(bob, first=3) == list("6543210")
    await decide(mia, ids[8], "APPROVE")
    await system.drain()
    assert await hottest(bob, first=3) == list("86543210")


async def test_pages_go_on_below_what_is_cached(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = await many(system, alice, 120)
    await likers(system, ids[0], count=1)
    await system.drain()

    assert await hottest(bob, first=50) == ["0", *map(str, reversed(range(1, 120)))]
    floor = await system.state.cache.redis("ZSCORE", keys.hot(0), FLOOR)
    assert float(floor) > 0
    await likers(system, ids[1], count=2)
    await system.drain()
    assert (await hottest(bob, first=50))[:3] == ["1", "0", "119"]


async def test_cached_lists_keep_to_their_cap(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(alice, "first")
    await system.drain()
    assert await hottest(bob) == ["first"]

    ids = await many(system, alice, 130)

    assert 100 <= await system.state.cache.redis("ZCARD", keys.hot(0)) <= 111
    assert await hottest(bob, first=100) == [*map(str, reversed(range(130))), "first"]
    await likers(system, ids[129], verb="dislike", count=1)
    await system.drain()
    assert await hottest(bob, first=100) == [*map(str, reversed(range(129))), "first", "129"]


@standalone
async def test_the_order_may_be_a_variable_and_is_the_latest_by_default(system: System) -> None:
    alice = system.person("alice")
    first, _ = await published(alice, "first", "second")
    await system.drain()
    await likers(system, first)
    await system.drain()
    query = "query ($sort: TimelineSort! = LATEST) { square(sort: $sort) { nodes { text } } }"

    assert (await alice.ask(query, sort="HOT"))["square"]["nodes"] == [{"text": "first"}, {"text": "second"}]
    assert (await alice.ask(query))["square"]["nodes"] == [{"text": "second"}, {"text": "first"}]
    assert (await alice.ask("{ square { nodes { text } } }"))["square"]["nodes"][0] == {"text": "second"}


@standalone
async def test_a_cursor_of_one_order_opens_no_other(system: System) -> None:
    alice = system.person("alice")
    await published(alice, "1", "2")
    await system.drain()
    cursor = (await alice.ask(HOT, first=1))["square"]["pageInfo"]["endCursor"]

    latest = HOT.replace("HOT", "LATEST")
    assert await alice.errors(latest, first=1, after=cursor) == [("BAD_CURSOR", ["square"])]


@pytest.mark.parametrize("query", [HOT, HOT.replace("sort: HOT, ", "")], ids=["hot", "latest"])
async def test_a_warm_page_is_three_trips_and_no_query(system: System, query: str) -> None:
    alice = system.person("alice")
    await published(alice, *map(str, range(30)))
    await system.drain()
    await alice.ask(query, first=20)

    trips, queries = await cost(alice, query, first=20)
    assert (trips, queries) == (3, 0)
