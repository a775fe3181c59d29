"""Sends posts and comments that passed the moderation rules to the external reviewer. Appends the reviewer's verdicts
to the journal.

The transaction that applies the rules also writes a row in the table `reviews`. If a worker dies, the review is
repeated. A post that changes is reviewed again. A moderator's decision overrides the reviewer's. If the reviewer
answers that it decides later, the row is removed, and the post or comment waits for the decision (commands/reviews.py).
"""

from collections.abc import Collection

from domain.errors import Unavailable
from state import State
from store.gather import gather_all
from store.moderation import reviews
from store.moderation.reviews import Review
from store.write_log.operations import Status
from workers import reviewed_submissions
from workers.external_reviewer import LATER, Reviewer

_AT_ONCE = 50


async def step(state: State, reviewer: Reviewer, partitions: Collection[int]) -> int:
    """Sends up to 50 posts and comments of authors in these partitions to the external reviewer, those that have waited
    longest first. Appends the verdicts to the journal. Returns the number of posts and comments. Does nothing and
    returns 0 while Redis is down or writes go directly to Postgres.

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
        verdict = await reviewer.review(await reviewed_submissions.of_content(state, row), row.content_version)
        if verdict is not LATER and (await reviews.submit(state.patches, row, verdict)).status is Status.FULL:
            raise Unavailable("The journal is full.")
    await reviews.reviewed(state.postgres, due)
