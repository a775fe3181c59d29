"""Big accounts: authors with so many followers that their posts are not pushed into the cached home timelines (inboxes)
of followers. Readers find these posts in the authors' own lists of posts (outboxes).
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

# Steps from author to author and reads one row of each, however many posts an author has. Citus cannot step through
# several shards: there, each shard reads all its posts that were not pushed.
_NEWEST = on_citus(
    text(f"""
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
    """),  # noqa: S608 - constants
    text(f"""
        SELECT max(moment), author_id FROM outboxes WHERE state = {OutboxState.VISIBLE:d} AND NOT pushed
        GROUP BY author_id ORDER BY max(moment) DESC, author_id DESC LIMIT :count
    """),  # noqa: S608 - a constant
)
_NEWEST_AMONG = text(f"""
    SELECT max(o.moment), o.author_id
    FROM unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[])) AS wanted(author_id, post_id)
    JOIN outboxes o USING (author_id, post_id)
    WHERE o.state = {OutboxState.VISIBLE:d} AND NOT o.pushed GROUP BY o.author_id
""")  # noqa: S608 - constants


async def newest(postgres: Postgres) -> list[Item]:
    """Returns the authors of public posts that were not pushed into inboxes, at most MOST + 1. An item is an author's
    id with the moment of the author's newest such post; the newest comes first.
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
