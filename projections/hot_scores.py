"""Updates the hot scores of posts and comments, by which lists of hot posts and comments are ordered, after a batch has
changed their counters or visibility.

Scores are computed from rows alone, so updating can be repeated, delayed, or done by another worker. A score is
published to the cached lists while its row is locked. If two workers write a score of the same post, the worker with
the newer counters publishes last, and the other publishes nothing. The score of a post is written only if it has
changed noticeably.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from domain.ranking import hot, hot_comment, step
from models.counters import EntityRef
from models.topics import SQUARE, topic_id
from settings import COMMENTS, POSTS
from state import State
from store.cache.lists import Item
from store.content import announcements, hot_comments
from store.content import hot as rows
from store.content.hot import PostScore, PostStanding
from store.gather import gather_all
from store.groups import chunks, grouped
from store.postgres.client import Transaction
from store.redis.client import RedisDown

_CHUNK = 400
S = TypeVar("S")
"""A score of a post or comment."""
P = TypeVar("P")
"""A score as an item of a cached list: the list, and the item."""


async def publish(state: State, refs: Iterable[EntityRef]) -> None:
    """Recomputes the hot scores of the posts and root comments among these objects, and of the posts that announce the
    entities among them. Writes them to rows and cached lists.
    """
    found = {*refs}
    entities = [ref for ref in found if state.is_in_feeds(ref.business_id)]
    posts = await announcements.of_entities(state.postgres, entities) if entities else {}
    ids = grouped(found | {EntityRef(POSTS, post_id) for post_id in posts.values()})
    published = (POSTS, publish_posts), (COMMENTS, publish_comments)
    await gather_all(*[write(state, ids[business]) for business, write in published if business in ids])


async def publish_posts(state: State, ids: Iterable[int]) -> None:
    """Recomputes the hot scores of the posts with these ids. Writes them to rows and cached lists."""
    publish, now = partial(rows.publish, state.cache, cap=state.settings.caches.posts), state.now_ms() << 10
    for some in chunks(sorted(ids), _CHUNK):
        standings = await rows.standings(state.postgres, some)
        items = [(topic, Item(0, one.post_id)) for one in standings if not one.public for topic in _topics(one)]
        scored = [_scored(topic, one, now) for one in standings if one.public for topic in _topics(one)]
        await _store_and_publish(state, rows.write, scored, publish, items, rows.mark_unpublished)


async def publish_comments(state: State, ids: Iterable[int]) -> None:
    """Recomputes the hot scores of the root comments among the comments with these ids. Writes them to rows and cached
    lists.
    """
    publish = partial(hot_comments.publish, state.cache, cap=state.settings.caches.hot_comments)
    for some in chunks(sorted(ids), _CHUNK):
        standings = await hot_comments.standings(state.postgres, some)
        items = [(one.subject, Item(0, one.comment_id)) for one in standings if not one.visible]
        scored = [_scored_comment(one) for one in standings if one.visible]
        await _store_and_publish(state, hot_comments.write, scored, publish, items)


async def _store_and_publish(
    state: State,
    write: Callable[[Transaction, Sequence[S]], Awaitable[list[P]]],
    scored: Sequence[S],
    publish: Callable[[Sequence[P]], Awaitable[None]],
    removed: Sequence[P],
    mark_unpublished: Callable[[Transaction, Sequence[P]], Awaitable[None]] | None = None,
) -> None:
    """Writes hot scores to rows with `write`, which returns the changed scores as items of lists. While the rows are
    locked, passes these items, and those in `removed`, to `publish`.

    If Redis is down, the rows are written nevertheless. Then `mark_unpublished` is called with the items, and RedisDown
    is raised.
    """
    if not scored:
        await publish(removed)
        return
    down: RedisDown | None = None
    async with state.postgres.transaction() as transaction:
        items = await write(transaction, scored)
        try:
            await publish([*removed, *items])
        except RedisDown as error:
            down = error
            if mark_unpublished:
                await mark_unpublished(transaction, items)
    if down:
        raise down


def _scored_comment(standing: hot_comments.CommentStanding) -> hot_comments.CommentScore:
    score = hot_comment(standing.moment, standing.likes, standing.dislikes, standing.replies)
    return standing.subject, standing.comment_id, score, standing.version


def _topics(standing: PostStanding) -> list[int]:
    return [topic_id(name) for name in (SQUARE, *standing.topics)]


def _scored(topic: int, standing: PostStanding, now: int) -> PostScore:
    score = hot(standing.moment, standing.likes, standing.dislikes)
    return topic, standing.post_id, score, step(score, now), standing.version
