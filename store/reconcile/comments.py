"""Comparison of three derived parts of comments with their rows: the table `comments` (the index by subject), the flag
`answered`, and the last issued floor numbers.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.comments import CommentState
from models.counters import EntityRef
from settings import COMMENTS
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Keyset

_VISIBLE = f"c.state = {CommentState.VISIBLE:d}"
# `answered` may be out of date for a visible root comment: when the comment is removed, its replies are counted
# (projections/comments.py).
_COMMENTS = text(f"""
    SELECT k.comment_id,
           (c.root_id, c.author_id, c.moment, c.state) IS DISTINCT FROM (
               coalesce(k.root_id, 0), k.author_id, k.moment, CASE
                   WHEN (k.status = 1 AND NOT k.deleted) OR k.answered THEN {CommentState.VISIBLE:d}
                   WHEN k.deleted THEN {CommentState.GONE:d} ELSE {CommentState.HIDDEN:d} END
           ) OR (k.answered OR k.status <> 1 OR k.deleted) AND k.answered <> (k.root_id IS NULL AND EXISTS (
               SELECT FROM comments c WHERE c.subject_business = k.subject_business AND c.subject_id = k.subject_id
                 AND c.root_id = k.comment_id AND {_VISIBLE}
           ))
    FROM (SELECT * FROM comment_contents WHERE comment_id > :comment ORDER BY comment_id LIMIT :count) AS k
    LEFT JOIN comments c USING (subject_business, subject_id, comment_id) ORDER BY k.comment_id
""")  # noqa: S608 - constants
_UNWRITTEN = text("""
    SELECT c.subject_business, c.subject_id, c.comment_id, k.comment_id IS NULL
    FROM (SELECT * FROM comments WHERE (subject_business, subject_id, comment_id) > (:business, :subject, :comment)
          ORDER BY subject_business, subject_id, comment_id LIMIT :count) AS c
    LEFT JOIN comment_contents k USING (subject_business, subject_id, comment_id)
    ORDER BY c.subject_business, c.subject_id, c.comment_id
""")
_FLOORS = text(f"""
    SELECT k.comment_id, coalesce(s.floors, 0) < k.floor
    FROM (SELECT * FROM comment_contents WHERE comment_id > :comment ORDER BY comment_id LIMIT :count) AS k
    LEFT JOIN comment_subjects s
      ON s.business_id = CASE WHEN k.root_id IS NULL THEN k.subject_business ELSE {COMMENTS} END
     AND s.entity_id = coalesce(k.root_id, k.subject_id)
    ORDER BY k.comment_id
""")  # noqa: S608 - constants
# The comments with a floor in a place. A place is a subject or a root comment.
_IN_PLACE = f"""
    LEFT JOIN comment_contents r ON s.business_id = {COMMENTS} AND r.comment_id = s.entity_id
    JOIN comments c ON c.subject_business = coalesce(r.subject_business, s.business_id)
     AND c.subject_id = coalesce(r.subject_id, s.entity_id) AND c.root_id = coalesce(r.comment_id, 0)
    JOIN comment_contents k ON k.comment_id = c.comment_id AND k.floor IS NOT NULL
"""
_SHARED = text(f"""
    SELECT s.business_id, s.entity_id, EXISTS (
        SELECT FROM (SELECT s.business_id, s.entity_id) AS s {_IN_PLACE}
        WHERE {_VISIBLE} GROUP BY k.floor HAVING count(*) > 1
    )
    FROM (SELECT business_id, entity_id FROM comment_subjects WHERE (business_id, entity_id) > (:business, :entity)
          ORDER BY business_id, entity_id LIMIT :count) AS s
    ORDER BY s.business_id, s.entity_id
""")  # noqa: S608 - constants
# All but the oldest of the visible comments that share a floor.
_YOUNGER = text(f"""
    SELECT comment_id FROM (
        SELECT k.comment_id, row_number() OVER (
            PARTITION BY s.business_id, s.entity_id, k.floor ORDER BY k.comment_id
        ) AS place
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS s(business_id, entity_id)
        {_IN_PLACE} WHERE {_VISIBLE}
    ) AS placed WHERE place > 1
""")  # noqa: S608 - constants
_UNUSED = text(f"""
    SELECT w.business_id, w.entity_id, ARRAY(
        SELECT generate_series(1, w.floors)
        EXCEPT SELECT k.floor FROM (SELECT w.business_id, w.entity_id) AS s {_IN_PLACE} ORDER BY 1
    )
    FROM comment_subjects w
    JOIN unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS p(business_id, entity_id)
      USING (business_id, entity_id)
""")  # noqa: S608 - constants

_DISPLACE = text("""
    DELETE FROM comments c USING comment_contents k
    WHERE k.comment_id = ANY(CAST(:ids AS bigint[])) AND c.subject_business = k.subject_business
      AND c.subject_id = k.subject_id AND c.comment_id = k.comment_id
      AND (c.root_id, c.author_id, c.moment) <> (coalesce(k.root_id, 0), k.author_id, k.moment)
""")
_FORGET = text("""
    DELETE FROM comments c
    USING unnest(CAST(:businesses AS smallint[]), CAST(:subjects AS bigint[]), CAST(:ids AS bigint[])) AS w(b, s, id)
    WHERE c.subject_business = w.b AND c.subject_id = w.s AND c.comment_id = w.id AND NOT EXISTS (
        SELECT FROM comment_contents k WHERE k.comment_id = w.id AND k.subject_business = w.b AND k.subject_id = w.s
    )
""")
_PLACES = text(f"""
    SELECT DISTINCT CASE WHEN root_id IS NULL THEN subject_business ELSE {COMMENTS} END, coalesce(root_id, subject_id)
    FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_HIGHEST = text(f"""
    UPDATE comment_subjects s SET floors = greatest(s.floors, (
        SELECT max(k.floor) FROM comments c JOIN comment_contents k USING (subject_business, subject_id, comment_id)
        LEFT JOIN comment_contents r ON s.business_id = {COMMENTS} AND r.comment_id = s.entity_id
        WHERE c.subject_business = coalesce(r.subject_business, s.business_id)
          AND c.subject_id = coalesce(r.subject_id, s.entity_id) AND c.root_id = coalesce(r.comment_id, 0)
    ))
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS w(business_id, entity_id)
    WHERE s.business_id = w.business_id AND s.entity_id = w.entity_id
""")  # noqa: S608 - constants

INDEX = Keyset(_COMMENTS, ("comment",))
"""Reads the ids of all comments in batches. A comment drifts if its row in the index, or its flag `answered`,
disagrees with the rows in `comment_contents` and with visible replies.
"""

UNWRITTEN = Keyset(_UNWRITTEN, ("business", "subject", "comment"))
"""Reads all rows of the table `comments`, the index of comments by subject, in batches: subject and comment. A row
drifts if no comment with this id is on this subject.
"""

FLOORS = Keyset(_FLOORS, ("comment",))
"""Reads the ids of all comments in batches. A comment drifts if its floor number is higher than the last number
that its subject, or its root comment, has issued.
"""

SHARED_FLOORS = Keyset(_SHARED, ("business", "entity"))
"""Reads, in batches, all subjects and root comments that issue floor numbers. Such a subject or root comment drifts
if two of its visible comments have the same floor number.
"""


async def remove_displaced(transaction: Transaction, ids: Sequence[int]) -> None:
    """Removes the index rows of the given comments that have a wrong root comment, author or moment."""
    await transaction.execute(_DISPLACE, ids=ids)


async def remove_unwritten(postgres: Postgres, places: Sequence[tuple[Any, ...]]) -> None:
    """Removes index rows, given as (subject's business, subject's id, comment id), if no such comment exists."""
    await postgres.write(_FORGET, **columns(places, "businesses", "subjects", "ids"))


async def find_places(transaction: Transaction, ids: Sequence[int]) -> list[EntityRef]:
    """Returns the subjects and root comments that issued the floor numbers of these comments, sorted."""
    return sorted(EntityRef(*place) for place in await transaction.execute(_PLACES, ids=ids))


async def raise_floors(transaction: Transaction, places: Sequence[EntityRef]) -> None:
    """Raises the last issued floor number of each place (a subject or root comment) to the highest floor number of its
    comments.
    """
    await transaction.execute(_HIGHEST, **columns(places, "businesses", "entities"))


async def find_younger(transaction: Transaction, places: Sequence[EntityRef]) -> set[int]:
    """Returns the ids of visible comments of these places (subjects or root comments) that have the same floor number
    as an older visible comment of the place.
    """
    return {id_ for (id_,) in await transaction.execute(_YOUNGER, **columns(places, "businesses", "entities"))}


async def find_unused_floors(transaction: Transaction, places: Sequence[EntityRef]) -> dict[EntityRef, list[int]]:
    """Returns, for each place (a subject or root comment), the issued floor numbers that no comment has, lowest
    first.
    """
    found = await transaction.execute(_UNUSED, **columns(places, "businesses", "entities"))
    return {EntityRef(business_id, entity_id): floors for business_id, entity_id, floors in found}
