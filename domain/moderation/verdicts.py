"""The input of moderation, which are submissions, and its output, which are verdicts."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from domain.moderation.reports import CaseSource


class AuditStatus(IntEnum):
    """The result of moderation for a submission. All users may see an approved submission; only its author and
    moderators see a pending or rejected one. The numbers are stored in tables.
    """

    PENDING = 0
    APPROVED = 1
    REJECTED = 2


_BY_SEVERITY = (AuditStatus.APPROVED, AuditStatus.PENDING, AuditStatus.REJECTED)


class LabelVerdict(NamedTuple):
    """A label that the rules or the external reviewer set on a submission: its name, and the reason. The reason is
    written for the author and for moderators.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModerationVerdict:
    """A decision about a submission and its reason. The reason is written for the author and for moderators."""

    status: AuditStatus
    reason: str = ""
    source: CaseSource = CaseSource.RULES
    """The part of moderation that gave the verdict, such as the word list."""
    match: str | None = None
    """If the external reviewer has recognized known illegal content, what it says about it. Only operators read this.
    """
    labels: tuple[LabelVerdict, ...] = ()
    """The labels to set, each at most once."""


APPROVED = ModerationVerdict(AuditStatus.APPROVED)
WAITS_FOR_REVIEW = ModerationVerdict(AuditStatus.PENDING, "waits for review", CaseSource.REVIEWER)
"""The verdict on a submission that no rule objects to, while the external reviewer must still decide. Pending
submissions with other reasons wait for a moderator.
"""


def most_severe(*verdicts: ModerationVerdict) -> ModerationVerdict:
    """Returns the most severe verdict, with the labels of all verdicts. If several are equally severe, returns the
    first of these. If several set a label, the first reason stands.
    """
    worst = max(verdicts, key=lambda verdict: severity(verdict.status))
    labels: dict[str, LabelVerdict] = {}
    for verdict in verdicts:
        for one in verdict.labels:
            labels.setdefault(one.name, one)
    return replace(worst, labels=tuple(labels.values())) if labels else worst


def severity(status: AuditStatus) -> int:
    """Returns how severe a status is, as a number that is greater for a more severe one."""
    return _BY_SEVERITY.index(status)


class SubmittedAttachment(NamedTuple):
    """An image, video or audio file of a submission. Facts that the client did not give are None."""

    kind: str
    """`IMAGE`, `VIDEO` or `AUDIO`."""
    url: str
    alt: str | None = None
    poster_url: str | None = None
    """The URL of the picture that is shown before a video or audio file plays."""
    mime_type: str | None = None
    width: int | None = None
    """In pixels."""
    height: int | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A new or edited post, comment, text of a profile or name of a collection that moderation decides about.

    `kind` ("post", "comment", "collection", or the name of the profile's field) and `id` identify the object; the id of
    a profile is the id of its user. `submitted_at` is the time at which the current text was written. Times have a time
    zone.
    """

    kind: str
    id: int
    author_id: int
    author_created_at: datetime
    text: str
    image_urls: tuple[str, ...]
    """The URLs of the images, and of the posters of videos and audio files."""
    image_alts: tuple[str, ...]
    """The alternative texts of the attachments. Attachments without one are left out."""
    topics: tuple[str, ...]
    submitted_at: datetime
    media_urls: tuple[str, ...] = ()
    """The URLs of the videos and audio files."""
    attachments: tuple[SubmittedAttachment, ...] = ()
    """The images, videos and audio files, in the order in which they are shown. Only the external reviewer gets them.
    """
    avatar: str | None = None
    """The URL of the avatar, for a submission of a profile. Only the external reviewer gets it."""
    custom: str | None = None
    """Custom data of the client as JSON text. Only the external reviewer gets it."""
    content_warning: str | None = None
    """What the author says before the text; None if there is nothing."""
    business: str = ""
    """The business, which is a line of content: `post` for a post and for a comment on a post; the name of the
    business, such as `video`, for a comment on one of its entities; `user` for a text of a profile that the external
    reviewer gets; otherwise empty.
    """
    network: str | None = None
    """The network from which the author sent the submission: an IPv4 address or an IPv6 /64 prefix. None if it is not
    known.
    """
    device: str | None = None
    """The header `X-Device-Id` of the author's request. None if there was no such header."""
    network_posts: int = 0
    """How many submissions, including this one, came from this network in the hour up to `submitted_at`. 0 if the
    settings do not ask for the count.
    """
    device_posts: int = 0
    """How many submissions, including this one, had this device id in the hour up to `submitted_at`. 0 if they were not
    counted.
    """
    rejections: int = 0
    """How many of the author's posts and comments were rejected in the 30 days before `submitted_at`. 0 if they were
    not counted.
    """
    accepted_reports: int = 0
    """How often moderators accepted reports of the author or of the author's content in the 30 days before
    `submitted_at`. 0 if they were not counted.
    """

    @property
    def texts(self) -> tuple[str, ...]:
        """Returns the texts that the word list and the spam rules read, without the topics."""
        return (self.text, *self.image_alts, *((self.content_warning,) if self.content_warning else ()))

    @property
    def account_age(self) -> timedelta:
        """Returns the age of the author's account at the time of the submission."""
        return self.submitted_at - self.author_created_at


@dataclass(frozen=True, slots=True)
class SubmissionTrace:
    """The fingerprints of a submission, as signed 64-bit numbers, with its id and time. A later submission of the same
    author repeats this one if it has the same `content` or a link with the same fingerprint.

    `content` is the fingerprint of the text. If the text is too short to compare, `content` is the fingerprint of the
    text and the image URLs, or None if there are no images. `links` has one fingerprint for each link.
    """

    id: int
    at: datetime
    content: int | None
    links: tuple[int, ...]


SubmissionHistory = tuple[SubmissionTrace, ...]
"""The fingerprints of an author's recent submissions, in any order, including deleted and rejected submissions. The
settings `window` and `traces` limit the age and the number of these submissions.
"""
