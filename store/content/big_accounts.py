"""Big accounts: authors with so many followers that their posts and reposts are not pushed into the cached home
timelines (inboxes) of followers. Readers find them in the authors' own lists of posts (outboxes) and of reposts.
"""

from collections.abc import Sequence

from sqlalchemy import text

from models.counters import EntityRef
from models.posts import OutboxState, PostRow
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.cache.values import Cache
from store.postgres.client import Postgres
from store.postgres.columns import columns
from store.postgres.distributed import on_citus

MOST = 10_000


def _newest(table: str, author: str, is_listed: str, sign: str = "") -> tuple[str, str]:
    """Returns SQL that selects (moment, author) of the newest row of each author that was not pushed, with other SQL
    for Citus. `table` has the rows, `author` is its column with the author, `is_listed` a condition, and `sign` stands
    before the author's id in the result.
    """
    listed = f"FROM {table} WHERE {is_listed} AND NOT pushed"
    steps = f"""
        (WITH RECURSIVE newest AS (
            (SELECT {author} AS author_id, moment {listed} ORDER BY {author} DESC, moment DESC LIMIT 1)
            UNION ALL
            SELECT o.author_id, o.moment FROM newest
            CROSS JOIN LATERAL (
                SELECT {author} AS author_id, moment {listed} AND {author} < newest.author_id
                ORDER BY {author} DESC, moment DESC LIMIT 1
            ) AS o
        )
        SELECT moment, {sign}author_id AS author_id FROM newest)
    """  # noqa: S608 - constants
    return steps, f"(SELECT max(moment) AS moment, {sign}{author} AS author_id {listed} GROUP BY {author})"


# Steps from author to author and reads one row of each, however many posts an author has. Citus cannot step through
# several shards: there, each shard reads all its posts and reposts that were not pushed.
_NEWEST = on_citus(
    *(
        text(f"""
            SELECT moment, author_id FROM ({posts} UNION ALL {reposts}) AS newest
            ORDER BY moment DESC, author_id DESC LIMIT :count
        """)  # noqa: S608 - constants
        for posts, reposts in zip(
            _newest("outboxes", "author_id", f"state = {OutboxState.VISIBLE:d}"),
            _newest("reposts", "user_id", "stands", "-"),
            strict=True,
        )
    )
)
_NEWEST_AMONG = text(f"""
    SELECT max(o.moment), o.author_id
    FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[])) AS wanted(author_id, post_id)
    JOIN outboxes o USING (author_id, post_id)
    WHERE o.state = {OutboxState.VISIBLE:d} AND NOT o.pushed GROUP BY o.author_id
""")  # noqa: S608 - constants


async def newest(postgres: Postgres) -> list[Item]:
    """Returns the authors of public posts and reposts that were not pushed to followers, at most MOST + 1. An item is
    the author's id, for reposts negative, with the moment of the author's newest such post or repost; the newest comes
    first.
    """
    return [Item(*row) for row in await postgres.read(_NEWEST, count=MOST + 1)]


async def newest_among(postgres: Postgres, posts: Sequence[PostRow]) -> list[Item]:
    """Returns the authors of those of the given posts that are public and were not pushed into inboxes. An item is an
    author's id with the moment of the author's newest such post.
    """
    if not posts:
        return []
    ids = columns([(post.author_id, post.post_id) for post in posts], "authors", "posts")
    return [Item(*row) for row in await postgres.read(_NEWEST_AMONG, **ids)]


async def publish(cache: Cache, authors: Sequence[Item]) -> None:
    """Adds authors, given as `newest` returns them, to the list of big accounts, if the list is cached. If the list
    changes, subscriptions of home timelines get a message. Raises RedisDown.
    """
    if authors:
        await lists.publish(cache, [(keys.pulled(), authors)], cap=MOST, announced=True)


def list_key(_: EntityRef | None = None) -> str:
    """Returns the Redis key of the cached list of big accounts. There is one list, so the argument is ignored. Each
    change of the list publishes a message in the channel of this key.
    """
    return keys.pulled()
