"""followTopic, followEntity and their opposites: answers, lists, refusals that write nothing, rows and outages."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store.people import content_follows
from tests.support.boundaries import block
from tests.support.content_follows import (
    FOLLOW_ENTITY,
    FOLLOW_TOPIC,
    FOLLOWED,
    IN_HOME,
    change_entity,
    change_topic,
    follow_entities,
    follow_topics,
    followed,
    show_topics_in_home,
    unfollow_topics,
)
from tests.support.fallback_mode import directly
from tests.support.journal_entries import journalled
from tests.support.outages import Away, both_ways
from tests.support.posts import delete, publish
from tests.support.private_accounts import make_private
from tests.support.reconciliation import drift
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

STORED = "SELECT business_id, name, stands FROM content_follows ORDER BY business_id, name"
REMOVE = "mutation ($ids: [ID!]!) { removeEntities(ids: $ids) { userErrors { message } } }"


def refusal(payload: Any) -> tuple[str, list[str]]:
    """Returns code and field of a payload's one user error."""
    assert payload.get("topic") is None
    assert payload.get("entity") is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


async def with_topics(system: System, *names: str) -> Person:
    """Returns alice. Bob has published a post with each of these topics."""
    for name in names:
        await publish(system.person("bob"), f"about {name}", name)
    await system.drain()
    return system.person("alice")


async def test_a_user_sees_follows_at_once_and_others_see_the_count(system: System) -> None:
    alice, carol = await with_topics(system, "Straße", "cats"), system.person("carol")
    (video,) = await system.videos("v1")

    followed_topic = await change_topic(alice, "strasse")
    assert followed_topic == {
        "topic": {"id": "Topic:strasse", "name": "straße", "viewerFollows": True, "followerCount": 1},
        "userErrors": [],
    }
    entity = (await change_entity(alice, video))["entity"]
    assert entity == {"id": video, "viewerFollows": True, "followerCount": 1}
    await follow_topics(alice, "cats")
    for _ in ("at once", "stored"):
        assert await followed(alice) == (["cats", "straße"], [video])
        await system.drain()
    assert await followed(carol) == ([], [])
    seen = await change_topic(carol, "strasse", "unfollowTopic")
    assert seen["topic"] == {"id": "Topic:strasse", "name": "straße", "viewerFollows": False, "followerCount": 1}
    assert await system.rows(STORED) == [(3, "cats", True), (3, "straße", True), (100, "", True)]
    assert await drift(system) == {}

    assert (await change_topic(alice, "strasse", "unfollowTopic"))["topic"]["followerCount"] == 0
    assert (await change_entity(alice, video, "unfollowEntity"))["entity"]["followerCount"] == 0
    for _ in ("at once", "stored"):
        assert await followed(alice) == (["cats"], [])
        await system.drain()
    assert await drift(system) == {}


async def test_the_lists_have_pages(system: System) -> None:
    names = [f"topic{number}" for number in range(5)]
    alice = await with_topics(system, *names)
    await follow_topics(alice, *names)
    query = """query ($after: String) { viewer { followedTopics(first: 2, after: $after) {
      nodes { name } pageInfo { hasNextPage endCursor } } } }"""
    found, after = [], None
    while True:
        page = (await alice.ask(query, after=after))["viewer"]["followedTopics"]
        found += [topic["name"] for topic in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    assert found == names[::-1]
    of_entities = query.replace("followedTopics", "followedEntities").replace("name", "id")
    assert await alice.errors(of_entities, after=after) == [("BAD_CURSOR", ["viewer", "followedEntities"])]


@standalone
async def test_repeated_changes_write_one_entry(system: System) -> None:
    alice = await with_topics(system, "cats")
    first = await journalled(system)
    for _ in range(2):
        await change_topic(alice, "cats", key="k")
        await follow_topics(alice, "cats")
        await alice.ask(IN_HOME, enabled=True, key="h")
        await show_topics_in_home(alice)
        assert await journalled(system) == first + 2
    await unfollow_topics(alice, "cats", "cats")
    await show_topics_in_home(alice, False)
    assert await journalled(system) == first + 4
    await change_topic(alice, "cats", key="k")  # repetitions, which change nothing
    await alice.ask(IN_HOME, enabled=True, key="h")
    assert await followed(alice) == ([], [])
    assert (await alice.ask(FOLLOWED))["viewer"]["topicsInHome"] is False
    assert await journalled(system) == first + 4


@standalone
async def test_follows_beyond_the_limit_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, people={"content_follow_limit": 2})) as system:
        alice = await with_topics(system, "cats", "dogs")
        videos = await system.videos("v1", "v2")
        await show_topics_in_home(alice)  # counts apart
        await follow_topics(alice, "cats")
        await follow_entities(alice, videos[0])

        async with unchanged(system):
            assert refusal(await change_topic(alice, "dogs")) == ("FOLLOW_LIMIT_REACHED", ["topicId"])
            assert refusal(await change_entity(alice, videos[1])) == ("FOLLOW_LIMIT_REACHED", ["entityId"])
        await follow_topics(alice, "cats")
        await unfollow_topics(alice, "cats")
        await follow_entities(alice, videos[1])
        await system.drain()
        async with directly(system):
            assert refusal(await change_topic(alice, "dogs")) == ("FOLLOW_LIMIT_REACHED", ["topicId"])


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    alice, bob = await with_topics(system, "cats"), system.person("bob")
    (video,) = await system.videos("v1", owner="bob")
    await publish(system.person("pat"), "private", "secret")
    await system.drain()
    await make_private(system.person("pat"))
    await system.drain()
    await block(bob, await alice.id())
    await change_topic(alice, "secret")  # caches whom alice follows

    async with unchanged(system):
        for id_ in ("Topic:none", "Topic:secret", "Topic:cats", video, "User:1", "Post:7"):  # bob hides his topic, too
            payload = (await alice.ask(FOLLOW_TOPIC % "followTopic", id=id_))["followTopic"]
            assert refusal(payload) == ("TARGET_NOT_FOUND", ["topicId"]), id_
        for verb in ("followEntity", "unfollowEntity"):
            for id_ in ("Entity:video:none", "Entity:none:v1", "Topic:cats", "User:1"):
                assert refusal(await change_entity(alice, id_, verb)) == ("TARGET_NOT_FOUND", ["entityId"]), id_
        assert refusal(await change_entity(alice, video)) == ("BLOCKED", ["entityId"])
        for id_ in ("cats", "Topic:", "Topic:two words", "Topic:" + "x" * 300):
            assert await alice.errors(FOLLOW_TOPIC % "followTopic", id=id_) == [("BAD_INPUT", ["followTopic"])], id_
        assert await alice.errors(FOLLOW_ENTITY % "followEntity", id="v1") == [("BAD_INPUT", ["followEntity"])]
        anonymous, refused = system.person(None, device_id="d"), "UNAUTHENTICATED"
        assert await anonymous.errors(FOLLOW_TOPIC % "followTopic", id="Topic:cats") == [(refused, ["followTopic"])]
        assert await anonymous.errors(IN_HOME, enabled=True) == [(refused, ["setTopicsInHome"])]
    entries = await journalled(system)
    for name in ("none", "secret", "cats"):
        assert await change_topic(alice, name, "unfollowTopic") == {"topic": None, "userErrors": []}
    assert (await change_entity(alice, video, "unfollowEntity"))["userErrors"] == []
    assert await journalled(system) == entries


@standalone
async def test_a_key_with_another_input_is_refused(system: System) -> None:
    alice = await with_topics(system, "cats", "dogs")
    await change_topic(alice, "cats", key="k")
    assert refusal(await change_topic(alice, "dogs", key="k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])
    await alice.ask(IN_HOME, enabled=True, key="h")
    payload = (await alice.ask(IN_HOME, enabled=False, key="h"))["setTopicsInHome"]
    assert payload == {"viewer": None, "userErrors": [{"code": "IDEMPOTENCY_MISMATCH"}]}


@standalone
async def test_followed_objects_that_disappear_can_be_unfollowed(system: System) -> None:
    bob, alice = system.person("bob"), system.person("alice")
    post = (await publish(bob, "the only one", "cats"))["post"]["id"]
    (video,) = await system.videos("v1")
    await system.drain()
    await follow_topics(alice, "cats")
    await follow_entities(alice, video)
    await delete(bob, post)
    await system.person("service", "entities:write").ask(REMOVE, ids=[video])
    await system.drain()

    assert await followed(alice) == (["cats"], [])
    assert await change_topic(alice, "cats", "unfollowTopic") == {"topic": None, "userErrors": []}
    await system.videos("v1")
    assert await followed(alice) == ([], [video])
    await system.person("service", "entities:write").ask(REMOVE, ids=[video])
    assert await change_entity(alice, video, "unfollowEntity") == {"entity": None, "userErrors": []}
    await system.videos("v1")
    assert await followed(alice) == ([], [])


@standalone
async def test_an_older_version_of_a_row_loses(system: System) -> None:
    rows = [(7, 3, 1, "cats", True, 20), (7, 3, 2, "dogs", False, 20)]
    older = [(7, 3, 1, "cats", False, 10), (7, 3, 2, "dogs", True, 10)]
    for some in (rows, older):
        async with system.state.postgres.transaction() as transaction:
            await content_follows.write(transaction, some)
            await content_follows.write_preferences(transaction, [(7, 1, some is rows, some[0][5])])
    assert await system.rows("SELECT stands, version FROM content_follows ORDER BY name") == [(True, 20), (False, 20)]
    assert await system.rows("SELECT stands, version FROM preferences") == [(True, 20)]


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.prove) for seed in range(1, 10)]])
@standalone
async def test_random_changes_agree_with_a_model(system: System, seed: int) -> None:
    walk = random.Random(seed)
    people = [await with_topics(system, "cats", "dogs"), system.person("carol")]
    (video,) = await system.videos("v1")
    follows = {person.handle: set[str]() for person in people}
    for step in range(25):
        person, thing, verb = (
            walk.choice(people),
            walk.choice(["cats", "dogs", video]),
            walk.choice(["follow", "unfollow"]),
        )
        of = "Entity" if thing == video else "Topic"
        payload = await (change_entity if thing == video else change_topic)(person, thing, f"{verb}{of}")
        (follows[person.handle].add if verb == "follow" else follows[person.handle].discard)(thing)
        seen = payload[of.lower()]
        assert seen["viewerFollows"] == (verb == "follow"), step
        if walk.random() < 0.3:
            await system.drain()
            if walk.random() < 0.5:
                await system.empty_redis()
            assert (await change_topic(system.person("dave"), "cats", "unfollowTopic"))["topic"][
                "followerCount"
            ] == sum("cats" in some for some in follows.values()), step
        topics, entities = await followed(person)
        assert {*topics, *entities} == follows[person.handle], step
    await system.drain()
    assert await drift(system) == {}


@standalone
async def test_follows_are_stored_while_redis_is_replaced_by_direct_writes(system: System) -> None:
    alice = await with_topics(system, "cats", "dogs")
    await follow_topics(alice, "cats")
    await system.drain()
    async with directly(system):
        await follow_topics(alice, "dogs")
        await unfollow_topics(alice, "cats")
        await show_topics_in_home(alice)
        assert (await followed(alice))[0] == ["dogs"]
    assert (await followed(alice))[0] == ["dogs"]
    assert (await alice.ask(FOLLOWED))["viewer"]["topicsInHome"] is True
    await system.drain()
    assert await drift(system) == {}


@standalone
@both_ways
async def test_follows_are_accepted_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice = await with_topics(system, "cats", "dogs")
    await follow_topics(alice, "cats")
    assert (await followed(alice))[0] == ["cats"]
    await change_topic(alice, "dogs", "unfollowTopic")

    async with away(postgres, system.state.postgres):
        await follow_topics(alice, "dogs")
        await unfollow_topics(alice, "cats")
        await show_topics_in_home(alice)
        viewer = (await alice.ask(FOLLOWED.replace(" followerCount", "")))["viewer"]
        assert ([topic["name"] for topic in viewer["followedTopics"]["nodes"]], viewer["topicsInHome"]) == (
            ["dogs"],
            True,
        )
    await system.drain()
    assert await system.rows(STORED) == [(3, "cats", False), (3, "dogs", True)]
    assert await drift(system) == {}


@standalone
@both_ways
async def test_follows_come_from_rows_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice = await with_topics(system, "cats")
    await follow_topics(alice, "cats")
    await system.drain()

    async with away(valkey, system.state.redis):
        body = (await alice.send("{ viewer { followedTopics { nodes { name } } } }")).json()
        assert body["data"]["viewer"]["followedTopics"] in (None, {"nodes": [{"name": "cats"}]})
