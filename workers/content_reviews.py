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
from store.moderation import queue
from store.moderation.queue import Review
from store.write_log.operations import Status
from workers.external_reviewer import LATER, Reviewer

_AT_ONCE = 50


async def step(state: State, reviewer: Reviewer, partitions: Collection[int]) -> int:
    """Sends the posts and comments of these partitions that have waited longest to the reviewer. Returns the number of
    reviewed ones. Does nothing while Redis is down.

    Raises Unavailable if a verdict could not be written to the journal.
    """
    if not partitions or state.write_mode.current.direct or state.redis.is_unavailable:
        return 0
    due = await queue.due_reviews(state.postgres, partitions, _AT_ONCE)
    await gather_all(*[_review(state, reviewer, one) for one in due])
    return len(due)


async def _review(state: State, reviewer: Reviewer, due: Review) -> None:
    row = await queue.under_review(state.postgres, due)
    if row:
        verdict = await reviewer.review(row.submission, row.content_version)
        if verdict is not LATER and (await queue.submit(state.patches, row, verdict)).status is Status.FULL:
            raise Unavailable("The journal is full.")
    await queue.reviewed(state.postgres, due)
