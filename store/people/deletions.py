"""Deletions of accounts: which are due, which users are under a legal hold, and which identities belonged to deleted
users.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.digests import digest
from store.people.identities import Identity
from store.postgres.client import Postgres, Reader, Transaction

IDENTITY_LIFE_MS = 30 * 86_400_000
"""Milliseconds for which the digest of a deleted user's identity is kept. An older token that is used later than this
creates a new user.
"""
_SCHEDULE = text("""
    INSERT INTO deletions (user_id, due_ms) VALUES (:user, :due_ms)
    ON CONFLICT (user_id) DO UPDATE SET due_ms = excluded.due_ms
""")
_START = text("UPDATE deletions SET started_ms = :now_ms WHERE user_id = :user AND started_ms IS NULL")
_FORGET = text("DELETE FROM deletions WHERE user_id = :user AND started_ms IS NULL")
_ADD = text("UPDATE deletions SET removed = removed + :count WHERE user_id = :user")
_FINISH = text("UPDATE deletions SET finished_ms = :now_ms WHERE user_id = :user")
_COLUMNS = "d.user_id, d.due_ms, d.started_ms, d.finished_ms, d.removed, h.user_id IS NOT NULL AS held"
_DUE = text(f"""
    SELECT {_COLUMNS} FROM deletions d LEFT JOIN legal_holds h USING (user_id)
    WHERE d.finished_ms IS NULL AND d.due_ms <= :now_ms AND h.user_id IS NULL
    ORDER BY random() LIMIT :count
""")  # noqa: S608 - constants
_ALL = text(f"""
    SELECT {_COLUMNS} FROM deletions d LEFT JOIN legal_holds h USING (user_id) ORDER BY d.due_ms, d.user_id
""")  # noqa: S608 - constants
_COUNTS = text("""
    SELECT count(*) FILTER (WHERE started_ms IS NULL AND h.user_id IS NULL) AS waiting,
           count(*) FILTER (WHERE started_ms IS NOT NULL AND h.user_id IS NULL) AS running,
           count(*) FILTER (WHERE h.user_id IS NOT NULL) AS held
    FROM deletions d LEFT JOIN legal_holds h USING (user_id) WHERE d.finished_ms IS NULL
""")
_HOLD = text("""
    INSERT INTO legal_holds (user_id, reason, since_ms) VALUES (:user, :reason, :now_ms)
    ON CONFLICT (user_id) DO UPDATE SET reason = excluded.reason
""")
LONGEST_HOLD = 10_000
"""The most characters of the reasons of one legal hold."""
_HOLD_ALSO = text("""
    INSERT INTO legal_holds AS h (user_id, reason, since_ms) VALUES (:user, :reason, :now_ms)
    ON CONFLICT (user_id) DO UPDATE SET reason = h.reason || '; ' || excluded.reason
    WHERE position(excluded.reason IN h.reason) = 0 AND length(h.reason) + length(excluded.reason) + 2 <= :longest
""")
_LIFT = text("DELETE FROM legal_holds WHERE user_id = :user")
_HOLDS = text("SELECT user_id, reason, since_ms FROM legal_holds ORDER BY since_ms, user_id")
_IS_HELD = text("SELECT user_id FROM legal_holds WHERE user_id = :user")
_BURY = text("""
    INSERT INTO deleted_identities (digest, deleted_ms)
    SELECT digest, :now_ms FROM unnest(CAST(:digests AS text[])) AS d(digest) ORDER BY digest
    ON CONFLICT (digest) DO UPDATE SET deleted_ms = excluded.deleted_ms
""")
_DELETED = text("SELECT deleted_ms FROM deleted_identities WHERE digest = :digest")
_AMONG = text("SELECT digest FROM deleted_identities WHERE digest = ANY(CAST(:digests AS text[]))")
_SWEEP = text("DELETE FROM deleted_identities WHERE deleted_ms < :before_ms")


class Deletion(NamedTuple):
    """The deletion of one account. Times are in milliseconds since the Unix epoch, and None if they are not reached."""

    user_id: int
    due_ms: int
    started_ms: int | None
    finished_ms: int | None
    removed: int
    """The number of changes and rows of the account that were removed so far."""
    held: bool
    """Whether a legal hold stops the deletion."""


class Hold(NamedTuple):
    """The legal hold of a user: the reason, and when it began, in milliseconds since the Unix epoch."""

    user_id: int
    reason: str
    since_ms: int


class Waiting(NamedTuple):
    """The numbers of deletions that are not finished: not due or not begun, begun, and stopped by a legal hold."""

    waiting: int
    running: int
    held: int


async def schedule(transaction: Transaction, user_id: int, due_ms: int) -> None:
    """Stores that a user's account is to be deleted at `due_ms`, in milliseconds since the Unix epoch."""
    await transaction.execute(_SCHEDULE, user=user_id, due_ms=due_ms)


async def start(transaction: Transaction, user_id: int, now_ms: int) -> None:
    """Stores that workers begin to delete an account."""
    await transaction.execute(_START, user=user_id, now_ms=now_ms)


async def forget(transaction: Transaction, user_id: int) -> None:
    """Removes a deletion that has not begun, because it was cancelled."""
    await transaction.execute(_FORGET, user=user_id)


async def add_removed(transaction: Transaction, user_id: int, count: int) -> None:
    """Adds to the number of changes and rows that a deletion has removed."""
    await transaction.execute(_ADD, user=user_id, count=count)


async def finish(transaction: Transaction, user_id: int, now_ms: int) -> None:
    """Stores that nothing is left of an account."""
    await transaction.execute(_FINISH, user=user_id, now_ms=now_ms)


async def due(postgres: Postgres, now_ms: int, count: int) -> list[Deletion]:
    """Returns up to `count` deletions that are due, or begun and not finished, without those that a legal hold stops.
    They are chosen at random, so that no account keeps others waiting.
    """
    return [Deletion(*row) for row in await postgres.read(_DUE, now_ms=now_ms, count=count)]


async def all_known(postgres: Postgres) -> list[Deletion]:
    """Returns all deletions that are not cancelled, also finished ones, in the order in which they are due."""
    return [Deletion(*row) for row in await postgres.read(_ALL)]


async def waiting(postgres: Postgres) -> Waiting:
    """Counts the deletions that are not finished."""
    return Waiting(*(await postgres.read(_COUNTS))[0])


async def hold(transaction: Transaction, user_id: int, reason: str, now_ms: int) -> None:
    """Stops the deletion of a user's account, and the removal of the user's old rows, until `lift`. Replaces the reason
    of an earlier hold.
    """
    await transaction.execute(_HOLD, user=user_id, reason=reason, now_ms=now_ms)


async def hold_also(transaction: Transaction, user_id: int, reason: str, now_ms: int) -> None:
    """Stops the deletion of a user's account, as `hold` does, and adds the reason to those of an earlier hold. Leaves
    out the reason if they have more than LONGEST_HOLD characters with it: the hold stands, and the moderation log has a
    line about each match.
    """
    values = {"user": user_id, "reason": reason[:LONGEST_HOLD], "now_ms": now_ms}
    await transaction.execute(_HOLD_ALSO, **values, longest=LONGEST_HOLD)


async def lift(transaction: Transaction, user_id: int) -> bool:
    """Ends the legal hold of a user. Returns False if there is none."""
    return bool(await transaction.changed(_LIFT, user=user_id))


async def is_held(postgres: Postgres, user_id: int) -> bool:
    """Tells whether a legal hold stops the deletion of a user's account."""
    return bool(await postgres.read(_IS_HELD, user=user_id))


async def holds(postgres: Postgres) -> list[Hold]:
    """Returns all legal holds, oldest first."""
    return [Hold(*row) for row in await postgres.read(_HOLDS)]


async def bury(transaction: Transaction, identities: Sequence[Identity], now_ms: int) -> None:
    """Stores that these identities belonged to a deleted user, as digests."""
    await transaction.execute(_BURY, digests=[_digest(one) for one in identities], now_ms=now_ms)


async def deleted_ms(postgres: Postgres, identity: Identity) -> int | None:
    """Returns when the user of an identity was deleted, in milliseconds since the Unix epoch; None if no user with this
    identity was deleted in the last 30 days.
    """
    rows = await postgres.read(_DELETED, digest=_digest(identity))
    return rows[0].deleted_ms if rows else None


async def deleted_among(source: Reader, identities: Sequence[Identity]) -> set[Identity]:
    """Returns those of these identities whose users were deleted in the last 30 days."""
    by_digest = {_digest(one): one for one in identities}
    return {by_digest[row.digest] for row in await source.read(_AMONG, digests=list(by_digest))}


async def sweep_identities(postgres: Postgres, now_ms: int) -> None:
    """Removes the digests of identities that are older than 30 days."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_SWEEP, before_ms=now_ms - IDENTITY_LIFE_MS)


def _digest(identity: Identity) -> str:
    return digest("deleted identity", *identity)
