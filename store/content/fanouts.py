"""The progress of fan-outs. A fan-out pushes a post into the inboxes (cached home timelines) of its author's followers,
part by part, or removes the post from them; or it pushes a repost to the followers of the user who reposts. In the rows
of reposts, the author is this user, and the id of the post is negative.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import text

from models.reposts import member_of
from store.cache.lists import Item
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard

# Reads the oldest fan-outs with the next followers of each, until there are enough; the last list may be cut short.
# A post without followers has one row. Followers are read in the order of an index, and only for posts that come before
# the limit. The list of posts has no limit of its own, because Citus refuses to join such a list with LATERAL.
_DUE = text("""
    SELECT author_id, post_id, moment, since_ms, array_remove(array_agg(follower_id), NULL),
           CASE WHEN count(follower_id) = :chunk OR sum(count(*)) OVER (ORDER BY since_ms, post_id) = :most
                THEN greatest(max(follower_id), reached) END
    FROM (
        SELECT * FROM (
            SELECT author_id, post_id, moment, reached, since_ms FROM fanouts
            WHERE partition = ANY(CAST(:partitions AS smallint[])) ORDER BY since_ms, post_id
        ) AS due
        LEFT JOIN LATERAL (
            SELECT follower_id FROM followers WHERE user_id = due.author_id AND follower_id > due.reached
            ORDER BY follower_id LIMIT :chunk
        ) AS next ON true
        ORDER BY since_ms, post_id, follower_id LIMIT :most
    ) AS followed
    GROUP BY author_id, post_id, moment, since_ms, reached ORDER BY since_ms, post_id
""")
_ADVANCE = one_shard(
    """
    WITH same AS MATERIALIZED (
        SELECT f.author_id, f.post_id, w.reached
        FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[]), CAST(:moments AS bigint[]),
                    CAST(:since AS bigint[]), CAST(:reached AS bigint[]))
             AS w(author_id, post_id, moment, since_ms, reached)
        JOIN fanouts f USING (author_id, post_id, moment, since_ms)
        WHERE {in_shard} ORDER BY author_id, post_id FOR UPDATE OF f
    ), done AS (
        DELETE FROM fanouts f USING same
        WHERE f.author_id = same.author_id AND f.post_id = same.post_id AND same.reached IS NULL AND {in_shard}
    )
    UPDATE fanouts f SET reached = same.reached FROM same
    WHERE f.author_id = same.author_id AND f.post_id = same.post_id AND same.reached IS NOT NULL AND {in_shard}
    """,
    table="fanouts",
    column="f.author_id",
    parameter="authors",
)


class Chunk(NamedTuple):
    """The next part of a fan-out: a post or repost, and followers whose inboxes (cached home timelines) are next.
    `since_ms` is the time of the change that requested the fan-out, in milliseconds since the Unix epoch.
    """

    author_id: int
    post_id: int
    moment: int
    """The moment of the post; negative if the post is removed from inboxes."""
    since_ms: int
    followers: list[int]
    reached: int | None
    """The fan-out has reached all followers up to this id after this part; None if it has reached all."""

    @property
    def is_repost(self) -> bool:
        """Tells whether a repost is pushed, and no post."""
        return self.post_id < 0

    @property
    def item(self) -> Item:
        """Returns the post or repost as an item of the followers' lists. A negative score removes the post."""
        member = member_of(self.author_id, -self.post_id) if self.is_repost else self.post_id
        return Item(self.moment, member)


async def due(postgres: Postgres, partitions: Iterable[int], *, chunk: int, most: int) -> list[Chunk]:
    """Reads the next part of each of the oldest fan-outs of these partitions, oldest fan-out first. A part has up to
    `chunk` followers, and all parts together have up to `most`. A post without followers counts as one follower.
    """
    rows = await postgres.read(_DUE, partitions=list(partitions), chunk=chunk, most=most)
    return [Chunk(*row) for row in rows]


async def advance(transaction: Transaction, chunks: Iterable[Chunk]) -> None:
    """Stores that these parts of fan-outs are done, and removes fan-outs that are complete. A fan-out that was
    requested again in the meantime stays as it is.
    """
    values = [(*done[:4], done.reached) for done in chunks]
    await transaction.execute(_ADVANCE, **columns(values, "authors", "posts", "moments", "since", "reached"))
