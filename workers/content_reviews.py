"""Sends posts and comments that passed the moderation rules to the external reviewer. Appends the reviewer's verdicts
to the journal.

The transaction that applies the rules also writes a row in the table `reviews`. If a worker dies, the review is
repeated. A post that changes is reviewed again. A moderator's decision overrides the reviewer's.
"""

import secrets
from collections.abc import Collection

from domain.errors import Unavailable
from state import State
from store.content import patches
from store.content.patches import JUDGE
from store.gather import gather_all
from store.moderation import reviews
from store.moderation.reviews import Review
from store.write_log.operations import Operation, Status
from workers import reviewed_submissions
from workers.external_reviewer import Reviewer

_AT_ONCE = 50
_OPERATION_MS = 60_000


async def step(state: State, reviewer: Reviewer, partitions: Collection[int]) -> int:
    """Sends the posts and comments of these partitions that have waited longest to the reviewer. Returns the number of
    reviewed ones. Does nothing while Redis is down.

    Raises Unavailable if a verdict could not be written to the journal.
    """
    if not partitions or state.write_mode.current.direct or state.redis.is_unavailable:
        return 0
    due = await reviews.due_reviews(state.postgres, partitions, _AT_ONCE)
    await gather_all(*[_review(state, reviewer, one) for one in due])
    return len(due)


async def _review(state: State, reviewer: Reviewer, due: Review) -> None:
    row = await reviews.under_review(state.postgres, due)
    if row:
        verdict = await reviewer.review(await reviewed_submissions.of_content(state, row))
        operation = Operation(("", secrets.token_hex(16)), "", _OPERATION_MS)
        entry = patches.judgement(row.author_id, row, verdict.status, verdict.reason, reviewer=True)
        outcome = await state.patches.append(row.author_id, JUDGE, row.ref, operation, entry)
        if outcome.status is not Status.DONE:
            raise Unavailable("The journal is full.")
    await reviews.reviewed(state.postgres, due)
