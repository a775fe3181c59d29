"""Compares counters with the rows that they count, and corrects them."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import TextClause, text

from models.comments import CommentState
from models.content_follows import CONTENT_FOLLOWERS
from models.counters import CounterKind
from models.likes import Reaction
from models.posts import OutboxState
from settings import COMMENTS, POSTS, TOPICS, USERS
from store.content.user_terms import RANK
from store.own_sets.kinds import KINDS, STATE_COUNTERS
from store.postgres.client import Postgres, Transaction
from store.reconcile.batches import BATCH

COUNTERS_AT_ONCE = 2000
"""The most counters that one round of comparisons covers."""
ROWS_AT_ONCE = 100_000
"""About how many rows one round of comparisons counts, estimated from the stored counters. A round counts all rows of
an entity, even if they are more.
"""


class Counted(NamedTuple):
    """A kind of counter (`kind`), and the rows that it counts. `rows` is the SQL after FROM: a table or join, with a
    condition. `entity` is the column with the id of the object that has the counter. `{chosen}` in `rows` stands for a
    condition on this column. `value` is the SQL expression that counts the rows of an object.

    If `rows` is a join, `grouped` is the name of the column `entity` in the join, and `candidates` is a table, with a
    condition, that has all objects that may have rows. `businesses` are the businesses that have this kind of counter;
    if empty, all businesses with reactions. Counters that do not satisfy the SQL condition `known` are not compared.
    """

    kind: int
    entity: str
    rows: str
    businesses: tuple[int, ...] = ()
    value: str = "count(*)"
    known: str = "true"
    grouped: str | None = None
    candidates: str | None = None


_RECORDED = """(SELECT business_id, kind, entity_id, CAST(1 AS bigint) AS value FROM records
    UNION ALL SELECT business_id, kind, entity_id, value FROM swept_records) AS recorded
    WHERE business_id = :business AND kind = :kind AND {chosen}"""
_ADDED_UP = "CAST(sum(value) AS bigint)"
# A distributed Postgres reads the rows before OFFSET 0 first, and then looks up the others by their ids.
_IN_INDEX = f"comments WHERE subject_business = :business AND state = {CommentState.VISIBLE:d} AND {{chosen}}"
_ROOTS = "comment_contents WHERE root_id IS NULL AND {chosen}"
_REPLIES = f"""(
    SELECT comment_id AS root_id, subject_business, subject_id FROM {_ROOTS} OFFSET 0
) AS root JOIN comments c USING (subject_business, subject_id, root_id) WHERE c.state = {CommentState.VISIBLE:d}
"""  # noqa: S608 - constants
_KNOWN_ROOT = "EXISTS (SELECT FROM comment_contents root WHERE root.comment_id = counters.entity_id)"
"""An SQL condition: false for the counter of replies to a comment that Postgres has lost. These counters stay as they
are, in case the comment is stored again.
"""


def actions(counter: int) -> Counted:
    """Returns what a counter of recorded actions counts. `counter` is the number of the counter: views, shares, or a
    counter that a business defines.
    """
    return Counted(counter, "entity_id", _RECORDED, value=_ADDED_UP)


def _comments(kind: int, place: str, rows: str, **more: Any) -> Counted:
    """Returns what a counter of comments counts: the public comments among those in `rows`, by the column `place`."""
    public = f"""(SELECT {place}, comment_id FROM {rows} OFFSET 0) AS c
        JOIN comment_contents k USING (comment_id) WHERE k.status = 1 AND NOT k.deleted"""  # noqa: S608 - constants
    return Counted(kind, rows=public, grouped=f"c.{place}", **more)


def states(number: int) -> Counted:
    """Returns what the counter with this number counts, to which states of own sets add."""
    kind, one = STATE_COUNTERS[number]
    return Counted(number, one.entity, one.rows, () if kind.business is None else (kind.business,))


_OF_SUBJECTS = {"entity": "subject_id", "candidates": _IN_INDEX}
COUNTED = (
    *(states(one.number) for kind in KINDS.values() for one in kind.counters),
    Counted(CONTENT_FOLLOWERS, "entity_id", STATE_COUNTERS[CONTENT_FOLLOWERS][1].rows, (TOPICS,)),
    Counted(
        CounterKind.LIKES_RECEIVED, "owner_id", f"reactions WHERE {{chosen}} AND state = {Reaction.LIKE:d}", (USERS,)
    ),
    actions(CounterKind.VIEWS),
    actions(CounterKind.SHARES),
    Counted(CounterKind.FOLLOWING, "user_id", "following WHERE {chosen}", (USERS,)),
    Counted(CounterKind.FRIENDS, "user_id", "following WHERE {chosen} AND friends_moment IS NOT NULL", (USERS,)),
    Counted(CounterKind.POSTS, "author_id", f"outboxes WHERE {{chosen}} AND state = {OutboxState.VISIBLE:d}", (USERS,)),
    Counted(
        CounterKind.QUOTES,
        "quote_of",
        "posts WHERE {chosen} AND quote_of IS NOT NULL AND status = 1 AND NOT deleted AND NOT detached",
        (POSTS,),
    ),
    # Topic 0 is the square, which has no counter.
    Counted(CounterKind.POSTS, "topic_id", "topic_posts WHERE {chosen} AND topic_id > 0 AND counted", (TOPICS,)),
    _comments(CounterKind.COMMENTS, "subject_id", _IN_INDEX, **_OF_SUBJECTS),
    _comments(CounterKind.ROOT_COMMENTS, "subject_id", f"{_IN_INDEX} AND root_id = 0", **_OF_SUBJECTS),
    _comments(
        CounterKind.REPLIES,
        "root_id",
        _REPLIES,
        entity="comment_id",
        candidates=_ROOTS,
        businesses=(COMMENTS,),
        known=_KNOWN_ROOT,
    ),
)

# The last entity of a round, and of the counters after `after`, those before it.
_ROUND = text("""
    WITH read AS MATERIALIZED (
        SELECT entity_id, greatest(value, 0) AS value FROM counters
        WHERE business_id = :business AND entity_id > :after ORDER BY entity_id LIMIT :counters
    )
    SELECT max(entity_id) FROM (
        SELECT entity_id, sum(value) OVER (ORDER BY entity_id ROWS UNBOUNDED PRECEDING) - value AS before FROM read
    ) AS added_up WHERE before < :rows
""")
_LOCK = text("""
    INSERT INTO counters AS c (business_id, entity_id, kind, value, version)
    SELECT :business, entity_id, :kind, 0, 0 FROM unnest(CAST(:entities AS bigint[])) AS w(entity_id) ORDER BY entity_id
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = c.value
""")


def _truth(counted: Counted, chosen: str) -> str:
    """Returns a subquery that counts the rows of each object that satisfies the condition `chosen`."""
    return f"""
        SELECT {counted.grouped or counted.entity} AS entity_id, {counted.value} AS value
        FROM {counted.rows.format(chosen=chosen)} GROUP BY 1
    """  # noqa: S608 - declared above


def _beyond(counted: Counted) -> TextClause:
    """Returns a statement that selects the last of the next `count` entities that may have rows to count."""
    candidates = (counted.candidates or counted.rows).format(chosen=f"{counted.entity} > :after")
    return text(f"""
        SELECT max(entity_id) FROM (
            SELECT DISTINCT {counted.entity} AS entity_id FROM {candidates} ORDER BY entity_id LIMIT :count
        ) AS next
    """)  # noqa: S608 - declared above


def _compared(counted: Counted) -> TextClause:
    """Returns a statement that selects the number of entities after `after` and up to `last` that have a counter or
    rows to count, and the entities among them whose counter differs from the number of rows.
    """
    return text(f"""
        SELECT count(*), array_agg(entity_id ORDER BY entity_id)
                         FILTER (WHERE coalesce(stored.value, 0) <> coalesce(truth.value, 0))
        FROM (
            SELECT entity_id, value FROM counters
            WHERE business_id = :business AND kind = :kind AND entity_id > :after AND entity_id <= :last
              AND {counted.known}
        ) AS stored
        FULL JOIN ({_truth(counted, f"{counted.entity} > :after AND {counted.entity} <= :last")}) AS truth
        USING (entity_id)
    """)  # noqa: S608 - declared above


def _corrected(counted: Counted) -> TextClause:
    """Returns a statement that sets locked counters to the numbers of rows that they count."""
    return text(f"""
        WITH truth AS ({_truth(counted, f"{counted.entity} = ANY(CAST(:entities AS bigint[]))")})
        UPDATE counters c SET
            value = coalesce(truth.value, 0),
            version = greatest(c.version + 1, CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint) << 20),
            included = (SELECT coalesce(jsonb_object_agg(p, head), '{{}}') FROM partitions WHERE head > 0)
        FROM unnest(CAST(:entities AS bigint[])) AS w(entity_id) LEFT JOIN truth USING (entity_id)
        WHERE c.business_id = :business AND c.entity_id = w.entity_id AND c.kind = :kind
          AND c.value <> coalesce(truth.value, 0)
    """)  # noqa: S608 - declared above


async def drifting_batches(
    postgres: Postgres, kinds: Sequence[Counted], business_id: int
) -> AsyncIterator[tuple[Counted, int, list[int]]]:
    """Compares the counters of these kinds in a business. Yields, for each kind and each batch of entities: the kind,
    the number of entities that have a counter of this kind or rows to count, and the ids of those whose counter is
    wrong.

    First reads the table of counters, once for all kinds. Then looks, kind by kind, for rows of entities with higher
    ids than the last counter.
    """
    of: dict[str, Any] = {"business": business_id}

    async def compare(counted: Counted, after: int, last: int) -> tuple[Counted, int, list[int]]:
        range_ = {"after": after, "last": last}
        ((count, wrong),) = await postgres.read(_compared(counted), **of, kind=int(counted.kind), **range_)
        return counted, count, wrong or []

    after = -1
    size = {"counters": COUNTERS_AT_ONCE, "rows": ROWS_AT_ONCE}
    while (last := (await postgres.read(_ROUND, **of, after=after, **size))[0][0]) is not None:
        for counted in kinds:
            yield await compare(counted, after, last)
        after = last
    for counted in kinds:
        then, of_kind = after, of | {"kind": int(counted.kind), "count": BATCH}
        while (last := (await postgres.read(_beyond(counted), **of_kind, after=then))[0][0]) is not None:
            yield await compare(counted, then, last)
            then = last


async def correct(transaction: Transaction, counted: Counted, business_id: int, entities: Sequence[int]) -> None:
    """Locks the counters of these entities, then sets each to the number of rows that it counts. Counters of followers
    also set the tiers by which searches order users.
    """
    of = {"business": business_id, "kind": int(counted.kind), "entities": entities}
    for statement in (_LOCK, _corrected(counted)):
        await transaction.execute(statement, **of)
    if (business_id, counted.kind) == (USERS, CounterKind.FOLLOWERS):
        await transaction.execute(RANK, users=entities)
