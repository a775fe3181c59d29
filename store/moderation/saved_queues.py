"""The rows of saved queues: filters of the moderation queue that moderators keep."""

from collections.abc import Callable, Sequence

from sqlalchemy import text

from models.saved_queues import SavedQueue, dumps, loads
from store.postgres.client import Postgres

_READ = text("SELECT queues FROM saved_queues WHERE user_id = :user")
# Locks the row, which is empty if it is new.
_LOCK = text("""
    INSERT INTO saved_queues AS s (user_id, queues) VALUES (:user, '[]')
    ON CONFLICT (user_id) DO UPDATE SET queues = s.queues RETURNING queues
""")
_STORE = text("UPDATE saved_queues SET queues = :queues WHERE user_id = :user")


async def of_user(postgres: Postgres, user_id: int) -> list[SavedQueue]:
    """Returns the saved queues of a user, in the order of their names."""
    rows = await postgres.read(_READ, user=user_id)
    return loads(rows[0].queues) if rows else []


async def change(
    postgres: Postgres, user_id: int, after: Callable[[Sequence[SavedQueue]], Sequence[SavedQueue]]
) -> None:
    """Replaces the saved queues of a user by those that `after` returns. `after` takes the stored ones, which no other
    change replaces meanwhile. If it raises an exception, nothing changes.
    """
    async with postgres.transaction() as transaction:
        rows = await transaction.execute(_LOCK, user=user_id)
        await transaction.execute(_STORE, user=user_id, queues=dumps(after(loads(rows[0].queues))))
