"""Finds topics by their names: by the beginning, while a user types, and by words, also with typing mistakes. Finds
only topics that count a post (`topic_posts.counted`): topics with a post that all users may see.

Too many names begin with a short word to read them all. For short words, Plaudit also compares the topics with the most
posts: the index of counters orders topics by the power of two that their number of posts has reached.
"""

from collections.abc import Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import text

from domain.topics import key
from models.counters import CounterKind
from models.topics import FOLDED
from settings import TOPICS
from store import keys
from store.cache.lists import NEWEST, Item
from store.cache.values import Cached, Codec
from store.postgres.client import Postgres

MOST = 20
"""The most topics that are open, and the most that are held, among those that begin with a text."""
LIFE_MS = 60_000
_AHEAD = 10_000
"""How many topics with the most posts are compared with a short word, and the most names that are read in each way."""
_SHORT = 2
"""The number of characters up to which a beginning or a word is short. Trigrams find only longer ones."""
_LAST = chr(0x10FFFF)
_LARGEST = (1 << 63) - 1
_COUNTED = f"business_id = {TOPICS} AND kind = {CounterKind.POSTS:d} AND magnitude > 0"
_FIRST = f"""
    SELECT entity_id AS topic_id FROM counters WHERE CAST(:short AS boolean) AND {_COUNTED}
    ORDER BY magnitude DESC LIMIT {_AHEAD}
"""  # noqa: S608 - constants
_BEGINS = f"{FOLDED} ~>=~ CAST(:begin AS text) AND {FOLDED} ~<~ CAST(:end AS text)"
_TYPED = text(f"""
    WITH found AS MATERIALIZED (
        (SELECT topic_id, name, held FROM topics WHERE {_BEGINS} ORDER BY {FOLDED} USING ~<~ LIMIT {_AHEAD})
        UNION SELECT topic_id, name, held FROM ({_FIRST}) AS ahead JOIN topics USING (topic_id) WHERE {_BEGINS}
    ), placed AS (
        SELECT name, held, value, row_number() OVER (PARTITION BY held ORDER BY value DESC, topic_id) AS place
        FROM found JOIN (SELECT entity_id AS topic_id, value FROM counters WHERE {_COUNTED}) AS c USING (topic_id)
    )
    SELECT name, held FROM placed WHERE place <= {MOST} ORDER BY value DESC, name
""")  # noqa: S608 - constants
_HAS_WORDS = f"{FOLDED} LIKE ALL (CAST(:patterns AS text[]))"
_JOINED = f"translate({FOLDED}, '_-', '')"
# The tier: 3 for the name itself, 2 for one that begins with the words, 1 for one that has them, 0 for a similar name.
_SEARCH = text(f"""
    WITH found AS MATERIALIZED (
        (
            SELECT topic_id, name, held FROM topics
            WHERE {_BEGINS} AND {_HAS_WORDS} ORDER BY {FOLDED} USING ~<~ LIMIT {_AHEAD}
        )
        UNION (
            SELECT topic_id, name, held FROM topics
            WHERE NOT CAST(:short AS boolean) AND {FOLDED} LIKE :longest AND {_HAS_WORDS} LIMIT {_AHEAD}
        )
        UNION (SELECT topic_id, name, held FROM topics WHERE {FOLDED} %> :text LIMIT {_AHEAD})
        UNION SELECT topic_id, name, held FROM ({_FIRST}) AS ahead JOIN topics USING (topic_id) WHERE {_HAS_WORDS}
    ), tiered AS (
        SELECT topic_id, name, magnitude, CASE
            WHEN {_JOINED} = :joined THEN 3 WHEN starts_with({_JOINED}, :joined) THEN 2 WHEN {_HAS_WORDS} THEN 1
            ELSE 0 END AS tier, floor(1000 * word_similarity(:text, {FOLDED})) AS similarity
        FROM found JOIN (SELECT entity_id AS topic_id, magnitude FROM counters WHERE {_COUNTED}) AS c USING (topic_id)
        WHERE NOT held OR CAST(:with_held AS boolean)
    ), scored AS (
        SELECT CAST((tier << 20) + CASE tier WHEN 0 THEN similarity * 64 ELSE 0 END + magnitude AS bigint) AS score,
               topic_id, name
        FROM tiered
    )
    SELECT score, topic_id, name FROM scored WHERE (score, topic_id) < (:score, :member)
    ORDER BY score DESC, topic_id DESC LIMIT :count
""")  # noqa: S608 - constants
_HELD = text("SELECT name FROM topics WHERE topic_id = ANY(CAST(:ids AS bigint[])) AND held")


class Typed(NamedTuple):
    """A topic that begins with a text, and whether a moderator holds it."""

    name: str
    held: bool


async def typed(postgres: Postgres, prefix: str) -> tuple[Typed, ...]:
    """Returns the topics whose keys begin with `prefix`, a beginning of a key: those with the most posts first."""
    short = len(prefix) <= _SHORT
    rows = await postgres.read(_TYPED, begin=prefix, end=prefix + _LAST, short=short)
    return tuple(Typed(*row) for row in rows)


async def search(
    postgres: Postgres, words: Sequence[str], before: Item | None, count: int, *, with_held: bool
) -> list[tuple[Item, str]]:
    """Returns up to `count` topics whose names have all of these words, or resemble them, best first: those after the
    item `before`; None: the first ones. Words are parts of keys. `with_held` tells whether held topics are among them.
    Each topic is a pair of its item (score, topic id) and its name.

    The score of a topic changes only when its number of posts reaches another power of two.
    """
    score, member = before or NEWEST
    rows = await postgres.read(
        _SEARCH,
        begin=words[0],
        end=words[0] + _LAST,
        patterns=[f"%{word}%" for word in words],
        longest=f"%{max(words, key=len)}%",
        joined="".join(words),
        text=" ".join(words),
        short=min(map(len, words)) <= _SHORT,
        with_held=with_held,
        score=score,
        member=min(member, _LARGEST),
        count=count,
    )
    return [(Item(score, topic), name) for score, topic, name in rows]


async def held_among(postgres: Postgres, ids: Sequence[int]) -> set[str]:
    """Returns the keys of those of the topics with these ids that a moderator holds."""
    return {key(name) for (name,) in await postgres.read(_HELD, ids=list(ids))}


def cached_with(name: str) -> list[keys.Key]:
    """Returns the keys of the cached values that depend on the state of the topic with this name: the lists for each
    beginning, and its name, which may be cached as unknown until a decision creates the topic.
    """
    of = key(name)
    return [keys.topic(of), *(keys.typed(of[:length]) for length in range(len(of) + 1))]


def _decode(cached: Cached) -> tuple[Typed, ...]:
    return tuple(Typed(*one) for one in orjson.loads(cached.body))


CODEC: Codec[str, Sequence[Typed]] = Codec(
    "typed", keys.typed, lambda found: Cached(0, orjson.dumps([*map(list, found)])), _decode, absent=()
)
"""How the topics that begin with a text are cached, by this text."""
