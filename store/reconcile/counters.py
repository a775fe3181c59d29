"""Compares counters with the rows that they count, and corrects them."""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from sqlalchemy import TextClause, text

from models.comments import CommentState
from models.counters import CounterKind
from models.likes import Reaction
from models.posts import OutboxState
from settings import COMMENTS, TOPICS, USERS
from store.postgres.client import Postgres, Transaction
from store.reconcile.batches import BATCH


class Counted(NamedTuple):
    """A kind of counter, and the rows that it counts: the rows of the table or join `rows` that satisfy the condition
    `where`, grouped by the column `entity`. `value` is the SQL expression of the number.

    The kind is used in these `businesses`; if there are none, in all businesses with reactions. Counters that do not
    satisfy the condition `known` are not compared.
    """

    kind: int
    rows: str
    entity: str
    where: str
    businesses: tuple[int, ...] = ()
    value: str = "count(*)"
    known: str = "true"


_COMMENTS = "comments c JOIN comment_contents k USING (comment_id)"
_PUBLIC = f"c.state = {CommentState.VISIBLE:d} AND k.status = 1 AND NOT k.deleted"
_OF_SUBJECT = f"c.subject_business = :business AND {_PUBLIC}"
_REPLIES = """comment_contents root JOIN comments c ON c.root_id = root.comment_id
    AND c.subject_business = root.subject_business AND c.subject_id = root.subject_id
    JOIN comment_contents k ON k.comment_id = c.comment_id"""
_KNOWN_ROOT = "EXISTS (SELECT FROM comment_contents root WHERE root.comment_id = counters.entity_id)"
"""False for replies to a comment that Postgres has lost: they are counted, in case it is stored again."""
_REACTED = "business_id = :business AND state ="
_RECORDED = "business_id = :business AND kind = :kind"
_RECORDS = """(SELECT business_id, kind, entity_id, CAST(1 AS bigint) AS value FROM records
    UNION ALL SELECT business_id, kind, entity_id, value FROM swept_records) AS recorded"""
_ADDED_UP = "CAST(sum(value) AS bigint)"


def actions(counter: int) -> Counted:
    """Returns the description of the rows that a counter of recorded actions counts: views, shares, or a business's own
    counter.
    """
    return Counted(counter, _RECORDS, "entity_id", _RECORDED, value=_ADDED_UP)


COUNTED = (
    Counted(CounterKind.LIKES, "reactions", "entity_id", f"{_REACTED} {Reaction.LIKE:d}"),
    Counted(CounterKind.DISLIKES, "reactions", "entity_id", f"{_REACTED} {Reaction.DISLIKE:d}"),
    Counted(CounterKind.LIKES_RECEIVED, "reactions", "owner_id", f"state = {Reaction.LIKE:d}", (USERS,)),
    actions(CounterKind.VIEWS),
    actions(CounterKind.SHARES),
    Counted(CounterKind.FOLLOWERS, "followers", "user_id", "true", (USERS,)),
    Counted(CounterKind.FOLLOWING, "following", "user_id", "true", (USERS,)),
    Counted(CounterKind.FRIENDS, "following", "user_id", "friends_moment IS NOT NULL", (USERS,)),
    Counted(CounterKind.POSTS, "outboxes", "author_id", f"state = {OutboxState.VISIBLE:d}", (USERS,)),
    Counted(CounterKind.POSTS, "topic_posts", "topic_id", "topic_id <> 0", (TOPICS,)),
    Counted(CounterKind.COMMENTS, _COMMENTS, "c.subject_id", _OF_SUBJECT),
    Counted(CounterKind.ROOT_COMMENTS, _COMMENTS, "c.subject_id", f"{_OF_SUBJECT} AND c.root_id = 0"),
    Counted(
        CounterKind.REPLIES,
        _REPLIES,
        "root.comment_id",
        f"root.root_id IS NULL AND {_PUBLIC}",
        (COMMENTS,),
        known=_KNOWN_ROOT,
    ),
    Counted(CounterKind.SAVES, "saves", "entity_id", "business_id = :business AND collection_id <> 0"),
)

_LOCK = text("""
    INSERT INTO counters AS c (business_id, entity_id, kind, value, version)
    SELECT :business, entity_id, :kind, 0, 0 FROM unnest(CAST(:entities AS bigint[])) AS w(entity_id) ORDER BY entity_id
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = c.value
""")


def _last(counted: Counted) -> TextClause:
    """Returns a statement that selects the size and the last entity of the next batch. Entities are in the batch if
    they have a counter or rows to count.
    """
    return text(f"""
        SELECT count(*), max(entity_id) FROM (
            (SELECT entity_id FROM counters
             WHERE business_id = :business AND kind = :kind AND entity_id > :after AND {counted.known}
             ORDER BY entity_id LIMIT :count)
            UNION
            (SELECT DISTINCT {counted.entity} AS entity_id FROM {counted.rows}
             WHERE {counted.where} AND {counted.entity} > :after ORDER BY entity_id LIMIT :count)
            ORDER BY entity_id LIMIT :count
        ) AS batch
    """)  # noqa: S608 - declared above


def _compared(counted: Counted) -> TextClause:
    """Returns a statement that selects the entities of a batch whose counter differs from the number of rows."""
    return text(f"""
        SELECT entity_id FROM (
            SELECT entity_id, value FROM counters
            WHERE business_id = :business AND kind = :kind AND entity_id > :after AND entity_id <= :last
              AND {counted.known}
        ) AS stored FULL JOIN (
            SELECT {counted.entity} AS entity_id, {counted.value} AS value FROM {counted.rows}
            WHERE {counted.where} AND {counted.entity} > :after AND {counted.entity} <= :last GROUP BY 1
        ) AS truth USING (entity_id)
        WHERE coalesce(stored.value, 0) <> coalesce(truth.value, 0) ORDER BY entity_id
    """)  # noqa: S608 - declared above


def _corrected(counted: Counted) -> TextClause:
    """Returns a statement that sets locked counters to the numbers of rows that they count."""
    return text(f"""
        WITH truth AS (
            SELECT {counted.entity} AS entity_id, {counted.value} AS value FROM {counted.rows}
            WHERE {counted.where} AND {counted.entity} = ANY(CAST(:entities AS bigint[])) GROUP BY 1
        )
        UPDATE counters c SET
            value = coalesce(truth.value, 0),
            version = greatest(c.version + 1, CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint) << 20),
            included = (SELECT coalesce(jsonb_object_agg(p, head), '{{}}') FROM partitions WHERE head > 0)
        FROM unnest(CAST(:entities AS bigint[])) AS w(entity_id) LEFT JOIN truth USING (entity_id)
        WHERE c.business_id = :business AND c.entity_id = w.entity_id AND c.kind = :kind
          AND c.value <> coalesce(truth.value, 0)
    """)  # noqa: S608 - declared above


async def drifting_batches(
    postgres: Postgres, counted: Counted, business_id: int
) -> AsyncIterator[tuple[int, list[int]]]:
    """Compares the counters of a business in batches. Yields the size of each batch, and the ids of its entities whose
    counter is wrong.
    """
    of, after = {"business": business_id, "kind": int(counted.kind)}, -1
    last, compared = _last(counted), _compared(counted)
    while True:
        ((count, upto),) = await postgres.read(last, **of, after=after, count=BATCH)
        if count == 0:
            return
        yield count, [row[0] for row in await postgres.read(compared, **of, after=after, last=upto)]
        after = upto


async def correct(transaction: Transaction, counted: Counted, business_id: int, entities: Sequence[int]) -> None:
    """Locks the counters of these entities, then sets them to the numbers of rows that they count."""
    of = {"business": business_id, "kind": int(counted.kind), "entities": entities}
    for statement in (_LOCK, _corrected(counted)):
        await transaction.execute(statement, **of)
