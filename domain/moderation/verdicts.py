"""The input and output of moderation."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum


class AuditStatus(IntEnum):
    """Who may see a submission: all users if it is approved, otherwise only its author and moderators. The numbers are
    stored in tables.
    """

    PENDING = 0
    APPROVED = 1
    REJECTED = 2


_EVER_WORSE = (AuditStatus.APPROVED, AuditStatus.PENDING, AuditStatus.REJECTED)


@dataclass(frozen=True, slots=True)
class ModerationVerdict:
    """The decision about a submission and its reason, which is written for its author and for moderators."""

    status: AuditStatus
    reason: str = ""


APPROVED = ModerationVerdict(AuditStatus.APPROVED)
WAITS = ModerationVerdict(AuditStatus.PENDING, "waits for review")
"""No rule objects, and the external reviewer must still be asked. Other pending submissions wait for a moderator."""


def worst(*verdicts: ModerationVerdict) -> ModerationVerdict:
    """Returns the first of the most severe verdicts."""
    return max(verdicts, key=lambda verdict: _EVER_WORSE.index(verdict.status))


@dataclass(frozen=True, slots=True)
class Submission:
    """A post or comment that is submitted: new or edited.

    `kind` ("post", "comment") and `id` name it. `submitted_at` is when its current text was written. Times have a time
    zone.
    """

    kind: str
    id: int
    author_id: int
    author_created_at: datetime
    text: str
    image_urls: tuple[str, ...]
    image_alts: tuple[str, ...]
    """The descriptions of the images, without empty ones."""
    topics: tuple[str, ...]
    submitted_at: datetime


@dataclass(frozen=True, slots=True)
class SubmissionTrace:
    """What is stored of a submission, to be compared with later ones. `content` and `links` are fingerprints, signed
    64-bit numbers; `content` is None if the text is too short to compare.
    """

    id: int
    at: datetime
    content: int | None
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SubmissionHistory:
    """The stored traces of an author's recent submissions of one kind, in any order. Deleted and rejected submissions
    are included.

    The settings `window` and `traces` bound their age and number. One query can read the histories of many authors.
    """

    traces: tuple[SubmissionTrace, ...] = ()

    def after(self, trace: SubmissionTrace) -> "SubmissionHistory":
        """Returns the history with one more submission, for judging the author's next one."""
        return SubmissionHistory((*self.traces, trace))
