"""Topics: the names of existing topics, and the posts under each topic."""

from collections.abc import Iterable, Sequence

import orjson
from sqlalchemy import text

from models.counters import EntityRef
from models.posts import UNPUBLISHED, PostRow
from models.topics import SQUARE, topic_id
from store import keys
from store.cache.lists import Item
from store.cache.values import Cache, Cached
from store.content import items
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

LIFE_MS = 86_400_000

_EXIST = text("SELECT name FROM topics WHERE topic_id = ANY(CAST(:ids AS bigint[]))")
_PAGE = text("""
    SELECT moment, post_id FROM topic_posts
    WHERE topic_id = :topic AND topic_id <> 0 AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")
_INSERT = text("""
    INSERT INTO topics AS t (topic_id, name)
    SELECT * FROM unnest(CAST(:ids AS bigint[]), CAST(:names AS text[]))
    ON CONFLICT (topic_id) DO NOTHING
""")
_PUT = text(f"""
    INSERT INTO topic_posts (topic_id, post_id, moment, score, score_version)
    SELECT topic_id, post_id, moment, moment, {UNPUBLISHED}
    FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[]), CAST(:moments AS bigint[]))
         AS t(topic_id, post_id, moment)
    ON CONFLICT (topic_id, post_id) DO NOTHING
""")  # noqa: S608 - a constant
_TAKE = text("""
    DELETE FROM topic_posts t
    USING unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[])) AS gone(topic_id, post_id)
    WHERE t.topic_id = gone.topic_id AND t.post_id = gone.post_id
""")

TopicPlace = tuple[str, PostRow]
"""A topic, or the square, and a public post in it."""


async def existing(postgres: Postgres, names: Sequence[str]) -> dict[str, bool]:
    """Returns the given names under which a topic exists, each with the value True."""
    rows = await postgres.read(_EXIST, ids=[topic_id(name) for name in names])
    return {name: True for (name,) in rows}


async def page(postgres: Postgres, topic: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads public posts of a topic that are older than `before`, newest first. The square's posts are read from
    `posts` (store/content/outboxes.py).
    """
    return await items.page(postgres, _PAGE, before, count, topic=topic.entity_id)


async def write(transaction: Transaction, there: Sequence[TopicPlace], gone: Sequence[tuple[int, int]]) -> None:
    """Removes posts from topics (`gone`: pairs of topic id and post id), then adds posts to topics (`there`) and
    creates the topics that do not exist. The score of an added post is its moment, until its hot
    score is computed.
    """
    if gone:
        await transaction.execute(_TAKE, **columns(sorted(gone), "topics", "posts"))
    if there:
        topics = sorted({(topic_id(name), name) for name, _ in there if name != SQUARE})
        await transaction.execute(_INSERT, **columns(topics, "ids", "names"))
        places = sorted((topic_id(name), post.post_id, post.moment) for name, post in there)
        await transaction.execute(_PUT, **columns(places, "topics", "posts", "moments"))


def encode(exists: bool) -> Cached:
    """Encodes for the cache whether a topic exists. Topics are never deleted, so True has the newer version."""
    return Cached(int(exists), orjson.dumps(exists))


def decode(cached: Cached) -> bool:
    """Decodes what `encode` returns."""
    exists: bool = orjson.loads(cached.body)
    return exists


cache_key = keys.topic
"""Returns the key of the cached answer whether a topic exists."""


def list_key(topic: EntityRef) -> str:
    """Returns the key of the cached list of the posts under a topic."""
    return keys.under(topic.entity_id)


async def publish(cache: Cache, names: Iterable[str]) -> None:
    """Replaces cached answers that these topics do not exist, because they exist now."""
    await cache.publish([(keys.topic(name), encode(True)) for name in names], LIFE_MS)
