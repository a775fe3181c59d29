"""Batches and score updates lock the rows of the comment index in one order."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import text

from models.comments import CommentRow
from store.content import comment_rows, comments, hot_comments
from store.postgres.client import Transaction
from tests.support.comments import added, number
from tests.support.stores import standalone
from tests.support.system import System

Write = Callable[[Transaction, Sequence[CommentRow]], Awaitable[None]]

HOLD = text("SELECT comment_id FROM comments WHERE comment_id = :id FOR UPDATE")
FREE = text("SELECT comment_id FROM comments WHERE comment_id = :id FOR UPDATE SKIP LOCKED")
WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


async def _delete(transaction: Transaction, rows: Sequence[CommentRow]) -> None:
    await comment_rows.write(transaction, [(replace(row, deleted=True), None) for row in rows])


async def _score(transaction: Transaction, rows: Sequence[CommentRow]) -> None:
    await hot_comments.write(transaction, [(row.subject, row.comment_id, 1, 1) for row in rows])


@pytest.mark.parametrize("write", [_delete, _score], ids=["a batch", "scores"])
@standalone
async def test_a_writer_that_waits_for_the_older_comment_does_not_lock_the_newer_one(
    system: System, write: Write
) -> None:
    """The order does not depend on the subjects. With different orders, two writers of both rows would deadlock."""
    first, second = await system.videos("v1", "v2")
    alice = system.person("alice")
    older, newer = number(await added(alice, second, "older")), number(await added(alice, first, "newer"))
    await system.drain()
    postgres = system.state.postgres
    rows = await comments.by_id(postgres, [older, newer])

    async def writing() -> None:
        async with postgres.transaction() as transaction:
            await write(transaction, [rows[older], rows[newer]])

    async with postgres.transaction() as holder:
        await holder.execute(HOLD, id=older)
        task = asyncio.create_task(writing())
        while not await system.rows(WAITING):
            await asyncio.sleep(0.01)
        async with postgres.transaction() as another:
            free = await another.execute(FREE, id=newer)
    await task

    assert free == [(newer,)]
