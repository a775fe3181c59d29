"""Subscriptions outlive a store that is away just when something is to be looked at."""

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
    """A server with journals and a cache of its own."""
    state, cache = two_redis
    urls = {"redis_url": state.url, "cache_url": cache.url}
    async with serving(make_settings(port=0, moderation=LENIENT, **urls)) as live:
        yield live, state, cache


def waiting(live: Live) -> int:
    """How many things are to be looked at."""
    listeners = {changes for some in live.state.events._listeners.values() for changes in some}
    return sum(len(changes._due) for changes in listeners)


async def watch(live: Live, watcher: Socket, post: str) -> None:
    for name, query in SUBSCRIPTIONS.items():
        variables = {"ids": [post]} if name == "thing" else {}
        await watcher.send(id=name, type="subscribe", payload={"query": query, "variables": variables})
    await watcher.value("thing")
    events = live.state.events
    await eventually(lambda: events.channels == 5 and not events.unconfirmed and not waiting(live))


async def looked_at(live: Live) -> None:
    """Everything is, as when word comes that writes go through Redis again."""
    live.state.events.mark_all()
    await eventually(lambda: not waiting(live))


@standalone
@pytest.mark.parametrize("gone", ["postgres", "redis"])
async def test_what_cannot_be_looked_at_is_looked_at_again(
    apart: tuple[Live, Valkey, Valkey], postgres: Postgres, gone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, state, cache = apart
    alice, told = live.person("alice"), dict[str, str]()
    post = (await publish(alice, "hello"))["post"]["id"]
    await live.drain()
    async with live.socket("alice") as watcher:
        await watch(live, watcher, post)
        monkeypatch.setattr(Subscriber, "_receive", lambda *_: None)  # so that nothing else has it looked at
        await live.person("bob").like(post)
        await publish(alice, "again")
        await live.drain()

        if gone == "postgres":
            async with stopped(postgres, live.state.postgres):
                cache.command("FLUSHALL")
                await looked_at(live)
        else:
            async with stopped(state, live.state.redis):
                await looked_at(live)

        while told.keys() != SUBSCRIPTIONS.keys():
            message = await watcher.receive()
            told[message["id"]] = message["type"]

    assert set(told.values()) == {"next"}
