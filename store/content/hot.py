"""Hot scores of posts, computed from their counters: in rows, and in the cached lists of the hottest posts.

A cached list works as in store/cache/lists.py, with scores instead of moments. Scores rise and fall, so the last
published score wins. Workers publish a score while they hold the lock of its row (projections/hot_scores.py).

A row keeps its score until the post would move noticeably: each new score writes to three indexes, and most likes
hardly move a post. Cached lists contain the scores of the rows, so both have the same order.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from models.posts import UNPUBLISHED
from settings import POSTS
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.cache.values import Cache
from store.content import items
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard

LIFE_MS = 600_000


def counted(business_id: int, entity: str, *kinds: CounterKind) -> str:
    """Returns an SQL join, named `c`, of the counters of an entity, whose id is the SQL expression `entity`: for each
    of `kinds` a column with the counter's value, named after the kind; and `version`, the sum of the versions of these
    counters.
    """
    sums = "".join(
        f", CAST(coalesce(sum(value) FILTER (WHERE kind = {kind:d}), 0) AS bigint) AS {kind.name.lower()}"
        for kind in kinds
    )
    return f"""
        CROSS JOIN LATERAL (
            SELECT CAST(coalesce(sum(version), 0) AS bigint) AS version {sums}
            FROM counters WHERE business_id = {business_id} AND entity_id = {entity}
              AND kind IN ({", ".join(f"{kind:d}" for kind in kinds)})
        ) AS c
    """  # noqa: S608 - constants


_STANDINGS = text(f"""
    SELECT p.post_id, p.moment, p.topics, p.status = 1 AND NOT p.deleted, c.likes, c.dislikes, c.version
    FROM posts p {counted(POSTS, "p.post_id", CounterKind.LIKES, CounterKind.DISLIKES)}
    WHERE p.post_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_WRITE = one_shard(
    f"""
    WITH scored AS MATERIALIZED (
        SELECT t.topic_id, t.post_id, w.score, w.version
        FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[]), CAST(:scores AS bigint[]),
                    CAST(:steps AS bigint[]), CAST(:versions AS bigint[])) AS w(topic_id, post_id, score, step, version)
        JOIN topic_posts t USING (topic_id, post_id)
        WHERE {{in_shard}}
          AND (t.score_version IN ({UNPUBLISHED}, w.version)
               OR t.score_version < w.version AND abs(w.score - t.score) >= w.step)
        ORDER BY t.topic_id, t.post_id FOR UPDATE OF t
    )
    UPDATE topic_posts t SET score = s.score, score_version = s.version FROM scored s
    WHERE t.topic_id = s.topic_id AND t.post_id = s.post_id AND {{in_shard}}
    RETURNING t.topic_id, t.score, t.post_id
    """,  # noqa: S608 - a constant
    table="topic_posts",
    column="t.topic_id",
    parameter="topics",
)
_MARK_UNPUBLISHED = text(f"""
    UPDATE topic_posts t SET score_version = {UNPUBLISHED}
    FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[])) AS w(topic_id, post_id)
    WHERE t.topic_id = w.topic_id AND t.post_id = w.post_id
""")  # noqa: S608 - a constant
_PAGE = text("""
    SELECT score, post_id FROM topic_posts WHERE topic_id = :topic AND (score, post_id) < (:moment, :member)
    ORDER BY score DESC, post_id DESC LIMIT :count
""")


class PostStanding(NamedTuple):
    """The data from which a post's hot score is computed, and the topics that list the post. `version` is the sum of
    the versions of its counters; it only grows.
    """

    post_id: int
    moment: int
    topics: Sequence[str]
    public: bool
    likes: int
    dislikes: int
    version: int


PostScore = tuple[int, int, int, int, int]
"""A post's hot score in a topic, or in the square: topic, post, score, the smallest change of a score that is written,
and the version of the `PostStanding` from which the score was computed.
"""


async def standings(postgres: Postgres, posts: Sequence[int]) -> list[PostStanding]:
    """Reads the data from which the hot scores of these posts are computed."""
    return [PostStanding(*row) for row in await postgres.read(_STANDINGS, ids=list(posts))]


async def write(transaction: Transaction, scored: Sequence[PostScore]) -> list[tuple[int, Item]]:
    """Writes the hot scores of posts in topics, where they were computed from newer counters than the stored scores and
    differ noticeably from them. Scores of new and of unpublished rows are written in any case. So are scores that were
    computed from the same counters, because the transaction that wrote them may not have published them.

    Returns (topic id, item) for each row that was written. The other rows have a newer score, or keep their score
    because the post would hardly move.
    """
    names = "topics", "posts", "scores", "steps", "versions"
    rows = await transaction.execute(_WRITE, **columns(scored, *names))
    return [(topic_id, Item(*item)) for topic_id, *item in rows]


async def mark_unpublished(transaction: Transaction, items: Sequence[tuple[int, Item]]) -> None:
    """Marks rows, given as (topic id, item) as `write` returns them, whose scores could not be published. The next
    `write` of these rows returns them again.
    """
    posts = [(topic_id, item.member) for topic_id, item in items]
    await transaction.execute(_MARK_UNPUBLISHED, **columns(posts, "topics", "posts"))


async def page(postgres: Postgres, topic: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads public posts of a topic, or of the square, that are less hot than `before`; hottest first."""
    return await items.page(postgres, _PAGE, before, count, topic=topic.entity_id)


def list_key(topic: EntityRef) -> str:
    """Returns the key of the cached list of the hottest posts of a topic, or of the square."""
    return keys.hot(topic.entity_id)


async def cached_scores(cache: Cache, topic: EntityRef, posts: Sequence[int]) -> dict[int, int]:
    """Returns the hot score of each of these posts that the cached list of the topic contains. Returns no scores if
    Redis is down.
    """
    return await lists.scores(cache, list_key(topic), posts)


async def publish(cache: Cache, scores: Iterable[tuple[int, Item]], *, cap: int) -> None:
    """Sets scores, given as (topic id, item), in the lists of topics that are cached. A score of 0 removes a post.
    `cap` is the size of a list (`lists.publish_scores`).
    """
    places = ((keys.hot(topic), item) for topic, item in scores)
    await lists.publish_scores(cache, grouped(places).items(), cap=cap)
