"""A real Prometheus sees the alerts when a process or store of a real deployment stops, and sees them end afterwards.

Prometheus asks every second instead of every 15 seconds, and all durations of the rules are 15 times shorter.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.ops import incidents
from tests.ops.prometheus import PROGRAM, RULES, shortened
from tests.ops.scene import API, WORKERS, Scene, watched

SHORTER = 15
PATIENCE = 120
"""Seconds."""

Act = Callable[[Scene], Awaitable[object]]


async def start_api(scene: Scene) -> None:
    scene.api = scene.deployment.start_api()


async def start_workers(scene: Scene) -> None:
    scene.workers = [scene.deployment.start_worker(metrics_port=scene.ports[worker]) for worker in WORKERS]


async def start_postgres(scene: Scene) -> None:
    await asyncio.to_thread(scene.postgres.start)


async def start_redis(scene: Scene) -> None:
    await asyncio.to_thread(scene.state.start)
    await asyncio.to_thread(scene.cache.start)


async def start_stores(scene: Scene) -> None:
    await start_postgres(scene)
    await start_redis(scene)


STOPS: dict[str, tuple[Act, Act, set[str], str]] = {
    "API": (incidents.kill_api, start_api, {"NoApi", "ProcessDown"}, ""),
    "workers": (incidents.kill_workers, start_workers, {"JournalsUnowned", "ProcessDown"}, ""),
    "Postgres": (incidents.stop_postgres, start_postgres, {"StoreDown", "JournalLag"}, "postgres"),
    "state Redis": (
        incidents.stop_state_redis,
        start_redis,
        {"StoreDown", "WritesDirectly", "BudgetsStandIn"},
        "redis",
    ),
    "cache Redis": (
        incidents.stop_cache_redis,
        start_redis,
        {"StoreDown", "BudgetsStandIn", "SubscriptionsDeaf"},
        "cache",
    ),
    "both stores": (incidents.stop_stores, start_stores, {"StoreDown", "Errors"}, ""),
}
"""By what stops: how it stops and starts, the alerts that fire, and the store that PlauditStoreDown names."""


@pytest.mark.prove
@pytest.mark.skipif(PROGRAM is None, reason="needs Debian's package prometheus")
@pytest.mark.parametrize("stopped", STOPS)
async def test_an_alert_fires_when_something_stops_and_ends_when_it_runs_again(tmp_path: Path, stopped: str) -> None:
    stop, start, alerts, store = STOPS[stopped]
    wanted = {f"Plaudit{name}" for name in alerts}
    async with watched(tmp_path, 1, shortened(RULES, SHORTER)) as scene:

        async def names() -> set[str]:
            return {alert["alertname"] for alert in await scene.prometheus.firing()}

        async def where() -> set[tuple[str, str]]:
            """Returns the jobs and instances that miss the stopped store."""
            firing = await scene.prometheus.firing()
            return {(alert["job"], alert["instance"]) for alert in firing if alert.get("store") == store}

        await asyncio.sleep(10)
        assert await names() == set()
        await stop(scene)
        async with asyncio.timeout(PATIENCE):
            while not (await names() >= wanted and (not store or await where() == {API, *WORKERS})):
                await asyncio.sleep(0.5)
        await start(scene)
        async with asyncio.timeout(PATIENCE):
            while await names() & wanted:
                await asyncio.sleep(0.5)
