"""The topics and entities that the viewer follows: the viewer's lists, and whether the viewer follows an object."""

from collections.abc import Callable, Sequence

from context import Context
from domain.errors import BadCursor, Unavailable
from models.counters import EntityRef
from models.entities import EntityRow
from models.preferences import Preference
from models.topics import TopicRow
from models.users import ViewerRow
from resolvers import boundaries, pages, timelines
from resolvers.pages import Connection, Pages
from settings import TOPICS
from store.cache.lists import Item


async def follows(
    context: Context, rows: Sequence[TopicRow | EntityRow]
) -> Sequence[bool | Unavailable | None]:
    """Resolves Followable.viewerFollows: whether the viewer follows each topic or entity; None if no user is signed in,
    Unavailable if this cannot be read.
    """
    return await boundaries.each(context, rows, lambda found, row: row.ref in found.content_follows)


async def topics_in_home(context: Context, viewers: Sequence[ViewerRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves Viewer.topicsInHome: whether the viewer has chosen to see posts of followed topics in home."""
    return await boundaries.each(context, viewers, lambda found, _: Preference.TOPICS_IN_HOME in found.preferences)


async def topics(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> Pages[TopicRow]:
    """Resolves Viewer.followedTopics: a page of the topics that the viewer follows, newest follow first. There is one
    viewer per request. Raises BadInput unless `first` is 1 to 100; Unavailable if the follows cannot be read.
    """

    async def load(ids: Sequence[int]) -> Sequence[TopicRow | None]:
        found = (await context.own.boundaries.get()).content_follows
        return [TopicRow(found[EntityRef(TOPICS, id_)].name) for id_ in ids]

    return await _pages(context, viewers, lambda ref: ref.business_id == TOPICS, "topics", load, first, after)
