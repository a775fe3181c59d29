"""The rows of bells (the authors about whose new posts users want notifications), and of rings: new posts about which
users still have to be notified.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.versions import moment_of
from models.counters import EntityRef
from models.own_sets import Member
from models.posts import PostRow
from settings import USERS
from store.postgres.client import Postgres, Reader, Transaction
from store.postgres.columns import columns

_OF_USER = text("SELECT version, author_id FROM bells WHERE user_id = :user AND stands")
_AMONG = text("""
    SELECT b.version, b.author_id FROM unnest(CAST(:authors AS bigint[])) AS wanted(author_id)
    JOIN bells b USING (author_id) WHERE b.user_id = :user AND b.stands
""")
_COUNT = text("SELECT count(*) FROM bells WHERE user_id = :user AND stands")
_WRITE = text("""
    INSERT INTO bells AS b (user_id, author_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:authors AS bigint[]), CAST(:stands AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, author_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= b.version
""")
_WITH_BELLS = text("SELECT DISTINCT author_id FROM bells WHERE author_id = ANY(CAST(:authors AS bigint[])) AND stands")
_ADD = text("""
    INSERT INTO rings (author_id, post_id, version)
    SELECT * FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[]), CAST(:versions AS bigint[]))
    ON CONFLICT (author_id, post_id) DO NOTHING
""")
_DUE = text("SELECT author_id, post_id, version, reached FROM rings ORDER BY version, post_id LIMIT :most")
_NEXT = text("""
    SELECT user_id FROM bells WHERE author_id = :author AND stands AND user_id > :reached
    ORDER BY user_id LIMIT :most
""")
_FOLLOWERS = text("""
    SELECT f.user_id FROM unnest(CAST(:users AS bigint[])) AS n(user_id) JOIN following f USING (user_id)
    WHERE f.followee_id = :author ORDER BY f.user_id
""")
_ADVANCE = text("""
    UPDATE rings SET reached = :next
    WHERE author_id = :author AND post_id = :post AND reached = :reached
""")
_END = text("""
    DELETE FROM rings WHERE author_id = :author AND post_id = :post AND reached = :reached
""")


class Ring(NamedTuple):
    """A new post about which users with a bell still have to be notified. Those with an id up to `reached` are done.
    `version` is that of the change that made the post public.
    """

    author_id: int
    post_id: int
    version: int
    reached: int


async def own_rows(source: Reader, user_id: int, _: int, refs: Sequence[EntityRef], newest: int) -> Sequence[Member]:
    """Reads members of a user's set of bells (`store.own_sets.kind.ReadRows`)."""
    if newest:
        rows = await source.read(_OF_USER, user=user_id)
    else:
        rows = await source.read(_AMONG, user=user_id, authors=[ref.entity_id for ref in refs])
    return [Member(moment_of(version), EntityRef(USERS, author), 1) for version, author in rows]


async def count(source: Reader, user_id: int, _: int) -> int:
    """Counts the bells of a user (`store.own_sets.kind.CountRows`)."""
    return int((await source.read(_COUNT, user=user_id))[0][0])


async def write(transaction: Transaction, rows: Sequence[tuple[int, int, bool, int]]) -> None:
    """Writes bells: user, author, whether the user wants notifications, version. Newer rows stay as they are."""
    await transaction.execute(_WRITE, **columns(sorted(rows), "users", "authors", "stands", "versions"))


async def ring(transaction: Transaction, posts: Sequence[tuple[PostRow, int]]) -> None:
    """Requests the notifications about posts that have just become public, given with the version of this change.
    Leaves out posts of authors if nobody wants notifications about these authors.
    """
    authors = sorted({post.author_id for post, _ in posts})
    wanted = {id_ for (id_,) in await transaction.execute(_WITH_BELLS, authors=authors)} if authors else ()
    rows = sorted((post.author_id, post.post_id, version) for post, version in posts if post.author_id in wanted)
    if rows:
        await transaction.execute(_ADD, **columns(rows, "authors", "posts", "versions"))


async def due(postgres: Postgres, most: int) -> list[Ring]:
    """Returns the posts about which users still have to be notified, oldest first, at most `most`."""
    return [Ring(*row) for row in await postgres.read(_DUE, most=most)]


async def next_users(postgres: Postgres, one: Ring, most: int) -> tuple[list[int], int | None]:
    """Returns the users who come next: those of the next `most` users with a bell who follow the author. Also returns
    the id up to which users are done after them; None if no user is left.
    """
    users = [id_ for (id_,) in await postgres.read(_NEXT, author=one.author_id, reached=one.reached, most=most)]
    followers = [id_ for (id_,) in await postgres.read(_FOLLOWERS, author=one.author_id, users=users)] if users else []
    return followers, users[-1] if len(users) == most else None


async def advance(transaction: Transaction, one: Ring, reached: int | None) -> None:
    """Stores up to which id users are done; None ends the notifications about the post. Changes nothing if another
    worker has stored a progress since `one` was read.
    """
    where = {"author": one.author_id, "post": one.post_id, "reached": one.reached}
    if reached is None:
        await transaction.execute(_END, **where)
    else:
        await transaction.execute(_ADVANCE, **where, next=reached)
