"""What a process is asked for most it keeps near for a moment (D6, F8); viewers see their own changes in that too."""

from collections.abc import AsyncIterator, Callable
from dataclasses import fields
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from context import Client, Context
from loaders.read_through import ReadThrough
from loaders.shared import shared_loaders
from settings import Settings
from store import heavy_hitters
from store.heavy_hitters import PANE_S
from store.near import ONE_IN, Near
from tests.comments.world import page, said
from tests.direct.turning import directly
from tests.follows.test_api import follow, registered, unfollow
from tests.likes.test_budgets import cost
from tests.posts.conftest import LENIENT
from tests.posts.world import MODERATE, publish, published
from tests.posts.world import seen as post_seen
from tests.store.test_near import Clock
from tests.system import Person, System, running
from tests.workers.writing import Someone, ref_of, someone

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

SECONDS, READS = 0.5, 10
VIDEO = '{ entity(business: "video", key: "v1") { id title likeCount viewerReaction } }'
CARD = "query ($id: ID!) { node(id: $id) { ... on User { handle bio followerCount followingCount friendCount } } }"
RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation followerCount } } }"
BIO = "mutation ($bio: String) { updateProfile(input: {bio: $bio}) { user { bio } userErrors { code } } }"
RENAME = """mutation ($title: String) {
  registerEntities(entities: [{business: "video", key: "v1", title: $title}]) { entities { title } } }"""
LIKERS = '{ entity(business: "video", key: "v1") { likers(first: 5) { nodes { handle } } } }'


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], clock: Clock) -> AsyncIterator[System]:
    """Where little makes hot, all asked for alone is counted, and time stands still in the process's own copies."""
    async with running(make_settings(moderation=LENIENT)) as one:
        one.state.cache.near = Near(SECONDS, READS * ONE_IN, clock, lambda: 0.0)
        yield one


async def heat(clock: Clock, reader: Person, query: str, **variables: Any) -> Any:
    """Asks so often that what is asked for is hot, and near; the answer."""
    for _ in range(READS):
        await reader.ask(query, **variables)
    clock.now += PANE_S
    return await reader.ask(query, **variables)


async def card(reader: Person, one: Someone) -> Any:
    return (await reader.ask(CARD, id=f"User:{one.user_id}"))["node"]


async def star(system: System, followers: int = 3) -> Someone:
    """Somebody with so many followers, drained."""
    star = await someone(system, "star")
    for i in range(followers):
        await follow(system.person(f"fan{i}"), f"User:{star.user_id}")
    await system.drain()
    return star


async def test_a_hot_entity_is_asked_of_redis_once_while_a_copy_lives(system: System, clock: Clock) -> None:
    await system.videos("v1")
    nobody = system.person(None)
    await heat(clock, nobody, VIDEO)
    clock.now += SECONDS  # the first copies have run out
    trips = list[int]()

    for _ in range(256):
        trips.append(await calls(system, "mget", nobody, VIDEO))
        clock.now += SECONDS / 64

    assert [at for at, one in enumerate(trips) if one] == [0, 64, 128, 192]
    assert sum(trips) == 4 * 2  # the entity, its counters


async def test_what_is_asked_for_too_seldom_is_not_kept(system: System, clock: Clock) -> None:
    await system.videos("v1")
    nobody = system.person(None)
    for _ in range(READS // 2):
        await nobody.ask(VIDEO)
    clock.now += PANE_S

    assert [await cost(nobody, VIDEO) for _ in range(3)] == [(2, 0)] * 3


async def test_with_no_time_at_all_there_are_no_copies(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(near_seconds=0, hot_reads=64)) as system:
        system.state.cache.near._clock = clock = Clock()
        await system.videos("v1")
        await heat(clock, system.person(None), VIDEO)

        assert await cost(system.person(None), VIDEO) == (2, 0)


async def test_a_viewers_reaction_is_never_a_copy_and_counts_in_one_at_once(system: System, clock: Clock) -> None:
    (video,) = await system.videos("v1")
    alice, bob, nobody = system.person("alice"), system.person("bob"), system.person(None)
    for one in (alice, bob, nobody):
        await heat(clock, one, VIDEO)

    async def views() -> list[tuple[int, str | None]]:
        shown = [(await one.ask(VIDEO))["entity"] for one in (alice, bob, nobody)]
        return [(one["likeCount"], one["viewerReaction"]) for one in shown]

    await alice.like(video)
    assert await views() == [(1, "LIKE"), (0, None), (0, None)]
    await bob.react("dislike", video)
    await alice.unlike(video)
    assert await views() == [(0, None), (0, "DISLIKE"), (0, None)]
    assert await cost(alice, VIDEO) == (1, 0)


async def test_a_copy_from_before_and_one_from_after_show_ones_like_once(system: System, clock: Clock) -> None:
    """What is settled waits for longer than any copy lives: the old copy, and what is pending."""
    (video,) = await system.videos("v1")
    alice, nobody = system.person("alice"), system.person(None)
    await heat(clock, alice, VIDEO)
    await alice.like(video)
    worker = system.worker()
    await worker.ownership.renew()
    while await worker.step():
        pass

    assert (await alice.ask(VIDEO))["entity"]["likeCount"] == 1
    assert (await nobody.ask(VIDEO))["entity"]["likeCount"] == 0
    clock.now += SECONDS
    assert [(await one.ask(VIDEO))["entity"]["likeCount"] for one in (alice, nobody)] == [1, 1]


async def test_what_this_process_has_changed_it_shows_at_once(system: System, clock: Clock) -> None:
    await system.videos("v1")
    nobody, registrar = system.person(None), system.person("registrar", "entities:write")
    await heat(clock, nobody, VIDEO)
    assert await cost(nobody, VIDEO) == (0, 0)

    await registrar.ask(RENAME, title="another")

    assert (await nobody.ask(VIDEO))["entity"]["title"] == "another"


async def test_the_card_of_who_is_hot_comes_from_the_process_while_it_lives(system: System, clock: Clock) -> None:
    one, nobody = await star(system), system.person(None)
    shown = await heat(clock, nobody, CARD, id=f"User:{one.user_id}")
    assert shown["node"]["followerCount"] == 3
    assert await cost(nobody, CARD, id=f"User:{one.user_id}") == (0, 0)

    await follow(system.person("late"), f"User:{one.user_id}")
    await system.drain()

    clock.now += SECONDS * 0.9
    assert (await card(nobody, one))["followerCount"] == 3
    clock.now += SECONDS * 0.2
    assert (await card(nobody, one))["followerCount"] == 4


async def test_a_copy_shows_the_viewers_own_follow_at_once_and_to_nobody_else(system: System, clock: Clock) -> None:
    one = await star(system)
    id_ = f"User:{one.user_id}"
    alice, bob, nobody = system.person("alice"), system.person("bob"), system.person(None)
    for reader in (alice, bob, nobody):
        await heat(clock, reader, RELATION, id=id_)

    async def views() -> list[tuple[str | None, int]]:
        nodes = [(await reader.ask(RELATION, id=id_))["node"] for reader in (alice, bob, nobody)]
        return [(node["viewerRelation"], node["followerCount"]) for node in nodes]

    await follow(alice, id_)
    assert await views() == [("FOLLOWING", 4), ("NONE", 3), (None, 3)]
    await follow(bob, id_)
    await unfollow(alice, id_)
    assert await views() == [("NONE", 3), ("FOLLOWING", 4), (None, 3)]


async def test_ones_own_profile_and_counters_are_never_a_copy(system: System, clock: Clock) -> None:
    one, fan = await star(system), await someone(system, "fan0")
    for reader in (one.person, system.person(None)):
        await heat(clock, reader, CARD, id=f"User:{one.user_id}")

    await one.person.ask(BIO, bio="new")
    await follow(one.person, f"User:{fan.user_id}")

    own = await card(one.person, one)
    assert (own["bio"], own["followingCount"], own["friendCount"]) == ("new", 1, 1)


async def test_a_rejected_post_is_gone_for_moderators_at_once_and_for_others_within_a_copys_life(
    system: System, clock: Clock
) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    for _ in range(READS):
        await post_seen(bob, post_id)
    clock.now += PANE_S
    await post_seen(bob, post_id)

    await mia.ask(MODERATE, id=post_id, decision="REJECT", reason="rude")
    await system.drain()

    assert (await post_seen(mia, post_id))["auditStatus"] == "REJECTED"
    assert (await post_seen(bob, post_id))["text"] == "hello"
    clock.now += SECONDS
    assert await post_seen(bob, post_id) is None


async def test_an_author_sees_their_own_deletion_of_what_is_hot_at_once(system: System, clock: Clock) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    for reader in (alice, bob) * READS:
        await post_seen(reader, post_id)
    clock.now += PANE_S
    assert [(await post_seen(one, post_id))["text"] for one in (bob, alice)] == ["hello"] * 2

    await alice.ask("mutation ($id: ID!) { deletePost(input: {postId: $id}) { userErrors { code } } }", id=post_id)

    assert await post_seen(alice, post_id) is None


async def test_hot_lists_of_people_come_from_the_process_at_any_shorter_length(system: System, clock: Clock) -> None:
    (video,) = await system.videos("v1")
    fans, nobody = [system.person(f"fan{i}") for i in range(8)], system.person(None)
    for fan in fans:
        await fan.like(video)
    await system.drain()
    await heat(clock, nobody, LIKERS)
    assert await calls(system, "zrange", nobody, LIKERS) == 0

    (shorter, longer) = (LIKERS.replace("5", str(count)) for count in (2, 7))
    assert (await nobody.ask(shorter))["entity"]["likers"]["nodes"] == [{"handle": "fan7"}, {"handle": "fan6"}]
    assert await calls(system, "zrange", nobody, shorter) == 0
    assert await calls(system, "zrange", nobody, longer) == 1
    assert len((await nobody.ask(longer))["entity"]["likers"]["nodes"]) == 7
    assert await calls(system, "zrange", nobody, LIKERS) == 0


@pytest.mark.parametrize("sort", ["HOT", "NEWEST"])
async def test_comments_of_what_is_hot_are_a_copy_for_who_has_none_of_their_own(
    system: System, clock: Clock, sort: str
) -> None:
    (video,) = await system.videos("v1")
    alice, nobody = system.person("alice"), system.person(None)
    await said(alice, video, "hello")
    await system.drain()

    async def texts(reader: Person) -> list[str]:
        return [one["text"] for one in (await page(reader, video, sort))["nodes"]]

    for _ in range(READS):
        await texts(nobody)
    clock.now += PANE_S
    await texts(nobody)
    await said(alice, video, "again")
    await system.drain()

    assert await texts(nobody) == ["hello"]
    assert sorted(await texts(alice)) == ["again", "hello"]
    clock.now += SECONDS
    assert sorted(await texts(nobody)) == ["again", "hello"]


async def test_what_one_has_just_published_is_on_a_square_that_is_a_copy(system: System, clock: Clock) -> None:
    alice, nobody = system.person("alice"), system.person(None)
    await publish(alice, "one")
    await system.drain()
    square = "{ square(sort: LATEST) { nodes { text } } }"
    await heat(clock, nobody, square)

    await publish(alice, "two")

    assert [(await one.ask(square))["square"]["nodes"][0]["text"] for one in (alice, nobody)] == ["two", "one"]


async def test_whoever_is_told_of_a_change_reads_no_copy_from_before_it(system: System, clock: Clock) -> None:
    (video,) = await system.videos("v1")
    ref, bob = await ref_of(system, video), system.person("bob")
    await heat(clock, system.person(None), VIDEO)
    watching = Context(system.state, shared_loaders(system.state), None, Client())
    await bob.like(video)
    await system.drain()
    assert (await watching.loaders.counts.load(ref)).likes == 0

    watching.forget()

    assert (await watching.loaders.counts.load(ref)).likes == 1


async def test_only_what_is_the_same_for_everybody_may_be_near(system: System) -> None:
    shared = shared_loaders(system.state)
    sources = {one.name: getattr(shared, one.name) for one in fields(shared)}
    near = {name for name, source in sources.items() if isinstance(source, ReadThrough) and source._kind.near}

    assert near == {"counts", "entities", "entities_by_id", "posts", "comments", "topics", "users", "handles"}


async def test_copies_are_bounded_and_told(system: System, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_hitters, "MOST", 5)
    users = shared_loaders(system.state).users
    ids = [int(id_.removeprefix("User:")) for id_ in await registered(system, *[f"p{i}" for i in range(20)])]
    for one in ids * READS:
        await users.get_many([one])
    clock.now += PANE_S
    await users.get_many(ids)
    before = sample("plaudit_cache_reads_total", loader="users", outcome="near")

    assert [user and user.user_id for user in await users.get_many(ids)] == ids

    assert sample("plaudit_cache_reads_total", loader="users", outcome="near") - before == 5
    assert sample("plaudit_hot_keys") == 5
    clock.now += 3600
    assert sample("plaudit_hot_keys") == 0


def sample(metric: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(metric, labels) or 0


async def calls(system: System, command: str, reader: Person, query: str) -> int:
    """How often one request asks Redis so."""
    before = await _calls(system, command)
    await reader.ask(query)
    return await _calls(system, command) - before


async def _calls(system: System, command: str) -> int:
    stats: dict[str, Any] = await system.state.redis.client.info("commandstats")
    return int(stats.get(f"cmdstat_{command}", {"calls": 0})["calls"])


async def test_what_is_changed_while_writes_are_direct_is_near_no_longer(system: System, clock: Clock) -> None:
    cache = system.state.cache
    cache.near._hitters.hot = frozenset({"a", "b"})
    cache.near.keep([("a", 1), ("b", 2)], clock.now)
    clock.now += SECONDS / 4

    async with directly(system), system.state.postgres.transaction() as transaction:
        await cache.fence(transaction, ["a"])

    assert set(cache.near._copies) == {"b"}
    assert cache.near._changed == clock.now
