"""Home timelines: every key and cap of theirs, and what may be done to them.

Somebody's *inbox* holds the newest posts of whom they follow, above its floor; what lies below is read from outboxes.
It exists while they come to look (those who read it populate it; nothing else gives birth to one), and posts come
into it by being pushed. Authors with very many followers do not push: they are among the *pulled*, whose outboxes are
merged in by readers. Promised: above its floor an inbox has every post that was pushed and every one of whoever its
owner follows, whatever order pushes, merges and populating come in. What it has too much (posts that were rejected,
authors that are not followed any more) its readers leave out.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from models.posts import OutboxState, PostRow
from store import keys
from store.cache import lists
from store.cache.lists import FLOOR, NEWEST, Item
from store.cache.values import Cache
from store.keys import lease
from store.postgres.client import Postgres, Transaction

MOST_PULLED = 10_000

# Whoever has one of the newest n posts is among the n authors whose newest posts are newest: one probe for each of
# thousands of followees, and pages of a few of them only.
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
# Goes from author to author: each has one row looked at, however many posts.
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
# The oldest fan-outs, each with the followers who are next, until there are enough of these: the last one's may have
# been cut short. In order of a key at every step, so that nothing is read that is not wanted.
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
    """What is next of a fan-out: some of those who follow the author of a post."""

    author_id: int
    post_id: int
    moment: int
    """Negative where the post is on its way out of inboxes."""
    since_ms: int
    followers: list[int]
    reached: int | None
    """Followers up to this id are done then; None where all are."""

    @property
    def item(self) -> Item:
        """What inboxes are told."""
        return Item(self.moment, self.post_id)


async def followed_page(postgres: Postgres, user_id: int, before: Item | None, count: int) -> list[Item]:
    """What everybody may see of whom a user follows, newest first, older than `before`: what populates an inbox."""
    moment, member = before or NEWEST
    rows = await postgres.read(_FOLLOWED_PAGE, user=user_id, moment=moment, member=member, count=count)
    return [Item(*row) for row in rows]


async def push(cache: Cache, posts: Iterable[tuple[Item, Iterable[int]]], *, cap: int) -> None:
    """Posts, each into the inboxes of those who come to look; out of them where its moment is negative. Inboxes say
    that they have changed.
    """
    changes = [(keys.inbox(user_id), [item]) for item, followers in posts for user_id in followers]
    await lists.publish(cache, changes, cap=cap, life_ms=0, announced=True)


async def merge(cache: Cache, postgres: Postgres, follows: Sequence[tuple[int, int]], *, cap: int) -> None:
    """What followees have published into the inboxes of (follower, followee): at once what was before they met.

    Fills and extensions under way are voided before the floors are read: what begins after that knows the follow. Where
    there is more than an inbox holds it gets so much that it is trimmed: only then does its floor tell of the rest.
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
    users, authors, at = map(list, zip(*wanted, strict=True))
    found: dict[str, list[Item]] = {}
    most = cap + cap // 10 + 1  # one more than publish_list leaves untrimmed
    for user_id, moment, post_id in await postgres.read(_ABOVE, users=users, authors=authors, floors=at, count=most):
        found.setdefault(keys.inbox(user_id), []).append(Item(moment, post_id))
    await lists.publish(cache, found.items(), cap=cap, life_ms=0)


async def pulled(postgres: Postgres) -> list[Item]:
    """Everybody with posts that are not pushed, and the moment of the newest of these."""
    return [Item(*row) for row in await postgres.read(_PULLED, count=MOST_PULLED + 1)]


async def pulled_among(postgres: Postgres, posts: Sequence[PostRow]) -> list[Item]:
    """The same of the authors of posts that are not pushed, as far as these go."""
    if not posts:
        return []
    authors, ids = [post.author_id for post in posts], [post.post_id for post in posts]
    return [Item(*row) for row in await postgres.read(_PULLED_AMONG, authors=authors, posts=ids)]


async def publish_pulled(cache: Cache, authors: Sequence[Item]) -> None:
    """Adds authors to those whose outboxes are merged in; their list says that it has changed."""
    if authors:
        await lists.publish(cache, [(keys.pulled(), authors)], cap=MOST_PULLED, announced=True)


async def due(postgres: Postgres, partitions: Iterable[int], *, chunk: int, most: int) -> list[Chunk]:
    """What is next of the fan-outs of these partitions, the oldest first: of up to `chunk` posts as many followers
    each, and `most` in all.
    """
    rows = await postgres.read(_DUE, partitions=list(partitions), chunk=chunk, most=most)
    return [Chunk(*row) for row in rows]


async def advance(transaction: Transaction, chunks: Iterable[Chunk]) -> None:
    """Remembers how far fan-outs have come; not those that were asked for anew meanwhile."""
    authors, posts, moments, since, _, reached = map(list, zip(*chunks, strict=True))
    await transaction.execute(_ADVANCE, authors=authors, posts=posts, moments=moments, since=since, reached=reached)


def inbox_key(user: EntityRef) -> str:
    """Names a user's cached inbox. Its changes are announced."""
    return keys.inbox(user.entity_id)


def pulled_key(_: EntityRef | None = None) -> str:
    """Names the cached list of authors whose posts are not pushed. Its changes are announced."""
    return keys.pulled()


def renew_inbox(cache: Cache, user_id: int, life_ms: int) -> None:
    """Prolongs the life of a user's inbox, if there is one; nobody waits for it."""
    cache.redis("PEXPIRE", keys.inbox(user_id), life_ms, write=True)
