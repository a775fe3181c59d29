"""Topics by name: those with a post that the viewer may see."""

import asyncio
from collections.abc import Sequence

from context import Context
from domain.errors import Unavailable
from models.posts import PostRow
from models.topics import TopicRow
from resolvers import timelines
from store.redis.client import RedisDown


async def rows(
    context: Context, names: Sequence[str], there: Sequence[bool | Exception]
) -> list[TopicRow | Exception | None]:
    """Returns the topics with these names, with None for each topic that does not exist or has no post that the viewer
    may see.

    `there` has the results of the topics loader: whether each topic exists, or an exception. While Redis is down, the
    result has an exception in place of a topic that is not found, because a journal may contain a post with the topic.
    """
    otherwise = RedisDown() if context.state.redis.is_unavailable else None
    return await asyncio.gather(
        *(_shown(context, name, yes, otherwise) for name, yes in zip(names, there, strict=True))
    )


async def _shown(
    context: Context, name: str, there: bool | Exception, otherwise: Exception | None
) -> TopicRow | Exception | None:
    if isinstance(there, Exception):
        return there
    topic = TopicRow(name)

    async def about(ids: Sequence[int]) -> list[PostRow | None]:
        posts = await context.loaders.posts.load_many(ids)
        return [post if post and name in post.topic_names else None for post in posts]

    sources = [timelines.listed(context.loaders.under, topic.ref)] if there else []
    sources += [] if otherwise else [timelines.just_now(context)]
    try:
        found, _ = await timelines.collect(about, sources, None, 1)
    except Unavailable as error:
        return error
    if found:
        return topic
    return None if there else otherwise
