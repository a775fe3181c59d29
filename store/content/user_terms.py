"""Writes the terms by which searches find users, with the profile. `user_search` reads them.

A term has a *tier*, which is one higher for four times as many followers of the user. An index has the terms by tier.
So a search reads the users with the most followers first, and reads few rows even if a million users match.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import text

from domain.search_terms import terms
from models.counters import CounterKind
from models.users import UserRow
from settings import USERS
from store.postgres.client import Transaction
from store.postgres.columns import columns

COUNTS_FOLLOWERS = f"c.business_id = {USERS} AND c.kind = {CounterKind.FOLLOWERS:d}"
"""An SQL condition: the counter `c` is a user's number of followers."""
TIER = "length(ltrim(CAST(CAST(greatest(coalesce(c.value, 0), 0) AS bit(64)) AS text), '0')) / 2"
"""An SQL expression: the tier of the counter `c`, which may be null."""
HIGHEST_TIER = 16
"""No user has so many followers that the tier is higher: 4 to the power of 16."""

_DELETE = text("DELETE FROM user_terms WHERE user_id = ANY(CAST(:users AS bigint[]))")
_INSERT = text(f"""
    INSERT INTO user_terms (user_id, term, tier)
    SELECT w.user_id, w.term, {TIER}
    FROM unnest(CAST(:users AS bigint[]), CAST(:terms AS text[])) AS w(user_id, term)
    LEFT JOIN counters c ON {COUNTS_FOLLOWERS} AND c.entity_id = w.user_id
    ON CONFLICT (user_id, term) DO NOTHING
""")  # noqa: S608 - constants
RANK = text(f"""
    UPDATE user_terms t SET tier = {TIER} FROM counters c
    WHERE t.user_id = ANY(CAST(:users AS bigint[])) AND {COUNTS_FOLLOWERS} AND c.entity_id = t.user_id
      AND t.tier <> {TIER}
""")  # noqa: S608 - constants
"""Sets the tiers of the terms of the users in the array `users` to those of their counters of followers."""


async def write(transaction: Transaction, users: Iterable[UserRow]) -> None:
    """Writes the terms of new users."""
    rows = sorted((user.user_id, term) for user in users for term in terms(user.handle, user.display_name))
    await transaction.execute(_INSERT, **columns(rows, "users", "terms"))


async def rewrite(transaction: Transaction, users: Sequence[UserRow]) -> None:
    """Replaces the terms of these users."""
    await transaction.execute(_DELETE, users=[user.user_id for user in users])
    await write(transaction, users)
