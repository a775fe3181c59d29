"""A user finds an own change at once and from then on in every list that shows the change. Other users who have found
the change keep finding the change.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from projections import hot_scores
from tests.features.read_your_writes.list_queries import LISTS, NEVER_OWN, SORTS, connections
from tests.features.read_your_writes.list_readers import ListReaders
from tests.support import reposts
from tests.support.comments import added, decide
from tests.support.follows import change
from tests.support.posts import publish
from tests.support.quotes import quote
from tests.support.stores import standalone
from tests.support.workers import until, working

POST = {f"{list_} {sort}": "new" for list_ in ("Query.square", "Topic.posts") for sort in ("LATEST", "HOT")} | {
    "User.posts": "new",
    "Viewer.home": "new",
    "Viewer.followedTopicsFeed": "new",
    "Query.searchPosts BEST": "new",
    "Query.searchPosts NEWEST": "new",
}
ON_POST = {f"Post.comments {sort}": "new" for sort in SORTS} | {
    f"Query.searchComments {sort}": "new" for sort in ("BEST", "NEWEST")
}
ON_VIDEO = {f"Entity.comments {sort}": "new" for sort in SORTS}
REPLY = {"Comment.replies": "new"}
LIKED = {"video": "Entity", "post": "Post", "root": "Comment"}


def test_every_list_of_the_schema_is_polled_or_excluded_with_a_reason() -> None:
    assert {name.partition(" of ")[0] for name in LISTS} | {*NEVER_OWN} == connections()
    assert {*POST, *ON_POST, *ON_VIDEO, *REPLY, *likes({}), *follows({}), "Post.reposters", "Post.quotes"} == LISTS


def likes(ids: dict[str, str]) -> dict[str, str]:
    """Returns the expected item of each list after Alice's likes."""
    fields = [f"{type_}.{name}" for type_ in LIKED.values() for name in ("likers", "reactors")]
    likers = dict.fromkeys(fields, ids.get("alice", ""))
    kinds = {"video": "videos", "post": "posts", "root": "comments"}
    return likers | {f"User.likes of {kind}": ids.get(thing, "") for thing, kind in kinds.items()}


def follows(ids: dict[str, str]) -> dict[str, str]:
    """Returns the expected item of each list after Alice follows Carol, who follows Alice."""
    alice, carol = ids.get("alice", ""), ids.get("carol", "")
    return {
        "User.followers": alice,
        "User.friends": alice,
        "User.friends of Alice": carol,
        "User.following": carol,
    }


async def poll_all_lists(readers: ListReaders, seconds: float) -> None:
    """Makes every kind of change that a list shows, and polls the lists."""
    alice, ids = readers.alice, readers.ids

    async def post() -> str:
        return str((await publish(alice, readers.text, "cats"))["post"]["id"])

    def comment(subject: str, to: str | None = None) -> Callable[[], Awaitable[str]]:
        return lambda: added(alice, ids[subject], readers.text, to)

    async def react(verb: str) -> str:
        await asyncio.gather(*[alice.react(verb, ids[thing]) for thing in LIKED])
        return ""

    async def quote_post() -> str:
        return str((await quote(alice, ids["post"], readers.text))["post"]["id"])

    async def change_repost(verb: str) -> str:
        assert (await reposts.change(alice, ids["post"], verb))["userErrors"] == []
        return ""

    async def change_follow(verb: str) -> str:
        assert (await change(alice, verb, ids["carol"]))["userErrors"] == []
        return ""

    await readers.check(post, POST, seconds)
    await readers.check(quote_post, {"Post.quotes": "new"}, seconds)
    await readers.check(comment("post"), ON_POST, seconds)
    await readers.check(comment("video"), ON_VIDEO, seconds)
    await readers.check(comment("post", ids["root"]), REPLY, seconds)
    await readers.check(lambda: react("like"), likes(ids), seconds)
    await readers.check(lambda: react("unlike"), likes(ids), seconds, present=False)
    await readers.check(lambda: change_repost("repost"), {"Post.reposters": ids["alice"]}, seconds)
    await readers.check(lambda: change_repost("unrepost"), {"Post.reposters": ids["alice"]}, seconds, present=False)
    await readers.check(lambda: change_follow("follow"), follows(ids), seconds)
    await readers.check(lambda: change_follow("unfollow"), follows(ids), seconds, present=False)


@standalone
async def test_lists_show_the_readers_own_change_from_the_acknowledgement_on(readers: ListReaders) -> None:
    async with working(readers.worker):
        await poll_all_lists(readers, 0.5)


@pytest.mark.prove
@pytest.mark.timeout(900)
async def test_lists_show_the_readers_own_change_in_many_repetitions(readers: ListReaders) -> None:
    async with working(readers.worker):
        for _ in range(20):
            await poll_all_lists(readers, 1.5)


@standalone
async def test_lists_show_own_changes_without_a_worker(readers: ListReaders) -> None:
    await poll_all_lists(readers, 0)


def delay_scores(monkeypatch: pytest.MonkeyPatch, *names: str) -> asyncio.Event:
    """Delays the publication of scores until the returned event is set."""
    gate = asyncio.Event()
    for name in names:
        real = getattr(hot_scores, name)

        async def publish_late(*args: Any, real: Any = real) -> None:
            await gate.wait()
            await real(*args)

        monkeypatch.setattr(hot_scores, name, publish_late)
    return gate


@standalone
async def test_own_posts_stay_in_hot_lists_before_their_scores_are_published(
    readers: ListReaders, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = delay_scores(monkeypatch, "publish")
    lists = [name for name in POST if name.endswith("HOT")]
    await readers.polls(readers.alice, lists, lambda: True)  # fills the cache
    item = (await publish(readers.alice, readers.text, "cats"))["post"]["id"]
    step = asyncio.create_task(readers.worker.step())
    await until(lambda: readers.sees(readers.bob, item))
    assert await readers.missing(lists, item) == []
    gate.set()
    await step

    assert await readers.missing(lists, item) == []


@standalone
@pytest.mark.parametrize("text", ["at once", "dubious"], ids=["approved at once", "approved by a moderator"])
async def test_own_comments_stay_in_hot_lists_before_their_scores_are_published(
    readers: ListReaders, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    lists = [one for one in ON_POST if "search" not in one]  # searches find approved comments only
    await readers.polls(readers.alice, lists, lambda: True)  # fills the cache
    item = await added(readers.alice, readers.ids["post"], text)
    if text == "dubious":
        await readers.settle()
        assert await readers.missing(lists, item) == []
        await decide(readers.system.person("judge", "moderate"), item, "APPROVE")
    gate = delay_scores(monkeypatch, "publish", "publish_comments")
    step = asyncio.create_task(readers.worker.step())
    await until(lambda: readers.sees(readers.bob, item))
    assert await readers.missing(lists, item) == []
    gate.set()
    await step

    assert await readers.missing(lists, item) == []
