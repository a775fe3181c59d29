"""Compares the moderation queue with the posts and comments that wait for approval, with open reports and notices, and
with open appeals.
"""

from collections.abc import Sequence

from models.counters import EntityRef
from projections.entries import notifications
from projections.entries.reports import MESSAGES
from state import State
from store.notifications import delivery
from store.notifications.untold import UntoldEvents
from store.reconcile import cases
from workers.reconcile.batches import Compare, RowKey, compare_rows

_PARTITION = 0
"""The partition under which a repair stores events to be delivered as notifications. It delivers them at once."""


def compare(state: State) -> Compare:
    """Finds cases of the moderation queue that differ from their target, reports, notices or appeal, and missing
    cases. Yields the results.
    """
    keysets = (
        *(cases.CASES, cases.WAITING_POSTS, cases.WAITING_COMMENTS, cases.REPORTED, cases.NOTICED, cases.APPEALED),
        cases.APPEALED_STATEMENTS,
    )
    return compare_rows(state, [("cases", keyset, _repair) for keyset in keysets])


async def _repair(state: State, places: Sequence[RowKey]) -> None:
    """Repairs cases of the moderation queue, and tells the reporters of deleted posts and comments that their reports
    are closed.
    """
    untold = UntoldEvents()
    async with state.postgres.transaction() as transaction:
        for reporter_id, deletion in await cases.repair(transaction, [EntityRef(*place) for place in places]):
            untold.report_decided(reporter_id, deletion.ref, deletion.version, MESSAGES[deletion.status])
        await untold.write(transaction, _PARTITION)
    reporters = await delivery.deliver(
        state.postgres, [_PARTITION], state.keys.partition_of, kept=state.settings.retention.notifications
    )
    await notifications.publish(state, reporters)
