"""Reviews: posts that nothing objected to, shown to the external reviewer, whose verdicts go through the journal.

What is to be reviewed is a row per post, written in the transaction that found nothing. A worker that dies asks again;
a post that has changed meanwhile is reviewed anew. What a moderator decides stands, whatever the reviewer says later.
"""

import secrets
from collections.abc import Collection

from moderation.reviewer import Reviewer
from state import State
from store import patches, post_rows, posts
from store.operations import Operation, Status
from store.post_rows import Review
from workers.posts import submission_of
from workers.together import together

_AT_ONCE = 50
_OPERATION_MS = 60_000


class Reviews:
    """Those of one worker's partitions."""

    def __init__(self, state: State, reviewer: Reviewer) -> None:
        self._state = state
        self._reviewer = reviewer

    async def step(self, partitions: Collection[int]) -> int:
        """Asks about the oldest few. Returns how many there were."""
        due = await post_rows.due_reviews(self._state.postgres, partitions, _AT_ONCE) if partitions else []
        await together(*map(self._review, due))
        return len(due)

    async def _review(self, due: Review) -> None:
        rows = await posts.by_id(self._state.postgres, [due.post_id])
        post = rows.get(due.post_id)
        if post and post.awaits_review and post.content_version == due.content_version:
            verdict = await self._reviewer.review(submission_of(post))
            operation = Operation(("", secrets.token_hex(16)), "", _OPERATION_MS)
            entry = patches.judgement(post.author_id, post, verdict.status, verdict.reason, reviewer=True)
            outcome = await self._state.patches.judge(post.author_id, post.ref, operation, entry)
            if outcome.status is not Status.DONE:
                return  # the journal is full: it is due again
        await post_rows.reviewed(self._state.postgres, due)
