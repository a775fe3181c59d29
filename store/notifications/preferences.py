"""The kinds of notifications that users do not want. Deliveries leave out their events."""

from collections.abc import Collection

from sqlalchemy import text

from store.postgres.client import Postgres

_READ = text("SELECT unwanted FROM notification_preferences WHERE user_id = :user")
_CHANGE = text("""
    INSERT INTO notification_preferences AS p (user_id, unwanted) VALUES (:user, CAST(:unwanted AS smallint[]))
    ON CONFLICT (user_id) DO UPDATE SET unwanted = ARRAY(
        SELECT DISTINCT kind FROM unnest(p.unwanted || excluded.unwanted) AS kinds(kind)
        WHERE kind <> ALL(CAST(:wanted AS smallint[])) ORDER BY kind
    )
""")


async def unwanted(postgres: Postgres, user_id: int) -> frozenset[int]:
    """Returns the kinds of notifications that a user does not want."""
    rows = await postgres.read(_READ, user=user_id)
    return frozenset(rows[0].unwanted) if rows else frozenset()


async def change(postgres: Postgres, user_id: int, wanted: Collection[int], unwanted: Collection[int]) -> None:
    """Stores that a user wants some kinds of notifications and does not want others. Other kinds stay as they are."""
    await postgres.write(_CHANGE, user=user_id, wanted=sorted(wanted), unwanted=sorted(unwanted))
