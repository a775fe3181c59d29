"""How hot posts and comments are, after a batch that moved their counters, or made them appear or disappear.

Scores follow from rows alone, so that this can be done twice, late, or by another worker. A score is published to the
cached lists while its row is locked: of two workers that score one post, the one with the newer counters publishes
last, and the other one publishes nothing.
"""

from collections.abc import Iterable, Sequence

from domain.ranking import hot, hot_comment
from models.topics import SQUARE, topic_id
from projections.events import Authored, Event, Judged, Reacted
from settings import POSTS
from state import State
from store.cache.lists import Item
from store.content import hot as rows
from store.content import hot_comments
from store.content.hot import PostScore, PostStanding

_CHUNK = 400


async def publish(state: State, events: Iterable[Event]) -> None:
    """Scores anew what events may have moved, in rows and in the lists that are cached."""
    about = [event.ref for event in events if isinstance(event, Authored | Judged | Reacted)]
    await publish_posts(state, {ref.entity_id for ref in about if ref.business_id == POSTS})


async def publish_posts(state: State, ids: Iterable[int]) -> None:
    """Scores those posts anew."""
    ordered = sorted(ids)
    for at in range(0, len(ordered), _CHUNK):
        await _publish_posts(state, ordered[at : at + _CHUNK])


async def _publish_posts(state: State, posts: Sequence[int]) -> None:
    standings = await rows.standings(state.postgres, posts)
    items = [(topic, Item(0, one.post_id)) for one in standings if not one.public for topic in _topics(one)]
    scored = [_scored(topic, one) for one in standings if one.public for topic in _topics(one)]
    async with state.postgres.transaction() as transaction:
        items += await rows.write(transaction, scored) if scored else []
        await rows.publish(state.cache, items, cap=state.settings.cached_posts)


async def publish_comments(state: State, ids: Iterable[int]) -> None:
    """Scores those comments anew that are roots, in rows and in the lists that are cached."""
    ordered = sorted(ids)
    for at in range(0, len(ordered), _CHUNK):
        await _publish_comments(state, ordered[at : at + _CHUNK])


async def _publish_comments(state: State, ids: Sequence[int]) -> None:
    standings = await hot_comments.standings(state.postgres, ids)
    items = [(one.subject, Item(0, one.comment_id)) for one in standings if not one.visible]
    scored = [_scored_comment(one) for one in standings if one.visible]
    async with state.postgres.transaction() as transaction:
        items += await hot_comments.write(transaction, scored) if scored else []
        await hot_comments.publish(state.cache, items, cap=state.settings.hot_comments)


def _scored_comment(standing: hot_comments.CommentStanding) -> hot_comments.CommentScore:
    score = hot_comment(standing.moment, standing.likes, standing.dislikes, standing.replies)
    return hot_comments.CommentScore(standing.subject, standing.comment_id, score, standing.version)


def _topics(standing: PostStanding) -> list[int]:
    return [topic_id(name) for name in (SQUARE, *standing.topics)]


def _scored(topic: int, standing: PostStanding) -> PostScore:
    score = hot(standing.moment, standing.likes, standing.dislikes)
    return PostScore(topic, standing.post_id, score, standing.version)
