"""save and unsave: answers, refusals that write nothing, stored rows, counters and hidden targets."""

from typing import Any

import pytest

from store.reactions.save_rows import write_saves
from tests.support.boundaries import block
from tests.support.comments import added, delete
from tests.support.hiding import hide
from tests.support.journal_entries import journalled
from tests.support.posts import published
from tests.support.saves import SAVE, SAVED, change, save, saved, seen, unsave
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import System

STORED = "SELECT business_id, collection_id FROM saves ORDER BY business_id"
COUNTED = "SELECT value FROM counters WHERE kind = 13 ORDER BY business_id"
DELETE = "mutation ($id: ID!) { deletePost(input: {postId: $id}) { userErrors { code } } }"
WHY = "mutation ($id: ID!) { save(input: {targetId: $id}) { userErrors { message } } }"


def refusal(payload: Any) -> tuple[str, list[str]]:
    """Returns code and field of a payload's one user error."""
    assert payload["target"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


async def one_of_each(system: System) -> list[str]:
    """Returns the ids of a video, a post and a comment, none of them alice's."""
    bob = system.person("bob")
    (video,) = await system.videos("v1")
    (post,) = await published(bob, "a post")
    await system.drain()
    comment = await added(bob, post, "a comment")
    await system.drain()
    return [video, post, comment]


async def test_a_save_is_seen_at_once_and_counted_once(system: System) -> None:
    alice, bob, nobody = system.person("alice"), system.person("bob"), system.person(None)
    targets = await one_of_each(system)
    for id_ in targets:
        payload = await change(alice, "save", id_)
        assert payload == {"target": {"id": id_, "saveCount": 1, "viewerSaved": True}, "userErrors": []}
        assert await seen(alice, id_) == (1, True)
    await system.drain()
    for id_ in targets:
        assert (await seen(alice, id_), await seen(bob, id_), await seen(nobody, id_)) == (
            (1, True),
            (1, False),
            (1, None),
        )
        assert (await change(bob, "save", id_))["target"] == {"id": id_, "saveCount": 2, "viewerSaved": True}
        assert (await change(alice, "unsave", id_))["target"] == {"id": id_, "saveCount": 0, "viewerSaved": False}
    await system.drain()
    assert await system.rows(COUNTED) == [(1,)] * 3
    assert [await seen(alice, id_) for id_ in targets] == [(1, False)] * 3
    assert (await saved(alice), await saved(bob)) == ([], targets[::-1])


@standalone
async def test_repeated_changes_write_one_entry(system: System) -> None:
    alice, (video, *_) = system.person("alice"), await one_of_each(system)
    first = await journalled(system)
    for _ in range(2):
        await change(alice, "save", video, key="k")
        await save(alice, video)
        assert await journalled(system) == first + 1
    for _ in range(2):
        await unsave(alice, video)
        assert await journalled(system) == first + 2
    repeated = await change(alice, "save", video, key="k")  # a repetition, which changes nothing
    assert repeated == {"target": {"id": video, "saveCount": 0, "viewerSaved": False}, "userErrors": []}


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    alice, bob, (video, post, comment) = system.person("alice"), system.person("bob"), await one_of_each(system)
    user = await bob.id()
    (owned,) = await system.videos("v2", owner="bob")
    await block(system.person("dave"), user)
    await system.person("erin").id()
    await suspend(moderator(system), await system.person("erin").id(), "READ_ONLY")
    await delete(bob, comment)
    await system.drain()
    await save(alice, post)

    async with unchanged(system):
        error = {"message": "There is no post, comment or entity with this id."}
        assert (await alice.ask(WHY, id=user))["save"]["userErrors"] == [error]
        for id_ in (user, "Post:7", "Comment:2.7", "Entity:video:none"):
            assert refusal(await change(alice, "save", id_)) == ("TARGET_NOT_FOUND", ["targetId"]), id_
        for id_ in (user, "Entity:video:none"):
            assert refusal(await change(alice, "unsave", id_)) == ("TARGET_NOT_FOUND", ["targetId"]), id_
        assert refusal(await change(alice, "save", comment)) == ("TARGET_NOT_FOUND", ["targetId"])
        assert refusal(await change(system.person("dave"), "save", post)) == ("TARGET_NOT_FOUND", ["targetId"])
        assert refusal(await change(system.person("dave"), "save", owned)) == ("BLOCKED", ["targetId"])
        assert refusal(await change(system.person("erin"), "save", video))[0] == "SUSPENDED"
        for verb in ("save", "unsave"):
            assert await alice.errors(SAVE % verb, id="post", key="k") == [("BAD_INPUT", [verb])]
            anonymous = system.person(None, device_id="d")
            assert await anonymous.errors(SAVE % verb, id=post) == [("UNAUTHENTICATED", [verb])]
    await change(alice, "save", post, key="k")
    assert refusal(await change(alice, "save", video, key="k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])


@standalone
@pytest.mark.parametrize("how", ["alice blocks", "bob blocks", "HIDDEN", "SHADOW", "PRIVATE"])
async def test_what_is_hidden_keeps_its_place_and_can_be_removed(system: System, how: str) -> None:
    alice, (video, post, comment) = system.person("alice"), await one_of_each(system)
    await save(alice, video, post, comment)
    await system.drain()
    await hide(system, how)
    await system.drain()

    for _ in ("cached", "from rows"):
        nodes = (await alice.ask(SAVED))["viewer"]["saved"]["nodes"]
        assert [node["targetId"] for node in nodes] == [comment, post, video]
        assert [node["target"] and node["target"]["id"] for node in nodes] == [None, None, video]
        await system.empty_redis()
    for id_ in (post, comment):
        for _ in ("once", "again"):
            assert await change(alice, "unsave", id_) == {"target": None, "userErrors": []}
    await system.drain()
    assert await saved(alice) == [video]
    assert await system.rows(COUNTED) == [(0,), (0,), (1,)]


@standalone
async def test_what_was_deleted_keeps_its_place_and_can_be_removed(system: System) -> None:
    alice, bob, (_, post, comment) = system.person("alice"), system.person("bob"), await one_of_each(system)
    await save(alice, post, comment)
    await added(bob, post, "below", comment)
    await delete(bob, comment)
    await system.drain()
    assert [n["target"] for n in (await alice.ask(SAVED))["viewer"]["saved"]["nodes"]] == [None, {
        "id": post, "saveCount": 1, "viewerSaved": True}]  # fmt: skip
    await bob.ask(DELETE, id=post)
    await system.drain()

    nodes = (await alice.ask(SAVED))["viewer"]["saved"]["nodes"]
    assert [(node["targetId"], node["target"]) for node in nodes] == [(comment, None), (post, None)]
    await unsave(alice, post, comment)
    assert await saved(alice) == []
    await system.drain()
    assert await system.rows(STORED) == [(2, 0), (4, 0)]


@standalone
async def test_a_removed_entity_keeps_its_place_and_can_be_removed(system: System) -> None:
    alice, (video,) = system.person("alice"), await system.videos("v1")
    await save(alice, video)
    await system.drain()
    registrar = system.person("registrar", "entities:write")
    await registrar.ask("mutation ($ids: [ID!]!) { removeEntities(ids: $ids) { userErrors { code } } }", ids=[video])

    for _ in ("cached", "from rows"):
        nodes = (await alice.ask(SAVED))["viewer"]["saved"]["nodes"]
        assert [(node["targetId"], node["target"]) for node in nodes] == [(video, None)]
        await system.empty_redis()
    assert refusal(await change(alice, "save", video)) == ("TARGET_NOT_FOUND", ["targetId"])
    for _ in range(2):
        assert await change(alice, "unsave", video) == {"target": None, "userErrors": []}
    assert await saved(alice) == []


@standalone
async def test_lists_are_paged_by_kind(system: System) -> None:
    alice, targets = system.person("alice"), await one_of_each(system)
    videos = await system.videos(*(f"w{i}" for i in range(5)))
    order = [*videos[:3], *targets, *videos[3:]]
    await save(alice, *order)
    kinds = {"ENTITY": [*videos[:3], targets[0], *videos[3:]], "POST": [targets[1]], "COMMENT": [targets[2]]}
    for _ in ("pending", "stored"):
        for first in (1, 3, 100):
            assert await saved(alice, first=first) == order[::-1]
            for kind, ids in kinds.items():
                assert await saved(alice, kind, first) == ids[::-1]
        await system.drain()
        await system.empty_redis()
    cursor = (await alice.ask(SAVED, first=1))["viewer"]["saved"]["pageInfo"]["endCursor"]
    assert await alice.errors(SAVED, kind="POST", after=cursor) == [("BAD_CURSOR", ["viewer", "saved"])]
    assert await alice.errors(SAVED, first=101) == [("BAD_INPUT", ["viewer", "saved"])]


@standalone
async def test_an_older_version_of_a_row_loses(system: System) -> None:
    rows = [(7, 2, 1, 1, 20), (7, 2, 2, 0, 20)]
    older = [(7, 2, 1, 0, 10), (7, 2, 2, 1, 10)]
    for some in (rows, older):
        async with system.state.postgres.transaction() as transaction:
            await write_saves(transaction, some)
    stored = "SELECT user_id, business_id, entity_id, collection_id, version FROM saves ORDER BY entity_id"
    assert await system.rows(stored) == rows
