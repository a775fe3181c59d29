"""Subscriptions send no hidden thing, and no more events of a thing that was withdrawn."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import orjson

from settings import Settings
from tests.features.visibility.hidden_things import (
    VisibilityCase,
    pending_case,
    publish_all,
    publish_early_reply,
    with_sight,
    withdraw,
)
from tests.features.visibility.read_checks import Reading, check_private
from tests.features.visibility.read_queries import SHOWN
from tests.features.visibility.things import Sight, State, Thing, Viewer
from tests.support.posts import published
from tests.support.schema_paths import SCHEMA, found_nodes
from tests.support.stores import standalone
from tests.support.subscriptions import Live, Socket, eventually, serving

NEWS = {
    "homePostAdded": "subscription { homePostAdded { reason node { ...Shown } } }" + SHOWN,
    "notificationReceived": """subscription { notificationReceived {
      edge { node { message subject { ...Shown } comment { ...Shown } } }
      viewer { unreadNotificationCount home { nodes { ...Shown } } } } }"""
    + SHOWN,
}
"""The subscriptions that send new posts and notifications to the viewer."""
CHANGES = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { likeCount ...Shown } }" + SHOWN
WATCHERS = ("anonymous", "stranger", "author", "follower", "owner", "moderator", "moderator of videos")
NOTIFIED = ("follower", "owner")
HOME = ("author", "follower")
"""The viewers whose home has alice's posts: alice and her follower."""


class Watcher:
    """A viewer with one subscription, and all messages that the viewer received."""

    def __init__(self, viewer: Viewer, query: str, socket: Socket) -> None:
        self.viewer, self.query, self.socket = viewer, query, socket
        self.messages: list[Any] = []

    async def listen(self) -> None:
        """Collects messages until the connection is closed."""
        async for message in self.socket.connection:
            self.messages.append(orjson.loads(message)["payload"])

    @property
    def likes(self) -> set[tuple[str, int]]:
        """The ids and like counts that `reactableChanged` sent."""
        events = [message["data"]["reactableChanged"] for message in self.messages]
        return {(event["id"], event["likeCount"]) for event in events}

    def reading(self) -> Reading:
        """Returns the received messages as a reading."""
        reading = Reading(self.viewer, [str(message) for message in self.messages])
        for message in self.messages:
            reading.found += found_nodes(self.query, message["data"])
        return reading


@asynccontextmanager
async def watching(
    case: VisibilityCase, names: Iterable[str], query: str, **variables: Any
) -> AsyncIterator[list[Watcher]]:
    """Yields watchers with these names, subscribed until the block ends."""
    live = case.system
    assert isinstance(live, Live)
    watchers: list[Watcher] = []
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
        listening = []
        for viewer in map(case.viewers.__getitem__, names):
            socket = await stack.enter_async_context(live.raw())
            await socket.init(dict(viewer.headers))
            watchers.append(Watcher(viewer, query, socket))
            await socket.send(id="1", type="subscribe", payload={"query": query, "variables": variables})
            listening.append(tasks.create_task(watchers[-1].listen()))
        yield watchers
        for task in listening:
            task.cancel()


def all_received(watchers: Iterable[Watcher], text: str) -> Callable[[], bool]:
    """Returns a condition: every watcher has received a message with this text."""
    return lambda: all(any(text in str(message) for message in watcher.messages) for watcher in watchers)


async def publish_to_all(case: VisibilityCase, text: str, *watchers: Watcher) -> None:
    """Publishes a post that mentions all watchers. Returns after every watcher has received its event."""
    await published(case.viewers["author"], f"{text} @bob @olga @vic")
    await case.system.drain()
    await eventually(all_received(watchers, text))


@standalone
async def test_subscriptions_send_only_posts_and_notifications_that_the_viewer_may_see(lenient: Settings) -> None:
    async with serving(lenient) as live:
        case = await pending_case(live)
        async with (
            watching(case, HOME, NEWS["homePostAdded"]) as home,
            watching(case, NOTIFIED, NEWS["notificationReceived"]) as notified,
        ):
            await eventually(lambda: live.state.events.channels == 2 * len(HOME) + 1 + len(NOTIFIED))
            await live.drain()
            await publish_early_reply(case)
            await publish_to_all(case, "early", *home, *notified)
            check_news(case, *home, *notified)
            await publish_all(case)
            for thing in case.things:
                if thing.business == "post" and thing.state is State.PUBLIC:
                    await eventually(all_received(home[1:], thing.id))
            await withdraw(case)
            await publish_to_all(case, "amid", *home, *notified)
            for watcher in (*home, *notified):
                watcher.messages.clear()
            await publish_to_all(case, "late", *home, *notified)
            check_news(case, *home, *notified)


def check_news(case: VisibilityCase, *watchers: Watcher) -> None:
    for watcher in watchers:
        check_private(case, watcher.reading())


@standalone
async def test_a_withdrawn_thing_sends_no_more_events_and_cannot_be_watched(lenient: Settings) -> None:
    async with serving(lenient) as live:
        case = await pending_case(live)
        await live.drain()
        await publish_early_reply(case)
        await publish_all(case)
        alice, sam = case.viewers["author"], case.viewers["stranger"]
        public = [thing for thing in case.things if thing.state is State.PUBLIC]
        kept = next(thing for thing in public if thing.kept)
        async with watching(case, WATCHERS, CHANGES, ids=[thing.id for thing in public]) as watchers:
            for thing in public:
                await eventually(all_received(watchers, thing.id))
            await withdraw(case)
            await like_and_await(case, watchers, sam, kept, 2)
            for watcher in watchers:
                watcher.messages.clear()
            hers = [thing for thing in with_sight(public, alice, Sight.ALL) if thing.sight(sam) is not Sight.ALL]
            for thing in hers:
                await alice.like(thing.id)
            await like_and_await(case, watchers, alice, kept, 3)
            check_news(case, *watchers)
            (author,) = [watcher for watcher in watchers if watcher.viewer is alice]
            for thing in hers:
                await eventually(all_received([author], thing.id))
        await check_refusals(case)


async def like_and_await(
    case: VisibilityCase, watchers: list[Watcher], viewer: Viewer, thing: Thing, count: int
) -> None:
    """Likes a thing. Returns after every watcher has received the new like count."""
    await case.system.drain()
    await viewer.like(thing.id)
    await case.system.drain()
    await eventually(lambda: all((thing.id, count) in watcher.likes for watcher in watchers))


async def check_refusals(case: VisibilityCase) -> None:
    """Expects that a hidden id is refused with the same message as an unknown id."""
    for name in WATCHERS:
        nothing = with_sight(case.things, case.viewers[name], Sight.NOTHING)
        for thing in {(thing.business, thing.state, thing.on and thing.on.fate): thing for thing in nothing}.values():
            ids = thing.id, case.phantoms[thing.id]
            messages = [await refused(case, name, id_) for id_ in ids]
            assert messages[0].replace(ids[0], "it") == messages[1].replace(ids[1], "it"), (name, thing)


async def refused(case: VisibilityCase, name: str, id_: str) -> str:
    """Returns the refusal of a subscription to this id."""
    async with watching(case, [name], CHANGES, ids=[id_]) as (watcher,):
        await eventually(lambda: bool(watcher.messages))
        return str(watcher.messages)


def test_every_subscription_is_known() -> None:
    assert SCHEMA.subscription_type
    assert SCHEMA.subscription_type.fields.keys() == NEWS.keys() | {"reactableChanged", "notificationsRead"}
