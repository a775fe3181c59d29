"""addComment: what its author is told at once, what others find, and what is refused."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import auth
from settings import Settings
from tests.comments.world import ADD, COUNTS, add, counts, delete, said, seen, text_of
from tests.conftest import standalone
from tests.posts.world import publish, published
from tests.system import Person, System, running


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
    root = await said(alice, video, "first")
    await system.drain()
    reply = await said(bob, video, "second", to=root)
    await system.drain()
    deeper = await said(carol, video, "third", to=reply)
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
    root = await said(alice, video, "first")
    reply = await said(alice, video, "second", to=root)
    await system.drain()

    assert (await seen(system.person("bob"), reply))["root"] == {"id": root}
    assert (await seen(alice, root))["replyCount"] == 1


@standalone
async def test_the_same_key_is_the_same_comment_for_ever(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")
    first = await add(alice, video, "once", key="k")
    again = await add(alice, video, "once", key="k")
    assert again["comment"]["id"] == first["comment"]["id"]
    await system.drain()
    await system.empty_redis()

    after_a_day = await add(alice, video, "once", key="k")
    other = await add(alice, video, "another", key="k")

    assert after_a_day["comment"]["id"] == first["comment"]["id"]
    assert other == {"comment": None, "userErrors": [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]}
    assert await system.rows("SELECT count(*) FROM comment_contents") == [(1,)]
    assert await counts(alice, video) == (1, 1)


@standalone
async def test_a_key_of_a_post_is_none_of_a_comment(system: System) -> None:
    alice = system.person("alice")
    post = (await publish(alice, "hello", key="k"))["post"]["id"]

    comment = await add(alice, post, "hello", key="k")

    assert comment["userErrors"] == []


@standalone
async def test_the_same_key_many_times_at_once_is_one_comment(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")

    payloads = await asyncio.gather(*[add(alice, video, "once", key="k") for _ in range(8)])
    await system.drain()

    assert len({payload["comment"]["id"] for payload in payloads}) == 1
    assert await counts(alice, video) == (1, 1)


@standalone
async def test_a_key_that_redis_forgot_before_anything_was_stored_still_makes_one_comment(system: System) -> None:
    """Both are in the journal then; the worker keeps the first."""
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    first = (await add(alice, video, "once", key="k"))["comment"]["id"]
    await system.state.redis("DEL", *await _operations(system), write=True)
    second = (await add(alice, video, "once", key="k"))["comment"]["id"]
    assert first != second
    await system.drain()

    assert (await text_of(bob, first), await text_of(bob, second)) == ("once", None)
    assert await counts(alice, video) == (1, 1)
    assert await system.rows("SELECT floors FROM comment_subjects") == [(1,)]


async def _operations(system: System) -> list[bytes]:
    keys = await system.state.redis.client.keys("*:idem:*")
    return list(keys)


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
    comment = await said(alice, video, "a comment")
    me = (await alice.ask("{ viewer { user { id } } }"))["viewer"]["user"]["id"]

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
    unseen = await said(bob, video, "not seen yet")
    elsewhere = await said(alice, other, "about something else")
    await delete(alice, gone := await said(alice, video, "gone"))

    for to in ("Comment:2.1.1", post, video, unseen, elsewhere, gone):
        payload = await add(alice, video, "hello", to=to, key=f"k {to}")
        assert payload == {"comment": None, "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["replyToId"]}]}
    assert await alice.errors(ADD, subject=video, to="nonsense", text="x", key="k") == [("BAD_INPUT", ["addComment"])]


@standalone
async def test_to_a_tombstone_nobody_replies(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    root = await said(alice, video, "root")
    await system.drain()
    await said(bob, video, "reply", to=root)
    await system.drain()
    await delete(alice, root)
    await system.drain()

    payload = await add(bob, video, "hello", to=root)

    assert payload == {"comment": None, "userErrors": [{"code": "TARGET_DELETED", "field": ["replyToId"]}]}


@standalone
async def test_what_is_closed_takes_no_comments_but_keeps_those_it_has(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    comment = await said(alice, video, "early")
    await system.drain()
    await _close(system)

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


async def _close(system: System) -> None:
    mutation = """mutation { registerEntities(entities: [{business: "video", key: "v1", commentsClosed: true}]) {
      userErrors { code } } }"""
    await system.person("registrar", "entities:write").ask(mutation)


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
    assert await elsewhere.errors(ADD, **wanted) == [("FORBIDDEN", ["addComment"])]
    assert await system.person("alice").errors(ADD, **(wanted | {"key": ""})) == [("BAD_INPUT", ["addComment"])]


@standalone
@pytest.mark.parametrize("remembered", [True, False], ids=["by Redis", "by truth"])
async def test_a_retry_is_the_same_comment_whatever_has_become_of_what_it_answers(
    system: System, remembered: bool
) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    root = await said(alice, video, "root")
    await system.drain()
    reply = (await add(bob, video, "reply", to=root, key="k"))["comment"]["id"]
    await _close(system)
    if not remembered:
        await delete(alice, root)
        await system.drain()
        await system.empty_redis()

    again = await add(bob, video, "reply", to=root, key="k")

    assert again["userErrors"] == []
    assert again["comment"]["id"] == reply
    assert (await add(bob, video, "reply", to=root, key="k2"))["comment"] is None


@standalone
async def test_one_key_with_two_texts_at_once_is_one_comment(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")

    payloads = await asyncio.gather(*[add(alice, video, f"text {n % 2}", key="k") for n in range(6)])
    await system.drain()

    written = {payload["comment"]["text"] for payload in payloads if payload["comment"]}
    assert len(written) == 1
    refused = [payload["userErrors"] for payload in payloads if not payload["comment"]]
    assert refused == [[{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]] * 3
    assert await counts(alice, video) == (1, 1)
