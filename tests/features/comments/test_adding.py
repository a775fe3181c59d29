"""addComment: what its author is told at once, what others find, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from identity import auth
from settings import Settings
from tests.support.comments import ADD, COUNTS, add, added, close, counts, delete, seen, text_of
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import Person, System, running


async def test_its_author_sees_a_comment_at_once_and_others_once_it_is_stored(system: System) -> None:
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
        "subject": {"id": post},
    }
    assert await seen(alice, comment["id"]) is None
    assert (await seen(bob, comment["id"]))["text"] == "nice"
    assert await counts(bob, post) == (0, 0)

    await system.drain()

    published_one = {**comment, "floor": 1, "auditStatus": "APPROVED", "likeCount": 0, "viewerReaction": None}
    assert await seen(alice, comment["id"]) == published_one
    assert await counts(alice, post) == (1, 1)


async def test_replies_know_their_root_what_they_answer_and_whom(system: System) -> None:
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
    assert [(await seen(alice, one))["floor"] for one in (root, reply, deeper)] == [1, 1, 2]
    assert [(await seen(alice, one))["replyCount"] for one in (root, reply, deeper)] == [2, 0, 0]
    assert await counts(alice, video) == (3, 1)


@standalone
async def test_one_may_reply_to_ones_own_before_anybody_sees_it(system: System) -> None:
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
@pytest.mark.parametrize(("text", "code"), HOSTILE, ids=["nothing", "space", "invisible", "long", "nul", "control"])
async def test_text_that_no_store_could_hold_is_refused(system: System, text: str, code: str) -> None:
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
async def test_any_other_text_is_kept_as_it_is(system: System, text: str) -> None:
    (video,) = await system.videos("v1")

    comment = (await add(system.person("alice"), video, text, key="k"))["comment"]
    await system.drain()

    assert comment["text"] == text
    assert await text_of(system.person("bob"), comment["id"]) == text


@standalone
async def test_ids_that_name_nothing_to_comment_on_are_refused(system: System) -> None:
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
async def test_ids_that_name_nothing_to_reply_to_are_refused(system: System) -> None:
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
async def test_to_a_tombstone_nobody_replies(system: System) -> None:
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
async def test_what_is_closed_takes_no_comments_but_keeps_those_it_has(system: System) -> None:
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
async def test_a_business_may_have_no_comments(make_settings: Callable[..., Settings], tmp_path: Any) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text('[post]\ncomments = false\n[[business]]\nid = 100\nname = "video"\n')
    async with running(make_settings(businesses_file=file)) as system:
        alice = system.person("alice")
        (post,) = await published(alice, "hello")
        (video,) = await system.videos("v1")

        payload = await add(alice, post, "late")

        assert payload == {"comment": None, "userErrors": [{"code": "COMMENTS_CLOSED", "field": ["subjectId"]}]}
        assert [(await alice.ask(COUNTS, id=one))["node"]["commentsClosed"] for one in (post, video)] == [True, False]


@standalone
async def test_only_who_may_comment_does(system: System) -> None:
    (video,) = await system.videos("v1")
    wanted = {"subject": video, "to": None, "text": "hello", "key": "k"}
    token = auth.mint(system.settings, "alice", businesses=["article"])
    elsewhere = Person(system.http, "alice", {"authorization": f"Bearer {token}"})

    assert await system.person(None).errors(ADD, **wanted) == [("UNAUTHENTICATED", ["addComment"])]
    assert await elsewhere.errors(ADD, **wanted) == [("FORBIDDEN", None)]
    assert await system.person("alice").errors(ADD, **(wanted | {"key": ""})) == [("BAD_INPUT", ["addComment"])]
