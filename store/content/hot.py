"""Hot scores of posts, by which the hottest posts of each topic are listed. A score is computed from the time of the
post, its likes, reposts and dislikes, and is stored in rows and in cached lists.

A cached list works as in store/cache/lists.py, with scores instead of moments. Scores rise and fall, so the last
published score wins. Workers publish a score while they hold the lock of its row (projections/hot_scores.py).

A row keeps its score until the post would move noticeably: each new score writes to three indexes, and most likes
hardly move a post. Cached lists contain the scores of the rows, so both have the same order.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
from store.postgres.distributed import one_shard, some_shards

LIFE_MS = 600_000


def counted(business_id: int, entity: str, *kinds: CounterKind) -> str:
    """Returns SQL that joins the counters of one entity as `c`. The entity belongs to the business with the number
    `business_id`; its id is the SQL expression `entity`. `c` has the value of each counter in `kinds`, in a column
    named after the kind in lower case, and `version`, the sum of the versions of these counters.
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
    SELECT p.post_id, p.moment, p.topics, p.status = 1 AND NOT p.deleted, c.likes + c.reposts, c.dislikes, c.version,
           CASE WHEN p.announces THEN p.about_business END, CASE WHEN p.announces THEN p.about_id END
    FROM posts p {counted(POSTS, "p.post_id", CounterKind.LIKES, CounterKind.DISLIKES, CounterKind.REPOSTS)}
    WHERE p.post_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_OF_ENTITIES = some_shards(
    f"""
    SELECT c.business_id, c.entity_id, CAST(sum(value) FILTER (WHERE kind = {CounterKind.LIKES:d}) AS bigint) AS likes,
           CAST(sum(value) FILTER (WHERE kind = {CounterKind.DISLIKES:d}) AS bigint) AS dislikes,
           CAST(sum(version) AS bigint) AS version
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN counters c USING (business_id, entity_id)
    WHERE c.kind IN ({CounterKind.LIKES:d}, {CounterKind.DISLIKES:d}) AND {{in_shard}} GROUP BY 1, 2
    """,  # noqa: S608 - constants
    column="c.entity_id",
    parameter="entities",
)
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
_SCORES = text("""
    SELECT post_id, score FROM topic_posts WHERE topic_id = :topic AND post_id = ANY(CAST(:posts AS bigint[]))
""")
_PAGE = text("""
    SELECT score, post_id FROM topic_posts WHERE topic_id = :topic AND (score, post_id) < (:moment, :member)
    ORDER BY score DESC, post_id DESC LIMIT :count
""")


class PostStanding(NamedTuple):
    """The data from which a post's hot score is computed: its moment, its likes and reposts together, its dislikes, and
    whether it is public; also the names of its topics. `version` is the sum of the versions of its counters; it only
    grows, so it tells which of two readings is newer.
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
    """Reads the data from which hot scores are computed, for each of these posts that exists. A post that announces an
    entity has the likes and dislikes of the entity, and reposts of its own.
    """
    rows = [(PostStanding(*row[:-2]), row[-2:]) for row in await postgres.read(_STANDINGS, ids=list(posts))]
    entities = sorted({EntityRef(*of) for _, of in rows if of[0] is not None})
    if not entities:
        return [standing for standing, _ in rows]
    found = await postgres.read(_OF_ENTITIES, **columns(entities, "businesses", "entities"))
    counted = {EntityRef(*row[:2]): row for row in found}
    return [_with(standing, counted[ref]) if (ref := EntityRef(*of)) in counted else standing for standing, of in rows]


def _with(standing: PostStanding, counts: Any) -> PostStanding:
    """Returns the standing of a post with the likes and dislikes of a row of _OF_ENTITIES added. All versions count,
    so that a later like or repost has a higher version.
    """
    return standing._replace(
        likes=standing.likes + (counts.likes or 0),
        dislikes=standing.dislikes + (counts.dislikes or 0),
        version=standing.version + counts.version,
    )


async def write(transaction: Transaction, scored: Sequence[PostScore]) -> list[tuple[int, Item]]:
    """Writes hot scores of posts in topics. A score is written if it was computed from newer counters than the stored
    score and differs noticeably from it (see `PostScore`), or if the stored score is not published yet. A score from
    the same counters is written too, because the transaction that stored the old one may not have published it.

    Returns (topic id, item) for each row that was written. The other rows have a newer score, or keep their score
    because the post would hardly move.
    """
    names = "topics", "posts", "scores", "steps", "versions"
    rows = await transaction.execute(_WRITE, **columns(scored, *names))
    return [(topic_id, Item(*item)) for topic_id, *item in rows]


async def mark_unpublished(transaction: Transaction, items: Sequence[tuple[int, Item]]) -> None:
    """Marks rows, given as (topic id, item) as `write` returns them, whose scores could not be published in cached
    lists. The next `write` of these rows returns them again.
    """
    posts = [(topic_id, item.member) for topic_id, item in items]
    await transaction.execute(_MARK_UNPUBLISHED, **columns(posts, "topics", "posts"))


async def scores(postgres: Postgres, topic: EntityRef, posts: Sequence[int]) -> dict[int, int]:
    """Returns the stored hot scores of these posts in a topic, by post id. Leaves out posts that it does not have."""
    rows = await postgres.read(_SCORES, topic=topic.entity_id, posts=list(posts))
    return dict(rows)


async def page(postgres: Postgres, topic: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of a topic, or of the square (all public posts), hottest first:
    those less hot than `before` (None: the hottest). Items are (score, post id).
    """
    return await items.page(postgres, _PAGE, before, count, topic=topic.entity_id)


def list_key(topic: EntityRef) -> str:
    """Returns the key of the cached list of the hottest posts of a topic, or of the square (all public posts)."""
    return keys.hot(topic.entity_id)


async def cached_scores(cache: Cache, topic: EntityRef, posts: Sequence[int]) -> dict[int, int]:
    """Returns, by post id, the hot scores of those of these posts that the cached list of the topic's hottest posts
    contains. Returns no scores if Redis is down.
    """
    return await lists.scores(cache, list_key(topic), posts)


async def publish(cache: Cache, scores: Iterable[tuple[int, Item]], *, cap: int) -> None:
    """Sets scores of posts, given as (topic id, item), in the lists of the hottest posts of these topics, as far as the
    lists are cached. A score of 0 removes a post. `cap` is how many items a list keeps (details:
    `lists.publish_scores`). Raises RedisDown.
    """
    places = ((keys.hot(topic), item) for topic, item in scores)
    await lists.publish_scores(cache, grouped(places).items(), cap=cap)
