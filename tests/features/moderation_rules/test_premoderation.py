"""Pre-moderation: what waits for a moderator whatever the other rules say."""

from collections.abc import Callable
from typing import Any

from settings import ModerationSettings, PremoderationSettings, Settings
from tests.features.moderation_rules.judging import judged, unread_events
from tests.support import comments
from tests.support.comments import added
from tests.support.external_reviewer import listening, review_all
from tests.support.posts import decide, publish, seen
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, running

QUEUE = """{ moderationQueue(first: 50) { edges {
  reason node { ... on Post { a: text } ... on Comment { b: text } } } } }"""


def premoderated(**chosen: Any) -> ModerationSettings:
    return LENIENT.model_copy(update={"premoderate": PremoderationSettings(**chosen)})


async def queue(moderator: Person) -> dict[str, str]:
    """Returns the reasons of what waits for a moderator, by text."""
    edges = (await moderator.ask(QUEUE))["moderationQueue"]["edges"]
    return {edge["node"].get("a") or edge["node"]["b"]: edge["reason"] for edge in edges}


@standalone
async def test_everything_in_a_business_waits(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=premoderated(businesses=["article"]))) as system:
        alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
        (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
        await publish(alice, "a post")
        await added(alice, video, "about a video")
        comment = await added(alice, article, "about an article")
        await system.drain()
        assert await queue(mia) == {"about an article": "moderators approve everything in article"}
        assert await comments.seen(bob, comment) is None

        await comments.decide(mia, comment, "APPROVE")
        await system.drain()
        assert (await comments.seen(bob, comment))["text"] == "about an article"


@standalone
async def test_posts_and_comments_on_posts_wait_without_being_sent_to_the_reviewer(
    make_settings: Callable[..., Settings],
) -> None:
    async with listening() as server:
        rules = premoderated(businesses=["post"]).model_copy(update={"reviewer": server.settings()})
        async with running(make_settings(moderation=rules)) as system:
            alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
            (video,) = await system.videos("v1")
            post = (await publish(alice, "a post"))["post"]["id"]
            await system.drain()
            await decide(mia, post, "APPROVE")
            await system.drain()
            assert (await seen(bob, post))["text"] == "a post"
            await added(bob, post, "about a post")
            await added(bob, video, "about a video")
            await system.drain()

            reason = "moderators approve everything in post"
            assert await queue(mia) == {"about a post": reason, "about a video": "waits for review"}
            assert await review_all(system) == 1
            assert [request.json["text"] for request in server.requests] == ["about a video"]


@standalone
async def test_posts_about_a_topic_wait(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=premoderated(topics=["News"]))) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        await publish(alice, "news", "cats", "NEWS")
        await publish(alice, "cats", "cats")
        await system.drain()

        assert await queue(mia) == {"news": "moderators approve everything about news"}


@standalone
async def test_submissions_of_new_accounts_wait_and_get_the_same_verdict_again(
    make_settings: Callable[..., Settings],
) -> None:
    rules = premoderated(new_accounts=True).model_copy(update={"new_account": 3600.0})
    async with running(make_settings(moderation=rules)) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        (video,) = await system.videos("v1")
        await publish(alice, "a post")
        await added(alice, video, "a comment")
        events = await unread_events(system)
        reason = "moderators approve everything of new accounts"
        assert await judged(system, events) == [("PENDING", reason)] * 2
        await system.drain()

        assert await judged(system, events) == [("PENDING", reason)] * 2
        assert await queue(mia) == {"a post": reason, "a comment": reason}
