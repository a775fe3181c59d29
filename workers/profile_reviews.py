"""Sends texts of profiles to the external reviewer. Replaces rejected texts, notifies their users and adds a line to
the moderation log.

The transaction that writes a text also writes a row in the table `profile_reviews`, so a text is not forgotten when a
process dies. The transaction that applies a verdict removes the row, so a verdict on an earlier text has no effect.
"""

from collections.abc import Collection
from dataclasses import replace

from domain import handles
from domain.errors import Unavailable
from domain.moderation.statements import Restriction
from domain.moderation.verdicts import AuditStatus, ModerationVerdict
from domain.versions import moment_of, version_at
from models.moderation_log import ModerationAction, ModerationRole
from models.profiles import ProfileField
from models.users import UserRow
from projections import outgoing, statements
from projections.entries import notifications
from state import State
from store.gather import gather_all
from store.moderation import log, profile_reviews
from store.moderation.log import LogLine
from store.moderation.profile_reviews import ProfileReview
from store.notifications import delivery
from store.notifications.untold import UntoldEvents
from store.outgoing.new_events import OutgoingEvents
from store.people import deletions, held_handles, users
from store.postgres.client import Transaction
from workers import reviewed_submissions
from workers.external_reviewer import LATER, UNANSWERED, Reviewer
from workers.publish import notify_subscribers

_AT_ONCE = 50
_RETRY_MS = 60_000
"""Milliseconds until the reviewer is asked again about a text, if it did not answer, or answered that it
decides later.
"""


async def step(state: State, reviewer: Reviewer, partitions: Collection[int]) -> int:
    """Sends up to 50 due profile texts of users in these partitions to the external reviewer, those that have waited
    longest first. Replaces the texts that it rejects, and notifies their users. Returns the number of texts. Does
    nothing and returns 0 while Redis is down or writes go directly to Postgres.
    """
    if not partitions or state.write_mode.current.direct or state.redis.is_unavailable:
        return 0
    now = version_at(state.now_ms())
    due = await profile_reviews.due(state.postgres, partitions, now, _AT_ONCE)
    await gather_all(*[_review(state, reviewer, one) for one in due])
    return len(due)


async def _review(state: State, reviewer: Reviewer, due: ProfileReview) -> None:
    user = (await users.by_id(state.postgres, [due.user_id])).get(due.user_id)
    shown = user and getattr(user, due.field.attribute) is not None
    submission = await reviewed_submissions.of_profile(state, user, due.field) if user and shown else None
    verdict = await reviewer.review(submission) if submission else None
    if verdict is UNANSWERED or verdict is LATER:
        await profile_reviews.put_off(state.postgres, due, version_at(state.now_ms() + _RETRY_MS))
    elif verdict and verdict.status is AuditStatus.REJECTED:
        await _replace_rejected(state, due, verdict)
    else:
        async with state.postgres.transaction() as transaction:
            await profile_reviews.done(transaction, due)


async def _replace_rejected(state: State, due: ProfileReview, verdict: ModerationVerdict) -> None:
    """Replaces a rejected profile text by a neutral one and notifies its user. Does nothing if the text has changed
    since.
    """
    async with state.postgres.transaction() as transaction:
        before = await users.lock(transaction, due.user_id)
        if before is None or not await profile_reviews.done(transaction, due):
            return
        after = await _with_neutral_text(state, transaction, before, due.field)
        await users.update(transaction, before, after)
        version = version_at(state.now_ms()) + due.field
        line = _line(after, due.field, version, verdict)
        await log.write(transaction, [line])
        if verdict.match is not None:
            reason = f"{due.field.label} {getattr(before, due.field.attribute)!r}: {verdict.match}"
            await deletions.hold_also(transaction, due.user_id, reason, state.now_ms())
        notices, events_out = UntoldEvents(), OutgoingEvents(state.keys.partition_of)
        told = notices, events_out
        await statements.of_reviewer(transaction, line, Restriction.PROFILE_REJECTED, state.settings, *told)
        notices.moderated(after.user_id, after.ref, version, f"Your {due.field.label} was rejected: {verdict.reason}")
        await notices.write(transaction, due.partition)
        fence = await users.fence_changed(state.cache, transaction, before, after)
        outgoing.profile(events_out, after)
        await events_out.write(transaction)
    await state.cache.unfence(fence)
    recipients = await delivery.deliver(
        state.postgres, [due.partition], state.keys.partition_of, kept=state.settings.retention.notifications
    )
    await notifications.publish(state, recipients)
    await notify_subscribers(state, (), recipients)


def _line(user: UserRow, field: ProfileField, version: int, verdict: ModerationVerdict) -> LogLine:
    """Returns the line of the moderation log about a rejected profile text, without the text."""
    return LogLine(
        moment=moment_of(version),
        action=ModerationAction.REJECTED,
        role=ModerationRole.REVIEWER,
        actor_id=None,
        ref=user.ref,
        user_id=user.user_id,
        before={"field": field.attribute},
        after={"field": field.attribute, "replaced": True} | ({} if verdict.match is None else {"match": True}),
        reason=verdict.reason,
    )


async def _with_neutral_text(state: State, transaction: Transaction, user: UserRow, field: ProfileField) -> UserRow:
    """Returns a profile with a neutral value in place of the text of one field. A neutral handle is claimed in the
    transaction. It also becomes the display name if this was equal to the old handle. Raises Unavailable if no handle
    is free.
    """
    if field is ProfileField.BIO:
        return replace(user, bio="")
    if field is ProfileField.AVATAR:
        return replace(user, avatar_url=None)
    if field is ProfileField.DISPLAY_NAME:
        return replace(user, display_name=user.handle)
    hold = state.settings.people.handle_hold
    for handle in handles.with_suffixes(handles.candidates(separators="")):
        if await held_handles.change(transaction, user.user_id, user.handle, handle, hold):
            name = handle if user.display_name.lower() == user.handle else user.display_name
            return replace(user, handle=handle, display_name=name)
    raise Unavailable("No handle is free.")
