"""Subscriptions continue after a store was down while they had to read changed objects."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store.redis.subscriber import Subscriber
from tests.support.outages import stopped
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.subscriptions import WATCH, Live, Socket, eventually, serving
from tests.support.system import LENIENT

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
    async with serving(make_settings(port=0, moderation=LENIENT, **urls)) as live:
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
