"""`plaudit transparency`, as operators use it."""

import asyncio
import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import Result

from settings import Settings
from store.moderation.transparency import Durations
from tests.support import appeals, comments, notices, posts, reports
from tests.support.posts import published
from tests.support.reconciliation import execute
from tests.support.report_scene import Scene
from tests.support.suspensions import suspend
from tests.support.system import Person, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
PERIOD = "--from", "2020-01-01", "--to", "2200-01-01"
AN_HOUR_AGO = "UPDATE notices SET version = version - (3600000::bigint << 20)"
QUERY = """query ($from: DateTime!, $to: DateTime!) {
  transparency(from: $from, to: $to) { csv counts { part indicator category value unit } } }"""
FORMULA = '=HYPERLINK("https://evil.example";"x"), "quoted"'


async def counts(plaudit: Callable[..., Result], *period: str) -> dict[tuple[str, str], int | None]:
    """Returns the values by indicator and category."""
    result = await asyncio.to_thread(plaudit, "transparency", *period, "--format", "json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["counts"]
    found = {(row["indicator"], row["category"]): row["value"] for row in rows if row["unit"] == "number"}
    assert len({(row["part"], row["indicator"], row["category"]) for row in rows}) == len(rows)
    return found


async def same_counts(plaudit: Callable[..., Result], moderator: Person) -> None:
    """Checks that the query `transparency` and the command have the same counts of this year, and the same CSV."""
    now = datetime.now(UTC)
    since, until = ((now + timedelta(days=days)).strftime("%Y-%m-%d") for days in (-300, 2))
    printed = await asyncio.to_thread(plaudit, "transparency", "--from", since, "--to", until, "--format", "json")
    csv_text = await asyncio.to_thread(plaudit, "transparency", "--from", since, "--to", until)
    assert (printed.exit_code, csv_text.exit_code) == (0, 0), csv_text.output
    times = {"from": f"{since}T00:00:00Z", "to": f"{until}T00:00:00Z"}
    report = (await moderator.ask(QUERY, **times))["transparency"]
    rows = [{**row, "unit": row["unit"].lower()} for row in report["counts"]]
    assert any(row["value"] for row in rows)
    assert rows == json.loads(printed.stdout)["counts"]
    assert report["csv"] == csv_text.stdout


async def test_the_query_refuses_long_periods_and_other_tokens(system: System) -> None:
    mia, path = system.person("mia", "moderate"), ["transparency"]
    since = "2026-01-01T00:00:00Z"
    assert await mia.errors(QUERY, **{"from": since, "to": "2027-01-02T00:00:00Z"}) == []
    for until in ("2027-01-02T00:00:01Z", since, "2025-12-31T00:00:00Z"):
        assert await mia.errors(QUERY, **{"from": since, "to": until}) == [("BAD_INPUT", path)]
    for day in ("1969-12-30", "2300-01-01"):
        assert await mia.errors(QUERY, **{"from": f"{day}T00:00:00Z", "to": f"{day}T12:00:00Z"}) == [
            ("BAD_INPUT", path)
        ]
    for person, code in ((system.person("bob"), "FORBIDDEN"), (system.person(None), "UNAUTHENTICATED")):
        assert await person.errors(QUERY, **{"from": since, "to": since}) == [(code, path)]


async def test_a_query_that_counts_too_long_fails(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(request_timeout=2.0)) as system:
        mia = system.person("mia", "moderate")
        await mia.id()
        async with system.state.postgres.transaction() as transaction:
            await transaction.execute(text("LOCK TABLE moderation_log IN ACCESS EXCLUSIVE MODE"))
            body = (await mia.send(QUERY, **{"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"})).json()
    (error,) = body["errors"]
    assert (error["extensions"]["code"], error["path"]) == ("UNAVAILABLE", ["transparency"])
    assert "Choose a shorter period" in error["message"]
    assert "retryAfter" not in error["extensions"]


async def test_everything_that_happened_is_counted(system: System, plaudit: Callable[..., Result]) -> None:
    scene = await Scene(system).made()
    flagger = system.person("flagger", "notices:trusted")
    await notices.sent(system.person(None), scene.post, law="Law A")
    await notices.sent(flagger, scene.post, law="Law A", explanation="Really.")
    await notices.sent(system.person(None), scene.comment, law=FORMULA)
    await reports.reported(scene.bob, scene.comment, "HATE")
    await reports.reported(scene.bob, scene.user, "SPAM")
    await system.drain()
    await execute(system, AN_HOUR_AGO)
    await posts.decide(scene.moderator, scene.post, "REJECT")  # because of the notices
    await reports.resolve(scene.moderator, scene.user, "DISMISS")
    await system.drain()
    (bad,) = await published(scene.alice, "bad")
    await system.drain()
    await comments.decide(scene.moderator, scene.comment, "APPROVE")
    await posts.decide(scene.moderator, bad, "REJECT")  # on own initiative
    await suspend(scene.moderator, await scene.carol.id(), "READ_ONLY")
    await system.drain()
    await published(scene.alice, "a casino bonus for everyone")  # the rules reject it
    (waits,) = await published(scene.alice, "get rich quick")  # the rules let a moderator decide
    await system.drain()
    await posts.decide(scene.moderator, waits, "REJECT")
    await system.drain()
    for target in (scene.post, bad):
        assert (await appeals.appeal(scene.alice, target))["userErrors"] == []
    await system.drain()
    other = system.person("other", "moderate")
    await appeals.decide(other, scene.post, "APPROVE")
    await appeals.decide(other, bad, "REJECT")
    await system.drain()

    found = await counts(plaudit, *PERIOD)
    expected = {
        ("notices received", ""): 3,
        ("notices received", "Law A"): 2,
        ("notices received", FORMULA): 1,
        ("notices received", "(other laws)"): 0,
        ("notices by trusted flaggers", ""): 1,
        ("notices by trusted flaggers", "Law A"): 1,
        ("notices by state", "ACCEPTED"): 2,
        ("notices by state", "DISMISSED"): 1,
        ("notices by state", "OPEN"): 0,
        ("notices accepted", "Law A"): 2,
        ("notices decided by automated means", ""): 0,
        ("reports received", ""): 2,
        ("reports received", "HATE"): 1,
        ("reports dismissed", "HATE"): 1,
        ("reports dismissed", "SPAM"): 1,
        ("reports accepted", "SPAM"): 0,
        ("restrictions", ""): 7,
        ("restrictions", "HELD"): 1,
        ("restrictions", "REJECTED"): 5,
        ("restrictions", "SUSPENDED"): 1,
        ("restrictions on own initiative", "REJECTED"): 4,
        ("own initiative found by automated means", "HELD"): 1,
        ("own initiative found by automated means", "REJECTED"): 2,
        ("own initiative found by automated means", "SUSPENDED"): 0,
        ("restrictions by automated means", ""): 2,
        ("restrictions by automated means", "REJECTED"): 1,
        ("statements of reasons", ""): 6,
        ("statements of reasons", "rules"): 6,
        ("statements about automated decisions", "rules"): 1,
        ("appeals received", ""): 2,
        ("appeals decided", "GRANTED"): 1,
        ("appeals decided", "DENIED"): 1,
        ("decisions reversed", ""): 1,
        ("suspensions", ""): 1,
        ("suspensions", "READ_ONLY"): 1,
    }
    assert {name: found[name] for name in expected} == expected
    await same_counts(plaudit, system.person("other", "moderate"))
    before = await counts(plaudit, "--from", "2020-01-01", "--to", "2021-01-01")
    assert not any(before.values())


async def test_times_from_notice_to_decision_are_medians(system: System, plaudit: Callable[..., Result]) -> None:
    scene = await Scene(system).made()
    await notices.sent(system.person(None), scene.post)
    await system.drain()
    await execute(system, AN_HOUR_AGO)
    await reports.resolve(scene.moderator, scene.post, "DISMISS")
    await system.drain()

    result = await asyncio.to_thread(plaudit, "transparency", *PERIOD, "--format", "json")
    rows = [row for row in json.loads(result.stdout)["counts"] if row["part"] == "notices" and row["unit"] == "seconds"]
    assert [row["category"] for row in rows] == ["", "trusted flaggers"]
    assert rows[0]["value"] == pytest.approx(3600, rel=0.02)
    assert rows[1]["value"] is None


async def test_csv_has_a_row_for_each_count_and_no_formulas(
    system: System, plaudit: Callable[..., Result], tmp_path: Path
) -> None:
    scene = await Scene(system).made()
    await notices.sent(system.person(None), scene.post, law=FORMULA)
    await system.drain()
    file = tmp_path / "counts.csv"

    result = await asyncio.to_thread(plaudit, "transparency", *PERIOD, "--output", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    head, *rows = csv.reader(io.StringIO(file.read_text(encoding="utf-8")))
    assert head == ["part", "indicator", "category", "value", "unit"]
    assert ["notices", "notices received", f"'{FORMULA}", "1", "number"] in rows
    assert all(len(row) == 5 and not row[2].startswith(("=", "+", "-", "@")) for row in rows)


async def test_a_wrong_period_is_refused(system: System, plaudit: Callable[..., Result]) -> None:
    del system
    result = await asyncio.to_thread(plaudit, "transparency", "--from", "2026-02-01", "--to", "2026-01-01")
    assert result.exit_code == 1
    assert "--from must be before --to" in result.output


def test_medians_are_right_to_one_percent(redis_mode: str) -> None:
    del redis_mode
    durations = Durations()
    assert durations.median is None
    for seconds in range(1, 100_000):
        durations.add(seconds)
    assert durations.median == pytest.approx(50_000, rel=0.01)
