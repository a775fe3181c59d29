"""Topics: those that everybody has posts under, and for whoever has just written about one, that one too."""

from collections.abc import Sequence

from context import Context
from models.topics import TopicRow
from store.redis.client import RedisDown


async def rows(
    context: Context, names: Sequence[str], there: Sequence[bool | Exception]
) -> list[TopicRow | Exception | None]:
    """Topics by name, of which the topics loader has said whether they are there, or why it cannot say; None for those
    that are not.

    Without Redis nobody can tell that there is no such topic: a post about it may lie in a journal.
    """
    otherwise = RedisDown() if context.state.redis.is_away else None
    own = frozenset[str]() if otherwise or all(there) else await _just_written_about(context)
    topics = [TopicRow(name) if yes or name in own else otherwise for name, yes in zip(names, there, strict=True)]
    return [yes if isinstance(yes, Exception) else topic for topic, yes in zip(topics, there, strict=True)]


async def _just_written_about(context: Context) -> frozenset[str]:
    patches = (await context.loaders.patches()).posts
    posts = await context.loaders.posts.load_many([*patches]) if patches else ()
    return frozenset(name for post in posts if post for name in post.topic_names)
