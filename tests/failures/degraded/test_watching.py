"""Subscriptions continue after a store was down while they had to read changed objects."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from graphql import get_named_type, is_abstract_type

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store.redis.subscriber import Subscriber
from tests.support.comments import added
from tests.support.outages import stopped
from tests.support.posts import publish
from tests.support.schema_paths import SCHEMA
from tests.support.selections import everything
from tests.support.stores import standalone
from tests.support.subscriptions import WATCH, Live, Socket, eventually, serving
from tests.support.system import ANY_DOCUMENT, LENIENT

SUBSCRIPTIONS = {
    "thing": WATCH,
    "notified": "subscription { notificationReceived { viewer { unreadNotificationCount } } }",
    "home": "subscription { homePostAdded { node { text } } }",
}


@pytest_asyncio.fixture
async def apart(
    make_settings: Callable[..., Settings], two_redis: tuple[Valkey, Valkey]
) -> AsyncIterator[tuple[Live, Valkey, Valkey]]:
    """Returns a server with separate Redis servers for journals and cache."""
    state, cache = two_redis
    urls = {"redis_url": state.url, "cache_url": cache.url}
    async with serving(make_settings(port=0, moderation=LENIENT, limits=ANY_DOCUMENT, **urls)) as live:
        yield live, state, cache


def waiting(live: Live) -> int:
    """Returns how many objects wait to be read again."""
    listeners = {changes for some in live.state.events._listeners.values() for changes in some}
    return sum(len(changes._due) for changes in listeners)


async def watch(live: Live, watcher: Socket, post: str) -> None:
    for name, query in SUBSCRIPTIONS.items():
        variables = {"ids": [post]} if name == "thing" else {}
        await watcher.send(id=name, type="subscribe", payload={"query": query, "variables": variables})
    await watcher.value("thing")
    events = live.state.events
    await eventually(lambda: events.channels == 5 and not events.unconfirmed and not waiting(live))


async def reread_all(live: Live) -> None:
    """Lets the server read all watched objects again, as after the end of direct writes."""
    live.state.events.mark_all()
    await eventually(lambda: not waiting(live))


@standalone
@pytest.mark.parametrize("gone", ["postgres", "redis"])
async def test_a_subscription_repeats_a_read_that_failed(
    apart: tuple[Live, Valkey, Valkey], postgres: Postgres, gone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, state, cache = apart
    alice, received = live.person("alice"), dict[str, str]()
    post = (await publish(alice, "hello"))["post"]["id"]
    await live.drain()
    async with live.socket("alice") as watcher:
        await watch(live, watcher, post)
        monkeypatch.setattr(Subscriber, "_receive", lambda *_: None)  # no other message may cause a read
        await live.person("bob").like(post)
        await publish(alice, "again")
        await live.drain()

        if gone == "postgres":
            async with stopped(postgres, live.state.postgres):
                cache.command("FLUSHALL")
                await reread_all(live)
        else:
            async with stopped(state, live.state.redis):
                await reread_all(live)

        while received.keys() != SUBSCRIPTIONS.keys():
            message = await watcher.receive()
            received[message["id"]] = message["type"]

    assert set(received.values()) == {"next"}


DEPTHS = {"reactableChanged": 1, "homePostAdded": 2, "notificationReceived": 2}
"""The subscriptions to new and changed objects, and how deep their fields are read."""
ROWS = "post", "comment", "entity", "entity#", "user", "inbox", "own", "outbox", "pulled", "notified", "hidden"
"""The keys of the cache that tell which object an event is about."""


def whole() -> dict[str, str]:
    """Returns subscriptions with all fields of their events: one for each type of watched objects."""
    assert SCHEMA.subscription_type
    found = {}
    for name, depth in DEPTHS.items():
        field = SCHEMA.subscription_type.fields[name]
        of = get_named_type(field.type)
        if is_abstract_type(of):
            for one in SCHEMA.get_possible_types(of):
                below = f"... on {one.name} {{ {everything(one, depth)} }}"
                found[one.name] = f"subscription ($ids: [ID!]!) {{ {name}(ids: $ids) {{ {below} }} }}"
        else:
            found[name] = f"subscription {{ {name} {{ {everything(of, depth)} }} }}"
    return found


class Received:
    """The events of some subscriptions: the number of incomplete ones, and the last one of each."""

    def __init__(self) -> None:
        self.incomplete = 0
        self.last: dict[str, bool] = {}
        """Whether the last event of each subscription is complete."""

    async def listen(self, watcher: Socket) -> None:
        while True:
            message = await watcher.receive()
            payload = message["payload"]
            assert message["type"] == "next", message
            is_complete = not {"errors", "degraded"} & (payload.keys() | payload["extensions"].keys())
            self.incomplete += not is_complete
            self.last[message["id"]] = is_complete


@standalone
async def test_an_incomplete_event_is_sent_again_when_it_can_be_read(
    apart: tuple[Live, Valkey, Valkey], postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, _, cache = apart
    alice, bob = live.person("alice"), live.person("bob")
    post = (await publish(alice, "hello", "cats"))["post"]["id"]
    (video,) = await live.videos("v1", owner="alice")
    await live.drain()
    watched = {"Post": post, "Entity": video, "Comment": await added(bob, post, "first")}
    await live.drain()
    received, subscriptions = Received(), whole()
    async with live.socket("alice") as watcher, asyncio.TaskGroup() as tasks:
        for name, query in subscriptions.items():
            variables = {"ids": [watched[name]]} if name in watched else {}
            await watcher.send(id=name, type="subscribe", payload={"query": query, "variables": variables})
        listening = tasks.create_task(received.listen(watcher))
        events = live.state.events
        await eventually(lambda: events.channels == 7 and len(received.last) == 3)
        await eventually(lambda: not events.unconfirmed and not waiting(live))
        monkeypatch.setattr(Subscriber, "_receive", lambda *_: None)  # no other message may cause a read
        await bob.like(post)
        await publish(alice, "again", "dogs")
        await live.drain()
        received.last.clear()

        async with stopped(postgres, live.state.postgres):
            keys = cache.command("KEYS", "*")
            cache.command("DEL", *(key for key in keys if key.strip("{").partition(":")[0] not in ROWS))
            events.mark_all()
            await eventually(lambda: received.last.keys() >= watched.keys() | {"notificationReceived"})
            assert not any(received.last.values())
            await asyncio.sleep(3)
            sent_during_the_outage = received.incomplete

        await eventually(lambda: received.last.keys() == subscriptions.keys() and all(received.last.values()))
        listening.cancel()

    assert sent_during_the_outage <= 2 * len(subscriptions)
