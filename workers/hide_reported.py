"""Hides posts and comments with many open reports, where the setting `hide_reported` says so.

Appends a decision to the journal, as the external reviewer's decisions are appended. It gives the status PENDING, so a
moderator decides. What a moderator has approved is not hidden again before its author edits it.
"""

import secrets
from collections.abc import Callable

from domain.moderation.verdicts import AuditStatus
from settings import POSTS
from state import State
from store.content import comments, patches, posts
from store.content.patches import JUDGE
from store.moderation import cases
from store.moderation.reviews import ModeratedRow
from store.write_log.operations import Operation

_REASON = "reported by several users"
_OPERATION_MS = 60_000


async def hide_reported(state: State, is_leader: Callable[[], bool]) -> int:
    """Hides what has reached the weight of its business. Returns the number of posts and comments. Only one worker of a
    deployment does so, and none while Redis is down.
    """
    weights = {state.businesses[name].id: weight for name, weight in state.settings.moderation.hide_reported.items()}
    if not weights or not is_leader() or state.redis.is_unavailable:
        return 0
    refs = await cases.to_hide(state.postgres, weights)
    rows: list[ModeratedRow] = [
        *(await posts.by_id(state.postgres, [ref.entity_id for ref in refs if ref.business_id == POSTS])).values(),
        *(await comments.by_id(state.postgres, [ref.entity_id for ref in refs if ref.business_id != POSTS])).values(),
    ]
    for row in rows:
        entry = patches.judgement(row.author_id, row, AuditStatus.PENDING, _REASON, by_reports=True)
        operation = Operation(("", secrets.token_hex(16)), "", _OPERATION_MS)
        await state.patches.append(row.author_id, JUDGE, row.ref, operation, entry)
    return len(rows)
