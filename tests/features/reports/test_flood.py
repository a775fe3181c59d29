"""A flood of reports on one post costs one update of one row in each batch, and one entry of the queue."""

from collections import Counter
from typing import Any

import orjson
import pytest

from models.moderation_steps import REPORT
from settings import POSTS
from store.moderation import cases
from store.postgres.client import Transaction
from tests.support import reports
from tests.support.journal_entries import append
from tests.support.metrics import metric
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import System

_FIRST_REPORTER = 1 << 50


@standalone
@pytest.mark.timeout(600)
@pytest.mark.parametrize("flood", [1000, pytest.param(10_000, marks=pytest.mark.prove)])
async def test_a_flood_of_reports_is_one_update_in_each_batch(
    system: System, monkeypatch: pytest.MonkeyPatch, flood: int
) -> None:
    moderator = system.person("mod", "moderate")
    (post,) = await published(system.person("alice"), "hello")
    await system.drain()
    entity = int(post.removeprefix("Post:"))
    for reporter in range(_FIRST_REPORTER, _FIRST_REPORTER + flood):
        about = {"business": POSTS, "entity": entity, "about": POSTS, "owner": None, "reason": 1, "note": None}
        trace = dict.fromkeys(("source", "ip", "device", "client")) | {"ip": f"10.0.{reporter % 250}.1"}
        fields = {"kind": REPORT, "data": orjson.dumps({"actor": reporter, **about, **trace})}
        await append(system, system.state.keys.partition_of(reporter), fields)

    executed = Counter[str]()
    execute = Transaction.execute

    async def counted(self: Transaction, statement: Any, **parameters: Any) -> Any:
        if statement is cases._UPDATE:
            executed["updates"] += 1
            executed["rows"] += len(parameters["entities"])
        return await execute(self, statement, **parameters)

    monkeypatch.setattr(Transaction, "execute", counted)
    before = metric("batch_entries_count")
    await system.drain()
    batches = metric("batch_entries_count") - before

    print(f"{flood} reports, {batches:.0f} batches, {executed['rows']} updated rows of cases")
    assert executed["updates"] == executed["rows"] <= batches < flood / 20
    assert await reports.queued(moderator) == {post: flood}
