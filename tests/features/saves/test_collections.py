"""Collections: creating, changing and deleting them, what is saved in them, and who sees them."""

from collections.abc import Callable
from contextlib import nullcontext

import pytest

from identity import auth
from loaders.collections import of_users
from settings import Settings
from tests.support.collections import (
    CREATE,
    DELETE,
    OWN,
    SAVE_INTO,
    STORED,
    UPDATE,
    create,
    created,
    delete,
    items,
    own,
    places,
    public,
    refusal,
    save_into,
    update,
)
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.hiding import hide
from tests.support.journal_entries import journalled
from tests.support.own_sets import configure
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.saves import change, save, saved, seen, unsave
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, Person, System, running
from workers.empty_collections import empty_collections

SERVICE = "users:read", "users:write", "entities:write", "lists:read", "act"
"""All scopes of a service."""
WRONG_NAMES = ("", "TEXT_EMPTY"), ("  ", "TEXT_EMPTY"), ("x" * 101, "TEXT_TOO_LONG"), ("\0", "TEXT_INVALID")


async def test_collections_are_seen_at_once_and_stored(system: System) -> None:
    alice = system.person("alice")
    payload = await create(alice, " Wood\n& <b>nails</b>\t", "k1")
    first = payload["collection"]["id"]
    assert payload["collection"] == {
        "id": first,
        "name": "Wood & <b>nails</b>",
        "isPublic": False,
        "owner": {"handle": "alice"},
    }
    second = await created(alice, "四川", public=True)
    for _ in ("at once", "stored", "from rows"):
        assert await own(alice) == [(second, "四川", True), (first, "Wood & <b>nails</b>", False)]
        await system.drain()
        if _ == "stored":
            await system.empty_redis()
    assert (await update(alice, first, name="Nails"))["collection"]["name"] == "Nails"
    assert (await update(alice, first, public=True))["collection"]["isPublic"] is True
    assert (await update(alice, second, public=False))["userErrors"] == []
    assert await own(alice) == [(second, "四川", False), (first, "Nails", True)]
    await system.drain()
    assert await system.rows(STORED) == [("Nails", True, False), ("四川", False, False)]
    assert await delete(alice, first) == {"deletedId": first, "userErrors": []}
    assert await own(alice) == [(second, "四川", False)]
    await system.drain()
    assert await own(alice) == [(second, "四川", False)]
    assert await system.rows(STORED) == [("", False, True), ("四川", False, False)]


@standalone
async def test_repeated_changes_write_one_entry(system: System) -> None:
    alice = system.person("alice")
    await alice.id()
    before = await journalled(system)
    first, again = await create(alice, "one", "k"), await create(alice, "one", "k")
    assert first == again
    id_ = first["collection"]["id"]
    assert refusal(await create(alice, "two", "k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])
    assert await journalled(system) == before + 1
    for _ in range(2):
        await update(alice, id_, name="two")
        await update(alice, id_, name="two", public=False)
        await update(alice, id_)
    assert await journalled(system) == before + 2
    for _ in range(2):
        assert await delete(alice, id_, "d") == {"deletedId": id_, "userErrors": []}
    assert refusal(await delete(alice, id_)) == ("TARGET_NOT_FOUND", ["collectionId"])
    assert await journalled(system) == before + 3


@standalone
async def test_a_repeated_change_of_a_deleted_collection_says_that_it_was_deleted(system: System) -> None:
    alice = system.person("alice")
    id_ = await created(alice, "one")
    await update(alice, id_, name="two", key="u")
    await delete(alice, id_)
    for payload in (await create(alice, "one"), await update(alice, id_, name="two", key="u")):
        assert (payload["collection"], refusal(payload)) == (None, ("TARGET_DELETED", None))


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    alice, bob, (video,) = system.person("alice"), system.person("bob"), await system.videos("v1")
    id_, his = await created(alice, "mine"), await created(bob, "his", public=True)
    await suspend(moderator(system), await bob.id(), "READ_ONLY")
    await system.drain()
    await own(alice)

    async with unchanged(system):
        for name, code in WRONG_NAMES:
            assert refusal(await update(alice, id_, name=name)) == (code, ["name"])
        for other in (his, *(f"{id_.rpartition('.')[0]}.{n}" for n in (1, 7)), video, "User:7"):
            assert refusal(await update(alice, other, name="new")) == ("TARGET_NOT_FOUND", ["collectionId"])
            assert refusal(await delete(alice, other)) == ("TARGET_NOT_FOUND", ["collectionId"])
            payload = (await alice.ask(SAVE_INTO, id=video, into=other))["save"]
            assert (payload["target"], refusal(payload)) == (None, ("TARGET_NOT_FOUND", ["collectionId"]))
        assert refusal(await update(bob, his, name="new"))[0] == "SUSPENDED"
        nobody = system.person(None, device_id="d")
        assert await nobody.errors(CREATE, name="x", key="k") == [("UNAUTHENTICATED", ["createCollection"])]
        assert await nobody.errors(UPDATE, id=id_, name="x") == [("UNAUTHENTICATED", ["updateCollection"])]
        assert await nobody.errors(DELETE, id=id_) == [("UNAUTHENTICATED", ["deleteCollection"])]
        assert await alice.errors(DELETE, id="Collection:7") == [("BAD_INPUT", ["deleteCollection"])]
    for name, code in WRONG_NAMES:
        assert refusal(await create(alice, name, f"k {len(name)}")) == (code, ["name"])
    assert refusal(await create(bob, "more"))[0] == "SUSPENDED"
    assert (await delete(bob, his))["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT count(*) FROM collections") == [(2,)]


@standalone
async def test_collections_beyond_the_limit_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, people={"collection_limit": 2})) as system:
        alice = system.person("alice")
        one = await created(alice, "one")
        await created(alice, "two")
        assert refusal(await create(alice, "three")) == ("COLLECTION_LIMIT_REACHED", None)
        await system.drain()
        await system.empty_redis()
        assert refusal(await create(alice, "four")) == ("COLLECTION_LIMIT_REACHED", None)
        async with directly(system):
            assert refusal(await create(alice, "five")) == ("COLLECTION_LIMIT_REACHED", None)
            await delete(alice, one)
            assert (await create(alice, "six"))["userErrors"] == []
        assert [name for _, name, _ in await own(alice)] == ["six", "two"]


async def test_a_move_changes_the_place_and_not_the_count(system: System) -> None:
    alice, videos = system.person("alice"), await system.videos("v1", "v2", "v3")
    one, two = await created(alice, "one"), await created(alice, "two")
    await save_into(alice, one, *videos)
    for _ in ("at once", "stored"):
        assert await items(alice, one) == videos[::-1]
        assert await items(alice, two) == []
        assert await saved(alice) == videos[::-1]
        assert await places(alice) == dict.fromkeys(videos, one)
        await system.drain()
    await save_into(alice, two, videos[0])
    await save_into(alice, None, videos[1])
    for _ in ("at once", "stored", "from rows"):
        assert [await items(alice, id_) for id_ in (one, two)] == [[videos[2]], [videos[0]]]
        assert await saved(alice) == [videos[1], videos[0], videos[2]]
        assert await places(alice) == {videos[0]: two, videos[1]: None, videos[2]: one}
        assert [await seen(alice, id_) for id_ in videos] == [(1, True)] * 3
        await system.drain()
        if _ == "stored":
            await system.empty_redis()
    await unsave(alice, videos[0])
    assert (await items(alice, two), await seen(alice, videos[0])) == ([], (0, False))


@pytest.mark.parametrize("mode", ["journal", "direct"])
async def test_a_save_that_names_no_collection_leaves_a_saved_target_where_it_is(system: System, mode: str) -> None:
    alice, (there, new) = system.person("alice"), await system.videos("v1", "v2")
    one = await created(alice, "one")
    await save_into(alice, one, there)
    await system.drain()
    async with directly(system) if mode == "direct" else nullcontext():
        for id_ in (there, new):
            await save(alice, id_)
            await change(alice, "save", id_, key="again")
    for _ in ("at once", "stored", "from rows"):
        assert await places(alice) == {there: one, new: None}
        await system.drain()
        if _ == "stored":
            await system.empty_redis()


@standalone
@pytest.mark.parametrize("mode", ["journal", "direct"])
async def test_a_save_keeps_a_target_whose_collection_was_deleted(system: System, mode: str) -> None:
    """Workers remove the saves of a deleted collection later, but not what the user has saved again."""
    alice, (video,) = system.person("alice"), await system.videos("v1")
    one = await created(alice, "one")
    await save_into(alice, one, video)
    await delete(alice, one)
    await system.drain()
    async with directly(system) if mode == "direct" else nullcontext():
        await save(alice, video)
    await system.drain()
    await empty_collections(system.state, lambda: True)
    assert await places(alice) == {video: None}


@standalone
@pytest.mark.parametrize("cap", [2, 1000])
async def test_items_are_paged_by_kind(system: System, cap: int) -> None:
    configure(system.state.own_sets, saves=cap)
    alice, bob = system.person("alice"), system.person("bob")
    videos, posts = await system.videos("v1", "v2", "v3"), await published(bob, "one", "two")
    await system.drain()
    one = await created(alice, "one", public=True)
    order = [videos[0], posts[0], videos[1], posts[1], videos[2]]
    for id_ in order:
        await save_into(alice, one, id_)
        await save(alice, (await system.videos(f"other{order.index(id_)}"))[0])
    for _ in ("pending", "stored"):
        for reader in (alice, bob):
            for first in (1, 2, 100):
                assert await items(reader, one, None, first) == order[::-1]
                assert await items(reader, one, "ENTITY", first) == videos[::-1]
                assert await items(reader, one, "POST", first) == posts[::-1]
                assert await items(reader, one, "COMMENT", first) == []
        await system.drain()
        await system.empty_redis()


async def test_others_see_public_collections_only(system: System) -> None:
    alice, nobody = system.person("alice"), system.person(None)
    others = [system.person("bob"), moderator(system), system.person("service", *SERVICE), restricted(system, "bob")]
    (video,) = await system.videos("v1")
    private, shared = await created(alice, "private"), await created(alice, "shared", public=True)
    await save_into(alice, shared, video)
    for _ in ("at once", "stored"):
        for reader in (*others, nobody, restricted(system, "alice")):
            assert await public(reader, "alice") == ["shared"]
            assert (await items(reader, shared), await items(reader, private)) == ([video], None)
        assert await public(alice, "alice") == ["shared"]
        await system.drain()
    await update(alice, shared, public=False)
    for reader in others:
        assert (await public(reader, "alice"), await items(reader, shared)) == ([], None)
    assert await items(alice, shared) == [video]
    await update(alice, shared, public=True)
    await delete(alice, shared)
    for reader in (*others, alice):
        assert (await public(reader, "alice"), await items(reader, shared)) == ([], None)


def restricted(system: System, handle: str) -> Person:
    """Returns a client whose token is restricted to a business."""
    token = auth.mint(system.settings, handle, businesses=["video"])
    return Person(system.http, handle, {"authorization": f"Bearer {token}"})


@standalone
@pytest.mark.parametrize("how", ["alice blocks", "bob blocks", "HIDDEN", "SHADOW", "PRIVATE"])
async def test_the_collections_of_a_hidden_user_are_hidden(system: System, how: str) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    (post,) = await published(bob, "bob's post")
    await system.drain()
    his, hers = await created(bob, "his", public=True), await created(carol, "hers", public=True)
    await follow(carol, await bob.id())
    for person, into in ((bob, his), (carol, hers)):
        await save_into(person, into, post)
    await system.drain()
    assert (await items(alice, his), await items(alice, hers)) == ([post], [post])
    await hide(system, how)
    await system.drain()

    assert await public(alice, "bob") in (None, [])
    assert await items(alice, his) is None
    assert await items(alice, hers) == [""]  # a place without content, and without the id of the post
    assert await items(bob, his) == [post]


async def test_the_collections_of_several_users_are_read_from_rows_newest_first(system: System) -> None:
    owners = [system.person(name) for name in ("alice", "bob", "carol")]
    ids = [
        [await created(owner, f"c{n}") for n in range(count)] for owner, count in zip(owners, (2, 0, 3), strict=True)
    ]
    await system.drain()
    users = [int((await owner.id()).partition(":")[2]) for owner in owners]
    found = await of_users(system.state, users)
    assert [[row.global_id for row in one.rows] for one in found] == [some[::-1] for some in ids]


async def test_the_cost_of_collections(system: System) -> None:
    alice, videos = system.person("alice"), await system.videos("v1", "v2")
    one = await created(alice, "one")
    await save_into(alice, one, *videos)
    await system.drain()
    query = "query ($id: ID!) { node(id: $id) { ... on Collection { items { nodes { target { id saveCount } } } } } }"
    for _ in range(2):
        await alice.ask(query, id=one)
        await alice.ask(OWN)
    assert await cost(alice, OWN) == (1, 0)
    assert await cost(alice, query, id=one) == (4, 0)
    assert await cost(alice, SAVE_INTO, id=videos[0], into=None) == (2, 0)
    assert await cost(alice, SAVE_INTO, id=videos[0], into=one) == (2, 0)
    assert await cost(alice, UPDATE, id=one, name="new") == (4, 0)


@standalone
async def test_wrong_cached_collections_are_dropped(system: System) -> None:
    alice = system.person("alice")
    one = await created(alice, "one")
    await system.drain()
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    key = system.state.keys.own_set("collection", user)
    for field, value in (("77", "0 ghost"), (one.rpartition(".")[2], "1 other")):
        await system.state.redis("ZADD", key, "NX", 1, field, write=True)
        await system.state.redis("HSET", system.state.keys.own_states("collection", user), field, value, write=True)
        assert await drift(system, "sets", repair=True) == {"cached_collection": 1}
        assert await drift(system, "sets") == {}
        assert await own(alice) == [(one, "one", False)]
