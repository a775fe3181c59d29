"""Recounts: topics begin or cease to count the posts of an author who has become private, public, suspended or
reinstated. A worker does this for a few posts at a time.

The counter of a topic is the number of its rows in `topic_posts` with `counted`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import text

from models.posts import OutboxState
from models.topics import topic_id
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard

_ASK = text("""
    INSERT INTO topic_recounts AS r (author_id, version) VALUES (:author, :version)
    ON CONFLICT (author_id) DO UPDATE SET reached = 0, version = excluded.version
""")
_DUE = text("SELECT author_id, reached, version FROM topic_recounts ORDER BY reached, author_id LIMIT :count")
_NEXT = text(f"""
    SELECT post_id FROM outboxes WHERE author_id = :author AND post_id > :reached AND state = {OutboxState.VISIBLE:d}
    ORDER BY post_id LIMIT :count
""")  # noqa: S608 - a constant
_TOPICS = text("SELECT post_id, topics FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[]))")
_COUNT = one_shard(
    """
    WITH wrong AS MATERIALIZED (
        SELECT t.topic_id, t.post_id
        FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[])) AS w(topic_id, post_id)
        JOIN topic_posts t USING (topic_id, post_id)
        WHERE t.counted <> :counted AND {in_shard} ORDER BY t.topic_id, t.post_id FOR UPDATE OF t
    )
    UPDATE topic_posts t SET counted = :counted FROM wrong
    WHERE t.topic_id = wrong.topic_id AND t.post_id = wrong.post_id AND {in_shard}
    RETURNING t.topic_id
    """,
    table="topic_posts",
    column="t.topic_id",
    parameter="topics",
)
_ADVANCE = text("UPDATE topic_recounts SET reached = :reached WHERE author_id = :author AND version = :version")
_FINISH = text("DELETE FROM topic_recounts WHERE author_id = :author AND version = :version")


class Recount(NamedTuple):
    """A recount in progress: topics begin or cease to count the posts of an author. Posts with ids up to `reached` are
    done. `version` is the version of the author's profile whose change requested the recount.
    """

    author_id: int
    reached: int
    version: int


async def ask(transaction: Transaction, author_id: int, version: int) -> None:
    """Requests that the topics of all posts of an author are recounted. `version` is the version that the author's
    profile gets.
    """
    await transaction.execute(_ASK, author=author_id, version=version)


async def due(postgres: Postgres, count: int) -> list[Recount]:
    """Returns up to `count` recounts that are not complete, those with the lowest `reached` first."""
    return [Recount(*row) for row in await postgres.read(_DUE, count=count)]


async def next_posts(transaction: Transaction, recount: Recount, count: int) -> list[int]:
    """Returns the ids of the next public posts of a recount, up to `count`, in order of ids."""
    rows = await transaction.execute(_NEXT, author=recount.author_id, reached=recount.reached, count=count)
    return [post_id for (post_id,) in rows]


async def topics_of(transaction: Transaction, posts: Sequence[int]) -> list[tuple[int, int]]:
    """Returns (topic id, post id) for each topic of these posts. Leaves out the square (all public posts)."""
    rows = await transaction.execute(_TOPICS, ids=list(posts))
    return sorted((topic_id(name), post_id) for post_id, names in rows for name in names)


async def count(transaction: Transaction, places: Iterable[tuple[int, int]], *, counted: bool) -> list[int]:
    """Sets whether topics count posts. `places` are pairs (topic id, post id). Returns the topic id of each pair that
    has changed, so an id may occur several times.
    """
    rows = await transaction.execute(_COUNT, **columns(places, "topics", "posts"), counted=counted)
    return [topic for (topic,) in rows]


async def advance(transaction: Transaction, recount: Recount, reached: int | None) -> None:
    """Stores that the posts of a recount up to the id `reached` are done; None: all posts are done. A recount that was
    requested again in the meantime stays as it is.
    """
    of = {"author": recount.author_id, "version": recount.version}
    if reached is None:
        await transaction.execute(_FINISH, **of)
    else:
        await transaction.execute(_ADVANCE, **of, reached=reached)
