"""reactableChanged while Redis fails, is silent or crashes: missed changes are read after the reconnect."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.valkey import Valkey
from settings import Settings
from store.realtime.events import Events
from store.redis import subscriber
from tests.support.logs import capture_logs
from tests.support.outages import resume, suspend
from tests.support.subscriptions import Live, eventually, kill_listeners, lose_publication, serving


async def test_a_change_during_a_lost_redis_connection_is_received_after_the_reconnect(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        await watcher.value()
        await live.person("alice").like(video)
        with monkeypatch.context() as patched:
            patched.setattr(Events, "publish", lose_publication)
            await live.drain()
        await kill_listeners(live)
        again = (await watcher.until(lambda value: value["likeCount"] == 1))[-1]
        await live.person("bob").like(video)
        await live.drain()
        later = (await watcher.until(lambda value: value["likeCount"] == 2))[-1]

    assert (again["id"], later["id"]) == (video, video)


async def test_a_silent_redis_that_answers_a_ping_keeps_its_connection(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a cluster, the connection to one node has no channel left."""
    monkeypatch.setattr(subscriber, "_SILENCE", 0.5)
    videos = await live.videos("v1", "v2", "v3", "v4", "v5", "v6")

    with capture_logs() as logs:
        async with live.socket() as watcher:
            await watcher.subscribe(videos, "all")
            for _ in videos:
                await watcher.value("all")
            await watcher.subscribe(videos[:1], "one")
            await watcher.value("one")
            await watcher.send(id="all", type="complete")
            await asyncio.sleep(1.8)  # three silences
            await live.person("alice").like(videos[0])
            await live.drain()
            assert (await watcher.value("one"))["likeCount"] == 1

    assert logs == []


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_redis_that_does_not_answer_a_ping_is_connected_again(
    make_settings: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A firewall that drops a connection silently has the same effect."""
    monkeypatch.setattr(subscriber, "_SILENCE", 0.2)
    with Valkey(tmp_path) as server:
        async with (
            serving(make_settings(port=0, redis_url=server.url, redis_timeout=1.0)) as live,
            live.socket() as watcher,
        ):
            (video,) = await live.videos("v1")
            await watcher.subscribe([video])
            await watcher.value()
            suspend(server)
            with capture_logs() as logs:
                await eventually(lambda: any("does not answer" in str(log.get("error")) for log in logs))
            resume(server)
            assert (await watcher.value())["likeCount"] == 0


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_watchers_receive_changes_after_a_crash_of_redis(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    with Valkey(tmp_path) as server:
        async with serving(make_settings(port=0, redis_url=server.url)) as live, live.socket() as watcher:
            (video,) = await live.videos("v1")
            await watcher.subscribe([video])
            await watcher.value()
            server.kill()
            server.start()
            assert (await watcher.value())["likeCount"] == 0
            await live.person("alice").like(video)
            await live.drain()
            await watcher.until(lambda value: value["likeCount"] == 1)
