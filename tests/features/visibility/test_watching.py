"""Whoever watches: nobody is told of what they may not see, and what they watched falls silent when it is withdrawn."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import orjson

from settings import Settings
from tests.features.visibility.hidden_things import (
    VisibilityCase,
    approved_below,
    hidden,
    publicised,
    waiting,
    withdrawn,
)
from tests.features.visibility.read_checks import Reading, check_private
from tests.features.visibility.read_queries import SHOWN
from tests.features.visibility.schema_paths import SCHEMA, met
from tests.features.visibility.things import Sight, State, Thing, Viewer
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.subscriptions import Live, Socket, eventually, serving

NEWS = {
    "homePostAdded": "subscription { homePostAdded { reason node { ...Shown } } }" + SHOWN,
    "notificationReceived": """subscription { notificationReceived {
      edge { node { message subject { ...Shown } } }
      viewer { unreadNotificationCount home { nodes { ...Shown } } } } }"""
    + SHOWN,
}
"""Whatever comes to somebody."""
CHANGES = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { likeCount ...Shown } }" + SHOWN
WATCHERS = ("nobody", "stranger", "author", "follower", "owner", "moderator", "moderator of videos")
TOLD = ("follower", "owner")
HOME = ("author", "follower")
"""Those of them who follow alice, or are she."""


class Watcher:
    """Somebody who watches by one subscription, and all that they were told."""

    def __init__(self, viewer: Viewer, query: str, socket: Socket) -> None:
        self.viewer, self.query, self.socket = viewer, query, socket
        self.messages: list[Any] = []

    async def listen(self) -> None:
        """Until the connection is closed."""
        async for message in self.socket.connection:
            self.messages.append(orjson.loads(message)["payload"])

    @property
    def likes(self) -> set[tuple[str, int]]:
        """What they were told by `reactableChanged`: ids, and how many like it."""
        events = [message["data"]["reactableChanged"] for message in self.messages]
        return {(event["id"], event["likeCount"]) for event in events}

    def reading(self) -> Reading:
        """What they were told, as something read."""
        reading = Reading(self.viewer, [str(message) for message in self.messages])
        for message in self.messages:
            reading.found += met(self.query, message["data"])
        return reading


@asynccontextmanager
async def watching(
    case: VisibilityCase, names: Iterable[str], query: str, **variables: Any
) -> AsyncIterator[list[Watcher]]:
    """Those watch, and forget nothing until the block ends."""
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


def heard(watchers: Iterable[Watcher], text: str) -> Callable[[], bool]:
    """Whether all of them were told something with this text."""
    return lambda: all(any(text in str(message) for message in one.messages) for one in watchers)


async def say_to_all(case: VisibilityCase, text: str, *watchers: Watcher) -> None:
    """Something that comes to each of them after all that they were told before."""
    await published(case.viewers["author"], f"{text} @bob @olga @vic")
    await case.system.drain()
    await eventually(heard(watchers, text))


@standalone
async def test_news_are_of_what_one_sees(lenient: Settings) -> None:
    async with serving(lenient) as live:
        case = await waiting(live)
        async with (
            watching(case, HOME, NEWS["homePostAdded"]) as home,
            watching(case, TOLD, NEWS["notificationReceived"]) as told,
        ):
            await eventually(lambda: live.state.events.channels == 2 * len(HOME) + 1 + len(TOLD))
            await live.drain()
            await approved_below(case)
            await say_to_all(case, "early", *home, *told)
            check_news(case, *home, *told)
            await publicised(case)
            for thing in case.things:
                if thing.business == "post" and thing.state is State.PUBLIC:
                    await eventually(heard(home[1:], thing.id))
            await withdrawn(case)
            await say_to_all(case, "amid", *home, *told)
            for one in (*home, *told):
                one.messages.clear()
            await say_to_all(case, "late", *home, *told)
            check_news(case, *home, *told)


def check_news(case: VisibilityCase, *watchers: Watcher) -> None:
    for one in watchers:
        check_private(case, one.reading())


@standalone
async def test_what_is_withdrawn_falls_silent_and_cannot_be_watched(lenient: Settings) -> None:
    async with serving(lenient) as live:
        case = await waiting(live)
        await live.drain()
        await approved_below(case)
        await publicised(case)
        alice, sam = case.viewers["author"], case.viewers["stranger"]
        public = [thing for thing in case.things if thing.state is State.PUBLIC]
        kept = next(thing for thing in public if thing.kept)
        async with watching(case, WATCHERS, CHANGES, ids=[thing.id for thing in public]) as watchers:
            for thing in public:
                await eventually(heard(watchers, thing.id))
            await withdrawn(case)
            await liked(case, watchers, sam, kept, 2)
            for one in watchers:
                one.messages.clear()
            hers = [thing for thing in hidden(public, alice, Sight.ALL) if thing.sight(sam) is not Sight.ALL]
            for thing in hers:
                await alice.like(thing.id)
            await liked(case, watchers, alice, kept, 3)
            check_news(case, *watchers)
            (author,) = [one for one in watchers if one.viewer is alice]
            for thing in hers:
                await eventually(heard([author], thing.id))
        await check_refusals(case)


async def liked(case: VisibilityCase, watchers: list[Watcher], viewer: Viewer, thing: Thing, count: int) -> None:
    """Somebody likes something as the so manieth, and all who watch have been told of it."""
    await case.system.drain()
    await viewer.like(thing.id)
    await case.system.drain()
    await eventually(lambda: all((thing.id, count) in one.likes for one in watchers))


async def check_refusals(case: VisibilityCase) -> None:
    """What is hidden is refused like what never was."""
    for name in WATCHERS:
        nothing = hidden(case.things, case.viewers[name], Sight.NOTHING)
        for thing in {(one.business, one.state, one.on and one.on.fate): one for one in nothing}.values():
            ids = thing.id, case.phantoms[thing.id]
            told = [await refused(case, name, id_) for id_ in ids]
            assert told[0].replace(ids[0], "it") == told[1].replace(ids[1], "it"), (name, thing)


async def refused(case: VisibilityCase, name: str, id_: str) -> str:
    """Why somebody may not watch."""
    async with watching(case, [name], CHANGES, ids=[id_]) as (watcher,):
        await eventually(lambda: bool(watcher.messages))
        return str(watcher.messages)


def test_every_subscription_is_known() -> None:
    assert SCHEMA.subscription_type
    assert SCHEMA.subscription_type.fields.keys() == NEWS.keys() | {"reactableChanged"}
