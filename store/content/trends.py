"""Trends: the topics about which the most authors have written lately. A new post weighs more than an old one, and each
voice (models/topics.py) counts once in a topic, with its newest post.
"""

from collections.abc import Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import text

from domain.versions import moment_at
from models.topics import TrendWindow
from store import keys
from store.cache.values import Cached, Codec
from store.postgres.client import Postgres

MOST = 500
"""The most topics of a trend that are open, and the most that are held."""
_HALVES = 4
"""The number of half-lives in a window: the weight of a post halves with each quarter of the window."""
# One index has the posts of the window. Citus stores a topic in the shard of its posts, so it asks each shard once.
_READ = text(f"""
    WITH voices AS (
        SELECT topic_id, voice, least(max(moment), CAST(:now AS bigint)) AS moment FROM topic_posts
        WHERE counted AND voice IS NOT NULL AND moment > :since GROUP BY topic_id, voice
    ), scored AS (
        SELECT topic_id, count(*) AS authors,
               sum(power(CAST(2 AS double precision), (moment - :now) / CAST(:half AS double precision))) AS score
        FROM voices GROUP BY topic_id HAVING count(*) >= :least
    ), placed AS (
        SELECT name, authors, score, held,
               row_number() OVER (PARTITION BY held ORDER BY score DESC, authors DESC, topic_id) AS place
        FROM scored JOIN topics USING (topic_id)
    )
    SELECT name, authors, score, held FROM placed WHERE place <= {MOST} ORDER BY score DESC, authors DESC, name
""")  # noqa: S608 - a constant


class Trend(NamedTuple):
    """A topic of a trend: its name, the number of authors who have written about it in the window, its score, and
    whether a moderator holds it.
    """

    name: str
    authors: int
    score: float
    held: bool


async def read(postgres: Postgres, now_ms: int, least: int, window: TrendWindow) -> tuple[Trend, ...]:
    """Computes the trend of a window from rows, highest score first: the topics with at least `least` authors. `now_ms`
    is the current time, in milliseconds since the Unix epoch.
    """
    now, length = moment_at(now_ms), moment_at(window.length_ms)
    rows = await postgres.read(_READ, now=now, since=now - length, half=length / _HALVES, least=least)
    return tuple(Trend(*row) for row in rows)


def cached() -> list[keys.Key]:
    """Returns the keys of all cached trends."""
    return [keys.trends(window.value) for window in TrendWindow]


def life_ms(window: TrendWindow) -> int:
    """Returns for how many milliseconds the trend of a window is cached."""
    return 60_000 if window is TrendWindow.HOUR else 300_000


def _decode(cached: Cached) -> tuple[Trend, ...]:
    return tuple(Trend(*one) for one in orjson.loads(cached.body))


CODEC: Codec[TrendWindow, Sequence[Trend]] = Codec(
    "trends",
    lambda window: keys.trends(window.value),
    lambda found: Cached(0, orjson.dumps([*map(list, found)])),
    _decode,
    absent=(),
)
"""How trends are cached."""
