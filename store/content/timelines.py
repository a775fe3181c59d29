"""Home timelines: inboxes in the cache, outboxes in Postgres, and the state of fan-outs.

A user's *inbox* holds the newest posts of followed users, above its floor; older posts are read from outboxes. It
exists as long as its owner visits: only a reader creates and fills it, and only existing inboxes receive pushed posts.
Authors with very many followers do not push. They are *pulled*: readers merge their outboxes in.

Guarantee: above its floor, an inbox has every pushed post and every post of the owner's followees. The order of pushes,
merges and fills does not matter. An inbox may also have rejected posts and posts of authors who are no longer followed.
Readers of inboxes leave these posts out.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from models.posts import OutboxState, PostRow
from store import keys
from store.cache import lists
from store.cache.lists import FLOOR, Item
from store.cache.values import Cache
from store.content import items
from store.keys import lease
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

MOST_PULLED = 10_000

# The authors of the newest n posts are among the n authors whose newest posts are newest. So the query reads one row
# for each of possibly thousands of followed users, and pages of only a few.
_FOLLOWED_PAGE = text(f"""
    WITH authors AS MATERIALIZED (
        SELECT f.followee_id FROM following f
        CROSS JOIN LATERAL (
            SELECT moment, post_id FROM outboxes WHERE author_id = f.followee_id
            AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
            ORDER BY moment DESC, post_id DESC LIMIT 1
        ) AS newest
        WHERE f.user_id = :user ORDER BY newest.moment DESC, newest.post_id DESC LIMIT :count
    )
    SELECT o.moment, o.post_id FROM authors
    CROSS JOIN LATERAL (
        SELECT moment, post_id FROM outboxes WHERE author_id = authors.followee_id
        AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
        ORDER BY moment DESC, post_id DESC LIMIT :count
    ) AS o
    ORDER BY o.moment DESC, o.post_id DESC LIMIT :count
""")  # noqa: S608 - constants
_ABOVE = text(f"""
    SELECT user_id, moment, post_id FROM (
        SELECT w.user_id, o.moment, o.post_id,
               row_number() OVER (PARTITION BY w.user_id ORDER BY o.moment DESC, o.post_id DESC) AS place
        FROM unnest(CAST(:users AS bigint[]), CAST(:authors AS bigint[]), CAST(:floors AS bigint[]))
             AS w(user_id, author_id, floor)
        CROSS JOIN LATERAL (
            SELECT moment, post_id FROM outboxes
            WHERE author_id = w.author_id AND state = {OutboxState.VISIBLE:d} AND moment > w.floor
            ORDER BY moment DESC, post_id DESC LIMIT :count
        ) AS o
    ) AS ranked WHERE place <= :count
""")  # noqa: S608 - constants
# Steps from author to author and reads one row of each, however many posts an author has.
_PULLED = text(f"""
    WITH RECURSIVE newest AS (
        (SELECT author_id, moment FROM outboxes WHERE state = {OutboxState.VISIBLE:d} AND NOT pushed
         ORDER BY author_id DESC, moment DESC LIMIT 1)
        UNION ALL
        SELECT o.author_id, o.moment FROM newest
        CROSS JOIN LATERAL (
            SELECT author_id, moment FROM outboxes
            WHERE state = {OutboxState.VISIBLE:d} AND NOT pushed AND author_id < newest.author_id
            ORDER BY author_id DESC, moment DESC LIMIT 1
        ) AS o
    )
    SELECT moment, author_id FROM newest ORDER BY moment DESC, author_id DESC LIMIT :count
""")  # noqa: S608 - constants
_PULLED_AMONG = text(f"""
    SELECT max(o.moment), o.author_id
    FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[])) AS wanted(author_id, post_id)
    JOIN outboxes o USING (author_id, post_id)
    WHERE o.state = {OutboxState.VISIBLE:d} AND NOT o.pushed GROUP BY o.author_id
""")  # noqa: S608 - constants
# Reads the oldest fan-outs with the next followers of each, until there are enough followers; the last list may be cut
# short. Every step reads in the order of an index, so no unneeded rows are read.
_DUE = text("""
    SELECT author_id, post_id, moment, since_ms, array_remove(array_agg(follower_id), NULL),
           CASE WHEN count(follower_id) = :chunk OR sum(count(*)) OVER (ORDER BY since_ms, post_id) = :most
                THEN greatest(max(follower_id), reached) END
    FROM (
        SELECT * FROM (
            SELECT author_id, post_id, moment, reached, since_ms FROM fanouts
            WHERE partition = ANY(CAST(:partitions AS smallint[])) ORDER BY since_ms, post_id LIMIT :chunk
        ) AS due
        LEFT JOIN LATERAL (
            SELECT follower_id FROM followers WHERE user_id = due.author_id AND follower_id > due.reached
            ORDER BY follower_id LIMIT :chunk
        ) AS next ON true
        ORDER BY since_ms, post_id, follower_id LIMIT :most
    ) AS followed
    GROUP BY author_id, post_id, moment, since_ms, reached ORDER BY since_ms, post_id
""")
_ADVANCE = text("""
    WITH same AS MATERIALIZED (
        SELECT f.author_id, f.post_id, w.reached
        FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[]), CAST(:moments AS bigint[]),
                    CAST(:since AS bigint[]), CAST(:reached AS bigint[]))
             AS w(author_id, post_id, moment, since_ms, reached)
        JOIN fanouts f USING (author_id, post_id, moment, since_ms) ORDER BY author_id, post_id FOR UPDATE OF f
    ), done AS (
        DELETE FROM fanouts f USING same
        WHERE f.author_id = same.author_id AND f.post_id = same.post_id AND same.reached IS NULL
    )
    UPDATE fanouts f SET reached = same.reached FROM same
    WHERE f.author_id = same.author_id AND f.post_id = same.post_id AND same.reached IS NOT NULL
""")


class Chunk(NamedTuple):
    """The next step of a fan-out: some followers of the author of a post."""

    author_id: int
    post_id: int
    moment: int
    """The moment of the post; negative if the post is removed from inboxes."""
    since_ms: int
    followers: list[int]
    reached: int | None
    """Followers up to this id are done after this step; None if all are."""

    @property
    def item(self) -> Item:
        """Returns the item that is published to the inboxes."""
        return Item(self.moment, self.post_id)


async def followed_page(postgres: Postgres, user_id: int, before: Item | None, count: int) -> list[Item]:
    """Reads public posts of a user's followees that are older than `before`, newest first. Inboxes are filled from this
    list.
    """
    return await items.page(postgres, _FOLLOWED_PAGE, before, count, user=user_id)


async def push(cache: Cache, posts: Iterable[tuple[Item, Iterable[int]]], *, cap: int) -> None:
    """Pushes posts into the existing inboxes of followers; removes a post whose moment is negative. Changes of inboxes
    are announced.
    """
    changes = [(keys.inbox(user_id), [item]) for item, followers in posts for user_id in followers]
    await lists.publish(cache, changes, cap=cap, life_ms=0, announced=True)


async def merge(cache: Cache, postgres: Postgres, follows: Sequence[tuple[int, int]], *, cap: int) -> None:
    """Adds the posts of followed users to the inboxes of new followers, given as pairs (follower, followed user).

    Voids running fills and extensions of the inboxes before it reads their floors. Fills that begin later see the new
    follow. If an inbox cannot hold all posts, it gets one more than its limit, so that it is trimmed and its floor
    rises above the posts that it lacks.
    """
    followers = [keys.inbox(follower) for follower, _ in follows]
    if not followers:
        return
    floors: list[bytes | None] = (
        await cache.redis.gather(
            [command for key in followers for command in (("DEL", lease(key)), ("ZSCORE", key, FLOOR))], write=True
        )
    )[1::2]
    wanted = [(*pair, int(float(floor))) for pair, floor in zip(follows, floors, strict=True) if floor is not None]
    if not wanted:
        return
    most = cap + cap // 10 + 1  # one more than publish_list.lua leaves untrimmed
    rows = await postgres.read(_ABOVE, **columns(wanted, "users", "authors", "floors"), count=most)
    found = ((keys.inbox(user_id), Item(moment, post_id)) for user_id, moment, post_id in rows)
    await lists.publish(cache, items.grouped(found).items(), cap=cap, life_ms=0)


async def pulled(postgres: Postgres) -> list[Item]:
    """Reads the authors who have posts that are not pushed, with the moment of the newest of these posts."""
    return [Item(*row) for row in await postgres.read(_PULLED, count=MOST_PULLED + 1)]


async def pulled_among(postgres: Postgres, posts: Sequence[PostRow]) -> list[Item]:
    """Reads the authors of those of these posts that are not pushed, with the moment of the newest of them."""
    if not posts:
        return []
    ids = columns([(post.author_id, post.post_id) for post in posts], "authors", "posts")
    return [Item(*row) for row in await postgres.read(_PULLED_AMONG, **ids)]


async def publish_pulled(cache: Cache, authors: Sequence[Item]) -> None:
    """Adds authors to the cached list of pulled authors. Its change is announced."""
    if authors:
        await lists.publish(cache, [(keys.pulled(), authors)], cap=MOST_PULLED, announced=True)


async def due(postgres: Postgres, partitions: Iterable[int], *, chunk: int, most: int) -> list[Chunk]:
    """Reads the next steps of the fan-outs of these partitions, oldest first: up to `chunk` posts, up to `chunk`
    followers of each, and `most` followers in all.
    """
    rows = await postgres.read(_DUE, partitions=list(partitions), chunk=chunk, most=most)
    return [Chunk(*row) for row in rows]


async def advance(transaction: Transaction, chunks: Iterable[Chunk]) -> None:
    """Stores how far fan-outs have come. Fan-outs that were requested again in the meantime stay as they are."""
    values = [(*done[:4], done.reached) for done in chunks]
    await transaction.execute(_ADVANCE, **columns(values, "authors", "posts", "moments", "since", "reached"))


def inbox_key(user: EntityRef) -> str:
    """Returns the key of a user's cached inbox. Its changes are announced."""
    return keys.inbox(user.entity_id)


def pulled_key(_: EntityRef | None = None) -> str:
    """Returns the key of the cached list of authors whose posts are not pushed. Its changes are announced."""
    return keys.pulled()


def renew_inbox(cache: Cache, user_id: int, life_ms: int) -> None:
    """Prolongs the life of a user's inbox, if there is one. The command is queued and not awaited."""
    cache.redis("PEXPIRE", keys.inbox(user_id), life_ms, write=True)
