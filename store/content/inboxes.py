"""Inboxes: the cached home timelines of active users.

A user's *inbox* holds the newest posts of followed users, down to a moment that is called its floor; older posts are
read from the authors' own lists (outboxes). An inbox exists as long as its owner visits: only a reader creates and
fills it, and only existing inboxes receive pushed posts. The posts of big accounts are not pushed
(store/content/big_accounts.py).

Guarantee: above its floor, an inbox has every post that was pushed to its owner, and every post that a followed user
had when the inbox was filled or when the follow was merged into it. The order of pushes, merges and fills does not
matter. An inbox may also have rejected posts and posts of authors who are no longer followed. Readers of inboxes leave
these posts out.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import text

from models.counters import EntityRef
from models.posts import OutboxState
from store import keys
from store.cache import lists
from store.cache.lists import FLOOR, Item
from store.cache.values import Cache
from store.content import items
from store.groups import grouped
from store.keys import lease
from store.postgres.client import Postgres
from store.postgres.columns import columns
from store.postgres.distributed import on_citus

INBOX_LIFE_MS = 7 * 86_400_000
"""How long an inbox is kept and filled after its owner's last visit, in milliseconds: a week, so that users who come
back every week find theirs. A user who stays away longer costs no memory and no pushes, and the next visit reads rows.
"""
# The authors of the newest n posts are among the n authors whose newest posts are newest. So the query reads one row
# for each of possibly thousands of followed users, and pages of only a few.
#
# Citus refuses LIMIT in a subquery that refers to rows of other shards, and accepts DISTINCT ON and row_number() by the
# distribution column. From Postgres 16 on, these read no more rows than LIMIT.
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
        SELECT o.moment, o.post_id FROM authors
        CROSS JOIN LATERAL (
            SELECT moment, post_id FROM outboxes WHERE author_id = authors.followee_id
            AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
            ORDER BY moment DESC, post_id DESC LIMIT :count
        ) AS o
        ORDER BY o.moment DESC, o.post_id DESC LIMIT :count
    """),  # noqa: S608 - constants
    text(f"""
        WITH followed AS (
            SELECT followee_id FROM following WHERE user_id = :user
        ), authors AS MATERIALIZED (
            SELECT f.followee_id FROM followed f
            CROSS JOIN LATERAL (
                SELECT DISTINCT ON (author_id) moment, post_id FROM outboxes WHERE author_id = f.followee_id
                AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
                ORDER BY author_id, moment DESC, post_id DESC
            ) AS newest
            ORDER BY newest.moment DESC, newest.post_id DESC LIMIT :count
        )
        SELECT o.moment, o.post_id FROM authors
        CROSS JOIN LATERAL (
            SELECT moment, post_id,
                   row_number() OVER (PARTITION BY author_id ORDER BY moment DESC, post_id DESC) AS place
            FROM outboxes WHERE author_id = authors.followee_id
            AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
        ) AS o
        WHERE o.place <= :count ORDER BY o.moment DESC, o.post_id DESC LIMIT :count
    """),  # noqa: S608 - constants
)
_ABOVE = on_citus(
    text(f"""
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
    """),  # noqa: S608 - constants
    text(f"""
        SELECT user_id, moment, post_id FROM (
            SELECT w.user_id, o.moment, o.post_id,
                   row_number() OVER (PARTITION BY w.user_id ORDER BY o.moment DESC, o.post_id DESC) AS place
            FROM unnest(CAST(:users AS bigint[]), CAST(:authors AS bigint[]), CAST(:floors AS bigint[]))
                 AS w(user_id, author_id, floor)
            CROSS JOIN LATERAL (
                SELECT moment, post_id,
                       row_number() OVER (PARTITION BY author_id ORDER BY moment DESC, post_id DESC) AS newer
                FROM outboxes WHERE author_id = w.author_id AND state = {OutboxState.VISIBLE:d} AND moment > w.floor
            ) AS o
            WHERE o.newer <= :count
        ) AS ranked WHERE place <= :count
    """),  # noqa: S608 - constants
)


async def followed_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of the users that a user follows, newest first: those older than
    `before` (None: the newest). Items are (moment, post id). Inboxes are filled from this list.
    """
    return await items.page(postgres, _FOLLOWED_PAGE, before, count, user=user.entity_id)


async def push(cache: Cache, posts: Iterable[tuple[Item, Iterable[int]]], *, cap: int) -> None:
    """Adds each post to those inboxes of its author's followers that exist. `posts` are pairs (item, ids of followers).
    A negative moment removes the post. Each inbox that changes publishes a message in its channel. `cap` is how many
    posts an inbox keeps (details: `lists.publish`). Raises RedisDown.
    """
    changes = [(keys.inbox(user_id), [item]) for item, followers in posts for user_id in followers]
    await lists.publish(cache, changes, cap=cap, life_ms=0, announced=True)


async def merge(cache: Cache, postgres: Postgres, follows: Sequence[tuple[int, int]], *, cap: int) -> None:
    """Adds the posts of newly followed users to the inboxes of their new followers, as far as these exist. `follows`
    are pairs (follower, followed user). `cap` is how many posts an inbox keeps (details: `lists.publish`). Raises
    RedisDown and PostgresDown.

    Cancels running fills and extensions of the inboxes; those that begin later see the new follow. If an inbox cannot
    hold all posts, it gets one more than `cap` plus a tenth, so that it is trimmed and its floor rises above the posts
    that it lacks.
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
    await lists.publish(cache, grouped(found).items(), cap=cap, life_ms=0)


def inbox_key(user: EntityRef) -> str:
    """Returns the key of a user's cached inbox. Each change of the inbox publishes a message in the channel of this
    key.
    """
    return keys.inbox(user.entity_id)


def renew_inbox(cache: Cache, user_id: int) -> None:
    """Keeps a user's inbox, if there is one, for another INBOX_LIFE_MS. The command is queued and not awaited."""
    cache.redis("PEXPIRE", keys.inbox(user_id), INBOX_LIFE_MS, write=True)
