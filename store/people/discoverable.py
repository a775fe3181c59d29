"""Which users have chosen that searches do not find them (`Preference.HIDDEN_FROM_SEARCH`)."""

from collections.abc import Sequence

from sqlalchemy import text

from models.preferences import Preference
from store.postgres.client import Postgres

_AMONG = text(f"""
    SELECT user_id FROM preferences
    WHERE user_id = ANY(CAST(:ids AS bigint[])) AND preference = {Preference.HIDDEN_FROM_SEARCH:d} AND stands
""")  # noqa: S608 - constants


async def hidden_among(postgres: Postgres, ids: Sequence[int]) -> set[int]:
    """Returns those of the users `ids` whom searches must not find. Changes that are not stored yet are left out."""
    return {row.user_id for row in await postgres.read(_AMONG, ids=list(ids))}
