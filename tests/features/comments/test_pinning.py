"""pinComment and unpinComment: who pins, which comments, and who sees the pinned comment when."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import orjson
import pytest

from commands import direct_log
from commands.changes import Patch
from models.comment_settings import CommentSettings
from models.patches import CommentSettingsPatch
from store.write_log.operations import Outcome
from tests.support.comments import added, decide, delete, edit
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.pinned_comments import PIN, PINNED, pin, pinned_on
from tests.support.posts import decide as decide_post
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System

IS_PINNED = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Comment { isPinned } } }"
PAGE = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Post { text likeCount author { handle } %s } } }"
BOUNDARY = "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } } }"
both_logs = pytest.mark.parametrize("log", [nullcontext, directly])
Log = Callable[[System], AbstractAsyncContextManager[None]]


async def scene(system: System) -> tuple[Person, Person, str, list[str]]:
    """Returns alice, bob, a post of alice and two comments of bob on it."""
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    comments = [await added(bob, post, text) for text in ("one", "two")]
    await system.drain()
    return alice, bob, post, comments


async def test_one_comment_is_pinned_its_author_sees_it_at_once_and_others_after_the_commit(system: System) -> None:
    alice, bob, post, (one, two) = await scene(system)

    payload = await pin(alice, one)
    assert payload == {"subject": {"id": post, "pinnedComment": {"id": one}}, "userErrors": []}
    assert await pinned_on(alice, post) == one
    assert await pinned_on(bob, post) is None
    await system.drain()
    assert await pinned_on(bob, post) == await pinned_on(system.person(None), post) == one

    await pin(alice, two)
    assert await pinned_on(alice, post) == two
    await system.drain()
    assert (await bob.ask(IS_PINNED, ids=[one, two]))["nodes"] == [{"isPinned": False}, {"isPinned": True}]

    assert (await pin(alice, one, "unpinComment"))["subject"]["pinnedComment"] == {"id": two}
    assert (await pin(alice, two, "unpinComment"))["subject"]["pinnedComment"] is None
    await system.drain()
    assert await pinned_on(bob, post) is None


@standalone
async def test_the_owner_of_an_entity_pins_and_a_policy_stays(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, bob = system.person("olga"), system.person("bob")
    comment = await added(bob, video, "nice")
    await system.drain()
    policy = "mutation ($id: ID!) { setCommentPolicy(input: {subjectId: $id, policy: NOBODY}) { userErrors { code } } }"
    await olga.ask(policy, id=video)

    await pin(olga, comment)
    await system.drain()

    assert await pinned_on(bob, video) == comment
    node = (await bob.ask("query ($id: ID!) { node(id: $id) { ... on Entity { commentPolicy } } }", id=video))["node"]
    assert node == {"commentPolicy": "NOBODY"}
    await system.person("registrar", "entities:write").ask(
        'mutation { registerEntities(entities: [{business: "video", key: "v1", owner: null}]) { userErrors { code } } }'
    )
    assert await pinned_on(bob, video) is None
    assert (await bob.ask(IS_PINNED, ids=[comment]))["nodes"] == [{"isPinned": False}]


@standalone
async def test_only_the_author_or_owner_pins_and_only_approved_root_comments(system: System) -> None:
    alice, bob, post, (one, _) = await scene(system)
    reply = await added(alice, post, "thanks", to=one)
    spam = await added(alice, post, "go to casino-bonus")
    await system.drain()
    waiting = await added(alice, post, "not seen yet")
    mia = system.person("mia", "moderate")

    for verb in ("pinComment", "unpinComment"):
        for person in (bob, mia):
            payload = await pin(person, one, verb)
            assert payload == {"subject": None, "userErrors": [{"code": "NOT_ALLOWED", "field": ["commentId"]}]}
        for missing in (post, "Comment:2.1"):
            payload = await pin(alice, missing, verb)
            assert payload["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["commentId"]}]
        assert (await pin(bob, waiting, verb))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["commentId"]}]
        errors = await system.person(None).errors(PIN % verb, id=one)
        assert errors == [("UNAUTHENTICATED", [verb])]
    assert await alice.errors(PIN % "pinComment", id=waiting) == [("UNAVAILABLE", ["pinComment"])]
    for comment in (reply, spam):
        assert (await pin(alice, comment))["userErrors"] == [{"code": "INVALID", "field": ["commentId"]}]
    await delete(alice, one)
    assert (await pin(alice, one))["userErrors"] == [{"code": "TARGET_DELETED", "field": ["commentId"]}]
    await system.drain()
    assert await system.rows("SELECT * FROM comment_settings") == []


@standalone
@pytest.mark.parametrize("how", ["deleted", "deleted with replies", "rejected", "edited into spam"])
async def test_a_comment_that_is_not_public_any_more_is_not_shown_and_can_be_unpinned(system: System, how: str) -> None:
    alice, bob, post, (one, _) = await scene(system)
    await pin(alice, one)
    await system.drain()
    mia = system.person("mia", "moderate")

    if how == "deleted with replies":
        await added(alice, post, "a reply", to=one)
        await system.drain()
    if how.startswith("deleted"):
        await delete(bob, one)
    elif how == "rejected":
        await decide(mia, one, "REJECT")
    else:
        await edit(bob, one, text="go to casino-bonus")
    await system.drain()

    for viewer in (alice, bob, mia, system.person(None)):
        assert await pinned_on(viewer, post) is None
    if how == "rejected":
        await decide(mia, one, "APPROVE")
        await system.drain()
        assert await pinned_on(bob, post) == one
    await pin(alice, one, "unpinComment")
    await system.drain()
    assert await system.rows("SELECT pinned_id FROM comment_settings") == [(0,)]


@standalone
@pytest.mark.parametrize("how", ["block", "blocked", "mute", "suspended", "post rejected"])
async def test_the_pinned_comment_of_a_hidden_user_or_post_is_not_shown(system: System, how: str) -> None:
    alice, bob, post, (one, _) = await scene(system)
    carol = system.person("carol")
    await pin(alice, one)
    await system.drain()
    assert await pinned_on(carol, post) == one

    if how in ("block", "mute"):
        await carol.ask(BOUNDARY % how, id=await bob.id())
    elif how == "blocked":
        await bob.ask(BOUNDARY % "block", id=await carol.id())
    elif how == "suspended":
        await suspend(moderator(system), await bob.id(), "HIDDEN")
    else:
        await decide_post(moderator(system), post, "REJECT")
        await system.drain()

    if how == "post rejected":
        assert (await carol.ask(PINNED, id=post))["node"] is None
        assert (await carol.ask(IS_PINNED, ids=[one]))["nodes"] == [None]
    else:
        assert await pinned_on(carol, post) is None
    assert await pinned_on(alice, post) == (None if how == "suspended" else one)


@standalone
async def test_a_repeated_pin_does_not_undo_a_newer_one(system: System) -> None:
    alice, bob, post, (one, two) = await scene(system)
    await pin(alice, one, key="k")
    await pin(alice, two)
    await system.drain()

    assert (await pin(alice, one, key="k"))["subject"]["pinnedComment"] == {"id": two}
    await system.drain()
    assert await pinned_on(bob, post) == two


@standalone
async def test_a_page_with_pinned_comments_costs_no_more_round_trips(system: System) -> None:
    """The settings are read with the counters of the posts, and with them the comments that the process remembers."""
    alice, bob = system.person("alice"), system.person("bob")
    posts = await published(alice, *(f"post {n}" for n in range(20)))
    await system.drain()
    for post in posts:
        await added(bob, post, post)
    await system.drain()
    listing = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Post { comments { nodes { id } } } } }"
    for node in (await alice.ask(listing, ids=posts))["nodes"]:
        await pin(alice, node["comments"]["nodes"][0]["id"])
        await system.drain()
    query = PAGE % "pinnedComment { id text }"
    assert all(node["pinnedComment"] for node in (await bob.ask(query, ids=posts))["nodes"])

    assert await cost(bob, PAGE % "", ids=posts) == (2, 0)
    assert await cost(bob, query, ids=posts) == (2, 0)


@standalone
async def test_a_repeated_unpin_succeeds_after_the_comment_was_deleted(system: System) -> None:
    alice, bob, post, (one, _) = await scene(system)
    await pin(alice, one)
    await system.drain()
    assert (await pin(alice, one, "unpinComment", key="k"))["userErrors"] == []
    await system.drain()
    await delete(bob, one)
    await system.drain()

    for key in ("k", "other"):
        payload = await pin(alice, one, "unpinComment", key=key)
        assert payload == {"subject": {"id": post, "pinnedComment": None}, "userErrors": []}
    payload = await pin(bob, one, "unpinComment")
    assert payload == {"subject": None, "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["commentId"]}]}


@standalone
@both_logs
async def test_a_repeat_of_a_request_that_changed_nothing_changes_nothing(system: System, log: Log) -> None:
    alice, bob, post, (one, two) = await scene(system)
    await pin(alice, one)
    await system.drain()

    async with log(system):
        await pin(alice, one, key="k")
        await pin(alice, two, "unpinComment", key="k")
        await pin(alice, two)
        for verb, comment in (("pinComment", one), ("unpinComment", two)):
            payload = await pin(alice, comment, verb, key="k")
            assert payload == {"subject": {"id": post, "pinnedComment": {"id": two}}, "userErrors": []}
    await system.drain()
    assert await pinned_on(bob, post) == two


@standalone
@both_logs
@pytest.mark.parametrize("first", ["pinned", "unpinned"])
async def test_an_unpin_does_not_undo_a_pin_of_another_comment_that_arrives_at_the_same_moment(
    system: System, monkeypatch: pytest.MonkeyPatch, log: Log, first: str
) -> None:
    alice, bob, post, (one, two) = await scene(system)
    await pin(alice, one)
    await system.drain()
    checked, written = asyncio.Barrier(2), asyncio.Event()

    def in_order(write: Callable[..., Any]) -> Callable[..., Any]:
        async def writes(*args: Any, **more: Any) -> Outcome:
            await checked.wait()
            (patch,) = [one for one in args if isinstance(one, Patch)]
            if first not in orjson.loads(patch.data):
                await written.wait()
            outcome: Outcome = await write(*args, **more)
            written.set()
            return outcome

        return writes

    async with log(system):
        monkeypatch.setattr(Patch, "journal", in_order(Patch.journal))
        monkeypatch.setattr(direct_log, "append", in_order(direct_log.append))
        payloads = await asyncio.gather(pin(alice, two), pin(alice, one, "unpinComment"))
        assert [payload["userErrors"] for payload in payloads] == [[], []]
        assert await pinned_on(alice, post) == two
    await system.drain()
    assert await pinned_on(bob, post) == await pinned_on(alice, post) == two


@standalone
async def test_an_unpin_while_writes_are_direct_keeps_a_pin_that_waits_in_the_journal(system: System) -> None:
    alice, bob, post, (one, two) = await scene(system)
    await pin(alice, one)
    await system.drain()
    await pin(alice, two)

    async with directly(system):
        assert (await pin(alice, one, "unpinComment"))["subject"] == {"id": post, "pinnedComment": None}

    assert await pinned_on(alice, post) == await pinned_on(bob, post) == two


def test_an_unpin_changes_settings_with_its_comment_only() -> None:
    unpin = CommentSettingsPatch.parse(5, {"business": 1, "key": "7", "unpinned": 8})

    assert unpin.applied(CommentSettings(pinned_id=8, pin_version=4)) == CommentSettings(pinned_id=0, pin_version=4)
    for other in (CommentSettings(pinned_id=9, pin_version=4), CommentSettings(pinned_id=8, pin_version=5)):
        assert unpin.applied(other) == other


@pytest.mark.parametrize(
    "wrong", [{"unpinned": None}, {"unpinned": "8"}, {"pinned": "8"}, {"policy": 9}, {"key": 7}, {"business": "x"}]
)
def test_a_malformed_entry_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        CommentSettingsPatch.parse(1, {"business": 1, "key": "7", "unpinned": 8} | wrong)
