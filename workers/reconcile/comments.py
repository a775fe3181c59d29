"""Compares values that are derived from comments: the table `comments` (the index by subject), whether a root comment
has visible replies, and floors (the numbers of comments in their lists).

A transaction that changes a comment locks the contents of the comment and of its root comment. A transaction that
issues floors of a list locks the list's row in `comment_subjects`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count

import projections.comments
from models.comments import CommentRow
from models.counters import EntityRef
from projections import hot_scores
from state import State
from store.content import comment_rows, comments
from store.postgres.client import Transaction
from store.reconcile import comments as rows_of
from workers.reconcile.batches import Compare, RowKey, compare_rows


def compare(state: State) -> Compare:
    """Finds index rows that differ from their comment, index rows without a comment, floors (numbers of comments in
    their list) above the last issued one, and floors that two comments share. Yields the results.
    """
    comparisons = (
        ("comment_index", rows_of.INDEX, _rewrite),
        ("comment_index", rows_of.UNWRITTEN, _remove_extra),
        ("floors", rows_of.FLOORS, _raise_floors),
        ("floors", rows_of.SHARED_FLOORS, _reassign_floors),
    )
    return compare_rows(state, comparisons)


async def _rewrite(state: State, comments: Sequence[RowKey]) -> None:
    """Writes the index rows of these comments and their root comments again, and whether the root comments have visible
    replies. Publishes the comments.
    """
    async with state.postgres.transaction() as transaction:
        rows = list((await comment_rows.lock(transaction, [id_ for (id_,) in comments])).values())
        await rows_of.remove_displaced(transaction, rows)
        await comment_rows.write(transaction, [(row, None) for row in rows])
        roots = [row for row in rows if row.root_id is None]
        answered = await comment_rows.answered(transaction, roots, ())
        settled = [
            replace(row, answered=row.comment_id in answered, version=max(row.version + 1, row.newest)) for row in rows
        ]
        await comment_rows.write(transaction, [(row, None) for row in settled])
    await _publish(state, settled)


async def _remove_extra(state: State, places: Sequence[RowKey]) -> None:
    """Removes index rows that have no comment."""
    async with state.postgres.transaction() as transaction:
        await rows_of.remove_unwritten(transaction, places)


async def _raise_floors(state: State, comments: Sequence[RowKey]) -> None:
    """Raises the last issued floor number in the lists of these comments to the highest one in use."""
    async with state.postgres.transaction() as transaction:
        refs = await rows_of.find_places(transaction, [id_ for (id_,) in comments])
        await comment_rows.issue_floors(transaction, dict.fromkeys(refs, 0))  # locks the rows, inserts missing ones
        await rows_of.raise_floors(transaction, refs)


async def _reassign_floors(state: State, places: Sequence[RowKey]) -> None:
    """Gives a new floor number to the younger of two comments that share one.

    Reads the younger comments again after locking, because another run may have repaired them.
    """
    async with state.postgres.transaction() as transaction:
        refs = [EntityRef(*place) for place in places]
        rows = await comment_rows.lock(transaction, await rows_of.find_younger(transaction, refs))
        await comment_rows.issue_floors(transaction, dict.fromkeys(refs, 0))
        ids = await rows_of.find_younger(transaction, refs)
        settled = await _with_new_floors(transaction, [row for id_, row in rows.items() if id_ in ids])
        if settled:
            await comment_rows.write(transaction, [(row, None) for row in settled])
    await _publish(state, settled)


async def _with_new_floors(transaction: Transaction, rows: Sequence[CommentRow]) -> list[CommentRow]:
    """Returns the comments with new floor numbers: first the lowest unused numbers of their list, then newly issued
    numbers.
    """
    wanted = Counter(row.list_of for row in rows)
    unused = await rows_of.find_unused_floors(transaction, list(wanted))
    missing = {ref: max(0, many - len(unused[ref])) for ref, many in wanted.items()}
    new = await comment_rows.issue_floors(transaction, missing)
    floors = {ref: chain(unused[ref], count(new[ref])) for ref in wanted}
    return [replace(row, floor=next(floors[row.list_of]), version=max(row.version + 1, row.newest)) for row in rows]


async def _publish(state: State, rows: Sequence[CommentRow]) -> None:
    await projections.comments.publish(state, rows)
    await hot_scores.publish_comments(state, [row.comment_id for row in rows])
    await comments.void_hidden(state.cache, sorted(projections.comments.with_hidden(rows)))
