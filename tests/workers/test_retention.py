"""Old rows of growing tables are removed, and counters keep their values."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import text

from checks import Misconfigured
from settings import RetentionSettings, Settings
from state import State, opened
from store.old_rows import BATCH
from tests.support.actions import share, view
from tests.support.cancellation import ends_once_cancelled
from tests.support.metrics import metric
from tests.support.reconciliation import drift, execute
from tests.support.system import System
from workers import retention
from workers.main import check_pending_seconds

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

DAY_MS = 86_400_000
ROWS = """INSERT INTO records (actor_id, business_id, entity_id, kind, bucket, version)
          SELECT i, 100, i % 7, 3, 1, i FROM generate_series(1, :rows) AS i"""
TRACE = """INSERT INTO traces (author_id, business_id, entity_id, at_ms, links, network, device)
           VALUES (1, 2, :entity, :at, '{}', :network, :device)"""
COUNTS = "query ($id: ID!) { node(id: $id) { ... on Entity { viewCount shareCount } } }"


def later(state: State, days: float, reaction_log_days: float = 0) -> State:
    """Returns a state whose clock is `days` days ahead."""
    ahead = int(days * DAY_MS)
    settings = state.settings.model_copy(update={"retention": RetentionSettings(reaction_log_days=reaction_log_days)})
    return replace(state, now_ms=lambda: state.now_ms() + ahead, settings=settings)


async def sweep(state: State) -> dict[str, int]:
    return await retention.sweep(state, lambda: True)


async def counted(system: System, video: str) -> dict[str, int]:
    await system.empty_redis()
    node: dict[str, int] = (await system.person(None).ask(COUNTS, id=video))["node"]
    return node


async def test_removed_actions_are_still_counted(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    for person in (alice, bob):
        await view(person, video)
    await share(alice, video)
    await system.drain()
    before = metric("swept_rows_total", table="records")

    assert (await sweep(later(system.state, 29)))["records"] == 0
    assert (await sweep(later(system.state, 31)))["records"] == 3

    assert metric("swept_rows_total", table="records") - before == 3
    assert await system.rows("SELECT * FROM records") == []
    assert await counted(system, video) == {"viewCount": 2, "shareCount": 1}
    assert await drift(system, "counters") == {}
    await share(bob, video)
    await system.drain()
    assert await counted(system, video) == {"viewCount": 2, "shareCount": 2}
    assert (await sweep(later(system.state, 31)))["records"] == 1
    assert await drift(system, "counters") == {}

    await execute(system, "UPDATE counters SET value = 77 WHERE kind IN (3, 4)")
    assert await drift(system, "counters", repair=True) == {"views": 1, "shares": 1}
    assert await counted(system, video) == {"viewCount": 2, "shareCount": 2}


async def test_the_leading_worker_removes_rows_in_batches(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_PAUSE", 0.0)
    await execute(system, ROWS, rows=3 * BATCH + 1)
    turns = iter([True, True, False, False, False])

    assert (await retention.sweep(system.state, lambda: next(turns)))["records"] == 2 * BATCH
    assert (await sweep(system.state))["records"] == BATCH + 1
    assert await system.rows("SELECT count(*), sum(value) FROM swept_records") == [(7, 3 * BATCH + 1)]


async def test_the_sweep_ends_even_if_a_step_has_lost_the_cancellation(system: System) -> None:
    await execute(system, ROWS, rows=3 * BATCH)

    assert await ends_once_cancelled(sweep(system.state))
    assert await system.rows("SELECT count(*) FROM records") == [(2 * BATCH,)]


async def test_old_daily_likes_and_log_rows_are_removed(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()

    assert await sweep(later(system.state, 29)) == {"records": 0, "daily_likes": 0, "traces": 0}
    assert await sweep(later(system.state, 400)) == {"records": 0, "daily_likes": 1, "traces": 0}
    assert await sweep(later(system.state, 400, reaction_log_days=393)) == {
        **dict.fromkeys(["records", "daily_likes", "traces", "like_log", "follow_log"], 0)
    }
    assert (await sweep(later(system.state, 400, reaction_log_days=391)))["like_log"] == 1
    assert await system.rows("SELECT state FROM reactions") == [(1,)]


async def test_old_submissions_with_networks_or_devices_are_removed(system: System) -> None:
    hour_ms, now_ms = 3_600_000, system.state.now_ms()
    for entity, (network, device) in enumerate([("192.0.2.1", None), (None, "phone"), (None, None)]):
        await execute(system, TRACE, entity=entity, at=now_ms - 23 * hour_ms, network=network, device=device)

    assert (await sweep(system.state))["traces"] == 0
    assert (await sweep(later(system.state, 2 / 24)))["traces"] == 2
    assert await system.rows("SELECT entity_id FROM traces") == [(2,)]


async def test_an_api_with_a_longer_settle_time_than_a_worker_is_refused(
    make_settings: Callable[..., Settings],
) -> None:
    async with opened(make_settings(pending_seconds=60.0), "worker", makes_ids=False) as state:
        await check_pending_seconds(state, "w1")
        with pytest.raises(Misconfigured, match="PLAUDIT_PENDING_SECONDS is 61 here and 60 for a worker"):
            async with opened(make_settings(pending_seconds=61.0), "api"):
                pass
        for settle in (60.0, 50.0):
            async with opened(make_settings(pending_seconds=settle), "api") as api:
                assert api.new_id.node is not None


async def test_a_worker_with_a_shorter_settle_time_than_an_api_is_refused(
    make_settings: Callable[..., Settings],
) -> None:
    async with opened(make_settings(pending_seconds=50.0), "worker", makes_ids=False) as state:
        async with opened(make_settings(pending_seconds=60.0), "api"):
            with pytest.raises(Misconfigured, match="PLAUDIT_PENDING_SECONDS is 50 here and 60 for an API"):
                await check_pending_seconds(state, "w1")
            assert await state.postgres.read(text("SELECT * FROM workers WHERE worker = 'w1'")) == []
        await check_pending_seconds(state, "w1")  # the API has stopped


async def test_a_dead_api_does_not_stop_a_worker_from_starting(make_settings: Callable[..., Settings]) -> None:
    async with opened(make_settings(pending_seconds=60.0), "api") as state:
        await _execute(state, "UPDATE nodes SET lease_until = lease_until - interval '6 minutes'")
        async with opened(make_settings(pending_seconds=50.0), "worker", makes_ids=False) as worker:
            await check_pending_seconds(worker, "w1")


async def test_tables_of_the_previous_version_do_not_stop_an_api_from_starting(
    make_settings: Callable[..., Settings],
) -> None:
    settings = make_settings()
    async with opened(settings, "worker", makes_ids=False) as state:
        await _execute(state, "ALTER TABLE nodes RENAME COLUMN settle_ms TO later_ms")
        try:
            async with opened(settings, "api") as api:
                assert api.new_id.node is not None
        finally:
            await _execute(state, "ALTER TABLE nodes RENAME COLUMN later_ms TO settle_ms")


async def _execute(state: State, statement: str) -> None:
    async with state.postgres.transaction() as transaction:
        await transaction.execute(text(statement))
