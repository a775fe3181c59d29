"""Visibility of pending, approved and rejected comments, and the common moderation queue of posts and comments."""

from collections.abc import Callable
from pathlib import Path

import pytest

from identity import auth
from settings import ModerationSettings, Settings
from tests.support.comments import MODERATE, add, added, counts, decide, delete, floors, seen, text_of
from tests.support.external_reviewer import json_response, listening, review_all, with_reviewer
from tests.support.notifications import kinds_and_subjects
from tests.support.posts import MODERATION_MESSAGES, publish, published
from tests.support.posts import seen as seen_post
from tests.support.reconciliation import dismiss
from tests.support.stores import standalone
from tests.support.system import Person, System, running

QUEUE = """query ($first: Int!, $after: String) { moderationQueue(first: $first, after: $after) {
  edges { reason node { __typename ... on Post { postText: text } ... on Comment { text } } }
  pageInfo { hasNextPage endCursor } } }"""
LINK = "look at https://example.com/1"


async def waiting(moderator: Person) -> list[tuple[str, str, str]]:
    """Returns type, text and reason of every submission in the moderation queue. Reads pages of one."""
    found, after, more = [], None, True
    while more:
        page = (await moderator.ask(QUEUE, first=1, after=after))["moderationQueue"]
        for edge in page["edges"]:
            node = edge["node"]
            found.append((node["__typename"], node.get("text") or node.get("postText"), edge["reason"]))
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
    return found


NAUGHTY = "casino bonus, buy followers https://example.com/1"


@standalone
async def test_a_business_without_moderation_publishes_every_comment(make_settings: Callable[..., Settings]) -> None:
    async with listening() as server:
        rules = ModerationSettings(reviewer=server.settings(), same_text=1, same_text_waits=2)
        async with running(make_settings(moderation=rules)) as system:
            (chat,), (video,) = await system.videos("c1", business="chat", owner="olga"), await system.videos("v1")
            alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")

            comments = [await added(alice, chat, NAUGHTY)]
            comments += [(await add(alice, chat, "again", key=f"k{i}"))["comment"]["id"] for i in range(3)]
            comments += [await added(alice, chat, "a reply", comments[0])]
            (post,) = await published(alice, "again")
            pending = await added(alice, video, "a video")
            await system.drain()

            assert await counts(bob, chat) == (5, 4)
            assert [(await seen(bob, comment))["auditStatus"] for comment in comments] == ["APPROVED"] * 5
            assert await system.rows("SELECT DISTINCT reason FROM comment_contents WHERE status = 1") == [(None,)]
            assert [await seen(bob, pending), await seen_post(bob, post)] == [None, None]
            # For other businesses, the comments do not count as repetitions: the reviewer decides, not a moderator.
            assert {reason for _, _, reason in await waiting(mia)} == {"waits for review"}
            assert await review_all(system) == 2
            assert {request.json["text"] for request in server.requests} == {"again", "a video"}

            await decide(mia, comments[0], "REJECT")
            await system.drain()
            assert (await text_of(bob, comments[0]), await counts(bob, chat)) == ("-", (4, 3))

            for text, code in (("x" * 2001, "TEXT_TOO_LONG"), ("\u200b", "TEXT_EMPTY"), ("\u0001", "TEXT_INVALID")):
                refusal = (await add(alice, chat, text, key=code))["userErrors"]
                assert [error["code"] for error in refusal] == [code]


@standalone
async def test_switching_moderation_changes_no_earlier_decision(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    file = tmp_path / "businesses.toml"
    comments: list[str] = []
    for moderation in ("true", "false", "true"):
        file.write_text(f'[[business]]\nid = 100\nname = "video"\nmoderation = {moderation}\n')
        async with running(make_settings(businesses_file=file)) as system:
            (video,) = await system.videos("v1")
            comments.append(await added(system.person("alice"), video, f"casino bonus {LINK} {len(comments)}"))
            await system.drain()

            bob = system.person("bob")
            assert [bool(await seen(bob, comment)) for comment in comments] == [False, True, False][: len(comments)]
            await dismiss(system)


@standalone
@pytest.mark.parametrize("answered", [False, True], ids=["without a reply", "with a reply"])
async def test_each_viewer_sees_a_comment_as_its_status_permits(system: System, answered: bool) -> None:
    """The viewers are the author, a moderator, the owner of the subject, another user and an anonymous visitor."""
    (video,) = await system.videos("v1", owner="olga")
    alice, mia, olga = system.person("alice"), system.person("mia", "moderate"), system.person("olga")
    viewers = (alice, mia, olga, system.person("bob"), system.person(None))
    comment = await added(alice, video, "hello")

    async def shown() -> list[str | None]:
        return [await text_of(viewer, comment) for viewer in viewers]

    assert await shown() == ["hello", None, None, None, None]  # pending
    await system.drain()
    assert await shown() == ["hello"] * 5
    if answered:
        await added(olga, video, "indeed", to=comment)
        await system.drain()
    hidden = "-" if answered else None

    await decide(mia, comment, "REJECT", "rude")
    await system.drain()
    assert await shown() == ["hello", "hello", hidden, hidden, hidden]
    assert [(await seen(viewer, comment))["auditStatus"] for viewer in (alice, mia)] == ["REJECTED"] * 2
    if answered:
        tombstone = await seen(olga, comment)
        assert tombstone == tombstone | {"author": None, "text": None, "auditStatus": "APPROVED"}
    assert await system.rows(MODERATION_MESSAGES) == [("Your comment was rejected: rude",)]
    assert await counts(olga, video) == (int(answered), 0)

    await decide(mia, comment, "APPROVE")
    await system.drain()
    assert await shown() == ["hello"] * 5
    assert await counts(olga, video) == (1 + answered, 1)
    assert await floors(system, comment) == [1]

    await decide(mia, comment, "REJECT")
    await system.drain()
    assert (await delete(alice, comment))["userErrors"] == []
    assert (await shown())[0] == hidden
    await system.drain()
    assert await shown() == [hidden] * 5


@standalone
async def test_a_rejected_comment_accepts_no_replies(system: System) -> None:
    """Otherwise a reply of its author would bring it back as a tombstone, and notify the users whom it mentions."""
    (video,) = await system.videos("v1")
    alice, mia, dave = system.person("alice"), system.person("mia", "moderate"), system.person("dave")
    await dave.id()
    comment = await added(alice, video, "hello")
    await system.drain()
    reply = await added(alice, video, "more", to=comment)
    await system.drain()
    await decide(mia, comment, "REJECT")
    await system.drain()

    for author in (alice, mia):
        refused = await add(author, video, "look @dave", to=comment)
        assert refused == {"comment": None, "userErrors": [{"code": "COMMENTS_CLOSED", "field": ["replyToId"]}]}
    await system.drain()
    assert await kinds_and_subjects(dave) == []
    assert (await add(alice, video, "more", to=comment))["comment"]["id"] == reply, "a repeated request"

    await decide(mia, comment, "APPROVE")
    await system.drain()
    await added(alice, video, "thanks @dave", to=comment)


@standalone
async def test_pending_comments_and_posts_share_one_moderation_queue(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=ModerationSettings(), local_cache_seconds=0)) as system:
        (video,) = await system.videos("v1")
        alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
        post = (await publish(alice, LINK))["post"]["id"]
        comment = await added(alice, video, LINK)
        await publish(alice, "and https://example.com/2")
        await system.drain()
        reason = "links of a new account"
        assert await waiting(mia) == [
            ("Post", LINK, reason),
            ("Comment", LINK, reason),
            ("Post", "and https://example.com/2", reason),
        ]
        assert [await text_of(viewer, comment) for viewer in (alice, mia, bob)] == [LINK, LINK, None]
        assert (await seen(alice, comment))["auditStatus"] == "PENDING"
        assert await counts(alice, video) == (0, 0)
        assert await floors(system, comment) == [None]

        await decide(mia, comment, "APPROVE")
        assert (await mia.ask(MODERATE, id=post, decision="REJECT", reason="no"))["moderate"]["userErrors"] == []
        await system.drain()

        assert [text for _, text, _ in await waiting(mia)] == ["and https://example.com/2"]
        assert await text_of(bob, comment) == LINK
        assert await floors(system, comment) == [1]
        assert await counts(alice, video) == (1, 1)


@standalone
async def test_repeated_texts_count_across_posts_and_comments(make_settings: Callable[..., Settings]) -> None:
    moderation = ModerationSettings(new_account=0, same_text=2, same_text_waits=3)
    async with running(make_settings(moderation=moderation, local_cache_seconds=0)) as system:
        (video,) = await system.videos("v1")
        alice = system.person("alice")
        await publish(alice, "buy my things")
        await system.drain()
        statuses = []
        for n in range(3):
            comment = (await add(alice, video, "buy my things", key=f"k{n}"))["comment"]["id"]
            await system.drain()
            statuses.append((await seen(alice, comment))["auditStatus"])

        assert statuses == ["APPROVED", "PENDING", "REJECTED"]


@standalone
@pytest.mark.parametrize(
    ("decision", "status"), [("approve", "APPROVED"), ("reject", "REJECTED"), ("review", "PENDING")]
)
async def test_the_external_reviewers_decision_is_applied(
    make_settings: Callable[..., Settings], decision: str, status: str
) -> None:
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        server.answer = json_response({"decision": decision, "reason": "dull"})
        (video,) = await system.videos("v1")
        alice, bob = system.person("alice"), system.person("bob")
        comment = await added(alice, video, "hello")
        await system.drain()
        assert await text_of(bob, comment) is None

        assert await review_all(system) == 1

        assert (await seen(alice, comment))["auditStatus"] == status
        assert await text_of(bob, comment) == ("hello" if status == "APPROVED" else None)
        assert await floors(system, comment) == [1 if status == "APPROVED" else None]
        assert await review_all(system) == 0


@standalone
async def test_moderate_refuses_a_deleted_or_unknown_comment(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    root, gone = await added(alice, video, "root"), await added(alice, video, "gone")
    await system.drain()
    await added(bob, video, "reply", to=root)
    await system.drain()
    await delete(alice, root)
    await delete(alice, gone)
    await system.drain()

    async def refusal(id_: str) -> str:
        payload = (await mia.ask(MODERATE, id=id_, decision="REJECT", reason="no"))["moderate"]
        return str(payload["userErrors"][0]["code"])

    assert [await refusal(id_) for id_ in (root, gone, "Comment:2.1", video)] == [
        "TARGET_DELETED",
        *["TARGET_NOT_FOUND"] * 3,
    ]
    variables = {"id": root, "decision": "REJECT", "reason": "no"}
    assert await alice.errors(MODERATE, **variables) == [("FORBIDDEN", ["moderate"])]


@pytest.mark.parametrize(("business", "finds"), [("post", ["Post"]), ("comment", ["Comment"]), ("video", None)])
async def test_a_token_for_some_businesses_moderates_posts_or_comments_or_neither(
    make_settings: Callable[..., Settings], business: str, finds: list[str] | None
) -> None:
    async with running(make_settings(moderation=ModerationSettings(new_posts_per_hour=0))) as system:
        alice = system.person("alice")
        (video,) = await system.videos("v1")
        await publish(alice, "a post")
        comment = await added(alice, video, "a comment")
        await system.drain()
        token = auth.mint(system.settings, "mia", scopes=["moderate"], businesses=[business])
        mia = Person(system.http, "mia", {"authorization": f"Bearer {token}"})

        if finds is None:
            assert await mia.errors(QUEUE, first=9) == [("FORBIDDEN", ["moderationQueue"])]
        else:
            assert [kind for kind, _, _ in await waiting(mia)] == finds
        assert (await seen(mia, comment) is not None) == (business == "comment")
