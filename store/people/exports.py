"""The last export of each account: when it was requested."""

from sqlalchemy import text

from store.postgres.client import Postgres

_REQUEST = text("""
    INSERT INTO exports AS e (user_id, requested_ms) VALUES (:user, :now)
    ON CONFLICT (user_id) DO UPDATE SET requested_ms = excluded.requested_ms WHERE e.requested_ms <= :before
    RETURNING requested_ms
""")
_READ = text("SELECT requested_ms FROM exports WHERE user_id = :user")


async def request(postgres: Postgres, user_id: int, now_ms: int, interval_ms: int) -> int | None:
    """Stores that a user requests an export at the time `now_ms`, unless the last request is less than `interval_ms`
    older. Returns the time of the user's last request; None if it was removed meanwhile. All are milliseconds, times
    since the Unix epoch. Raises PostgresDown.
    """
    async with postgres.transaction() as transaction:
        made = await transaction.execute(_REQUEST, user=user_id, now=now_ms, before=now_ms - interval_ms)
        rows = made or await transaction.execute(_READ, user=user_id)
    return rows[0].requested_ms if rows else None


async def requested(postgres: Postgres, user_id: int) -> int | None:
    """Returns when a user last requested an export, in milliseconds since the Unix epoch; None if the user never has.
    Raises PostgresDown.
    """
    rows = await postgres.read(_READ, user=user_id)
    return rows[0].requested_ms if rows else None
