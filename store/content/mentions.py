"""Removes a user from the posts and comments that mention the user, for the deletion of the account."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from sqlalchemy import text

from models.comments import CommentRow
from models.posts import PostRow
from store.content import comment_rows, post_rows
from store.postgres.client import Transaction

BATCH = 100
"""The most posts or comments that are changed at once. Their rows are locked, and their texts are read."""
Row = TypeVar("Row", PostRow, CommentRow)


def _naming(table: str, key: str) -> str:
    """Returns SQL that selects the ids of up to BATCH posts or comments that mention a user. The list is materialized,
    so that Postgres reads the index of mentions.
    """
    return f"""
        WITH found AS MATERIALIZED (
            SELECT {key} FROM {table} WHERE mentioned @> jsonb_build_array(jsonb_build_array(CAST(:user AS bigint)))
        )
        SELECT {key} FROM found LIMIT {BATCH}
    """  # noqa: S608 - constants


_POSTS = text(_naming("posts", "post_id"))
_COMMENTS = text(_naming("comment_contents", "comment_id"))


async def forget_in_posts(transaction: Transaction, user_id: int) -> list[int]:
    """Removes a user from a batch of posts that mention the user. The texts stay. Returns the ids of these posts; none
    mean that no others are left.
    """
    ids = [post_id for (post_id,) in await transaction.execute(_POSTS, user=user_id)]
    rows = _without([*(await post_rows.lock(transaction, ids)).values()] if ids else [], user_id)
    if rows:
        await post_rows.write(transaction, [(row, None) for row in rows])
    return ids


async def forget_in_comments(transaction: Transaction, user_id: int) -> list[int]:
    """Removes a user from a batch of comments, as `forget_in_posts` does with posts."""
    ids = [comment_id for (comment_id,) in await transaction.execute(_COMMENTS, user=user_id)]
    rows = _without([*(await comment_rows.lock(transaction, ids)).values()] if ids else [], user_id)
    if rows:
        await comment_rows.write(transaction, [(row, None) for row in rows])
    return ids


def _without(rows: Sequence[Row], user_id: int) -> list[Row]:
    """Returns those of the locked rows that mention a user, without the user, in the order of their ids. The version of
    each row grows, so that copies with the user are older.
    """
    return [
        replace(row, mentioned=tuple(pair for pair in row.mentioned if pair[1] != user_id), version=row.version + 1)
        for row in sorted(rows, key=lambda row: row.entity_id)
        if row.mentioned and user_id in dict(row.mentioned).values()
    ]
