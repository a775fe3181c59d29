"""Posts of the topics that the viewer follows, and about entities that the viewer follows: a timeline of their own, and
their places in home. In this module, a post about a followed entity is a post of a topic, too.

Home shows at most one post of a topic between two others, and `topic_spacing` other posts between two of them. So
topics never push the posts of followed users out of home. The lists of topics are merged when a page is read, and
nothing is pushed: an unfollow takes effect at once.
"""

from collections.abc import Mapping, Sequence

from context import Context
from domain.errors import BadCursor
from loaders import topic_lists
from models.content_follows import ContentFollow
from models.counters import EntityRef
from models.home import HomeReason, HomeReasonKind
from models.posts import PostRow
from models.topics import TopicRow
from models.users import ViewerRow
from resolvers import timelines
from resolvers.pages import Connection
from store.cache.lists import Item

Followed = Mapping[EntityRef, ContentFollow]
"""The topics and entities that a user follows."""
_PLACES = 5
"""The number of places on a page of home for which posts of topics are read. The places are spread over the page."""


def reason(followed: Followed, post: PostRow) -> HomeReason | None:
    """Returns why a post is in a timeline: the entity that it refers to if that is followed, or else the first of its
    topics that is followed; None if nothing is followed.
    """
    if post.about in followed:
        return HomeReason(HomeReasonKind.ENTITY, entity=post.about)
    for name in post.names_by_topic.values():
        if follow := followed.get(TopicRow(name).ref):
            return HomeReason(HomeReasonKind.TOPIC, topic=TopicRow(follow.name))
    return None


async def feed(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[PostRow] | BadCursor]:
    """Resolves Viewer.followedTopicsFeed: a page of the posts with a topic, or about an entity, that the viewer
    follows, newest first; BadCursor if `after` is not a cursor of the list. Includes posts that the viewer has just
    published. There is one viewer per request. Raises BadInput unless `first` is 1 to 100; Unavailable if the page
    cannot be read or filled.
    """
    reasons: dict[int, HomeReason] = {}

    async def listed(before: Item | None, count: int) -> list[Item]:
        followed = (await context.own.boundaries.get()).content_follows
        return await topic_lists.page(context.state, context.lists.under, list(followed), before, count)

    async def load(ids: Sequence[int]) -> list[PostRow | None]:
        followed = (await context.own.boundaries.get()).content_follows
        posts = await context.content.feed_posts(ids)
        reasons.update({post.post_id: why for post in posts if post and (why := reason(followed, post))})
        return [post if post and post.post_id in reasons else None for post in posts]

    sources = [listed, context.own.just_now]
    scope = f"followed_topics_feed:{viewers[0].user_id}"
    page = await timelines.page(context, scope, load, sources, first, after)
    if isinstance(page, Connection):
        page.home_reasons = reasons
    return [page]


async def candidates(context: Context, followed: Followed, page: Sequence[Item], before: Item | None) -> list[Item]:
    """Returns posts of these topics that may stand on a page of home, newest first. `page` has the other items of the
    page, which comes after `before`. Raises Unavailable.
    """
    spacing = context.state.settings.people.topic_spacing
    step = max(spacing, -(-len(page) // _PLACES))
    places = [*(() if before else (None,)), *page[step - 1 : -1 : step]]
    if not (followed and places):
        return []
    return await topic_lists.near(context.state, context.lists.under, list(followed), places)


def woven(page: Sequence[Item], others: Sequence[Item], spacing: int, *, is_first: bool) -> list[Item]:
    """Returns the items of a page of home with those of `others`, posts of topics, that have a place there. Both are
    newest first.

    Between two posts of topics stand at least `spacing` items of `page`. After the last of these stands no post of a
    topic. `is_first` says that the page is the first one, which may begin with a post of a topic.
    """
    result: list[Item] = []
    rest = list(reversed(others))
    since = spacing if is_first else 0
    for item in page:
        while rest and rest[-1] > item:
            other = rest.pop()
            if since >= spacing:
                result.append(other)
                since = 0
        result.append(item)
        since += 1
    return result
