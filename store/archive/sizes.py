"""Finds users who have more follows, boundaries or collections than a user may have."""

from collections.abc import Collection

from sqlalchemy import text

from models.counters import CounterKind
from settings import USERS
from store.postgres.client import Transaction

_STATEMENTS = {
    # The counter is exact, because this transaction has written it, and it is read faster than rows are counted.
    "follow": text(f"""
        SELECT entity_id, value FROM counters
        WHERE business_id = {USERS} AND kind = {CounterKind.FOLLOWING:d} AND value > :most
          AND entity_id = ANY(CAST(:users AS bigint[]))
    """),  # noqa: S608 - constants
    "block": text("""
        SELECT user_id, count(*) FROM blocks WHERE user_id = ANY(CAST(:users AS bigint[])) AND stands
        GROUP BY user_id HAVING count(*) > :most
    """),
    "mute": text("""
        SELECT user_id, count(*) FROM mutes WHERE user_id = ANY(CAST(:users AS bigint[])) AND until_ms > 0
        GROUP BY user_id HAVING count(*) > :most
    """),
    "content_follow": text("""
        SELECT user_id, count(*) FROM content_follows WHERE user_id = ANY(CAST(:users AS bigint[])) AND stands
        GROUP BY user_id HAVING count(*) > :most
    """),
    "collection": text("""
        SELECT user_id, count(*) FROM collections WHERE user_id = ANY(CAST(:users AS bigint[])) AND NOT deleted
        GROUP BY user_id HAVING count(*) > :most
    """),
}


async def beyond(transaction: Transaction, kind: str, users: Collection[int], most: int) -> dict[int, int]:
    """Finds users among `users` who have more than `most` follows of users, follows of topics and entities, blocks,
    mutes or collections. `kind` is `follow`, `content_follow`, `block`, `mute` or `collection`. Returns by user id how
    many more than `most` the user has.
    """
    rows = await transaction.execute(_STATEMENTS[kind], users=sorted(users), most=most)
    return {user_id: count - most for user_id, count in rows}
