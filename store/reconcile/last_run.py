"""The results of the last runs of reconciliation, and the time at which the last full run ended. Both are stored in the
table `partitions`, in the row of partition 0.
"""

from collections.abc import Mapping
from datetime import datetime

import orjson
from sqlalchemy import text

from store.postgres.client import Postgres

_IS_DUE = text("""
    SELECT reconciled_at + make_interval(secs => CAST(:every AS double precision)) <= now() FROM partitions WHERE p = 0
""")
_ENDED = text("SELECT reconciled_at FROM partitions WHERE p = 0")
_FOUND = text("SELECT CAST(drift AS text) FROM partitions WHERE p = 0")
_REMEMBER = text("""
    UPDATE partitions SET
        drift = CASE WHEN :whole THEN '{}' ELSE drift END || CAST(:drift AS jsonb),
        reconciled_at = CASE WHEN :whole THEN now() ELSE reconciled_at END
    WHERE p = 0 AND (CAST(:since AS timestamptz) IS NULL OR reconciled_at = :since)
""")


async def is_due(postgres: Postgres, every: float) -> bool:
    """Returns whether the last full run of reconciliation ended at least `every` seconds ago."""
    return bool((await postgres.read(_IS_DUE, every=every))[0][0])


async def read_end(postgres: Postgres) -> datetime:
    """Returns when the last full run of reconciliation ended."""
    when: datetime = (await postgres.read(_ENDED))[0][0]
    return when


async def read_drift(postgres: Postgres) -> dict[str, int]:
    """Returns for each kind of derived value how many keys were wrong in the last comparison and were not repaired."""
    drift: dict[str, int] = orjson.loads((await postgres.read(_FOUND))[0][0])
    return drift


async def remember(postgres: Postgres, drift: Mapping[str, int], *, whole: bool, since: datetime | None = None) -> None:
    """Stores the result of a run of reconciliation: `drift` has, for each kind of derived value, how many keys were
    wrong and were not repaired. The result of a `whole` run replaces all earlier results, and the run counts as the
    last full run. The result of any other run replaces only the earlier results of the same kinds.

    If `since` is given, stores nothing unless the last full run ended at `since`.
    """
    await postgres.write(_REMEMBER, drift=orjson.dumps(drift).decode(), whole=whole, since=since)
