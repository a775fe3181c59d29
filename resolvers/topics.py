"""Topics by name: topics with approved posts, and topics of posts that the viewer has just published."""

from collections.abc import Sequence

from context import Context
from models.topics import TopicRow
from store.redis.client import RedisDown


async def rows(
    context: Context, names: Sequence[str], there: Sequence[bool | Exception]
) -> list[TopicRow | Exception | None]:
    """Returns the topics with these names, with None for each topic that does not exist.

    `there` has the results of the topics loader: whether each topic exists, or an exception. While Redis is down, the
    result has an exception in place of a topic that is not found, because a journal may contain a post with the topic.
    """
    otherwise = RedisDown() if context.state.redis.is_unavailable else None
    own = frozenset[str]() if otherwise or all(there) else await _just_written_about(context)
    topics = [TopicRow(name) if yes or name in own else otherwise for name, yes in zip(names, there, strict=True)]
    return [yes if isinstance(yes, Exception) else topic for topic, yes in zip(topics, there, strict=True)]


async def _just_written_about(context: Context) -> frozenset[str]:
    patches = (await context.loaders.patches()).posts
    posts = await context.loaders.posts.load_many([*patches]) if patches else ()
    return frozenset(name for post in posts if post for name in post.topic_names)
