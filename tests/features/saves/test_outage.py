"""Saves while a store is down."""

import pytest

from domain.ids import CommentId
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import POSTS
from tests.support.collections import ITEMS, OWN, PLACES, PUBLIC, created, save_into
from tests.support.fallback_mode import directly
from tests.support.follows import FOLLOW
from tests.support.outages import Away, both_ways
from tests.support.own_sets import configure
from tests.support.posts import published
from tests.support.saves import SAVE, SAVED, SEEN, change, save, saved, seen, unsave
from tests.support.stores import standalone
from tests.support.system import REACT, System

pytestmark = standalone
ROWS = "SELECT (SELECT count(*) FROM saves), (SELECT count(*) FROM reactions), (SELECT count(*) FROM following)"
STORED = "SELECT collection_id FROM saves ORDER BY entity_id"


async def test_saves_are_written_directly_while_redis_is_replaced(system: System) -> None:
    alice, (one, two, three) = system.person("alice"), await system.videos("v1", "v2", "v3")
    await save(alice, one, two)
    await system.drain()
    async with directly(system):
        for _ in range(2):
            assert (await change(alice, "unsave", one, key="a"))["userErrors"] == []
            assert (await change(alice, "save", three, key="b"))["userErrors"] == []
            assert [await seen(alice, id_) for id_ in (one, two, three)] == [(0, False), (1, True), (1, True)]
            assert await saved(alice) == [three, two]
    assert [await seen(alice, id_) for id_ in (one, two, three)] == [(0, False), (1, True), (1, True)]
    assert (await change(alice, "unsave", one, key="a"))["userErrors"] == []
    await system.drain()
    assert (await saved(alice), await system.rows(STORED)) == ([three, two], [(0,), (1,), (1,)])


async def test_direct_removals_about_unknown_objects_store_nothing(system: System) -> None:
    """A journal may have a post that Postgres does not know, and the save of it. So the answer is not that it does not
    exist.
    """
    alice = system.person("alice")
    (post,) = await published(alice, "new")
    await save(alice, post)
    async with directly(system):
        for id_ in (post, "Post:7", CommentId.text(POSTS, 7)):
            for query, verb in ((SAVE, "unsave"), (REACT, "unlike"), (REACT, "undislike")):
                assert await alice.errors(query % verb, id=id_) == [("UNAVAILABLE", [verb])]
        assert (await alice.ask(FOLLOW % "unfollow", id="User:7"))["unfollow"]["userErrors"] == []
        assert await system.rows(ROWS) == [(0, 0, 0)]
    await system.drain()
    assert (await seen(alice, post), await saved(alice)) == ((1, True), [post])


@both_ways
async def test_cached_saves_hold_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, (one, two) = system.person("alice"), await system.videos("v1", "v2")
    await save(alice, one, two)
    assert await saved(alice) == [two, one]
    await unsave(alice, two)
    assert [await seen(alice, id_) for id_ in (one, two)] == [(1, True), (0, False)]

    async with away(postgres, system.state.postgres):
        await unsave(alice, one)
        await save(alice, two)
        assert [await seen(alice, id_) for id_ in (one, two)] == [(0, False), (1, True)]
        assert await saved(alice) == [two]
    await system.drain()
    assert (await saved(alice), await system.rows(STORED)) == ([two], [(0,), (1,)])


@both_ways
async def test_unknown_saves_are_null_and_named_and_can_be_changed(
    system: System, postgres: Postgres, away: Away
) -> None:
    alice, (one, two) = system.person("alice"), await system.videos("v1", "v2")
    await save(alice, one)
    await system.drain()
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    await alice.ask(SEEN, id=one)
    await alice.ask(SEEN, id=two)

    async with away(postgres, system.state.postgres):
        await system.state.redis("DEL", system.state.keys.own_set("save", user), write=True)
        body = (await alice.send(SEEN, id=one)).json()
        assert body["data"] == {"node": {"saveCount": 1, "viewerSaved": None}}
        assert [one["field"] for one in body["extensions"]["degraded"]] == ["Entity.viewerSaved"]
        body = (await alice.send(SAVED)).json()
        assert body["data"] == {"viewer": {"saved": None}}
        for verb, id_ in (("unsave", one), ("save", two)):
            body = (await alice.send(SAVE % verb, id=id_)).json()
            target = {"id": id_, "saveCount": None, "viewerSaved": verb == "save"}
            assert body["data"] == {verb: {"target": target, "userErrors": []}}
    await system.drain()
    assert [await seen(alice, id_) for id_ in (one, two)] == [(0, False), (1, True)]
    assert (await saved(alice), await system.rows(STORED)) == ([two], [(0,), (1,)])


@both_ways
async def test_saves_come_from_rows_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice, (one, two) = system.person("alice"), await system.videos("v1", "v2")
    await save(alice, one)
    await system.drain()

    async with away(valkey, system.state.redis):
        for id_, expected in ((one, True), (two, False)):
            node = (await alice.send(SEEN, id=id_)).json()["data"]["node"]
            assert node in (
                None,
                {"saveCount": None, "viewerSaved": None},
                {"saveCount": int(expected), "viewerSaved": expected},
            )
        body = (await alice.send(SAVED)).json()
        found = body["data"]["viewer"]["saved"]
        assert found is None or [node["targetId"] for node in found["nodes"]] == [one]
        assert "Viewer.saved" in [one["field"] for one in body["extensions"]["degraded"]]


@both_ways
async def test_an_incomplete_list_does_not_say_what_the_viewer_has_saved(
    system: System, valkey: Valkey, away: Away
) -> None:
    alice, (one, two) = system.person("alice"), await system.videos("v1", "v2")
    await save(alice, one, two)
    await system.drain()
    await unsave(alice, one)
    query = "{ viewer { saved(first: 5) { nodes { targetId target { ... on Entity { viewerSaved } } } } } }"
    await alice.ask(query)

    async with away(valkey, system.state.redis):
        found = (await alice.send(query)).json()["data"]["viewer"]["saved"]
        shown = {node["targetId"]: node["target"] for node in found["nodes"]} if found else {}
        assert shown.get(one) in (None, {"viewerSaved": None})


@pytest.mark.parametrize("cap", [2, 1000])
async def test_saves_beyond_the_cache_are_found(system: System, cap: int) -> None:
    configure(system.state.own_sets, saves=cap)
    alice, videos = system.person("alice"), await system.videos(*(f"v{i}" for i in range(12)))
    for _ in ("first", "again"):
        await save(alice, *videos)
        assert [await seen(alice, id_) for id_ in videos] == [(1, True)] * 12
        await system.drain()
        assert [await seen(alice, id_) for id_ in videos] == [(1, True)] * 12
        assert await saved(alice, first=5) == videos[::-1]
    await unsave(alice, videos[0], videos[11])
    assert await saved(alice, first=5) == videos[1:11][::-1]
    await system.drain()
    await system.empty_redis()
    assert await saved(alice, first=5) == videos[1:11][::-1]
    assert [(await seen(alice, id_))[1] for id_ in videos] == [False, *[True] * 10, False]


@both_ways
async def test_the_fields_that_may_lack_changes_are_named_while_redis_is_down(
    system: System, valkey: Valkey, away: Away
) -> None:
    alice, bob, (video,) = system.person("alice"), system.person("bob"), await system.videos("v1")
    one = await created(alice, "one", public=True)
    await save_into(alice, one, video)
    await system.drain()
    fields = {
        "Viewer.collections": (alice, OWN, {}),
        "User.collections": (bob, PUBLIC, {"handle": "alice"}),
        "SavedItem.collection": (alice, PLACES, {}),
        "Query.node": (bob, "query ($id: ID!) { node(id: $id) { ... on Collection { name } } }", {"id": one}),
    }
    for person, query, variables in fields.values():
        await person.ask(query, **variables)
    async with away(valkey, system.state.redis):
        for field, (person, query, variables) in fields.items():
            degraded = (await person.send(query, **variables)).json()["extensions"]["degraded"]
            named = {one["field"] for one in degraded} & fields.keys()
            assert named == {field}


@both_ways
async def test_items_of_others_that_may_lack_changes_are_named_while_redis_is_down(
    system: System, valkey: Valkey, away: Away
) -> None:
    alice, bob, (video,) = system.person("alice"), system.person("bob"), await system.videos("v1")
    one = await created(alice, "one", public=True)
    await save_into(alice, one, video)
    await system.drain()
    await bob.ask(ITEMS, id=one)
    async with away(valkey, system.state.redis):
        degraded = (await bob.send(ITEMS, id=one)).json()["extensions"]["degraded"]
        assert "Collection.items" in [one["field"] for one in degraded]
    async with directly(system):
        body = (await bob.send(ITEMS, id=one)).json()
        assert [item["targetId"] for item in body["data"]["node"]["items"]["nodes"]] == [video]
        assert "Collection.items" in [one["field"] for one in body["extensions"]["degraded"]]
