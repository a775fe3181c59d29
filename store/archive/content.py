"""The facts about posts, comments and collections on which imported rows depend: their authors and subjects."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from store.postgres.client import Reader

_POSTS = text("SELECT post_id, author_id FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[]))")
_COMMENTS = text("""
    SELECT comment_id, author_id, subject_business, subject_id, root_id FROM comment_contents
    WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")
_COLLECTIONS = text("""
    SELECT collection_id, user_id FROM collections
    WHERE collection_id = ANY(CAST(:ids AS bigint[])) AND user_id = ANY(CAST(:users AS bigint[]))
""")


class Comment(NamedTuple):
    """The facts about a comment: its id, author, subject, and root comment (None if it is a root comment)."""

    id: int
    author_id: int
    subject: EntityRef
    root_id: int | None


async def authors_of_posts(source: Reader, ids: Collection[int]) -> dict[int, int]:
    """Returns the ids of the authors of these posts, by post. Ids without a post are left out."""
    rows = await source.read(_POSTS, ids=sorted(ids)) if ids else ()
    return dict(rows)


async def comments(source: Reader, ids: Collection[int]) -> dict[int, Comment]:
    """Returns the facts about these comments, by id. Ids without a comment are left out."""
    rows = await source.read(_COMMENTS, ids=sorted(ids)) if ids else ()
    return {id_: Comment(id_, author, EntityRef(*subject), root) for id_, author, *subject, root in rows}


async def collections_of(source: Reader, ids: Collection[int], users: Collection[int]) -> set[tuple[int, int]]:
    """Returns those of these collections that belong to these users, as (collection, user). Leaves out deleted ones."""
    rows = await source.read(_COLLECTIONS, ids=sorted(ids), users=sorted(users)) if ids else ()
    return {(collection_id, user_id) for collection_id, user_id in rows}
