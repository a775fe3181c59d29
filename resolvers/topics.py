"""Topics by key: topics with approved posts, and topics of posts that the viewer has just published."""

from collections.abc import Sequence

from context import Context
from models.topics import TopicRow
from store.redis.client import RedisDown


async def rows(
    context: Context, keys: Sequence[str], found: Sequence[str | Exception | None]
) -> list[TopicRow | Exception | None]:
    """Returns the topics with these keys, with None for each topic that does not exist.

    `found` has the results of the topics loader: a name, None or an exception for each topic. While Redis is down, the
    result has an exception in place of a topic that is not found, because a journal may contain a post with the topic.
    """
    otherwise = RedisDown() if context.state.redis.is_unavailable else None
    own = {} if otherwise or all(found) else await _just_written_about(context)
    names = [name or own.get(key) for key, name in zip(keys, found, strict=True)]
    return [TopicRow(name) if isinstance(name, str) else name or otherwise for name in names]


async def _just_written_about(context: Context) -> dict[str, str]:
    """Returns the names of the topics of the viewer's unpublished posts, by key."""
    patches = (await context.loaders.patches()).posts
    posts = await context.loaders.posts.load_many([*patches]) if patches else ()
    return {key: name for post in posts if post for key, name in post.names_by_topic.items()}
