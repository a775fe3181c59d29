"""The topics and entities that the viewer follows: the viewer's lists, whether the viewer follows an object, and
whether topics are in home.
"""

from collections.abc import Sequence

from commands import preferences
from context import Context
from domain.errors import BadCursor, Unavailable
from models.counters import EntityRef
from models.entities import EntityRow
from models.preferences import Preference
from models.topics import TopicRow
from models.users import ViewerRow
from resolvers import boundaries, timelines
from resolvers.pages import Connection
from resolvers.timelines import Load, Row
from settings import TOPICS
from store.cache.lists import Item, newest_of


async def follows(context: Context, rows: Sequence[TopicRow | EntityRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves Followable.viewerFollows: whether the viewer follows each topic or entity; None if no user is signed in,
    Unavailable if this cannot be read.
    """
    return await boundaries.each(context, rows, lambda found, row: row.ref in found.content_follows)


async def topics_in_home(context: Context, viewers: Sequence[ViewerRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves Viewer.topicsInHome: whether posts of followed topics are in the viewer's home timeline; Unavailable if
    this cannot be read.
    """
    return await boundaries.each(context, viewers, lambda found, _: Preference.TOPICS_IN_HOME in found.preferences)


async def set_topics_in_home(context: Context, enabled: bool, idempotency_key: str | None) -> ViewerRow:
    """Sets whether posts of followed topics are in the viewer's home timeline. Returns the viewer. Raises
    Unauthenticated, RateLimited, Unavailable; Refused with IDEMPOTENCY_MISMATCH.
    """
    viewer = ViewerRow(context.require_viewer().user_id)
    await preferences.switch(context, "setTopicsInHome", Preference.TOPICS_IN_HOME, enabled, idempotency_key)
    return viewer


async def topics(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[TopicRow] | BadCursor]:
    """Resolves Viewer.followedTopics: a page of the topics that the viewer follows, newest follow first; BadCursor if
    `after` is not a cursor of the list. There is one viewer per request. Raises BadInput unless `first` is 1 to 100;
    Unavailable if the follows cannot be read.
    """

    async def load(ids: Sequence[int]) -> Sequence[TopicRow | None]:
        found = (await context.own.boundaries.get()).content_follows
        return [TopicRow(found[EntityRef(TOPICS, id_)].name) for id_ in ids]

    return [await _page(context, viewers[0], "topics", load, first, after)]


async def entities(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[EntityRow] | BadCursor]:
    """Resolves Viewer.followedEntities: a page of the entities that the viewer follows, newest follow first; BadCursor
    if `after` is not a cursor of the list. Leaves out removed entities. There is one viewer per request. Raises
    BadInput unless `first` is 1 to 100; Unavailable if the follows or entities cannot be read.
    """

    async def load(ids: Sequence[int]) -> Sequence[EntityRow | None]:
        found = (await context.own.boundaries.get()).content_follows
        refs = {ref.entity_id: ref for ref in found}
        known = context.state.businesses_by_id
        rows = await context.content.entities_by_id.ask([refs[id_] for id_ in ids])
        return [row if refs[id_].business_id in known else None for id_, row in zip(ids, rows, strict=True)]

    return [await _page(context, viewers[0], "entities", load, first, after)]


async def _page(
    context: Context, viewer: ViewerRow, name: str, load: Load[Row], first: int, after: str | None
) -> Connection[Row] | BadCursor:
    async def followed(before: Item | None, count: int) -> list[Item]:
        found = (await context.own.boundaries.get()).content_follows
        members = (
            Item(follow.moment, ref.entity_id)
            for ref, follow in found.items()
            if (ref.business_id == TOPICS) == (name == "topics")
        )
        return newest_of(members, before, count)

    return await timelines.page(context, f"followed_{name}:{viewer.user_id}", load, [followed], first, after)
