"""Submissions of one author to moderation."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.moderation import spam
from domain.moderation.verdicts import Submission, SubmissionHistory, SubmissionTrace

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
_FIRST = Submission("post", 1, 7, NOON - timedelta(days=365), "", (), (), (), NOON)


def post(text: str = "", /, **changes: Any) -> Submission:
    """Returns a submission by an author who joined a year ago."""
    return replace(_FIRST, text=text, **changes)


def newcomer(text: str = "", /, **changes: Any) -> Submission:
    """Returns a submission by an author who joined an hour ago."""
    return post(text, author_created_at=NOON - timedelta(hours=1), **changes)


def history(*texts: str, ago: timedelta = timedelta(minutes=5), **changes: Any) -> SubmissionHistory:
    """Returns a history of posts with these texts, all written at the same time before."""
    return tuple(_trace(100 + number, text, ago, changes) for number, text in enumerate(texts))


def _trace(id_: int, text: str, ago: timedelta, changes: dict[str, Any]) -> SubmissionTrace:
    return spam.trace(post(text, id=id_, submitted_at=NOON - ago, **changes))
