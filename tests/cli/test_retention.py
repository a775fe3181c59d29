"""`plaudit retention`, as operators use it."""

import asyncio
import json
from collections.abc import Callable

import pytest
from typer.testing import Result

from tests.support.reconciliation import execute
from tests.support.system import System
from workers import retention

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
POST = """INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                             audit_version, version, ip)
          VALUES (:id, 1, 0, 'old', '[]', '{}', 1, false, :version, 1, 1, '192.0.2.1')"""


async def test_the_table_says_what_is_too_old_and_what_was_removed(
    system: System, plaudit: Callable[..., Result]
) -> None:
    await execute(system, POST, id=1, version=1)
    await execute(system, POST, id=2, version=1)
    periods = '{"client_days": 30, "report_days": 0}'

    async def shown() -> dict[str, dict[str, object]]:
        result = await asyncio.to_thread(plaudit, "retention", "--json", PLAUDIT_RETENTION=periods)
        assert result.exit_code == 0, result.output
        return {row["kind"]: row for row in json.loads(result.stdout)}

    before = (await shown())["post_clients"]
    assert (before["keptDays"], before["removed"], before["lastRemovedAt"], before["overdue"]) == (30, 0, None, 2)
    assert str(before["oldest"]).startswith("2019-01-01")
    assert (await shown())["reports"]["keptDays"] is None

    await retention.sweep(system.state, lambda: True)

    after = (await shown())["post_clients"]
    assert (after["removed"], after["overdue"], after["oldest"]) == (2, 0, None)
    assert after["lastRemovedAt"]
    table = await asyncio.to_thread(plaudit, "retention", PLAUDIT_RETENTION=periods)
    (row,) = [line for line in table.stdout.splitlines() if "post_clients" in line]
    assert "30 days" in row
    (row,) = [line for line in table.stdout.splitlines() if "reports" in line]
    assert "forever" in row
