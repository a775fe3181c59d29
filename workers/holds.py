"""Gives authors statements of reasons about posts and comments that have waited for approval for a long time."""

from collections.abc import Callable

from domain.moderation.statements import FoundBy, Restriction
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_at
from models.moderation_log import ModerationAction, ModerationRole
from models.reports import CaseRow
from projections import statements
from projections.entries import notifications
from settings import POSTS
from state import State
from store.content import comment_rows, post_rows
from store.moderation import cases
from store.moderation import statements as stored
from store.moderation.log import LogLine
from store.moderation.reviews import ModeratedRow
from store.notifications import delivery
from store.notifications.untold import UntoldEvents
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Transaction
from workers.publish import notify_subscribers

_AT_ONCE = 500
_HOUR_MS = 3_600_000


async def explain_holds(state: State, is_leader: Callable[[], bool]) -> int:
    """Writes a statement for each post and comment that has waited for approval for longer than
    `statement_of_hold_hours` and has none. Returns the number of new statements. Does nothing and returns 0 unless
    `is_leader` returns true. Raises PostgresDown; the call can then be repeated.
    """
    hours, count, after = state.settings.moderation.statement_of_hold_hours, 0, None
    before = moment_at(max(0, state.now_ms() - int(hours * _HOUR_MS)))
    while is_leader():
        found = await cases.held(state.postgres, before, after, _AT_ONCE)
        lines = {_line(case).log_id: case for case in found}
        known = await stored.known_among(state.postgres, {case.author_id for case in found if case.author_id}, [*lines])
        count += sum([await _explain(state, case) for id_, case in lines.items() if id_ not in known])
        if len(found) < _AT_ONCE:
            break
        after = found[-1]
    if count:
        await _deliver(state)
    return count


async def _deliver(state: State) -> None:
    """Delivers the notifications about new statements."""
    kept, partition_of = state.settings.retention.notifications, state.keys.partition_of
    told = await delivery.deliver(state.postgres, [*range(state.settings.partitions)], partition_of, kept=kept)
    await notifications.publish(state, told)
    await notify_subscribers(state, (), told)


def _line(case: CaseRow) -> LogLine:
    """Returns a line about a hold, from which `statements.of` makes the statement. The line is not written: the log
    already has a line about the hold.
    """
    what = case.held_moment or case.moment, ModerationAction.HELD, ModerationRole.RULES, None, case.ref, case.author_id
    return LogLine(*what, None, {"status": AuditStatus.PENDING.name}, None)


async def _explain(state: State, case: CaseRow) -> int:
    """Writes the statement about the post or comment of a case, unless it does not wait any more. Returns the number of
    new statements.
    """
    untold, events_out = UntoldEvents(), OutgoingEvents(state.keys.partition_of)
    async with state.postgres.transaction() as transaction:
        row = await _lock(transaction, case)
        if row is None or row.deleted or row.status is not AuditStatus.PENDING:
            return 0
        found_by = FoundBy.REPORTS if case.reports else FoundBy.AUTOMATED
        line = _line(case)._replace(reason=row.reason, user_id=row.author_id)
        added = await stored.add(
            transaction, [statements.of(line, Restriction.HELD, state.settings, found_by=found_by)]
        )
        statements.announce(added, untold, events_out)
        await untold.write(transaction, state.keys.partition_of(row.author_id), events_out)
        await events_out.write(transaction)
    return len(added)


async def _lock(transaction: Transaction, case: CaseRow) -> ModeratedRow | None:
    """Locks a post or comment, so that no decision about it comes between its statement and the end of the hold."""
    id_ = case.ref.entity_id
    if case.ref.business_id == POSTS:
        return (await post_rows.lock(transaction, [id_])).get(id_)
    return (await comment_rows.lock(transaction, [id_])).get(id_)
