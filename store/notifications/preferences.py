"""What users want to be notified of, and when: the kinds of notifications that a user does not want, or wants only from
followed users (deliveries leave out other events), and quiet hours. Also reads choices about labels.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.labels import Choice
from domain.quiet_hours import QuietHours
from models.notifications import NotificationPreference
from models.preferences import label_choices
from store.groups import grouped
from store.postgres.client import Postgres

_READ = text("SELECT unwanted, only_followed FROM notification_preferences WHERE user_id = :user")
# Locks the row, which is empty if it is new.
_LOCK = text("""
    INSERT INTO notification_preferences AS p (user_id, unwanted) VALUES (:user, CAST('{}' AS smallint[]))
    ON CONFLICT (user_id) DO UPDATE SET unwanted = p.unwanted RETURNING unwanted, only_followed
""")
_STORE = text("""
    UPDATE notification_preferences
    SET unwanted = CAST(:unwanted AS smallint[]), only_followed = CAST(:only_followed AS smallint[])
    WHERE user_id = :user
""")
_READ_QUIET = text("""
    SELECT user_id, quiet_begin, quiet_end, quiet_zone FROM notification_preferences
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND quiet_zone IS NOT NULL
""")
_READ_PREFERENCES = text("""
    SELECT user_id, preference FROM preferences WHERE user_id = ANY(CAST(:users AS bigint[])) AND stands
""")
_STORE_QUIET = text("""
    INSERT INTO notification_preferences AS p (user_id, unwanted, quiet_begin, quiet_end, quiet_zone)
    VALUES (:user, CAST('{}' AS smallint[]), :begin, :end, :zone)
    ON CONFLICT (user_id) DO UPDATE SET
        quiet_begin = excluded.quiet_begin, quiet_end = excluded.quiet_end, quiet_zone = excluded.quiet_zone
""")


class Unwanted(NamedTuple):
    """The kinds of notifications (numbers of NotificationKind) that a user does not want, and those that the user wants
    only from followed users.
    """

    kinds: frozenset[int] = frozenset()
    only_followed: frozenset[int] = frozenset()


async def unwanted(postgres: Postgres, user_id: int) -> Unwanted:
    """Returns which notifications a user does not want."""
    rows = await postgres.read(_READ, user=user_id)
    return Unwanted(*map(frozenset, rows[0])) if rows else Unwanted()


async def change(postgres: Postgres, user_id: int, wanted: Sequence[NotificationPreference]) -> None:
    """Stores which kinds of notifications a user wants. Kinds that are not in `wanted` stay as they are."""
    async with postgres.transaction() as transaction:
        rows = await transaction.execute(_LOCK, user=user_id)
        kinds, only = ({*some} for some in rows[0])
        for one in wanted:
            (kinds.discard if one.enabled else kinds.add)(int(one.kind))
            if one.only_followed is not None:
                (only.add if one.only_followed else only.discard)(int(one.kind))
        await transaction.execute(_STORE, user=user_id, unwanted=sorted(kinds), only_followed=sorted(only))


async def quiet_hours(postgres: Postgres, users: Sequence[int]) -> Mapping[int, QuietHours]:
    """Returns the quiet hours of those of the given users who have some."""
    rows = await postgres.read(_READ_QUIET, users=list(users))
    return {user: QuietHours(*hours) for user, *hours in rows}


async def set_quiet_hours(postgres: Postgres, user_id: int, hours: QuietHours | None) -> None:
    """Stores the quiet hours of a user; None ends them."""
    begin, end, zone = hours or (None, None, None)
    await postgres.write(_STORE_QUIET, user=user_id, begin=begin, end=end, zone=zone)


async def label_choices_of(postgres: Postgres, users: Sequence[int]) -> Mapping[int, frozenset[Choice]]:
    """Returns what those of the given users who have chosen something have chosen to see of content with labels."""
    rows = await postgres.read(_READ_PREFERENCES, users=list(users))
    chosen = grouped((row.user_id, row.preference) for row in rows)
    return {user: label_choices(preferences) for user, preferences in chosen.items()}
