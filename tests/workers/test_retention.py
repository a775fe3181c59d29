"""Old rows of growing tables are removed, and counters keep their values."""

from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import text

from checks import Misconfigured
from settings import Settings
from state import State, opened
from store import old_rows
from store.old_rows import BATCH
from tests.support.actions import share, view
from tests.support.aging import later, sweep
from tests.support.cancellation import ends_once_cancelled
from tests.support.citus import one_server
from tests.support.metrics import metric
from tests.support.reconciliation import drift, execute
from tests.support.system import System
from workers import retention
from workers.main import check_pending_seconds

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

ROWS = """INSERT INTO records (actor_id, business_id, entity_id, kind, bucket, version)
          SELECT i, 100, i % 7, 3, 1, i FROM generate_series(1, :rows) AS i"""
TRACE = """INSERT INTO traces (author_id, business_id, entity_id, at_ms, links, network, device)
           VALUES (1, 2, :entity, :at, '{}', :network, :device)"""
CLAIM = "INSERT INTO claims (author_id, business_id, key, fingerprint, entity_id) VALUES (1, 2, 'k', 'f', 1)"
REFUSES = (
    "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$",
    "CREATE TRIGGER refuses BEFORE DELETE ON claims FOR EACH ROW EXECUTE FUNCTION refuse()",
)
COUNTS = "query ($id: ID!) { node(id: $id) { ... on Entity { viewCount shareCount } } }"


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
    before = metric("retention_removed_total", kind="records")

    assert await sweep(later(system.state, 29)) == {}
    assert await sweep(later(system.state, 31)) == {"records": 3}

    assert metric("retention_removed_total", kind="records") - before == 3
    assert await system.rows("SELECT * FROM records") == []
    assert await counted(system, video) == {"viewCount": 2, "shareCount": 1}
    assert await drift(system, "counters") == {}
    await share(bob, video)
    await system.drain()
    assert await counted(system, video) == {"viewCount": 2, "shareCount": 2}
    assert await sweep(later(system.state, 31)) == {"records": 1}
    assert await drift(system, "counters") == {}

    await execute(system, "UPDATE counters SET value = 77 WHERE kind IN (3, 4)")
    assert await drift(system, "counters", repair=True) == {"views": 1, "shares": 1}
    assert await counted(system, video) == {"viewCount": 2, "shareCount": 2}


async def test_the_leading_worker_removes_rows_in_batches(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_PAUSE", 0.0)
    await execute(system, ROWS, rows=3 * BATCH + 1)
    kinds = len(retention.due(later(system.state, 0)))
    turns = iter([True] * (kinds + 1) + [False])

    assert (await retention.sweep(later(system.state, 0), lambda: next(turns)))["records"] == 2 * BATCH
    assert (await sweep(system.state)) == {"records": BATCH + 1}
    assert await system.rows("SELECT count(*), sum(value) FROM swept_records") == [(7, 3 * BATCH + 1)]
    assert await system.rows("SELECT kind, removed FROM removals") == [("records", 3 * BATCH + 1)]


async def test_kinds_of_data_take_turns(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_PAUSE", 0.0)
    await execute(system, ROWS, rows=2 * BATCH)
    await execute(system, TRACE, entity=1, at=0, network="192.0.2.1", device=None)
    order: list[str] = []
    real = old_rows.remove

    async def remove(*args: object, **parameters: object) -> old_rows.Batch:
        batch: old_rows.Batch = await real(*args, **parameters)  # type: ignore[arg-type]
        order.extend([str(args[1])] if batch.removed else [])
        return batch

    monkeypatch.setattr(old_rows, "remove", remove)

    await sweep(system.state)

    assert order == ["records", "traces", "records"]


@one_server
async def test_a_kind_that_cannot_be_removed_does_not_delay_the_others(system: System) -> None:
    await execute(system, CLAIM, *REFUSES)
    await execute(system, TRACE, entity=1, at=0, network="192.0.2.1", device=None)

    try:
        assert await sweep(system.state) == {"traces": 1}
        assert await system.rows("SELECT kind, removed FROM removals") == [("traces", 1)]
    finally:
        await execute(system, "DROP TRIGGER refuses ON claims")
    assert await sweep(system.state) == {"claims": 1}


async def test_the_age_of_what_is_left_is_exported(system: System) -> None:
    now_ms, hour_ms = system.state.now_ms(), 3_600_000
    await execute(system, TRACE, entity=1, at=now_ms - 30 * hour_ms, network="192.0.2.1", device=None)
    fixed = later(system.state, 0)

    await retention.measure(fixed, lambda: True)
    assert metric("retention_overdue_seconds", kind="traces") == pytest.approx(6 * 3600, abs=60)
    assert metric("retention_overdue_seconds", kind="post_texts") == 0

    assert await sweep(fixed) == {"traces": 1}
    await retention.measure(fixed, lambda: True)
    assert REGISTRY.get_sample_value("plaudit_retention_overdue_seconds", {"kind": "traces"}) == 0

    await retention.measure(fixed, lambda: False)
    assert REGISTRY.get_sample_value("plaudit_retention_overdue_seconds", {"kind": "traces"}) is None


async def test_the_sweep_ends_even_if_a_step_has_lost_the_cancellation(system: System) -> None:
    await execute(system, ROWS, rows=3 * BATCH)

    assert await ends_once_cancelled(sweep(system.state))
    assert await system.rows("SELECT count(*) FROM records") == [(2 * BATCH,)]


async def test_old_daily_likes_and_log_rows_are_removed(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()

    assert await sweep(later(system.state, 29)) == {}
    assert await sweep(later(system.state, 400)) == {"daily_likes": 1}
    assert await sweep(later(system.state, 400, reaction_log_days=393)) == {}
    assert await sweep(later(system.state, 400, reaction_log_days=391)) == {"like_log": 1}
    assert await system.rows("SELECT state FROM reactions") == [(1,)]


async def test_old_submissions_with_networks_or_devices_are_removed(system: System) -> None:
    hour_ms, now_ms = 3_600_000, system.state.now_ms()
    for entity, (network, device) in enumerate([("192.0.2.1", None), (None, "phone"), (None, None)]):
        await execute(system, TRACE, entity=entity, at=now_ms - 23 * hour_ms, network=network, device=device)

    assert await sweep(system.state) == {}
    assert await sweep(later(system.state, 2 / 24)) == {"traces": 2}
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
