"""Hides posts and comments with many open reports, where the setting `hide_reported` says so.

Appends a decision to the author's journal, like the decisions of the external reviewer. The decision gives the status
PENDING, so a moderator decides next. What a moderator has approved is not hidden again before its author edits it.
"""

from collections.abc import Callable

from domain.digests import digest
from domain.moderation.reports import HIDDEN_BY_REPORTS
from domain.moderation.verdicts import AuditStatus
from models.moderation_steps import JUDGE, judgement
from settings import POSTS
from state import State
from store.content import comments, posts
from store.moderation import cases
from store.moderation.reviews import ModeratedRow
from store.write_log.operations import Operation, Status

_REMEMBERED_MS = 60_000
"""Milliseconds after which the decision is appended again, if the first one has had no effect."""


async def hide_reported(state: State, is_leader: Callable[[], bool]) -> int:
    """Hides posts and comments whose open reports together weigh at least as much as `hide_reported` says for their
    business. Returns the number of decisions appended. Does nothing and returns 0 unless `is_leader` returns true, and
    while Redis is down.
    """
    weights = {state.businesses[name].id: weight for name, weight in state.settings.moderation.hide_reported.items()}
    if not weights or not is_leader() or state.redis.is_unavailable:
        return 0
    refs = await cases.to_hide(state.postgres, weights)
    rows: list[ModeratedRow] = [
        *(await posts.by_id(state.postgres, [ref.entity_id for ref in refs if ref.business_id == POSTS])).values(),
        *(await comments.by_id(state.postgres, [ref.entity_id for ref in refs if ref.business_id != POSTS])).values(),
    ]
    return [await _hide(state, row) for row in rows].count(Status.DONE)


async def _hide(state: State, row: ModeratedRow) -> Status:
    """Appends the decision to hide a post or comment to the author's journal, once for each version of the content.
    Returns DONE, or the status that says why nothing was appended.
    """
    entry = judgement(row.author_id, row, AuditStatus.PENDING, HIDDEN_BY_REPORTS, by_reports=True)
    name = digest("hidden by reports", f"{row.global_id} {row.content_version}")
    return (await state.patches.append(row.author_id, JUDGE, Operation(name, "", _REMEMBERED_MS), entry)).status
