"""What follows from what comments say: their index, which roots have visible replies, and the last floors issued.

Whoever changes a comment holds its contents and those of its root; whoever issues floors, the subject's row.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count

from sqlalchemy import text

import projections.comments
from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from projections import hot
from settings import COMMENTS
from state import State
from store.content import comment_rows
from store.postgres.client import Transaction
from workers.reconcile.batches import Compare, RowKey, drifting

_VISIBLE = f"c.state = {CommentState.VISIBLE:d}"
# Of a root that everybody sees it need not be known that it has replies: who takes it away looks
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
# The comments of a place, which is a subject or a root, that have a floor in it.
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
# Of the visible comments that share a floor all but the oldest.
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


async def compare(state: State) -> Compare:
    """Every comment, what is indexed that is none, and floors: those issued beyond the last, and those issued twice."""
    kinds = (
        ("comment_index", _COMMENTS, ("comment",), _rewrite),
        ("comment_index", _UNWRITTEN, ("business", "subject", "comment"), _forget),
        ("floors", _FLOORS, ("comment",), _raise_floors),
        ("floors", _SHARED, ("business", "entity"), _issue_anew),
    )
    for kind, statement, names, repair in kinds:
        async for compared in drifting(state.postgres, kind, statement, names, partial(repair, state)):
            yield compared


async def _rewrite(state: State, comments: Sequence[RowKey]) -> None:
    """Writes these, and their roots, to the index as they are; then what that says of the roots."""
    async with state.postgres.transaction() as transaction:
        rows = list((await comment_rows.lock(transaction, [id_ for (id_,) in comments])).values())
        await transaction.execute(_DISPLACE, ids=[row.comment_id for row in rows])
        await comment_rows.write(transaction, [(row, None) for row in rows])
        roots = [row for row in rows if row.root_id is None]
        answered = await comment_rows.answered(transaction, roots, ())
        settled = [
            replace(row, answered=row.comment_id in answered, version=max(row.version + 1, row.newest)) for row in rows
        ]
        await comment_rows.write(transaction, [(row, None) for row in settled])
    await _publish(state, settled)


async def _forget(state: State, places: Sequence[RowKey]) -> None:
    """Takes out of the index what says nothing."""
    businesses, subjects, ids = map(list, zip(*places, strict=True))
    async with state.postgres.transaction() as transaction:
        await transaction.execute(_FORGET, businesses=businesses, subjects=subjects, ids=ids)


async def _raise_floors(state: State, comments: Sequence[RowKey]) -> None:
    """Sets the last floor, where these comments have theirs from, to the highest issued."""
    async with state.postgres.transaction() as transaction:
        places = await transaction.execute(_PLACES, ids=[id_ for (id_,) in comments])
        refs = sorted(EntityRef(*place) for place in places)
        await comment_rows.issue_floors(transaction, dict.fromkeys(refs, 0))  # locks them, and makes those that are not
        await transaction.execute(_HIGHEST, **_columns(refs))


async def _issue_anew(state: State, places: Sequence[RowKey]) -> None:
    """Gives another floor to the younger of comments that share one. What must be repaired is read again once comments
    and places are locked: somebody else may have repaired it.
    """
    async with state.postgres.transaction() as transaction:
        refs = [EntityRef(*place) for place in places]
        rows = await comment_rows.lock(transaction, await _younger(transaction, refs))
        await comment_rows.issue_floors(transaction, dict.fromkeys(refs, 0))
        ids = await _younger(transaction, refs)
        settled = await _with_other_floors(transaction, [row for id_, row in rows.items() if id_ in ids])
        if settled:
            await comment_rows.write(transaction, [(row, None) for row in settled])
    await _publish(state, settled)


async def _younger(transaction: Transaction, places: Sequence[EntityRef]) -> set[int]:
    return {id_ for (id_,) in await transaction.execute(_YOUNGER, **_columns(places))}


async def _with_other_floors(transaction: Transaction, rows: Sequence[CommentRow]) -> list[CommentRow]:
    """Gives the floors that no comment of the place has, the lowest first, and then new ones."""
    wanted = Counter(row.list_of for row in rows)
    found = await transaction.execute(_UNUSED, **_columns(list(wanted)))
    unused = {EntityRef(business_id, entity_id): floors for business_id, entity_id, floors in found}
    lacking = {ref: max(0, many - len(unused[ref])) for ref, many in wanted.items()}
    new = await comment_rows.issue_floors(transaction, lacking)
    floors = {ref: chain(unused[ref], count(new[ref])) for ref in wanted}
    return [replace(row, floor=next(floors[row.list_of]), version=max(row.version + 1, row.newest)) for row in rows]


def _columns(places: Sequence[EntityRef]) -> dict[str, list[int]]:
    return {"businesses": [ref.business_id for ref in places], "entities": [ref.entity_id for ref in places]}


async def _publish(state: State, rows: Sequence[CommentRow]) -> None:
    await projections.comments.publish(state, rows)
    await hot.publish_comments(state, [row.comment_id for row in rows])
    await projections.comments.publish_hidden(state, rows, ())
