"""Notices: what became of one, and the open ones of cases of the moderation queue."""

from collections.abc import Sequence

from context import Context
from domain import notice_numbers
from domain.moderation.reports import CaseSource
from models.notices import NoticeRow
from models.reports import CaseRow
from store.moderation import notices

_MOST = 10
"""How many of the open notices of a case are shown."""


async def status(context: Context, number: str) -> NoticeRow | None:
    """Resolves Query.noticeStatus: the notice with this number; None if there is none, or if no worker has stored it
    yet. Raises Unavailable if it cannot be read.
    """
    place = notice_numbers.parse(number)
    return await notices.by_place(context.state.postgres, place) if place else None


async def open_notices(context: Context, rows: Sequence[CaseRow]) -> Sequence[list[NoticeRow]]:
    """Resolves ModerationCase.notices: at most ten open notices of each case, those of trusted flaggers first."""
    refs = [row.ref for row in rows if row.sources & CaseSource.NOTICE]
    found = await notices.newest(context.state.postgres, refs, _MOST) if refs else {}
    return [found.get(row.ref, []) for row in rows]
