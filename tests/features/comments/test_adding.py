"""addComment: the author's view, other users' view, and refusals."""

from collections.abc import Callable
from typing import Any

import pytest

from identity import auth
from settings import Settings
from tests.support.comments import ADD, COUNTS, add, added, close, counts, delete, seen, text_of
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import Person, System, running


async def test_the_author_sees_a_comment_at_once_and_others_see_it_after_the_commit(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()

    comment = (await add(bob, post, "nice"))["comment"]

    assert comment == {
        "id": comment["id"],
        "text": "nice",
        "floor": None,
        "author": {"handle": "bob"},
        "repliedTo": None,
        "root": None,
        "parent": None,
        "replyCount": 0,
        "deleted": False,
        "auditStatus": "PENDING",
        "createdAt": comment["createdAt"],
        "editedAt": None,
        "images": [],
        "subject": {"id": post},
    }
    assert await seen(alice, comment["id"]) is None
    assert (await seen(bob, comment["id"]))["text"] == "nice"
    assert await counts(bob, post) == (0, 0)

    await system.drain()

    published_comment = {**comment, "floor": 1, "auditStatus": "APPROVED", "likeCount": 0, "viewerReaction": None}
    assert await seen(alice, comment["id"]) == published_comment
    assert await counts(alice, post) == (1, 1)


async def test_a_reply_has_its_root_its_parent_and_the_user_it_replies_to(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    root = await added(alice, video, "first")
    await system.drain()
    reply = await added(bob, video, "second", to=root)
    await system.drain()
    deeper = await added(carol, video, "third", to=reply)
    await system.drain()

    shown = await seen(alice, reply)
    assert (shown["root"], shown["parent"], shown["repliedTo"]) == ({"id": root}, {"id": root}, {"handle": "alice"})
    shown = await seen(alice, deeper)
    assert (shown["root"], shown["parent"], shown["repliedTo"]) == ({"id": root}, {"id": reply}, {"handle": "bob"})
    assert [(await seen(alice, comment))["floor"] for comment in (root, reply, deeper)] == [1, 1, 2]
    assert [(await seen(alice, comment))["replyCount"] for comment in (root, reply, deeper)] == [2, 0, 0]
    assert await counts(alice, video) == (3, 1)


@standalone
async def test_an_author_can_reply_to_an_own_comment_before_it_is_public(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")
    root = await added(alice, video, "first")
    reply = await added(alice, video, "second", to=root)
    await system.drain()

    assert (await seen(system.person("bob"), reply))["root"] == {"id": root}
    assert (await seen(alice, root))["replyCount"] == 1


HOSTILE = [
    ("", "TEXT_EMPTY"),
    ("  \n ", "TEXT_EMPTY"),
    ("\u200b\u2060\ufeff \u3164\u2800", "TEXT_EMPTY"),
    ("x" * 2001, "TEXT_TOO_LONG"),
    ("a\x00b", "TEXT_INVALID"),
    ("a\x1bb", "TEXT_INVALID"),
]


@standalone
@pytest.mark.parametrize(("text", "code"), HOSTILE, ids=["empty", "space", "invisible", "long", "nul", "control"])
async def test_empty_too_long_and_invalid_texts_are_refused(system: System, text: str, code: str) -> None:
    (video,) = await system.videos("v1")

    payload = await add(system.person("alice"), video, text, key="k")

    assert payload == {"comment": None, "userErrors": [{"code": code, "field": ["text"]}]}
    await system.drain()
    assert await system.rows("SELECT * FROM comment_contents") == []


ODD = [
    "x" * 2000,
    "'; DROP TABLE comments; --",
    "<script>",
    '}{"',
    "\U0001f469\u200d\U0001f467\n\t\u6f22\u5b57",
    "{1}:journal",
]


@standalone
@pytest.mark.parametrize("text", ODD)
async def test_every_other_text_is_stored_unchanged(system: System, text: str) -> None:
    (video,) = await system.videos("v1")

    comment = (await add(system.person("alice"), video, text, key="k"))["comment"]
    await system.drain()

    assert comment["text"] == text
    assert await text_of(system.person("bob"), comment["id"]) == text


@standalone
async def test_an_id_that_does_not_name_a_commentable_is_refused(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    (own,) = await published(bob, "not seen yet")
    comment = await added(alice, video, "a comment")
    me = await alice.id()

    for subject in ("Post:1", "Entity:video:none", "Entity:nothing:v1", me, "Topic:cats", comment, own):
        payload = await add(alice, subject, "hello", key=f"k {subject}")
        assert payload == {"comment": None, "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["subjectId"]}]}
    for subject in ("", "Post:", "Post:0", "Comment:-1", "Post:" + "9" * 20, "video:v1", "Entity:video:a b"):
        assert await alice.errors(ADD, subject=subject, to=None, text="hello", key="k") == [
            ("BAD_INPUT", ["addComment"])
        ]


@standalone
async def test_an_id_that_does_not_name_a_comment_on_the_subject_is_refused(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, other = await system.videos("v1", "v2")
    (post,) = await published(alice, "hello")
    unseen = await added(bob, video, "not seen yet")
    elsewhere = await added(alice, other, "about something else")
    await delete(alice, gone := await added(alice, video, "gone"))

    for to in ("Comment:2.1", post, video, unseen, elsewhere, gone):
        payload = await add(alice, video, "hello", to=to, key=f"k {to}")
        assert payload == {"comment": None, "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["replyToId"]}]}
    assert await alice.errors(ADD, subject=video, to="nonsense", text="x", key="k") == [("BAD_INPUT", ["addComment"])]


@standalone
async def test_a_reply_to_a_tombstone_is_refused(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    root = await added(alice, video, "root")
    await system.drain()
    await added(bob, video, "reply", to=root)
    await system.drain()
    await delete(alice, root)
    await system.drain()

    payload = await add(bob, video, "hello", to=root)

    assert payload == {"comment": None, "userErrors": [{"code": "TARGET_DELETED", "field": ["replyToId"]}]}


@standalone
async def test_a_closed_subject_refuses_new_comments_but_keeps_its_comments(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    comment = await added(alice, video, "early")
    await system.drain()
    await close(system)

    payload = await add(bob, video, "late")

    assert payload == {"comment": None, "userErrors": [{"code": "COMMENTS_CLOSED", "field": ["subjectId"]}]}
    assert (await bob.ask(COUNTS, id=video))["node"] == {
        "commentCount": 1,
        "rootCommentCount": 1,
        "commentsClosed": True,
    }
    assert await text_of(bob, comment) == "early"
    assert (await delete(alice, comment))["userErrors"] == []
    await system.drain()
    assert await counts(bob, video) == (0, 0)


@standalone
async def test_a_business_can_be_configured_without_comments(
    make_settings: Callable[..., Settings], tmp_path: Any
) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text('[post]\ncomments = false\n[[business]]\nid = 100\nname = "video"\n')
    async with running(make_settings(businesses_file=file)) as system:
        alice = system.person("alice")
        (post,) = await published(alice, "hello")
        (video,) = await system.videos("v1")

        payload = await add(alice, post, "late")

        assert payload == {"comment": None, "userErrors": [{"code": "COMMENTS_CLOSED", "field": ["subjectId"]}]}
        assert [(await alice.ask(COUNTS, id=subject))["node"]["commentsClosed"] for subject in (post, video)] == [
            True,
            False,
        ]


@standalone
async def test_addcomment_needs_a_signed_in_user_a_token_of_the_business_and_a_key(system: System) -> None:
    (video,) = await system.videos("v1")
    variables = {"subject": video, "to": None, "text": "hello", "key": "k"}
    token = auth.mint(system.settings, "alice", businesses=["article"])
    elsewhere = Person(system.http, "alice", {"authorization": f"Bearer {token}"})

    assert await system.person(None).errors(ADD, **variables) == [("UNAUTHENTICATED", ["addComment"])]
    assert await elsewhere.errors(ADD, **variables) == [("FORBIDDEN", None)]
    assert await system.person("alice").errors(ADD, **(variables | {"key": ""})) == [("BAD_INPUT", ["addComment"])]
