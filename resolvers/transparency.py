"""The counts of transparency reports."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from commands.targets import check_unrestricted
from context import Context
from domain.errors import BadInput, Unavailable
from identity.permissions import ModeratorRole
from store.moderation import transparency_counts
from store.moderation.transparency import Period
from store.moderation.transparency_counts import Count

_LONGEST = timedelta(days=366)
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""The times for which versions of changes exist (domain/versions.py)."""
_SHARE = 0.9
"""The part of the time of a request, or of a statement if that is shorter, for which a query may count."""


@dataclass(frozen=True, slots=True)
class Report:
    """The counts of a period."""

    counts: list[Count]

    @property
    def csv(self) -> str:
        """Returns the counts as CSV, as `plaudit transparency` prints them."""
        return transparency_counts.as_csv(self.counts)


async def counted(context: Context, since: datetime, until: datetime) -> Report:
    """Resolves Query.transparency: the counts of the period from `since` until `until`, which does not belong to it.

    Raises Unauthenticated without a token; Forbidden without a role in moderation, or if the token is restricted to
    businesses; BadInput unless the period is longer than nothing, at most 366 days, and between 1970 and 2200;
    Unavailable if a store does not answer, and, without `retryAfter`, if the counting takes too long: a repetition
    would take as long.
    """
    context.require_role(ModeratorRole.AUDITOR)
    check_unrestricted(context)
    if not (_FIRST <= since < until <= _LAST and until - since <= _LONGEST):
        raise BadInput("The time `to` must be after `from`, at most 366 days later, and between 1970 and 2200.")
    settings = context.state.settings
    try:
        async with asyncio.timeout(min(settings.request_timeout, settings.database_timeout) * _SHARE):
            return Report(await transparency_counts.counts(context.state.postgres, Period.between(since, until)))
    except TimeoutError:
        message = "There is too much to count in one request. Choose a shorter period, or use `plaudit transparency`."
        raise Unavailable(message, retry_after=None) from None
