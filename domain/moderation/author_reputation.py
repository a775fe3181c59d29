"""The rule about earlier decisions: a submission waits for a moderator if many earlier posts and comments of its author
were rejected.

Only decisions before the time of a submission count, so that checking the submission again gives the same verdict.
"""

from collections.abc import Hashable, Iterable
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings

SPAN = timedelta(days=30)
"""The length of time for which a decision counts for later submissions."""


class DecisionKind(Enum):
    """The kinds of decisions that the rule counts."""

    REJECTED = "rejected"
    APPROVED = "approved by a moderator"
    REPORTS_ACCEPTED = "reports accepted"


class Decision(NamedTuple):
    """A decision of kind `kind` at the time `at`. `target` identifies the author, post or comment that it is about."""

    at: datetime
    kind: DecisionKind
    target: Hashable


class Record(NamedTuple):
    """The numbers of rejections and of accepted reports, of an author and the author's content, in the 30 days before a
    submission.
    """

    rejections: int
    accepted_reports: int


def record_at(decisions: Iterable[Decision], at: datetime) -> Record:
    """Returns the record of an author at the time `at`, from the decisions about the author. A rejection that a
    moderator changed to an approval before this time does not count.
    """
    counted = sorted((one for one in decisions if at - SPAN <= one.at < at), key=lambda one: one.at)
    last = {one.target: one.kind for one in counted if one.kind is not DecisionKind.REPORTS_ACCEPTED}
    return Record(
        sum(kind is DecisionKind.REJECTED for kind in last.values()),
        sum(one.kind is DecisionKind.REPORTS_ACCEPTED for one in counted),
    )


def check(submission: Submission, settings: ModerationSettings) -> ModerationVerdict:
    """Returns PENDING if the author has at least as many rejections as the setting `rejections`, otherwise APPROVED. A
    setting of 0 switches this rule off.
    """
    if settings.rejections and submission.rejections >= settings.rejections:
        reason = f"{submission.rejections} posts of the author were rejected within 30 days"
        return ModerationVerdict(AuditStatus.PENDING, reason)
    return APPROVED
