"""The kinds of notifications that users do not want. Deliveries leave out their events."""

from collections.abc import Collection

from sqlalchemy import text

from store.postgres.client import Postgres

_READ = text("SELECT unwanted FROM notification_preferences WHERE user_id = :user")
# Locks the row, which is empty if it is new.
_LOCK = text("""
    INSERT INTO notification_preferences AS p (user_id, unwanted) VALUES (:user, CAST('{}' AS smallint[]))
    ON CONFLICT (user_id) DO UPDATE SET unwanted = p.unwanted RETURNING unwanted
""")
_STORE = text("UPDATE notification_preferences SET unwanted = CAST(:unwanted AS smallint[]) WHERE user_id = :user")


async def unwanted(postgres: Postgres, user_id: int) -> frozenset[int]:
    """Returns the kinds of notifications (numbers of NotificationKind) that a user does not want."""
    rows = await postgres.read(_READ, user=user_id)
    return frozenset(rows[0].unwanted) if rows else frozenset()


async def change(postgres: Postgres, user_id: int, wanted: Collection[int], unwanted: Collection[int]) -> None:
    """Stores that a user wants the notifications of some kinds (numbers of NotificationKind) and does not want those of
    others. All other kinds stay as they are.
    """
    async with postgres.transaction() as transaction:
        rows = await transaction.execute(_LOCK, user=user_id)
        kinds = {*rows[0].unwanted, *unwanted} - {*wanted}
        await transaction.execute(_STORE, user=user_id, unwanted=sorted(kinds))
