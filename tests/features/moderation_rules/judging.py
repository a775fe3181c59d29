"""Moderation of batches: judging the unread journal entries of a system without storing anything, and the number of
statements that a batch needs.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from projections.apply import apply
from projections.content_events import ContentChanged
from projections.events import Event
from projections.moderation import ModerationPass
from store.postgres.client import Transaction
from tests.support.system import System
from workers.persist import parsed

Verdict = tuple[str, str | None]


async def unread_events(system: System) -> list[Event]:
    """Returns the events that no worker has stored yet, in the order in which a batch has them."""
    heads = dict(await system.rows("SELECT p, head FROM partitions"))
    wanted = [(partition, head, 1000) for partition, head in sorted(heads.items())]
    answers = await system.state.journals.read(wanted)
    events, letters = parsed([entry for answer in answers for entry in answer])
    assert letters == []
    return events


async def judged(system: System, events: Sequence[Event]) -> list[Verdict]:
    """Returns status and reason of the new posts and comments among these events, without storing anything."""
    new = [event for event in events if isinstance(event, ContentChanged) and event.patch.publishes]
    async with system.state.postgres.transaction() as transaction:
        moderation = await ModerationPass.read(system.state, transaction, new)
        rows = [event.patch.born(event.ref.entity_id, event.actor_id) for event in new]
        after = [moderation.moderated(row, event.trace)[0] for row, event in zip(rows, new, strict=True)]
        return [(row.status.name, row.reason) for row in after]


class CountingTransaction(Transaction):
    """A transaction that counts its statements."""

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction._connection)
        self.statements = 0

    async def execute(self, statement: Any, **parameters: Any) -> Any:
        self.statements += 1
        return await super().execute(statement, **parameters)


async def statements_of_batch(system: System, events: Sequence[Event]) -> int:
    """Returns how many statements `execute` runs to store these events. Stores nothing."""
    async with system.state.postgres.transaction() as transaction:
        counting = CountingTransaction(transaction)
        await transaction.execute(text("SAVEPOINT before"))
        await apply(system.state, counting, events)
        await transaction.execute(text("ROLLBACK TO SAVEPOINT before"))
        return counting.statements
