"""A notification tells its recipient about nothing that is hidden from the recipient.

Each kind of event is tried with each way of hiding bob from alice, before the event and after it. Bob acts towards
alice, or carol acts below bob's post, on which alice has commented.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from settings import Settings
from store.notifications.notifications import CACHED
from tests.features.notifications.subscribers import received, subscribed
from tests.support import outgoing
from tests.support.boundaries import change, mute
from tests.support.comments import add, added
from tests.support.comments import edit as edit_comment
from tests.support.follows import change as change_follow
from tests.support.follows import follow
from tests.support.hiding import hide
from tests.support.notifications import everything, liked_posts, people, post_of, unread
from tests.support.posts import edit, publish
from tests.support.stores import standalone
from tests.support.subscriptions import Live, serving
from tests.support.system import LENIENT, Person, System

pytestmark = [standalone]


class Scene(NamedTuple):
    """Alice has a post, and a comment on bob's post. Olga has a video with a comment of bob."""

    alice: Person
    bob: Person
    carol: Person
    alices_post: str
    bobs_post: str
    comment: str
    video: str
    bobs_comment: str
    carols_comment: str


async def follow_alice(at: Scene) -> None:
    await change_follow(at.bob, "follow", await at.alice.id())


ACTS: dict[str, Callable[[Scene], Awaitable[Any]]] = {
    "bob likes": lambda at: at.bob.like(at.alices_post),
    "bob likes a comment": lambda at: at.bob.like(at.comment),
    "bob comments": lambda at: add(at.bob, at.alices_post, "well"),
    "bob replies": lambda at: add(at.bob, at.bobs_post, "thanks", at.comment),
    "bob mentions in a post": lambda at: publish(at.bob, "hello @alice"),
    "bob mentions in a comment": lambda at: add(at.bob, at.video, "look @alice"),
    "bob mentions in an edited post": lambda at: edit(at.bob, at.bobs_post, text="now with @alice"),
    "bob mentions in an edited comment": lambda at: edit_comment(at.bob, at.bobs_comment, text="now with @alice"),
    "bob follows": follow_alice,
    "carol likes the comment": lambda at: at.carol.like(at.comment),
    "carol replies": lambda at: add(at.carol, at.bobs_post, "indeed", at.comment),
    "carol mentions": lambda at: add(at.carol, at.bobs_post, "see @alice"),
    "carol mentions in an edited comment": lambda at: edit_comment(at.carol, at.carols_comment, text="ping @alice"),
}
"""The actions of bob and carol, by name. No one is notified of anything else."""
POSTS_ONLY = {
    "bob comments",
    "bob mentions in a comment",
    "bob mentions in an edited comment",
    "bob follows",
}
"""The actions that a private account does not hide."""
ACTORS = "{ viewer { notifications(first: 50) { nodes { id actors { id } } } } }"
BY_CAROL = {name for name in ACTS if name.startswith("carol")}
WAYS: dict[str, Collection[str]] = {
    "alice blocks": (),
    "bob blocks": (),
    "HIDDEN": (),
    "SHADOW": (),
    "PRIVATE": POSTS_ONLY,
    "removed": POSTS_ONLY,
    "alice mutes": BY_CAROL,
}
"""The ways of hiding, with what stays visible."""


async def scene(system: System) -> Scene:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    (video,) = await system.videos("v1", owner="olga")
    alices, bobs = await post_of(system, alice, "mine"), await post_of(system, bob, "his")
    comment, bobs_comment = await added(alice, bobs, "first"), await added(bob, video, "so")
    carols = await added(carol, bobs, "second")
    for reader in (alice, carol):
        await follow(reader, await bob.id())
    await system.drain()
    return Scene(alice, bob, carol, alices, bobs, comment, video, bobs_comment, carols)


async def hidden(system: System, at: Scene, way: str) -> None:
    """Hides bob, or his posts, from alice. Carol stays a follower of bob."""
    if way == "alice mutes":
        await mute(at.alice, await at.bob.id())
    else:
        await hide(system, "PRIVATE" if way == "removed" else way)
    if way == "removed":
        await change(at.bob, "removeFollower", await at.alice.id())
    elif way == "PRIVATE":
        await change_follow(at.alice, "unfollow", await at.bob.id())
    await system.drain()


async def act(system: System, at: Scene, names: Collection[str]) -> None:
    for name in names:
        await ACTS[name](at)
        await system.drain()


async def about(person: Person) -> list[str]:
    """Returns the messages of all notifications. Checks the number of unread ones."""
    nodes = await everything(person)
    assert await unread(person) == sum(not node["read"] for node in nodes)
    return sorted(node["message"] for node in nodes)


async def actors_by_id(person: Person) -> dict[str, set[str]]:
    """Returns the ids of a person's notifications, and those of their actors."""
    nodes = (await person.ask(ACTORS))["viewer"]["notifications"]["nodes"]
    return {node["id"]: {actor["id"] for actor in node["actors"]} for node in nodes}


async def sent(system: System, person: Person) -> list[Any]:
    """Sends the outgoing events. Returns the data of those about a person's notifications."""
    user_id = await person.id()
    return [event["data"] for event in await outgoing.received(system) if event["data"]["userId"] == user_id]


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Starts a server with lenient moderation on a port."""
    async with serving(make_settings(port=0, moderation=LENIENT)) as one:
        yield one


@pytest.mark.parametrize("way", WAYS)
async def test_events_that_are_hidden_cause_no_notification(live: Live, way: str) -> None:
    at = await scene(live)
    await hidden(live, at, way)
    await outgoing.to_stream(live, "notification.created")
    ids = (await at.alice.id(), await at.bob.id())

    async with subscribed(live, "alice") as alice:
        await act(live, at, [name for name in ACTS if name not in WAYS[way]])
        await at.carol.like(at.alices_post)
        await live.drain()
        event = await received(alice)

    assert event["edge"]["node"]["message"] == "carol liked your post."
    assert event["viewer"] == {"unreadNotificationCount": 1}
    assert await about(at.alice) == ["carol liked your post."]
    told = [event["data"] for event in await outgoing.received(live) if event["data"]["userId"] == ids[0]]
    assert [(data["kind"], ids[1] in data["actorIds"]) for data in told] == [("LIKE", False)]


@pytest.mark.parametrize("way", WAYS)
async def test_notifications_are_hidden_with_what_they_are_about(system: System, way: str) -> None:
    at = await scene(system)
    await outgoing.to_stream(system, "notification.created")
    await act(system, at, ACTS)
    before = await about(at.alice)
    await hidden(system, at, way)
    stays = await about(at.alice)

    assert len(before) == 11  # the two likes of the comment are one notification, and so are the two replies
    assert len(stays) == {"alice mutes": 4, "PRIVATE": 4, "removed": 4}.get(way, 0)
    events = await sent(system, at.alice)
    assert {data["id"]: set(data["actorIds"]) for data in events} == await actors_by_id(at.alice)
    assert all([actor["id"] for actor in data["actors"]] == data["actorIds"] for data in events)
    assert {data["unreadCount"] for data in events} == ({len(stays)} if stays else set())


async def test_the_unread_count_is_exact_beyond_the_cached_notifications(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    for n in range(CACHED + 10):
        await post_of(system, bob, f"{n} @alice")
    await liked_posts(system, alice, carol, 3)
    assert await unread(alice) == CACHED + 13

    await hide(system, "PRIVATE")

    assert await about(alice) == ["carol liked your post."] * 3
