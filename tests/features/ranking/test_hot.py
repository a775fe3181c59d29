"""Hot lists of the square and of topics: the order by votes and age, in rows and in cached lists."""

import pytest

from domain.ranking import hot
from models.topics import topic_id
from store import keys
from store.cache.lists import FLOOR, Item
from store.content.hot import mark_unpublished
from tests.features.ranking.ranked_lists import HOT, TOPIC, hottest, react_as_many
from tests.support.costs import cost
from tests.support.posts import decide, delete, edit, publish, published
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import Person, System

WRITTEN = "SELECT post_id, score, ctid::text FROM topic_posts ORDER BY post_id"
AGED = "UPDATE {} SET moment = moment - (CAST(2592000000 AS bigint) << 10) WHERE post_id = :id"
SCORES = "SELECT post_id, score FROM topic_posts WHERE topic_id = 0 ORDER BY score DESC"


async def scores(system: System) -> list[tuple[str, int]]:
    """Returns the texts of all posts with their stored scores, hottest first."""
    texts = dict(await system.rows("SELECT post_id, text FROM posts"))
    return [(texts[post_id], score) for post_id, score in await system.rows(SCORES)]


async def many(system: System, author: Person, count: int) -> list[str]:
    """Publishes posts, and drains the system after every fifty because of the limit of pending changes. Returns ids."""
    ids: list[str] = []
    for at in range(0, count, 50):
        ids += await published(author, *map(str, range(at, min(at + 50, count))))
        await system.drain()
    return ids


async def hottest_of_topic(viewer: Person, name: str) -> list[str]:
    return [post["text"] for post in (await viewer.ask(TOPIC, name=name, first=20))["topic"]["posts"]["nodes"]]


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_likes_raise_a_post_and_dislikes_lower_it(system: System, warm: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    old, middle, new = await published(alice, "old", "middle", "new")
    await system.drain()
    if warm:
        assert await hottest(bob) == ["new", "middle", "old"]

    await react_as_many(system, old)
    await react_as_many(system, new, verb="dislike")
    await system.drain()

    for viewer in (alice, bob, system.person(None)):
        assert await hottest(viewer) == ["old", "middle", "new"]
        assert await hottest(viewer, first=1) == ["old", "middle", "new"]
    await react_as_many(system, old, verb="unlike")
    await react_as_many(system, middle, count=1)
    await system.drain()
    assert await hottest(bob) == ["middle", "old", "new"]
    await system.empty_redis()
    assert await hottest(bob) == ["middle", "old", "new"]


async def test_rows_store_the_score_of_the_ranking_formula(system: System) -> None:
    alice = system.person("alice")
    first, _ = await published(alice, "first", "second")
    await system.drain()
    await react_as_many(system, first, count=7)
    await react_as_many(system, first, count=2, verb="dislike")
    await system.drain()

    moments = dict(await system.rows("SELECT text, moment FROM posts"))
    assert await scores(system) == [("first", hot(moments["first"], 5, 2)), ("second", moments["second"])]


async def test_a_score_is_written_when_the_post_moves_noticeably(system: System) -> None:
    """A post of a month moves noticeably if its score grows by six hours: with the fourth like."""
    alice = system.person("alice")
    old, _ = await published(alice, "old", "new")
    await system.drain()
    await execute(system, AGED.format("posts"), AGED.format("topic_posts"), id=int(old[5:]))
    await execute(system, "UPDATE topic_posts SET score = moment")
    await system.empty_redis()
    before = await system.rows(WRITTEN)

    for count in (1, 2, 3):
        await react_as_many(system, old, count=count)
        await system.drain()
        assert await system.rows(WRITTEN) == before
        assert (await alice.ask(HOT, first=2))["square"]["nodes"][1] == {"text": "old", "likeCount": count}
    await react_as_many(system, old, count=4)
    await system.drain()

    moments = dict(await system.rows("SELECT text, moment FROM posts"))
    score = hot(moments["old"], 4, 0)
    assert (await scores(system))[1] == ("old", score)
    assert float(await system.state.cache.redis("ZSCORE", keys.hot(0), old[5:])) == score


async def test_the_first_score_in_a_new_topic_and_one_that_was_not_published_are_written_in_any_case(
    system: System,
) -> None:
    """One like does not move a post of a month noticeably."""
    alice = system.person("alice")
    (post,) = await published(alice, "old")
    await system.drain()
    await execute(system, AGED.format("posts"), AGED.format("topic_posts"), id=int(post[5:]))
    await react_as_many(system, post, count=1)
    await edit(alice, post, topics=["dogs"])
    await system.drain()
    ((moment,),) = await system.rows("SELECT moment FROM posts")
    in_dogs = "SELECT score, score_version > 0 FROM topic_posts WHERE topic_id <> 0"
    assert await system.rows(in_dogs) == [(hot(moment, 1, 0), True)]

    items = [(topic_id("dogs"), Item(0, int(post[5:])))]
    async with system.state.postgres.transaction() as transaction:
        await mark_unpublished(transaction, items)
    await system.state.cache.redis("DEL", keys.hot(topic_id("dogs")), write=True)
    await react_as_many(system, post, count=2)
    await system.drain()

    assert await system.rows(in_dogs) == [(hot(moment, 2, 0), True)]


async def test_a_topic_has_its_own_hot_list(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    cat = (await publish(alice, "a cat", "cats"))["post"]["id"]
    both = (await publish(alice, "a cat and a dog", "cats", "dogs"))["post"]["id"]
    await publish(alice, "a dog", "dogs")
    await system.drain()
    assert await hottest_of_topic(bob, "cats") == ["a cat and a dog", "a cat"]

    await react_as_many(system, cat)
    await react_as_many(system, both, count=1)
    await system.drain()

    assert await hottest_of_topic(bob, "cats") == ["a cat", "a cat and a dog"]
    assert await hottest_of_topic(bob, "dogs") == ["a cat and a dog", "a dog"]
    await edit(alice, both, topics=["cats"])
    await system.drain()
    assert await hottest_of_topic(bob, "dogs") == ["a dog"]
    assert await hottest_of_topic(bob, "cats") == ["a cat", "a cat and a dog"]
    await edit(alice, cat, topics=["cats", "dogs"])
    await system.drain()
    assert await hottest_of_topic(bob, "dogs") == ["a cat", "a dog"]


async def test_the_author_sees_a_post_at_once_and_others_after_its_approval(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(bob, "before")
    await system.drain()

    await published(alice, "hello")

    assert await hottest(alice) == ["hello", "before"]
    assert await hottest(bob) == ["before"]
    await system.drain()
    assert await hottest(alice) == await hottest(bob) == ["hello", "before"]


async def test_an_approved_post_that_is_still_pending_is_listed_once(system: System) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "hello")
    await hottest(alice)
    worker = system.worker()
    await worker.ownership.renew()
    while await worker.step():
        pass
    await react_as_many(system, post)
    while await worker.step():
        pass

    assert await hottest(alice) == ["hello"]
    await worker.ownership.leave()


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_deleted_and_rejected_posts_disappear_and_pages_are_full(system: System, warm: bool) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    ids = await published(alice, *map(str, range(10)))
    await system.drain()
    if warm:
        await hottest(bob)

    await delete(alice, ids[9])
    await decide(mia, ids[8], "REJECT")
    await decide(mia, ids[7], "REJECT")
    await system.drain()
    await react_as_many(system, ids[8], count=1)
    await system.drain()

    assert await hottest(bob, first=3) == list("6543210")
    await decide(mia, ids[8], "APPROVE")
    await system.drain()
    assert await hottest(bob, first=3) == list("86543210")


async def test_pages_continue_below_the_cached_list(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = await many(system, alice, 120)
    await react_as_many(system, ids[0], count=1)
    await system.drain()

    assert await hottest(bob, first=50) == ["0", *map(str, reversed(range(1, 120)))]
    floor = await system.state.cache.redis("ZSCORE", keys.hot(0), FLOOR)
    assert float(floor) > 0
    await react_as_many(system, ids[1], count=2)
    await system.drain()
    assert (await hottest(bob, first=50))[:3] == ["1", "0", "119"]


async def test_cached_lists_do_not_grow_beyond_their_cap(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(alice, "first")
    await system.drain()
    assert await hottest(bob) == ["first"]

    ids = await many(system, alice, 130)

    assert 100 <= await system.state.cache.redis("ZCARD", keys.hot(0)) <= 111
    assert await hottest(bob, first=100) == [*map(str, reversed(range(130))), "first"]
    await react_as_many(system, ids[129], verb="dislike", count=1)
    await system.drain()
    assert await hottest(bob, first=100) == [*map(str, reversed(range(129))), "first", "129"]


@standalone
async def test_the_sort_order_can_be_a_variable_and_is_latest_by_default(system: System) -> None:
    alice = system.person("alice")
    first, _ = await published(alice, "first", "second")
    await system.drain()
    await react_as_many(system, first)
    await system.drain()
    query = "query ($sort: TimelineSort! = LATEST) { square(sort: $sort) { nodes { text } } }"

    assert (await alice.ask(query, sort="HOT"))["square"]["nodes"] == [{"text": "first"}, {"text": "second"}]
    assert (await alice.ask(query))["square"]["nodes"] == [{"text": "second"}, {"text": "first"}]
    assert (await alice.ask("{ square { nodes { text } } }"))["square"]["nodes"][0] == {"text": "second"}


@standalone
async def test_a_cursor_of_one_sort_order_is_refused_for_another(system: System) -> None:
    alice = system.person("alice")
    await published(alice, "1", "2")
    await system.drain()
    cursor = (await alice.ask(HOT, first=1))["square"]["pageInfo"]["endCursor"]

    latest = HOT.replace("HOT", "LATEST")
    assert await alice.errors(latest, first=1, after=cursor) == [("BAD_CURSOR", ["square"])]


@pytest.mark.parametrize("query", [HOT, HOT.replace("sort: HOT, ", "")], ids=["hot", "latest"])
async def test_a_warm_page_costs_three_round_trips_and_no_query(system: System, query: str) -> None:
    alice = system.person("alice")
    await published(alice, *map(str, range(30)))
    await system.drain()
    await alice.ask(query, first=20)

    trips, queries = await cost(alice, query, first=20)
    assert (trips, queries) == (3, 0)
