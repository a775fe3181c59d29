"""Topics: their names by key (the form in which names are compared, see domain/topics.py), and the posts under each
topic and about each entity.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import text

from domain.ids import born_ms
from domain.topics import key
from domain.versions import moment_ms
from models.counters import EntityRef
from models.posts import UNPUBLISHED, PostRow
from models.topics import SQUARE, topic_id, voice
from settings import TOPICS
from store import keys
from store.cache.lists import Item
from store.cache.values import Cache, Cached, Codec
from store.content import items
from store.gather import gather_all
from store.postgres.client import Postgres, Rows, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import on_citus

LIFE_MS = 86_400_000
_FORMAT = 2
"""The format of the cached document. Format 1 told only whether the topic exists."""

_NAMES = text("SELECT name FROM topics WHERE topic_id = ANY(CAST(:ids AS bigint[]))")
_PAGE = text("""
    SELECT moment, post_id FROM topic_posts
    WHERE topic_id = :topic AND topic_id <> 0 AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")
# A distributed Postgres accepts a LIMIT for each topic only because each topic is joined with its row.
_MERGED_PAGE = text("""
    SELECT DISTINCT p.moment, p.post_id
    FROM (SELECT t.topic_id FROM topics t WHERE t.topic_id = ANY(CAST(:topics AS bigint[]))) AS w
    CROSS JOIN LATERAL (
        SELECT moment, post_id FROM topic_posts
        WHERE topic_id = w.topic_id AND topic_id <> 0 AND (moment, post_id) < (:moment, :member)
        ORDER BY moment DESC, post_id DESC LIMIT :count
    ) AS p
    ORDER BY p.moment DESC, p.post_id DESC LIMIT :count
""")
_LOCK = text("""
    INSERT INTO topics AS t (topic_id, name)
    SELECT * FROM unnest(CAST(:ids AS bigint[]), CAST(:names AS text[]))
    ON CONFLICT (topic_id) DO UPDATE SET held_version = t.held_version
    RETURNING t.topic_id, t.name, t.held, t.held_version
""")
_HOLD = text("""
    UPDATE topics t SET held = w.held, held_version = w.version
    FROM unnest(CAST(:ids AS bigint[]), CAST(:held AS boolean[]), CAST(:versions AS bigint[])) AS w(id, held, version)
    WHERE t.topic_id = w.id
""")
_ADDRESSES = text("""
    SELECT post_id, host(ip) FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[])) AND ip IS NOT NULL
""")
_ABOUT = "about_id IS NOT NULL AND status = 1 AND NOT deleted AND (moment, post_id) < (:moment, :member)"
_ABOUT_PAGE = text(f"""
    SELECT moment, post_id FROM posts WHERE about_id = :entity AND about_business = :business AND {_ABOUT}
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")  # noqa: S608 - a constant
_WANTED = "unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)"
_IS_WANTED = "about_id = w.entity_id AND about_business = w.business_id"
# A distributed Postgres accepts no LIMIT for each entity, because the posts about an entity are on several nodes.
_ABOUT_MERGED = on_citus(
    text(f"""
        SELECT p.moment, p.post_id FROM {_WANTED} CROSS JOIN LATERAL (
            SELECT moment, post_id FROM posts WHERE {_IS_WANTED} AND {_ABOUT}
            ORDER BY moment DESC, post_id DESC LIMIT :count
        ) AS p
        ORDER BY p.moment DESC, p.post_id DESC LIMIT :count
    """),  # noqa: S608 - constants
    text(f"""
        SELECT moment, post_id FROM posts JOIN {_WANTED} ON {_IS_WANTED} WHERE {_ABOUT}
        ORDER BY moment DESC, post_id DESC LIMIT :count
    """),  # noqa: S608 - constants
)
_INSERT = text("""
    INSERT INTO topics AS t (topic_id, name)
    SELECT * FROM unnest(CAST(:ids AS bigint[]), CAST(:names AS text[]))
    ON CONFLICT (topic_id) DO NOTHING
""")
_PUT = text(f"""
    INSERT INTO topic_posts AS t (topic_id, post_id, moment, score, score_version, counted, voice)
    SELECT topic_id, post_id, moment, moment, {UNPUBLISHED}, counted, voice
    FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:counted AS boolean[]), CAST(:voices AS bigint[]))
         AS w(topic_id, post_id, moment, counted, voice)
    ON CONFLICT (topic_id, post_id) DO NOTHING RETURNING t.topic_id, t.counted
""")  # noqa: S608 - a constant
_TAKE = text("""
    DELETE FROM topic_posts t
    USING unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[])) AS gone(topic_id, post_id)
    WHERE t.topic_id = gone.topic_id AND t.post_id = gone.post_id
    RETURNING t.topic_id, t.counted
""")

TopicPlace = tuple[str, PostRow]
"""The name of a topic, or SQUARE, and a public post that is in it."""


async def names(postgres: Postgres, keys: Collection[str]) -> dict[str, str]:
    """Returns topic names by topic key (see `domain.topics.key`), for these keys. Leaves out keys without a topic."""
    rows = await postgres.read(_NAMES, ids=[topic_id(key) for key in keys])
    return {key(name): name for (name,) in rows}


async def page(postgres: Postgres, topic: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of a topic, or about an entity, newest first: those older than
    `before` (None: the newest). Items are (moment, post id). For the square, the list of all public posts, use
    `outboxes.square_page`.
    """
    if topic.business_id != TOPICS:
        of = {"business": topic.business_id, "entity": topic.entity_id}
        return await items.page(postgres, _ABOUT_PAGE, before, count, **of)
    return await items.page(postgres, _PAGE, before, count, topic=topic.entity_id)


async def merged_page(postgres: Postgres, followed: Sequence[EntityRef], before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of several topics, and about several entities, together, newest
    first: those older than `before` (None: the newest), each once. Runs one query for the topics and one for the
    entities, at the same time.
    """
    topics = [ref.entity_id for ref in followed if ref.business_id == TOPICS]
    about = columns([ref for ref in followed if ref.business_id != TOPICS], "businesses", "entities")
    reads = [items.page(postgres, _MERGED_PAGE, before, count, topics=topics)] if topics else []
    if about["entities"]:
        reads.append(items.page(postgres, _ABOUT_MERGED, before, count, **about))
    return sorted({item for page in await gather_all(*reads) for item in page}, reverse=True)[:count]


async def write(
    transaction: Transaction,
    there: Sequence[TopicPlace],
    gone: Sequence[tuple[int, int]],
    uncounted: Collection[int],
    new_account_s: float,
) -> list[tuple[int, int]]:
    """Removes posts from topics, then adds posts to topics. `gone` are pairs of topic id and post id, `there` pairs of
    topic name and post. Creates topics that do not exist; the first spelling of a name becomes the name of the topic.
    The score of an added post is its moment, until its hot score is computed. Topics do not count posts of the authors
    in `uncounted`. In trends, authors whose accounts are younger than `new_account_s` seconds when they write a post
    count as `models.topics.voice` says.

    Returns the changes of the topics' counters: a pair of topic id and 1 or -1 for each counted post that was added or
    removed.
    """
    removed: Rows = []
    added: Rows = []
    if gone:
        removed = await transaction.execute(_TAKE, **columns(sorted(gone), "topics", "posts"))
    if there:
        first = {topic_id(name): name for name, _ in reversed(there) if name != SQUARE}
        await transaction.execute(_INSERT, **columns(sorted(first.items()), "ids", "names"))
        voices = await _voices(transaction, [post for name, post in there if name != SQUARE], new_account_s)
        places = sorted(
            (
                *(topic_id(name), post.post_id, post.moment, name == SQUARE or post.author_id not in uncounted),
                None if name == SQUARE else voices[post.post_id],
            )
            for name, post in there
        )
        added = await transaction.execute(_PUT, **columns(places, "topics", "posts", "moments", "counted", "voices"))
    changes = [*((row, -1) for row in removed), *((row, 1) for row in added)]
    return [(row.topic_id, change) for row, change in changes if row.counted and row.topic_id != topic_id(SQUARE)]


class Held(NamedTuple):
    """A topic's row: its name, whether a moderator holds it, and the version of the newest decision; 0 without any."""

    name: str
    is_held: bool
    version: int


async def lock(transaction: Transaction, names: Mapping[int, str]) -> dict[int, Held]:
    """Locks the rows of topics until the transaction ends, and returns them by topic id. Creates topics that do not
    exist with the names in `names`, by topic id.
    """
    rows = await transaction.execute(_LOCK, **columns(sorted(names.items()), "ids", "names"))
    return {id_: Held(*row) for id_, *row in rows}


async def hold(transaction: Transaction, decided: Mapping[int, Held]) -> None:
    """Writes the decisions of moderators about topics whose rows the transaction has locked."""
    rows = [(id_, one.is_held, one.version) for id_, one in sorted(decided.items())]
    await transaction.execute(_HOLD, **columns(rows, "ids", "held", "versions"))


async def _voices(transaction: Transaction, posts: Sequence[PostRow], new_account_s: float) -> dict[int, int]:
    """Returns the voices with which the authors of posts count in trends, by post id."""
    of_new = {post.post_id: moment_ms(post.moment) - born_ms(post.author_id) < new_account_s * 1000 for post in posts}
    ids = [id_ for id_, is_new in sorted(of_new.items()) if is_new]
    addresses = dict(await transaction.execute(_ADDRESSES, ids=ids)) if ids else {}
    return {
        post.post_id: voice(post.author_id, addresses.get(post.post_id), is_new=of_new[post.post_id]) for post in posts
    }


def encode(name: str | None) -> Cached:
    """Encodes a topic's name for the cache. None, for no such topic, has version 0; a name has 1, because topics are
    never deleted or renamed.
    """
    return Cached(int(name is not None), orjson.dumps(name), format=_FORMAT)


def decode(cached: Cached) -> str | None:
    """Returns the name that `encode` has encoded, or None. Raises OtherFormat if the value is encoded in another
    format.
    """
    name: str | None = orjson.loads(cached.body_in(_FORMAT))
    return name


CODEC = Codec("topics", keys.topic, encode, decode, absent=None)
"""How the names of topics are cached."""


def list_key(topic: EntityRef) -> str:
    """Returns the key of the cached list of the posts under a topic, or about an entity, newest first."""
    return keys.under(topic.entity_id) if topic.business_id == TOPICS else keys.about(topic)


async def publish(cache: Cache, names: Mapping[str, str]) -> None:
    """Updates the cached names of these topics, given by key. Names that are not cached stay uncached. Raises
    RedisDown.
    """
    await cache.publish([(keys.topic(key), encode(name)) for key, name in sorted(names.items())], LIFE_MS)
