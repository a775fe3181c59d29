"""Corrects the post counts of topics after an author's account has become private or public, or was suspended or
reinstated. The counts include only posts that all users may see.

The transaction that changes the profile also requests the recount. A step changes a few posts of each author. Steps can
be interrupted and repeated at any time, and go on in another worker: a step is stored as done when its counters are
published.
"""

from collections.abc import Callable

from models.counters import CounterKind, EntityRef
from settings import TOPICS
from state import State
from store.content import topic_recounts
from store.content.topic_recounts import Recount
from store.gather import results_of
from store.people import users
from store.reactions.counts import CounterDeltas
from workers.publish import publish_counts

_AUTHORS = 100
"""The most authors of one step."""
_AT_ONCE = 500
"""The most posts of one author in one step."""


async def recount_topics(state: State, is_leader: Callable[[], bool]) -> int:
    """Takes one step of each recount that is due: corrects the counts of topics for the next posts of each author.
    Returns the number of posts. Does nothing and returns 0 unless `is_leader` returns true, and while Redis is down. If
    the recounts of some authors fail, raises the first failure after those of the others; the call can then be
    repeated.
    """
    if not is_leader() or state.redis.is_unavailable:
        return 0
    ends: list[int | BaseException] = []
    for recount in await topic_recounts.due(state.postgres, _AUTHORS):
        try:
            ends.append(await _step(state, recount))
        except Exception as error:  # noqa: BLE001 - no author may stop the recounts of others
            ends.append(error)
    return sum(results_of(ends))


async def _step(state: State, recount: Recount) -> int:
    """Adds the next posts of an author to the counts of all their topics, or removes them from the counts, as the
    author's row says now: posts of a private or hidden author do not count. Returns the number of posts.
    """
    deltas = CounterDeltas({})
    async with state.postgres.transaction() as transaction:
        uncounted = await users.uncounted_among(transaction, [recount.author_id])
        posts = await topic_recounts.next_posts(transaction, recount, _AT_ONCE)
        places = await topic_recounts.topics_of(transaction, posts)
        for topic in await topic_recounts.count(transaction, places, counted=not uncounted):
            deltas.add(EntityRef(TOPICS, topic), CounterKind.POSTS, -1 if uncounted else 1)
        await deltas.write(transaction)
    # Also those that did not change: the step may be repeated because they were not published.
    await publish_counts(state, sorted({EntityRef(TOPICS, topic) for topic, _ in places}))
    async with state.postgres.transaction() as transaction:
        await topic_recounts.advance(transaction, recount, posts[-1] if len(posts) == _AT_ONCE else None)
    return len(posts)
