"""Topics by key (the form that all spellings of a name share): those with a post that the viewer may see."""

import asyncio
from collections.abc import Sequence

from domain.errors import Unavailable
from loaders.lists import ListPage
from loaders.request.content import Content
from models.counters import EntityRef
from models.topics import TopicRow, topic_id
from settings import TOPICS
from store.redis.client import RedisDown

_MOST_POSTS = 100
"""How many of the newest posts of a topic are read to find one that the viewer may see."""


async def rows(
    content: Content, keys: Sequence[str], found: Sequence[str | Exception | None]
) -> list[TopicRow | Exception | None]:
    """Returns the topics with these keys. None for a topic that does not exist, or if the viewer may see none of the
    newest hundred posts of the topic.

    `found` has the results of the topics loader: a name, None or an exception for each topic. While Redis is down, an
    exception is in the place of a topic that is not found, because a post with the topic may not be stored in Postgres
    yet.
    """
    otherwise = RedisDown() if content.state.redis.is_unavailable else None
    each = zip(keys, found, strict=True)
    return await asyncio.gather(*(_shown(content, key, name, otherwise) for key, name in each))


async def _shown(
    content: Content, key: str, name: str | Exception | None, otherwise: Exception | None
) -> TopicRow | Exception | None:
    if isinstance(name, Exception):
        return name

    ref = EntityRef(TOPICS, topic_id(key))
    try:
        for count in (1, _MOST_POSTS):
            pages = content.lists.under.ask([ListPage(ref, None, count)] if name else ())
            own = () if otherwise else await content.own.just_now()
            items = sorted({*own, *(item for page in await pages for item in page)}, reverse=True)
            for post in await content.posts.ask([item.member for item in items[:count]]):
                if post and key in post.names_by_topic:
                    return TopicRow(name or post.names_by_topic[key])
            if len(items) < count:
                break
    except Unavailable as error:
        return error
    return None if name else otherwise
