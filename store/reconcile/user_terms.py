"""Reads users with the terms by which searches find them, to compare the terms."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from domain.search_terms import terms
from models.deletions import DeletionState
from store.content.user_terms import COUNTS_FOLLOWERS, TIER
from store.groups import grouped
from store.postgres.client import Postgres
from store.reconcile.batches import Keyset

USERS = Keyset(
    text(f"""
        SELECT user_id, handle, display_name FROM users
        WHERE user_id > :user AND (deletion IS NULL OR deletion <> {DeletionState.DONE:d})
        ORDER BY user_id LIMIT :count
    """),  # noqa: S608 - constants
    ["user"],
)
"""Reads the users who can have terms."""
_TERMS = text(f"""
    SELECT t.user_id, t.term, t.tier = {TIER} AS is_ranked
    FROM user_terms t LEFT JOIN counters c ON {COUNTS_FOLLOWERS} AND c.entity_id = t.user_id
    WHERE t.user_id = ANY(CAST(:users AS bigint[]))
""")  # noqa: S608 - constants


async def drifting(postgres: Postgres, rows: Sequence[Any]) -> list[int]:
    """Returns the ids of those of these users who have other terms than their names, or terms with a wrong tier."""
    found = await postgres.read(_TERMS, users=[row.user_id for row in rows])
    stored = grouped((row.user_id, row) for row in found)
    return [
        row.user_id
        for row in rows
        if {*terms(row.handle, row.display_name)} != {one.term for one in stored.get(row.user_id, ())}
        or not all(one.is_ranked for one in stored.get(row.user_id, ()))
    ]
