"""Sends the names of public collections to the external reviewer. Makes collections private whose names it rejects,
notifies their owners and adds a line to the moderation log.

The transaction that stores a public collection also writes a row in the table `collection_reviews`, so a name is not
forgotten when a process dies. A verdict on an earlier name has no effect.
"""

from collections.abc import Collection

from domain.moderation.statements import Restriction
from domain.moderation.verdicts import AuditStatus, ModerationVerdict
from domain.versions import moment_of, version_at
from models.moderation_log import ModerationAction, ModerationRole
from projections import statements
from projections.entries import collections, notifications
from state import State
from store.gather import gather_all
from store.moderation import collection_reviews, log
from store.moderation.collection_reviews import CollectionReview
from store.moderation.log import LogLine
from store.notifications import delivery
from store.notifications.untold import UntoldEvents
from store.outgoing.new_events import OutgoingEvents
from store.people import deletions
from workers import reviewed_submissions
from workers.external_reviewer import LATER, UNANSWERED, Reviewer
from workers.publish import notify_subscribers

_AT_ONCE = 50
_RETRY_MS = 60_000
"""Milliseconds until the reviewer is asked again about a name, if it did not answer, or answered that it decides
later.
"""


async def step(state: State, reviewer: Reviewer, partitions: Collection[int]) -> int:
    """Sends the names of up to 50 due collections of users in these partitions to the external reviewer, those that
    have waited longest first. Makes private those that it rejects, and notifies their owners. Returns the number of
    collections. Does nothing and returns 0 while Redis is down or writes go directly to Postgres. Raises RedisDown,
    PostgresDown, Moved or Unavailable; the call can then be repeated.
    """
    if not partitions or state.write_mode.current.direct or state.redis.is_unavailable:
        return 0
    due = await collection_reviews.due(state.postgres, partitions, version_at(state.now_ms()), _AT_ONCE)
    await gather_all(*[_review(state, reviewer, one) for one in due])
    return len(due)


async def _review(state: State, reviewer: Reviewer, due: CollectionReview) -> None:
    verdict = due.verdict
    if verdict is None and due.row.is_public:
        verdict = await reviewer.review(await reviewed_submissions.of_collection(state, due.row))
    if verdict is UNANSWERED or verdict is LATER:
        await collection_reviews.put_off(state.postgres, due, version_at(state.now_ms() + _RETRY_MS))
    elif verdict and verdict.status is AuditStatus.REJECTED:
        await _reject(state, due, verdict)
    else:
        async with state.postgres.transaction() as transaction:
            await collection_reviews.done(transaction, due)


async def _reject(state: State, due: CollectionReview, verdict: ModerationVerdict) -> None:
    """Makes a collection private and notifies its owner. Does nothing if the name has changed since; if this is not
    stored yet, postpones the review. First stores the verdict, then changes the owner's own set. So if the worker dies
    after that, the call is repeated, although the collection is private then.
    """
    row = due.row
    if due.verdict is None and not await collection_reviews.rejected(state.postgres, due, verdict):
        return
    if not await collections.hide(state, row.owner_id, row.collection_id, row.name):
        await collection_reviews.put_off(state.postgres, due, version_at(state.now_ms() + _RETRY_MS))
        return
    async with state.postgres.transaction() as transaction:
        if not await collection_reviews.done(transaction, due):
            return
        version = version_at(state.now_ms())
        line = _line(due, version, verdict)
        await log.write(transaction, [line])
        if verdict.match is not None:
            reason = f"{row.global_id} {row.name!r}: {verdict.match}"
            await deletions.hold_also(transaction, row.owner_id, reason, state.now_ms())
        notices, events_out = UntoldEvents(), OutgoingEvents(state.keys.partition_of)
        told = notices, events_out
        await statements.of_reviewer(transaction, line, Restriction.MADE_PRIVATE, state.settings, *told)
        await events_out.write(transaction)
        why = f"Your collection was made private: {verdict.reason}"
        notices.moderated(row.owner_id, row.ref, version, why)
        await notices.write(transaction, due.partition)
    recipients = await delivery.deliver(
        state.postgres, [due.partition], state.keys.partition_of, kept=state.settings.retention.notifications
    )
    await notifications.publish(state, recipients)
    await notify_subscribers(state, (), recipients)


def _line(due: CollectionReview, version: int, verdict: ModerationVerdict) -> LogLine:
    return LogLine(
        moment=moment_of(version),
        action=ModerationAction.REJECTED,
        role=ModerationRole.REVIEWER,
        actor_id=None,
        ref=due.row.ref,
        user_id=due.row.owner_id,
        before={"public": True},
        after={"public": False} | ({} if verdict.match is None else {"match": True}),
        reason=verdict.reason,
    )
