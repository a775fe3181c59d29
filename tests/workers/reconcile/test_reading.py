"""Checks that reconciliation reads each counted row once, and every list to its end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from settings import POSTS, TOPICS, USERS
from store.postgres.client import Postgres, connect
from store.reconcile import counters as rows_of
from tests.support.citus import one_server
from tests.support.reconciliation import drift, execute, populate
from tests.support.stores import standalone
from tests.support.system import System
from workers.reconcile.run import PARTS

LIKES, PAIRS = 5000, 1300
LIKED = """
    INSERT INTO reactions (user_id, business_id, entity_id, owner_id, state, version)
    SELECT user_id, 2, 7 + user_id % 3, 5, 1, 1 FROM generate_series(1, CAST(:likes AS integer)) AS user_id
    UNION ALL SELECT user_id, 100, user_id, NULL, 1, 1 FROM generate_series(1, 5 * CAST(:likes AS integer)) AS user_id
"""
POSTED = """
    INSERT INTO topic_posts (topic_id, post_id, moment, score)
    SELECT topic_id, post_id, 1, 1 FROM generate_series(1, CAST(:likes AS integer)) AS post_id,
        LATERAL (VALUES (0), (1 + post_id % 2)) AS t(topic_id)
"""
COUNTED = """
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT 2, entity_id, 1, count(*), 1 FROM reactions WHERE business_id = 2 GROUP BY 2
    UNION ALL SELECT 1, owner_id, 5, count(*), 1 FROM reactions WHERE owner_id IS NOT NULL GROUP BY 2
    UNION ALL SELECT 3, topic_id, 9, count(*), 1 FROM topic_posts WHERE topic_id <> 0 GROUP BY 2
"""
PAIRED = """
    INSERT INTO follows (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
    SELECT hi % 3, hi, false, true, 0, 1 << 20, 1 FROM generate_series(1001, 1000 + CAST(:pairs AS integer)) AS hi
"""
READ = text("SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes")
VALUES = "SELECT business_id, entity_id, kind, value FROM counters WHERE value <> 0 ORDER BY 1, 2, 3"
FLUSH = text("SELECT pg_stat_force_next_flush()")
VACUUM = text("VACUUM ANALYZE reactions, topic_posts, counters")
"""Without it, the planner also reads entries of rows that earlier tests have deleted."""


@asynccontextmanager
async def one_connection(system: System) -> AsyncIterator[Postgres]:
    """Yields a client whose statements, one after the other, use the same connection. They use indexes, as they do for
    large tables.
    """
    postgres = connect(system.settings, "reading")
    for way in ("seqscan", "bitmapscan"):
        await postgres.read(text(f"SET enable_{way} = off"))
    yield postgres
    await postgres.close()


async def entries_read(postgres: Postgres) -> dict[str, int]:
    """Returns how many entries of each index were read so far, also over this connection."""
    await postgres.read(FLUSH)
    return dict(await postgres.read(READ))


def kinds_of(business: int) -> list[rows_of.Counted]:
    return [counted for counted in rows_of.COUNTED if business in (counted.businesses or (POSTS,))]


@one_server
@standalone
@pytest.mark.parametrize("rows_at_once", [100, 100_000])
async def test_each_counted_row_is_read_once(
    system: System, monkeypatch: pytest.MonkeyPatch, rows_at_once: int
) -> None:
    monkeypatch.setattr(rows_of, "ROWS_AT_ONCE", rows_at_once)
    await execute(system, LIKED, POSTED, likes=LIKES)
    await execute(system, COUNTED)

    async with one_connection(system) as postgres:
        await postgres.read(VACUUM)
        before = await entries_read(postgres)
        compared = [
            found
            for business in (USERS, POSTS, TOPICS)
            async for found in rows_of.drifting_batches(postgres, kinds_of(business), business)
        ]
        after = await entries_read(postgres)

    assert sum(count for _, count, _ in compared) == 3 + 1 + 2
    assert not any(wrong for _, _, wrong in compared)
    read = {index: after[index] - before[index] for index in after}
    # A hundredth more: other connections report late what they have read. And one for each batch: a batch may also read
    # the entry at which the next one begins.
    most = 1.01 * LIKES + LIKES // rows_at_once
    assert LIKES <= read["reactions_likers_idx"] < most, read
    assert LIKES <= read["reactions_received_idx"] < most, read
    assert LIKES <= sum(count for index, count in read.items() if index.startswith("topic_posts")) < most, read


@standalone
async def test_follow_lists_are_read_to_the_end(system: System) -> None:
    await execute(system, PAIRED, pairs=PAIRS)
    for table, columns in (("following", "hi, lo"), ("followers", "lo, hi")):
        await execute(system, f"INSERT INTO {table} SELECT {columns}, 1024 FROM follows")  # noqa: S608 - constants

    compared = [one async for one in PARTS["follows"](system.state)]

    assert sum(one.keys for one in compared) == 3 * PAIRS
    assert sum(one.drifting for one in compared) == 0


@standalone
async def test_small_rounds_find_the_same_drift(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    await populate(system)
    monkeypatch.setattr(rows_of, "COUNTERS_AT_ONCE", 3)
    monkeypatch.setattr(rows_of, "ROWS_AT_ONCE", 2)
    assert await drift(system, "counters") == {}

    wrong = "UPDATE counters SET value = value + 1 WHERE kind IN (1, 6)"
    await execute(system, wrong, "DELETE FROM counters WHERE kind = 9")

    expected = {"likes": 3, "followers": 3, "posts": 5}
    assert await drift(system, "counters", repair=True) == expected
    assert await drift(system, "counters") == {}


@standalone
async def test_counters_that_are_all_missing_are_added(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    await populate(system)
    monkeypatch.setattr(rows_of, "BATCH", 2)
    before = await system.rows(VALUES)
    await execute(system, "DELETE FROM counters")

    await drift(system, "counters", repair=True)

    assert await system.rows(VALUES) == before
    assert await drift(system, "counters") == {}
