"""What moderation is given and what it answers."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum


class AuditStatus(IntEnum):
    """Who sees it: everybody if approved, else its author and moderators. The numbers are those in the tables."""

    PENDING = 0
    APPROVED = 1
    REJECTED = 2


_EVER_WORSE = (AuditStatus.APPROVED, AuditStatus.PENDING, AuditStatus.REJECTED)


@dataclass(frozen=True, slots=True)
class ModerationVerdict:
    """What became of a submission, and why, in words for its author and for moderators."""

    status: AuditStatus
    reason: str = ""


APPROVED = ModerationVerdict(AuditStatus.APPROVED)
WAITS = ModerationVerdict(AuditStatus.PENDING, "waits for review")
"""Nothing objects so far, and the external reviewer is still to be asked. What else is pending waits for a person."""


def worst(*verdicts: ModerationVerdict) -> ModerationVerdict:
    """The first of those that are as bad as it gets."""
    return max(verdicts, key=lambda verdict: _EVER_WORSE.index(verdict.status))


@dataclass(frozen=True, slots=True)
class Submission:
    """Something its author wants to be seen: a new post, or one they have edited. Times are aware.

    `kind` ("post", "comment") and `id` name it; `submitted_at` is when it was written as it is now.
    """

    kind: str
    id: int
    author_id: int
    author_created_at: datetime
    text: str
    image_urls: tuple[str, ...]
    image_alts: tuple[str, ...]
    """What the images show, in words; without those that say nothing."""
    topics: tuple[str, ...]
    submitted_at: datetime


@dataclass(frozen=True, slots=True)
class SubmissionTrace:
    """What is remembered of a submission to compare later ones with: small enough to lie in its row.

    `content` and `links` are fingerprints, signed 64-bit numbers; `content` is None where there is little to compare.
    """

    id: int
    at: datetime
    content: int | None
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SubmissionHistory:
    """The traces of what an author has submitted lately, all of one kind and in any order, whatever became of it:
    deleted and rejected things count too.

    The settings `window` and `traces` say how far back and how many; one query can read them for many authors.
    """

    traces: tuple[SubmissionTrace, ...] = ()

    def after(self, trace: SubmissionTrace) -> "SubmissionHistory":
        """With one more: the next submission of the same author is judged by it."""
        return SubmissionHistory((*self.traces, trace))
