"""Outboxes: the posts of each author, newest first, and who may see each. Also requests fan-outs, which push posts into
followers' inboxes.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from sqlalchemy import TextClause, text

from domain.versions import moment_of
from models.counters import CounterKind, EntityRef
from models.posts import OutboxState, PostRow
from models.topics import topic_id
from settings import USERS
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.cache.values import Cache
from store.content import items
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_VISIBLE_PAGE = text(f"""
    SELECT moment, post_id FROM outboxes
    WHERE author_id = :author AND state = {OutboxState.VISIBLE:d} AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")  # noqa: S608 - a constant
_OWN_PAGE = text(f"""
    SELECT moment, post_id FROM outboxes
    WHERE author_id = :author AND state <> {OutboxState.DELETED:d} AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")  # noqa: S608 - a constant
_SQUARE_PAGE = text("""
    SELECT moment, post_id FROM posts
    WHERE status = 1 AND NOT deleted AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")
_QUOTES_PAGE = text("""
    SELECT moment, post_id FROM posts
    WHERE quote_of = :post AND quote_of IS NOT NULL AND status = 1 AND NOT deleted AND NOT detached
      AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")
_WRITE = text("""
    INSERT INTO outboxes AS o (author_id, post_id, moment, state, pushed)
    SELECT author_id, post_id, moment, state, false
    FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:states AS smallint[]))
         AS w(author_id, post_id, moment, state)
    ON CONFLICT (author_id, post_id) DO UPDATE SET moment = excluded.moment, state = excluded.state
""")


def fanout(table: str, author: str, sign: str = "") -> TextClause:
    """Returns the statement that decides whether rows of a table are pushed to the followers of their authors, and
    requests the fan-outs of those that are. `author` is the column of the table with the author; `sign` stands before
    the ids of the posts in the rows of fan-outs.
    """
    # `partition` is a bigint here, because Citus takes what RETURNING says about other tables for bigints.
    return text(f"""
        WITH asked AS (
            SELECT w.author_id, w.post_id, w.partition, w.moment, w.since_ms, coalesce(c.value, 0) < :most AS pushed
            FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[]), CAST(:partitions AS bigint[]),
                        CAST(:moments AS bigint[]), CAST(:since AS bigint[]))
                 AS w(author_id, post_id, partition, moment, since_ms)
            LEFT JOIN counters c
              ON c.business_id = {USERS} AND c.entity_id = w.author_id AND c.kind = {CounterKind.FOLLOWERS:d}
        ), decided AS (
            UPDATE {table} o SET pushed = CASE WHEN a.moment > 0 THEN a.pushed ELSE o.pushed END
            FROM asked a WHERE o.{author} = a.author_id AND o.post_id = a.post_id
            RETURNING o.{author} AS author_id, o.post_id, a.partition, a.moment, a.since_ms, o.pushed
        )
        INSERT INTO fanouts AS f (author_id, post_id, partition, moment, since_ms)
        SELECT author_id, {sign}post_id, partition, moment, since_ms FROM decided WHERE pushed
        ON CONFLICT (author_id, post_id)
        DO UPDATE SET moment = excluded.moment, reached = 0, since_ms = excluded.since_ms
    """)  # noqa: S608 - constants


_FANOUT = fanout("outboxes", "author_id")
_BIG = text(f"""
    SELECT entity_id FROM counters
    WHERE business_id = {USERS} AND kind = {CounterKind.FOLLOWERS:d} AND value >= :most
      AND entity_id = ANY(CAST(:authors AS bigint[]))
""")  # noqa: S608 - constants
_PUSHED = text("""
    UPDATE outboxes o SET pushed = true
    FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[])) AS w(author_id, post_id)
    WHERE o.author_id = w.author_id AND o.post_id = w.post_id AND NOT o.pushed
""")


async def visible_page(postgres: Postgres, author: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of an author, newest first: those older than `before` (None: the
    newest). Items are (moment, post id).
    """
    return await items.page(postgres, _VISIBLE_PAGE, before, count, author=author.entity_id)


async def own_page(postgres: Postgres, author: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` posts of an author, newest first, also hidden but not deleted ones: those older
    than `before` (None: the newest). Items are (moment, post id).
    """
    return await items.page(postgres, _OWN_PAGE, before, count, author=author.entity_id)


async def square_page(postgres: Postgres, _: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts of all authors (the square), newest first: those older than
    `before` (None: the newest). Items are (moment, post id). The second argument is ignored.
    """
    return await items.page(postgres, _SQUARE_PAGE, before, count)


async def quotes_page(postgres: Postgres, post: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` public posts that quote a post and are not detached from it, newest first:
    those older than `before` (None: the newest). Items are (moment, post id).
    """
    return await items.page(postgres, _QUOTES_PAGE, before, count, post=post.entity_id)


async def write(transaction: Transaction, rows: Sequence[PostRow]) -> None:
    """Writes to the authors' outboxes in Postgres where these posts are listed, and whether each is public, hidden or
    deleted.
    """
    values = sorted((row.author_id, row.post_id, row.moment, int(row.outbox_state)) for row in rows)
    await transaction.execute(_WRITE, **columns(values, "authors", "posts", "moments", "states"))


async def ask_for_fanout(
    transaction: Transaction, rows: Sequence[PostRow], partition_of: Callable[[int], int], most_followers: int
) -> None:
    """Requests fan-outs: workers will push posts that have just become public into the inboxes (cached home timelines)
    of followers, and remove deleted posts from them. `rows` are these posts. `partition_of` returns the partition of an
    author.

    A public post is pushed if its author has fewer than `most_followers` followers; the outbox stores whether it is. A
    deleted post is removed from the inboxes to which it was pushed.
    """
    if not rows:
        return
    values = sorted(
        (row.author_id, row.post_id, partition_of(row.author_id), inbox_moment(row), row.newest >> 20) for row in rows
    )
    names = "authors", "posts", "partitions", "moments", "since"
    await transaction.execute(_FANOUT, **columns(values, *names), most=most_followers)


async def mark_pushed(transaction: Transaction, rows: Iterable[PostRow], most_followers: int) -> None:
    """Stores that inboxes have these posts, except those of authors with at least `most_followers` followers. Requests
    no fan-out, unlike `ask_for_fanout`: the caller must remove all inboxes afterwards, so that they are filled anew.
    """
    values = sorted((row.author_id, row.post_id) for row in rows)
    big = await big_among(transaction, {author_id for author_id, _ in values}, most_followers)
    if pushed := [one for one in values if one[0] not in big]:
        await transaction.execute(_PUSHED, **columns(pushed, "authors", "posts"))


async def big_among(transaction: Transaction, users: Collection[int], most_followers: int) -> set[int]:
    """Returns those of `users` who have at least `most_followers` followers."""
    rows = await transaction.execute(_BIG, authors=sorted(users), most=most_followers) if users else ()
    return {user_id for (user_id,) in rows}


def inbox_moment(row: PostRow) -> int:
    """Returns the moment by which lists order a post; for a deleted post, minus the moment of its deletion, which
    removes it from lists.
    """
    return -moment_of(row.content_version) if row.deleted else row.moment


def visible_key(author: EntityRef) -> str:
    """Returns the key of the cached list of an author's public posts."""
    return keys.outbox(author.entity_id)


def own_key(author: EntityRef) -> str:
    """Returns the key of the cached list of an author's posts that are not deleted. Each change of the list publishes a
    message in the channel of this key.
    """
    return keys.own_posts(author.entity_id)


def square_key(_: EntityRef) -> str:
    """Returns the key of the cached list of all public posts. The argument is ignored."""
    return keys.square()


def quotes_key(post: EntityRef) -> str:
    """Returns the key of the cached list of the posts that quote a post."""
    return keys.quotes(post.entity_id)


async def publish(cache: Cache, rows: Iterable[PostRow], *, cap: int) -> None:
    """Adds these posts to their cached lists (author, topics, entity, and the square of all public posts), or removes
    them if they are deleted. Lists that are not cached stay uncached. Each list that changes publishes a message in
    its channel. `cap` is how many items a list keeps (details: `lists.publish`). Raises RedisDown.
    """
    places = ((key, Item(inbox_moment(row), row.post_id)) for row in rows for key in _lists_of(row))
    await lists.publish(cache, grouped(places).items(), cap=cap, announced=True)


def _lists_of(row: PostRow) -> Sequence[str]:
    """Returns the keys of the lists that contain a post now; for a deleted post, the lists that may have contained it.

    A rejected post stays in its lists, because it may be approved again. Readers of the lists leave rejected posts out.
    """
    own = [keys.own_posts(row.author_id)]
    if not (row.is_public or row.deleted):
        return own
    quotes = [keys.quotes(row.quote_of)] if row.quote_of else []
    topics = [keys.under(topic_id(name)) for name in row.topic_names]
    about = [keys.about(row.about)] if row.about else []
    return [*own, keys.outbox(row.author_id), keys.square(), *quotes, *topics, *about]
