"""Stores a decision of the external reviewer that comes late: asked about a post or comment, the reviewer had answered
that it decides later.
"""

from domain.errors import NotServed, Unavailable
from domain.moderation.verdicts import ModerationVerdict
from models.counters import EntityRef
from state import State
from store.moderation import reviews
from store.write_log.operations import Status

_RETRY_SECONDS = 5


async def decide(state: State, ref: EntityRef, content_version: int, verdict: ModerationVerdict) -> None:
    """Appends the reviewer's verdict on one version of a post or comment to the journal. Does nothing if the post or
    comment has this verdict already.

    Raises NotServed with the status 404 for an unknown or deleted post or comment, 409 if its content has changed or
    there is another decision; Unavailable if the verdict cannot be stored now.
    """
    if await state.write_mode.writes_directly():  # without a journal, a verdict cannot be stored
        raise Unavailable("Decisions cannot be stored now.", retry_after=_RETRY_SECONDS)
    row = await reviews.content(state.postgres, ref)
    if row is None or row.deleted:
        raise NotServed("There is no post or comment with this kind and id.", 404)
    if row.content_version != content_version:
        raise NotServed("The content has changed: contentVersion is not that of the present content.", 409)
    if not row.awaits_review:
        if (row.status, row.reason) == (verdict.status, verdict.reason):
            return
        raise NotServed("This does not wait for the reviewer: there is a decision, or a moderator must decide.", 409)
    outcome = await reviews.submit(state.patches, row, verdict)
    if outcome.status is Status.MISMATCH:
        raise NotServed("There is another decision about this content already.", 409)
    if outcome.status is Status.FULL:
        raise Unavailable("Too many changes are waiting to be stored.", retry_after=_RETRY_SECONDS)
