"""Topics by key: those with a post that the viewer may see."""

import asyncio
from collections.abc import Sequence

from context import Context
from domain.errors import Unavailable
from models.counters import EntityRef
from models.posts import PostRow
from models.topics import TopicRow, topic_id
from resolvers import timelines
from settings import TOPICS
from store.redis.client import RedisDown


async def rows(
    context: Context, keys: Sequence[str], found: Sequence[str | Exception | None]
) -> list[TopicRow | Exception | None]:
    """Returns the topics with these keys, with None for each topic that does not exist or has no post that the viewer
    may see.

    `found` has the results of the topics loader: a name, None or an exception for each topic. While Redis is down, the
    result has an exception in place of a topic that is not found, because a journal may contain a post with the topic.
    """
    otherwise = RedisDown() if context.state.redis.is_unavailable else None
    each = zip(keys, found, strict=True)
    return await asyncio.gather(*(_shown(context, key, name, otherwise) for key, name in each))


async def _shown(
    context: Context, key: str, name: str | Exception | None, otherwise: Exception | None
) -> TopicRow | Exception | None:
    if isinstance(name, Exception):
        return name

    async def about(ids: Sequence[int]) -> list[PostRow | None]:
        posts = await context.loaders.posts.load_many(ids)
        return [post if post and key in post.names_by_topic else None for post in posts]

    ref = EntityRef(TOPICS, topic_id(key))
    sources = [timelines.listed(context.loaders.under, ref)] if name else []
    sources += [] if otherwise else [timelines.just_now(context)]
    try:
        _, posts = await timelines.collect(about, sources, None, 1)
    except Unavailable as error:
        return error
    shown = next(filter(None, posts.values()), None)
    if shown:
        return TopicRow(name or shown.names_by_topic[key])
    return None if name else otherwise
