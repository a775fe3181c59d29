"""Batches and score updates lock the rows of the comment index in one order. On Citus, they do so in each shard."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import text

from models.comments import CommentRow
from store.content import comment_rows, comments, hot_comments
from store.groups import grouped
from store.postgres.client import Transaction
from store.postgres.distributed import SHARDS_OF
from tests.support import citus
from tests.support.comments import added, number
from tests.support.locks import locked, waiting_for_locks
from tests.support.stores import standalone
from tests.support.system import System

Write = Callable[[Transaction, Sequence[CommentRow]], Awaitable[None]]

ROW = "SELECT comment_id FROM comments WHERE subject_id = :subject AND comment_id = :id"
FREE = text(f"{ROW} FOR UPDATE SKIP LOCKED")


async def _delete(transaction: Transaction, rows: Sequence[CommentRow]) -> None:
    await comment_rows.write(transaction, [(replace(row, deleted=True), None) for row in rows])


async def _score(transaction: Transaction, rows: Sequence[CommentRow]) -> None:
    await hot_comments.write(transaction, [(row.subject, row.comment_id, 1, 1) for row in rows])


async def two_videos(system: System) -> tuple[str, str]:
    """Registers videos. Returns two of them, in the order of their ids. On Citus, their comments are in one shard."""
    keys = [f"v{n}" for n in range(citus.SHARDS + 1)]
    videos = dict(zip(keys, await system.videos(*keys), strict=True))
    rows = await system.rows("SELECT entity_id, key FROM entities ORDER BY entity_id")
    ids, ordered = [row[0] for row in rows], [videos[row[1]] for row in rows]
    if citus.IS_TESTED:
        shards = await system.state.postgres.read(SHARDS_OF, table="comments", values=ids)
        of_shard = grouped((shard, video) for (shard,), video in zip(shards, ordered, strict=True))
        ordered = max(of_shard.values(), key=len)
    return ordered[0], ordered[1]


@pytest.mark.parametrize("write", [_delete, _score], ids=["a batch", "scores"])
@standalone
async def test_a_writer_that_waits_for_the_older_comment_does_not_lock_the_newer_one(
    system: System, write: Write
) -> None:
    """The order does not depend on the subjects. With different orders, two writers of both rows would deadlock."""
    first, second = await two_videos(system)
    alice = system.person("alice")
    older, newer = number(await added(alice, second, "older")), number(await added(alice, first, "newer"))
    await system.drain()
    postgres = system.state.postgres
    rows = await comments.by_id(postgres, [older, newer])

    async def writing() -> None:
        async with postgres.transaction() as transaction:
            await write(transaction, [rows[older], rows[newer]])

    async with locked(system, ROW, subject=rows[older].subject_id, id=older):
        task = asyncio.create_task(writing())
        await waiting_for_locks(system, 1)
        async with postgres.transaction() as another:
            free = await another.execute(FREE, subject=rows[newer].subject_id, id=newer)
    await task

    assert free == [(newer,)]
