"""Removes a user from the posts and comments that mention the user, for the deletion of the account.

Callers first read the ids of many posts or comments, then change them in batches. A search reads all entries that the
index of mentions has of the user, so a search for each batch would read the last entries again and again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from sqlalchemy import text

from models.comments import CommentRow
from models.posts import PostRow
from store.content import comment_rows, post_rows
from store.postgres.client import Postgres, Transaction

BATCH = 100
"""The most posts or comments that are changed at once. Their rows are locked, and their texts are read."""
_FOUND = 100 * BATCH
"""The most posts or comments that one search returns."""
Row = TypeVar("Row", PostRow, CommentRow)


def _naming(table: str, key: str) -> str:
    """Returns SQL that selects the ids of up to _FOUND posts or comments that mention a user. The list is materialized,
    so that Postgres reads the index of mentions.
    """
    return f"""
        WITH found AS MATERIALIZED (
            SELECT {key} FROM {table} WHERE mentioned @> jsonb_build_array(jsonb_build_array(CAST(:user AS bigint)))
        )
        SELECT {key} FROM found LIMIT {_FOUND}
    """  # noqa: S608 - constants


_POSTS = text(_naming("posts", "post_id"))
_COMMENTS = text(_naming("comment_contents", "comment_id"))


async def of_user(postgres: Postgres, user_id: int) -> tuple[list[int], list[int]]:
    """Returns the ids of up to 10,000 posts, and of as many comments, that mention a user."""
    posts, comments = [await postgres.read(statement, user=user_id) for statement in (_POSTS, _COMMENTS)]
    return [id_ for (id_,) in posts], [id_ for (id_,) in comments]


async def forget_in_posts(transaction: Transaction, user_id: int, ids: Sequence[int]) -> None:
    """Removes a user from those of these posts, at most BATCH, that mention the user. The texts stay."""
    if rows := _without([*(await post_rows.lock(transaction, ids)).values()], user_id):
        await post_rows.write(transaction, [(row, None) for row in rows])


async def forget_in_comments(transaction: Transaction, user_id: int, ids: Sequence[int]) -> None:
    """Removes a user from comments, as `forget_in_posts` does with posts."""
    if rows := _without([*(await comment_rows.lock(transaction, ids)).values()], user_id):
        await comment_rows.write(transaction, [(row, None) for row in rows])


def _without(rows: Sequence[Row], user_id: int) -> list[Row]:
    """Returns those of the locked rows that mention a user, without the user, in the order of their ids. The version of
    each row grows, so that copies with the user are older.
    """
    return [
        replace(row, mentioned=tuple(pair for pair in row.mentioned if pair[1] != user_id), version=row.version + 1)
        for row in sorted(rows, key=lambda row: row.entity_id)
        if row.mentioned and user_id in dict(row.mentioned).values()
    ]
