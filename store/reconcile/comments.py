"""Compares what is derived from comments with their rows in `comment_contents`, and corrects it: the table `comments`
(the index by subject), the flag `answered`, and the last issued floor numbers.

The subject of a comment is the post or entity that it is on. Each subject numbers its comments, and each root comment
its replies, when they are first approved. These are the floor numbers.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from settings import COMMENTS
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import compared

_VISIBLE = f"c.state = {CommentState.VISIBLE:d}"
# `answered` may be out of date for a visible root comment: when the comment is removed, its replies are counted
# (projections/comments.py).
INDEX = compared(
    "comment_id",
    ("comment",),
    """SELECT comment_id, subject_business, subject_id, coalesce(root_id, 0) AS root_id, author_id, moment,
          answered, deleted, status = 1 AND NOT deleted AS public
   FROM comment_contents WHERE comment_id > :comment ORDER BY comment_id LIMIT :count""",
    f"""SELECT k.comment_id FROM batch k JOIN comments c USING (subject_business, subject_id, comment_id)
    WHERE (c.root_id, c.author_id, c.moment, c.state) = (k.root_id, k.author_id, k.moment, CASE
            WHEN k.public OR k.answered THEN {CommentState.VISIBLE:d}
            WHEN k.deleted THEN {CommentState.GONE:d} ELSE {CommentState.HIDDEN:d} END)
      AND (k.public AND NOT k.answered OR k.answered = (k.root_id = 0 AND EXISTS (
          SELECT FROM comments r WHERE r.subject_business = c.subject_business AND r.subject_id = c.subject_id
            AND r.root_id = c.comment_id AND r.state = {CommentState.VISIBLE:d})))""",  # noqa: S608 - constants
)
"""Compares all comments. A comment drifts if its row in the index is wrong, or if its flag `answered` disagrees with
its visible replies. A public comment may lack the flag although it has replies.
"""
UNWRITTEN = compared(
    "subject_business, subject_id, comment_id",
    ("business", "subject", "comment"),
    """SELECT subject_business, subject_id, comment_id FROM comments
   WHERE (subject_business, subject_id, comment_id) > (:business, :subject, :comment)
   ORDER BY subject_business, subject_id, comment_id LIMIT :count""",
    """SELECT subject_business, subject_id, comment_id
   FROM batch JOIN comment_contents USING (subject_business, subject_id, comment_id)""",
)
"""Compares all rows of the table `comments`, the index by subject. A row drifts if no comment with this id is on this
subject.
"""
FLOORS = compared(
    "comment_id",
    ("comment",),
    """SELECT comment_id, subject_business, subject_id, root_id, floor FROM comment_contents
   WHERE comment_id > :comment ORDER BY comment_id LIMIT :count""",
    f"""SELECT comment_id FROM batch WHERE floor IS NULL
    UNION ALL SELECT k.comment_id FROM batch k JOIN comment_subjects s
      ON s.business_id = CASE WHEN k.root_id IS NULL THEN k.subject_business ELSE {COMMENTS} END
     AND s.entity_id = coalesce(k.root_id, k.subject_id) AND s.floors >= k.floor""",  # noqa: S608 - constants
)
"""Compares the floor numbers of all comments. A comment drifts if its floor number is higher than the last number that
its subject, or its root comment, has issued.
"""


def _numbered(places: str, condition: str = "true") -> str:
    """Returns CTEs, followed by a comma. The last is `numbered`: the comments with a floor number in the places that
    the CTE `places` names, each with its place. A place is a subject or a root comment. `condition` selects rows `c` of
    the table `comments`.
    """
    return f"""
        lists AS MATERIALIZED (
            SELECT business_id, entity_id, business_id AS subject_business, entity_id AS subject_id, 0 AS root_id
            FROM {places} WHERE business_id <> {COMMENTS}
            UNION ALL SELECT p.business_id, p.entity_id, r.subject_business, r.subject_id, r.comment_id
            FROM {places} p JOIN comment_contents r ON r.comment_id = p.entity_id WHERE p.business_id = {COMMENTS}
        ), members AS MATERIALIZED (
            SELECT l.business_id, l.entity_id, c.comment_id
            FROM lists l JOIN comments c USING (subject_business, subject_id, root_id) WHERE {condition}
        ), numbered AS MATERIALIZED (
            SELECT m.business_id, m.entity_id, m.comment_id, k.floor
            FROM members m JOIN comment_contents k USING (comment_id) WHERE k.floor IS NOT NULL
        ),
    """  # noqa: S608 - constants


SHARED_FLOORS = compared(
    "business_id, entity_id",
    ("business", "entity"),
    """SELECT business_id, entity_id FROM comment_subjects WHERE (business_id, entity_id) > (:business, :entity)
   ORDER BY business_id, entity_id LIMIT :count""",
    """SELECT business_id, entity_id FROM batch
   EXCEPT SELECT business_id, entity_id FROM numbered GROUP BY business_id, entity_id, floor HAVING count(*) > 1""",
    _numbered("batch", _VISIBLE),
)
"""Compares all subjects and root comments that issue floor numbers. One drifts if two of its visible comments have the
same floor number.
"""
_PLACES = """places AS MATERIALIZED (
        SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS p(business_id, entity_id)
    )"""
# All but the oldest of the visible comments that share a floor.
_YOUNGER = text(f"""
    WITH {_PLACES}, {_numbered("places", _VISIBLE)} placed AS (
        SELECT comment_id, row_number() OVER (PARTITION BY business_id, entity_id, floor ORDER BY comment_id) AS place
        FROM numbered
    )
    SELECT comment_id FROM placed WHERE place > 1
""")  # noqa: S608 - constants
_UNUSED = text(f"""
    WITH {_PLACES}, {_numbered("places")} used AS (
        SELECT DISTINCT business_id, entity_id, floor FROM numbered
    ), issued AS MATERIALIZED (
        SELECT business_id, entity_id, floors FROM places JOIN comment_subjects USING (business_id, entity_id)
    )
    SELECT i.business_id, i.entity_id,
           coalesce(array_agg(f ORDER BY f) FILTER (WHERE f IS NOT NULL AND u.floor IS NULL), '{{}}')
    FROM issued i LEFT JOIN LATERAL generate_series(1, i.floors) AS f ON true
    LEFT JOIN used u ON (u.business_id, u.entity_id, u.floor) = (i.business_id, i.entity_id, f)
    GROUP BY i.business_id, i.entity_id
""")  # noqa: S608 - constants
_HIGHEST = text(f"""
    WITH {_PLACES}, {_numbered("places")} highest AS (
        SELECT business_id, entity_id, max(floor) AS floor FROM numbered GROUP BY business_id, entity_id
    )
    SELECT business_id, entity_id, floor FROM highest
""")  # noqa: S608 - constants
_RAISE = text("""
    UPDATE comment_subjects s SET floors = greatest(s.floors, w.floor)
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:floors AS integer[]))
         AS w(business_id, entity_id, floor)
    WHERE s.business_id = w.business_id AND s.entity_id = w.entity_id
""")

_DISPLACE = text("""
    DELETE FROM comments c
    USING unnest(CAST(:businesses AS smallint[]), CAST(:subjects AS bigint[]), CAST(:ids AS bigint[]),
                 CAST(:roots AS bigint[]), CAST(:authors AS bigint[]), CAST(:moments AS bigint[]))
          AS w(business_id, subject_id, comment_id, root_id, author_id, moment)
    WHERE c.subject_business = w.business_id AND c.subject_id = w.subject_id AND c.comment_id = w.comment_id
      AND (c.root_id, c.author_id, c.moment) <> (w.root_id, w.author_id, w.moment)
""")
_GIVEN = """
    unnest(CAST(:businesses AS smallint[]), CAST(:subjects AS bigint[]), CAST(:ids AS bigint[]))
    AS w(subject_business, subject_id, comment_id)
"""
_IS_GIVEN = "(c.subject_business, c.subject_id, c.comment_id) = (w.subject_business, w.subject_id, w.comment_id)"
_HOLD = text(f"UPDATE comments c SET state = c.state FROM {_GIVEN} WHERE {_IS_GIVEN}")  # noqa: S608 - constants
_WRITTEN = text(f"""
    SELECT subject_business, subject_id, comment_id
    FROM comment_contents JOIN {_GIVEN} USING (subject_business, subject_id, comment_id)
""")  # noqa: S608 - constants
_FORGET = text(f"DELETE FROM comments c USING {_GIVEN} WHERE {_IS_GIVEN}")  # noqa: S608 - constants
_OF_GIVEN = "businesses", "subjects", "ids"
_PLACES_OF = text(f"""
    SELECT DISTINCT CASE WHEN root_id IS NULL THEN subject_business ELSE {COMMENTS} END, coalesce(root_id, subject_id)
    FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants


async def remove_displaced(transaction: Transaction, rows: Sequence[CommentRow]) -> None:
    """Removes those rows of these comments from the table `comments`, the index by subject, that have another root
    comment, author or moment than the comment itself. The comments must be locked (`comment_rows.lock`).
    """
    right = [(*row.subject, row.comment_id, row.root_id or 0, row.author_id, row.moment) for row in rows]
    await transaction.execute(_DISPLACE, **columns(right, *_OF_GIVEN, "roots", "authors", "moments"))


async def remove_unwritten(transaction: Transaction, places: Sequence[tuple[Any, ...]]) -> None:
    """Removes rows of the table `comments`, the index by subject, if no such comment exists. Each row is given as
    (subject's business, subject's id, comment id). Locks the rows first, so that no such comment is written meanwhile.
    """
    await transaction.execute(_HOLD, **columns(places, *_OF_GIVEN))
    written = {tuple(row) for row in await transaction.execute(_WRITTEN, **columns(places, *_OF_GIVEN))}
    unwritten = [place for place in places if place not in written]
    await transaction.execute(_FORGET, **columns(unwritten, *_OF_GIVEN))


async def find_places(transaction: Transaction, ids: Sequence[int]) -> list[EntityRef]:
    """Returns the subjects and root comments that issued the floor numbers of the comments with these ids, sorted."""
    return sorted(EntityRef(*place) for place in await transaction.execute(_PLACES_OF, ids=ids))


async def raise_floors(transaction: Transaction, places: Sequence[EntityRef]) -> None:
    """Raises the last issued floor number of each place (a subject or root comment) to the highest floor number of its
    comments. The rows of the places must be locked.
    """
    highest = await transaction.execute(_HIGHEST, **columns(places, "businesses", "entities"))
    await transaction.execute(_RAISE, **columns(highest, "businesses", "entities", "floors"))


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
