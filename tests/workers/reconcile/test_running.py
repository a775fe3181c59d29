"""Reconciliation runs: how they start, report and stop."""

import asyncio
import re
import time

import pytest
from prometheus_client import REGISTRY
from typer.testing import CliRunner

from cli.main import app
from settings import ReconcileSettings, Settings
from store.reconcile import last_run
from store.reconcile.sizes import TABLES
from tests.support.cancellation import ends_once_cancelled
from tests.support.logs import capture_logs
from tests.support.reconciliation import dismiss, drift, execute, populate
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import until, working
from workers.reconcile.pace import Pace
from workers.reconcile.run import PARTS, KindTotal, ReconcileRun

WRONG = "UPDATE counters SET value = value + 1 WHERE (business_id, kind) = (100, 1)"


def found(kind: str) -> float | None:
    return REGISTRY.get_sample_value("plaudit_drift", {"kind": kind})


async def until_exported(kind: str, keys: float | None) -> None:
    async with asyncio.timeout(30):
        while found(kind) != keys:
            await asyncio.sleep(0.02)


async def command(settings: Settings, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    """Runs the command. Returns its exit code and output."""
    for name in ("database_url", "redis_url", "redis_mode", "partitions", "businesses_file"):
        variable = name.upper() if name.endswith("_url") else f"PLAUDIT_{name.upper()}"
        monkeypatch.setenv(variable, str(getattr(settings, name)))
    assert settings.jwt_secret
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", settings.jwt_secret.get_secret_value())
    result = await asyncio.to_thread(CliRunner().invoke, app, ["reconcile", *arguments])
    return result.exit_code, result.output


@standalone
async def test_the_exit_code_of_the_command_says_whether_drift_remains(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await populate(system)
    code, printed = await command(system.settings, monkeypatch, "--only", "counters", "--rate", "100000")
    assert code == 0
    assert re.search(r"There are about [\d,]+ keys to compare, at most 100,000 per second: less than a minute", printed)
    await execute(system, WRONG)
    version = await system.rows("SELECT sum(version), sum(value) FROM counters")

    code, printed = await command(system.settings, monkeypatch, "--only", "counters")

    assert (code, await system.rows("SELECT sum(version), sum(value) FROM counters")) == (2, version)
    assert next(line for line in printed.splitlines() if " likes " in line).split()[-2] == "1"
    assert (await command(system.settings, monkeypatch, "--only", "counters", "--repair"))[0] == 0
    assert (await command(system.settings, monkeypatch, "--only", "counters"))[0] == 0


@standalone
async def test_an_unknown_part_is_named_in_the_error(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    code, printed = await command(system.settings, monkeypatch, "--only", "likes")

    assert code == 1
    assert all(part in printed for part in PARTS)


@standalone
async def test_a_run_compares_at_most_the_given_number_of_keys_per_second(system: System) -> None:
    await populate(system)
    marks: list[tuple[float, int]] = []

    def report(pace: Pace, _: str | None, __: KindTotal) -> None:
        marks.append((time.monotonic() - pace.began, pace.compared))

    await ReconcileRun(only=["follows"], rate=20, report=report).execute(system.state)

    assert marks[-1][1] > 0
    for passed, keys in marks:
        assert passed >= keys / 20 - 0.01


@standalone
async def test_a_run_with_very_many_keys_compares_more_per_second(system: System) -> None:
    await populate(system)
    paces: list[Pace] = []

    for hours in (1e-5, 1e5):
        await ReconcileRun(rate=1e3, hours=hours, report=lambda pace, *_: paces.append(pace)).execute(system.state)

    hasty, patient = paces[0], paces[-1]
    assert hasty.rate == hasty.expected / (1e-5 * 3600) > 1e3
    assert hasty.expected_seconds == pytest.approx(1e-5 * 3600)
    assert patient.rate == 1e3


@standalone
@pytest.mark.parametrize("statistics", ["missing", "there"])
async def test_the_number_of_keys_is_known_in_advance(system: System, statistics: str) -> None:
    paces: list[Pace] = []
    await execute(system, *[f"ALTER TABLE {table} SET (autovacuum_enabled = off)" for table in TABLES])
    await execute(system, *[f"TRUNCATE {table}" for table in TABLES])  # removes statistics of earlier rows
    try:
        await populate(system)
        if statistics == "there":
            await execute(system, "ANALYZE")
        for part in PARTS:
            await ReconcileRun(only=[part], report=lambda pace, *_: paces.append(pace)).execute(system.state)
            assert paces[-1].compared == pytest.approx(paces[-1].expected, rel=0.1, abs=3), part
    finally:
        await execute(system, *[f"ALTER TABLE {table} RESET (autovacuum_enabled)" for table in TABLES])


@standalone
async def test_the_log_says_how_many_keys_are_compared_and_how_long_it_takes(system: System) -> None:
    await populate(system)
    await execute(system, "ANALYZE")  # the estimate is from statistics, which Postgres renews at any time

    with capture_logs() as events:
        await ReconcileRun(only=["counters"], rate=1e4).execute(system.state)

    began, ended = (event for event in events if event["event"].startswith("reconciliation"))
    assert ended["keys"] == pytest.approx(began["keys"], rel=0.1, abs=3)
    assert (began["keys_per_second"], ended["drifting"]) == (10_000, 0)
    assert began["hours"] == round(began["keys"] / 1e4 / 3600, 2)


@standalone
async def test_a_cancelled_run_leaves_no_partial_repair(system: System) -> None:
    await populate(system)
    await execute(system, WRONG, "DELETE FROM followers")
    run = asyncio.create_task(ReconcileRun(repair=True, rate=1).execute(system.state))
    await until(lambda: system.rows("SELECT 1 FROM followers"))

    run.cancel()
    await asyncio.gather(run, return_exceptions=True)

    await ReconcileRun(repair=True).execute(system.state)
    totals = await ReconcileRun().execute(system.state)
    assert not any(total.drifting for total in totals.values())


@standalone
async def test_workers_reconcile_regularly_and_export_drift_until_it_is_repaired(system: System) -> None:
    await populate(system)
    await dismiss(system)
    await execute(system, WRONG)
    worker = system.worker()
    worker.state.settings.__dict__.update(reconcile=ReconcileSettings(interval=0.2), pending_seconds=0.5)

    async with working(worker):
        await until_exported("likes", 1)
        assert found("follow_lists") == 0  # kinds without drift are exported too

        await drift(system, "counters", repair=True)

        await until_exported("likes", 0)


@standalone
async def test_a_new_worker_knows_the_time_and_result_of_the_last_run(system: System) -> None:
    postgres = system.state.postgres
    assert not await last_run.is_due(postgres, 3600)
    await execute(system, "UPDATE partitions SET reconciled_at = now() - interval '2 hours'")
    assert await last_run.is_due(postgres, 3600)

    await last_run.remember(postgres, {"likes": 3}, whole=False)
    assert await last_run.is_due(postgres, 3600)
    await last_run.remember(postgres, {"views": 2}, whole=False)
    assert await last_run.read_drift(postgres) == {"likes": 3, "views": 2}

    began = await last_run.read_end(postgres)
    await last_run.remember(postgres, {"views": 0}, whole=True, since=began)
    assert await last_run.read_drift(postgres) == {"views": 0}
    assert not await last_run.is_due(postgres, 3600)

    await last_run.remember(postgres, {"views": 9}, whole=True, since=began)
    assert await last_run.read_drift(postgres) == {"views": 0}, "another run has ended since the first began"
    await last_run.remember(postgres, {"views": 1}, whole=True)
    assert await last_run.read_drift(postgres) == {"views": 1}


@standalone
async def test_a_slow_run_ends_even_if_a_step_has_lost_the_cancellation(system: System) -> None:
    await populate(system)
    assert await ends_once_cancelled(ReconcileRun(only=["counters"], rate=1e9).execute(system.state))
