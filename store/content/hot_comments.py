"""Hot scores of comments, by which the hottest comments on a post or entity (their subject) are listed. A score is
computed from the time of the comment, its likes, dislikes and replies, and is stored in rows and in cached lists.

As with posts (store/content/hot.py), the score that is published last wins. Only root comments are ranked, including
deleted or hidden ones that still have visible replies (tombstones).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import text

from models.comments import CommentState
from models.counters import CounterKind, EntityRef
from settings import COMMENTS
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.cache.values import Cache
from store.content import items
from store.content.hot import counted
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard

_STANDINGS = text(f"""
    SELECT r.comment_id, r.subject_business, r.subject_id, r.moment, (r.status = 1 AND NOT r.deleted) OR r.answered,
           c.likes, c.dislikes, c.replies, c.version
    FROM comment_contents r
    {counted(COMMENTS, "r.comment_id", CounterKind.LIKES, CounterKind.DISLIKES, CounterKind.REPLIES)}
    WHERE r.comment_id = ANY(CAST(:ids AS bigint[])) AND r.root_id IS NULL
""")  # noqa: S608 - constants
_ROOTS = text("""
    SELECT DISTINCT CASE WHEN root_id IS NULL THEN comment_id ELSE root_id END
    FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")
_WRITE = one_shard(
    """
    WITH scored AS (
        SELECT c.subject_business, c.subject_id, c.comment_id, c.score_version AS was, w.score, w.version
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:subjects AS bigint[]), CAST(:ids AS bigint[]),
                    CAST(:scores AS bigint[]), CAST(:versions AS bigint[]))
             AS w(subject_business, subject_id, comment_id, score, version)
        JOIN comments c USING (subject_business, subject_id, comment_id)
        WHERE {in_shard} ORDER BY c.comment_id FOR UPDATE OF c
    ), changed AS (
        UPDATE comments c SET score = s.score, score_version = s.version FROM scored s
        WHERE (c.subject_business, c.subject_id, c.comment_id) = (s.subject_business, s.subject_id, s.comment_id)
          AND s.was < s.version AND {in_shard}
    )
    SELECT subject_business, subject_id, score, comment_id FROM scored WHERE was <= version
    """,
    table="comments",
    column="c.subject_id",
    parameter="subjects",
)
_PAGE = text(f"""
    SELECT score, comment_id FROM comments
    WHERE subject_business = :business AND subject_id = :entity AND state = {CommentState.VISIBLE:d} AND root_id = 0
      AND (score, comment_id) < (:moment, :member)
    ORDER BY score DESC, comment_id DESC LIMIT :count
""")  # noqa: S608 - constants


async def roots(postgres: Postgres, ids: Sequence[int]) -> list[int]:
    """Returns the ids of the root comments above these comments. A root comment counts as its own root."""
    return [root for (root,) in await postgres.read(_ROOTS, ids=ids)] if ids else []


class CommentStanding(NamedTuple):
    """The data from which a root comment's hot score is computed (its moment, whether it is shown, and its likes,
    dislikes and replies), and its subject: the post or entity that it is about. `version` is the sum of the versions of
    its counters; it only grows, so it tells which of two readings is newer.
    """

    comment_id: int
    subject: EntityRef
    moment: int
    visible: bool
    likes: int
    dislikes: int
    replies: int
    version: int


CommentScore = tuple[EntityRef, int, int, int]
"""A root comment's hot score: subject, comment, score, and the version of the `CommentStanding` from which it was
computed.
"""


async def standings(postgres: Postgres, ids: Sequence[int]) -> list[CommentStanding]:
    """Reads the data from which hot scores are computed, for each root comment among these comments. Leaves out
    replies.
    """
    rows = await postgres.read(_STANDINGS, ids=list(ids))
    return [CommentStanding(id_, EntityRef(business, entity), *rest) for id_, business, entity, *rest in rows]


async def write(transaction: Transaction, scored: Sequence[CommentScore]) -> list[tuple[EntityRef, Item]]:
    """Writes the hot scores of root comments, where they were computed from newer counters than the stored scores.

    Returns (subject, item) for each score to publish: all scores except those computed from older counters than the
    stored ones.
    """
    values = [(*subject, *rest) for subject, *rest in scored]
    names = "businesses", "subjects", "ids", "scores", "versions"
    rows = await transaction.execute(_WRITE, **columns(values, *names))
    return [(EntityRef(business_id, entity_id), Item(score, id_)) for business_id, entity_id, score, id_ in rows]


async def page(postgres: Postgres, subject: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` visible root comments of a subject (a post or entity), hottest first: those
    less hot than `before` (None: the hottest). Items are (score, comment id).
    """
    return await items.page(postgres, _PAGE, before, count, business=subject.business_id, entity=subject.entity_id)


list_key = keys.hot_comments
"""Returns the key of the cached list of a subject's hottest root comments."""


async def publish(cache: Cache, scores: Iterable[tuple[EntityRef, Item]], *, cap: int) -> None:
    """Sets scores of comments, given as (subject, item), in the lists of the subjects' hottest comments, as far as the
    lists are cached. A score of 0 removes a comment. `cap` is how many items a list keeps (details:
    `lists.publish_scores`). Raises RedisDown.
    """
    places = ((keys.hot_comments(subject), item) for subject, item in scores)
    await lists.publish_scores(cache, grouped(places).items(), cap=cap)
