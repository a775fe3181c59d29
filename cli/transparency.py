"""`plaudit transparency`: counts for transparency reports."""

from collections.abc import Sequence
from datetime import UTC, datetime

import orjson

from settings import Settings
from state import opened
from store.moderation import transparency_counts
from store.moderation.transparency import Period
from store.moderation.transparency_counts import Count

_STATEMENT_TIMEOUT = 600.0
"""The most seconds that one statement may take."""


async def counted(settings: Settings, since: datetime, until: datetime) -> list[Count]:
    """Returns all counts of the period from `since` until `until`, which does not belong to it."""
    patient = settings.model_copy(update={"database_timeout": max(_STATEMENT_TIMEOUT, settings.database_timeout)})
    async with opened(patient, "transparency", makes_ids=False) as state:
        return await transparency_counts.counts(state.postgres, Period.between(since, until))


def as_json(counts: Sequence[Count], since: datetime, until: datetime) -> str:
    """Returns the counts and their period as JSON."""
    period = {"from": since.isoformat(), "to": until.isoformat(), "madeAt": datetime.now(UTC).isoformat()}
    rows = [one._asdict() for one in counts]
    return orjson.dumps({**period, "counts": rows}, option=orjson.OPT_INDENT_2).decode() + "\n"
