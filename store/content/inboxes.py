"""Inboxes: the cached home timelines of active users.

A user's *inbox* holds the newest posts of followed users, down to a moment that is called its floor; older posts are
read from the authors' own lists (outboxes). An inbox exists as long as its owner visits: only a reader creates and
fills it, and only existing inboxes receive pushed posts. The posts of big accounts are not pushed
(store/content/big_accounts.py).

Guarantee: above its floor, an inbox has every post that was pushed to its owner, and every post that a followed user
had when the inbox was filled or when the follow was merged into it. The order of pushes, merges and fills does not
matter. An inbox may also have rejected posts and posts of authors who are no longer followed. Readers of inboxes leave
these posts out.

The reposts of followed users are a list of their own with the same guarantee, so that they displace no posts. An inbox
has a flag if there are any. A removed repost stays in the list, and readers leave it out.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from sqlalchemy import TextClause, text

from models.counters import EntityRef
from models.posts import OutboxState
from models.reposts import member_of, repost_of
from store import keys
from store.cache import lists
from store.cache.lists import FLOOR, NEWEST, Above, Item
from store.cache.values import Cache
from store.content import items
from store.groups import grouped
from store.keys import Key, lease
from store.postgres.client import Postgres
from store.postgres.columns import columns
from store.postgres.distributed import on_citus

INBOX_LIFE_MS = 7 * 86_400_000
"""How long an inbox is kept and filled after its owner's last visit, in milliseconds: a week, so that users who come
back every week find theirs. A user who stays away longer costs no memory and no pushes, and the next visit reads rows.
"""
REPOSTS = 400
"""The most reposts that are cached for a home timeline, and of one user."""
HAS_REPOSTS = Item(1 << 52, -1)
"""The flag: the first item of an inbox whose owner follows users who have reposted. It is no post. Only then, readers
read the reposts, too.
"""
# The authors of the newest n posts are among the n authors whose newest posts are newest. So the query reads one row
# for each of possibly thousands of followed users, and pages of only a few.
#
# Citus refuses LIMIT in a subquery that refers to rows of other shards, and accepts DISTINCT ON and row_number() by the
# distribution column. From Postgres 16 on, these read no more rows than LIMIT.
#
# The flag is read from a single one of the reposts of followed users.
_FOLLOWED_PAGE = on_citus(
    text(f"""
        WITH authors AS MATERIALIZED (
            SELECT f.followee_id FROM following f
            CROSS JOIN LATERAL (
                SELECT moment, post_id FROM outboxes WHERE author_id = f.followee_id
                AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
                ORDER BY moment DESC, post_id DESC LIMIT 1
            ) AS newest
            WHERE f.user_id = :user ORDER BY newest.moment DESC, newest.post_id DESC LIMIT :count
        )
        (SELECT CAST({HAS_REPOSTS.score} AS bigint) AS moment, CAST({HAS_REPOSTS.member} AS bigint) AS post_id
         FROM following f CROSS JOIN LATERAL (
             SELECT FROM reposts WHERE user_id = f.followee_id AND stands LIMIT 1
         ) AS r
         WHERE f.user_id = :user AND :moment > {HAS_REPOSTS.score} LIMIT 1)
        UNION ALL
        (SELECT o.moment, o.post_id FROM authors
         CROSS JOIN LATERAL (
             SELECT moment, post_id FROM outboxes WHERE author_id = authors.followee_id
             AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
             ORDER BY moment DESC, post_id DESC LIMIT :count
         ) AS o
         ORDER BY o.moment DESC, o.post_id DESC LIMIT :count)
        ORDER BY moment DESC, post_id DESC LIMIT :count
    """),  # noqa: S608 - constants
    text(f"""
        WITH followed AS MATERIALIZED (
            SELECT followee_id FROM following WHERE user_id = :user
        ), authors AS MATERIALIZED (
            SELECT f.followee_id FROM followed f
            CROSS JOIN LATERAL (
                SELECT DISTINCT ON (author_id) moment, post_id FROM outboxes WHERE author_id = f.followee_id
                AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
                ORDER BY author_id, moment DESC, post_id DESC
            ) AS newest
            ORDER BY newest.moment DESC, newest.post_id DESC LIMIT :count
        ), flag AS MATERIALIZED (
            SELECT r.user_id FROM followed f JOIN reposts r ON r.user_id = f.followee_id
            WHERE r.stands AND :moment > {HAS_REPOSTS.score} LIMIT 1
        ), posts AS MATERIALIZED (
            SELECT o.moment, o.post_id FROM authors
            CROSS JOIN LATERAL (
                SELECT moment, post_id,
                       row_number() OVER (PARTITION BY author_id ORDER BY moment DESC, post_id DESC) AS place
                FROM outboxes WHERE author_id = authors.followee_id
                AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
            ) AS o
            WHERE o.place <= :count ORDER BY o.moment DESC, o.post_id DESC LIMIT :count
        )
        SELECT CAST({HAS_REPOSTS.score} AS bigint) AS moment, CAST({HAS_REPOSTS.member} AS bigint) AS post_id FROM flag
        UNION ALL
        SELECT moment, post_id FROM posts
        ORDER BY moment DESC, post_id DESC LIMIT :count
    """),  # noqa: S608 - constants
)
_FOLLOWED_REPOSTS = on_citus(
    text("""
        WITH users AS MATERIALIZED (
            SELECT f.followee_id FROM following f
            CROSS JOIN LATERAL (
                SELECT moment, post_id FROM reposts
                WHERE user_id = f.followee_id AND stands AND (moment, post_id, user_id) < (:moment, :post, :reposter)
                ORDER BY moment DESC, post_id DESC LIMIT 1
            ) AS newest
            WHERE f.user_id = :user ORDER BY newest.moment DESC, newest.post_id DESC, f.followee_id DESC LIMIT :count
        )
        SELECT r.moment, r.post_id, r.user_id FROM users
        CROSS JOIN LATERAL (
            SELECT moment, post_id, user_id FROM reposts
            WHERE user_id = users.followee_id AND stands AND (moment, post_id, user_id) < (:moment, :post, :reposter)
            ORDER BY moment DESC, post_id DESC LIMIT :count
        ) AS r
        ORDER BY r.moment DESC, r.post_id DESC, r.user_id DESC LIMIT :count
    """),
    text("""
        WITH followed AS MATERIALIZED (
            SELECT followee_id FROM following WHERE user_id = :user
        )
        SELECT r.moment, r.post_id, r.user_id FROM followed f
        CROSS JOIN LATERAL (
            SELECT moment, post_id, user_id,
                   row_number() OVER (PARTITION BY user_id ORDER BY moment DESC, post_id DESC) AS place
            FROM reposts
            WHERE user_id = f.followee_id AND stands AND (moment, post_id, user_id) < (:moment, :post, :reposter)
        ) AS r
        WHERE r.place <= :count ORDER BY r.moment DESC, r.post_id DESC, r.user_id DESC LIMIT :count
    """),
)


def _above(table: str, author: str, is_listed: str) -> TextClause:
    """Returns the statement that reads the newest posts or reposts above a floor, for pairs of a follower and a
    followed user. `table` has them, `author` is its column with the followed user, and `is_listed` a condition.
    """
    return on_citus(
        text(f"""
            SELECT user_id, author_id, moment, post_id FROM (
                SELECT w.user_id, w.author_id, o.moment, o.post_id,
                       row_number() OVER (PARTITION BY w.user_id ORDER BY o.moment DESC, o.post_id DESC) AS place
                FROM unnest(CAST(:users AS bigint[]), CAST(:authors AS bigint[]), CAST(:floors AS bigint[]))
                     AS w(user_id, author_id, floor)
                CROSS JOIN LATERAL (
                    SELECT moment, post_id FROM {table}
                    WHERE {author} = w.author_id AND {is_listed} AND moment > w.floor
                    ORDER BY moment DESC, post_id DESC LIMIT :count
                ) AS o
            ) AS ranked WHERE place <= :count
        """),  # noqa: S608 - constants
        text(f"""
            SELECT user_id, author_id, moment, post_id FROM (
                SELECT w.user_id, w.author_id, o.moment, o.post_id,
                       row_number() OVER (PARTITION BY w.user_id ORDER BY o.moment DESC, o.post_id DESC) AS place
                FROM unnest(CAST(:users AS bigint[]), CAST(:authors AS bigint[]), CAST(:floors AS bigint[]))
                     AS w(user_id, author_id, floor)
                CROSS JOIN LATERAL (
                    SELECT moment, post_id,
                           row_number() OVER (PARTITION BY {author} ORDER BY moment DESC, post_id DESC) AS newer
                    FROM {table} WHERE {author} = w.author_id AND {is_listed} AND moment > w.floor
                ) AS o
                WHERE o.newer <= :count
            ) AS ranked WHERE place <= :count
        """),  # noqa: S608 - constants
    )


_POSTS_ABOVE = _above("outboxes", "author_id", f"state = {OutboxState.VISIBLE:d}")
_REPOSTS_ABOVE = _above("reposts", "user_id", "stands")
_WITH_REPOSTS = text("""
    SELECT DISTINCT user_id FROM reposts WHERE user_id = ANY(CAST(:authors AS bigint[])) AND stands
""")


async def followed_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of the users that a user follows, newest first: those older than
    `before` (None: the newest). Items are (moment, post id). If `before` is None and a followed user has reposted, the
    first item is HAS_REPOSTS. Inboxes are filled from this list.
    """
    return await items.page(postgres, _FOLLOWED_PAGE, before, count, user=user.entity_id)


async def followed_reposts(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` reposts of the users that a user follows, newest first: those older than
    `before` (None: the newest). The members of the items stand for reposts (models/reposts.py).
    """
    moment, member = before or NEWEST
    reposter, post = repost_of(member)
    # Of items with the same moment, reposts come before posts.
    place = {"moment": moment, "post": post if reposter else 0, "reposter": reposter}
    statement = items.mirrored(_FOLLOWED_REPOSTS) if isinstance(before, Above) else _FOLLOWED_REPOSTS
    rows = await postgres.read(statement, user=user.entity_id, count=count, **place)
    return [Item(moment, member_of(reposter, post)) for moment, post, reposter in rows]


async def push(cache: Cache, posts: Iterable[tuple[Item, Iterable[int]]], *, cap: int) -> None:
    """Adds each post to those inboxes of its author's followers that exist. `posts` are pairs (item, ids of followers).
    A negative moment removes the post. Each inbox that changes publishes a message in its channel. `cap` is how many
    posts an inbox keeps (details: `lists.publish`). Raises RedisDown.
    """
    changes = [(keys.inbox(user_id), [item]) for item, followers in posts for user_id in followers]
    await lists.publish(cache, changes, cap=cap, life_ms=0, announced=True)


async def push_reposts(cache: Cache, reposts: Sequence[tuple[Item, Collection[int]]], *, cap: int) -> None:
    """Adds each repost to those cached lists of reposts of the user's followers that exist, and the flag to their
    inboxes. `reposts` are pairs (item, ids of followers), and `cap` is how many posts an inbox keeps. Raises RedisDown.
    """
    followers = {user_id for _, some in reposts for user_id in some}
    await _flag(cache, followers, cap=cap)
    changes = [(keys.reposts(user_id), [item]) for item, some in reposts for user_id in some]
    await lists.publish(cache, changes, cap=REPOSTS, life_ms=0)


async def merge(cache: Cache, postgres: Postgres, follows: Sequence[tuple[int, int]], *, cap: int) -> None:
    """Adds the posts and reposts of newly followed users to the inboxes and lists of reposts of their new followers, as
    far as these exist. `follows` are pairs (follower, followed user). `cap` is how many posts an inbox keeps (details:
    `lists.publish`). Raises RedisDown and PostgresDown.

    Cancels running fills and extensions of the lists; those that begin later see the new follow. If a list cannot hold
    all items, it gets one more than its cap plus a tenth, so that it is trimmed and its floor rises above the items
    that it lacks.
    """
    await _merge(cache, postgres, follows, keys.inbox, _POSTS_ABOVE, lambda _, post: post, cap)
    if not follows:
        return
    rows = await postgres.read(_WITH_REPOSTS, authors=sorted({followee for _, followee in follows}))
    if reposting := {user_id for (user_id,) in rows}:
        some = [pair for pair in follows if pair[1] in reposting]
        await _flag(cache, {follower for follower, _ in some}, cap=cap)
        await _merge(cache, postgres, some, keys.reposts, _REPOSTS_ABOVE, member_of, REPOSTS)


async def _merge(
    cache: Cache,
    postgres: Postgres,
    follows: Sequence[tuple[int, int]],
    key: Callable[[int], Key],
    above: TextClause,
    member: Callable[[int, int], int],
    cap: int,
) -> None:
    """Adds items of newly followed users to one list of each new follower, as `merge` does. `key` makes the key of the
    list, `above` reads the items, and `member` makes a member of a followed user and a post.
    """
    followers = [key(follower) for follower, _ in follows]
    if not followers:
        return
    if cache.log:
        await cache.void_elsewhere(followers)  # a list at another site may have another floor
    floors: list[bytes | None] = (
        await cache.redis.gather(
            [command for key in followers for command in (("DEL", lease(key)), ("ZSCORE", key, FLOOR))], write=True
        )
    )[1::2]
    wanted = [(*pair, int(float(floor))) for pair, floor in zip(follows, floors, strict=True) if floor is not None]
    if not wanted:
        return
    most = cap + cap // 10 + 1  # one more than publish_list.lua leaves untrimmed
    rows = await postgres.read(above, **columns(wanted, "users", "authors", "floors"), count=most)
    found = ((key(user_id), Item(moment, member(author, post_id))) for user_id, author, moment, post_id in rows)
    await lists.publish(cache, grouped(found).items(), cap=cap, life_ms=0)


async def _flag(cache: Cache, users: Iterable[int], *, cap: int) -> None:
    """Adds the flag HAS_REPOSTS to those inboxes of `users` that exist."""
    flags = [(keys.inbox(user_id), [HAS_REPOSTS]) for user_id in sorted(users)]
    await lists.publish(cache, flags, cap=cap, life_ms=0)


def inbox_key(user: EntityRef) -> str:
    """Returns the key of a user's cached inbox. Each change of the inbox publishes a message in the channel of this
    key.
    """
    return keys.inbox(user.entity_id)


def reposts_key(user: EntityRef) -> str:
    """Returns the key of the cached list of the reposts of the users that a user follows."""
    return keys.reposts(user.entity_id)


def renew(cache: Cache, key: str) -> None:
    """Keeps an inbox or a list of reposts, if it exists, for another INBOX_LIFE_MS. The command is queued and not
    awaited.
    """
    cache.redis("PEXPIRE", key, INBOX_LIFE_MS, write=True)
