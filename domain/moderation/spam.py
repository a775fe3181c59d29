"""Rules about an author's recent submissions: repeated texts and links, many links, and links or many submissions of a
new account.

The rules use the submission's time, not the current time, so that checking a submission again gives the same verdict.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from domain import text_tokens
from domain.moderation.folding import KEPT_TEXTS, fold, letters
from domain.moderation.verdicts import (
    APPROVED,
    AuditStatus,
    ModerationVerdict,
    Submission,
    SubmissionHistory,
    SubmissionTrace,
    most_severe,
)
from settings import ModerationSettings

_SHORT = 6
"""Texts with fewer letters may be repeated, because many users often write "thanks" or "哈哈哈"."""
_HOUR = timedelta(hours=1)
_NEW_LINKS = ModerationVerdict(AuditStatus.PENDING, "links of a new account")


def check(submission: Submission, history: SubmissionHistory, settings: ModerationSettings) -> ModerationVerdict:
    """Returns the most severe verdict of these rules on a submission. `history` has the author's recent submissions,
    and may contain this submission itself.
    """
    own = trace(submission)
    earlier = _within(timedelta(seconds=settings.window), submission, history)
    return most_severe(
        APPROVED,
        _check_text(own, earlier, settings),
        _check_links(own, earlier, settings),
        _check_new_account(submission, own, earlier, settings),
    )


def check_links(submission: Submission, settings: ModerationSettings) -> ModerationVerdict:
    """Returns the verdict on the links of a submission alone, without the author's other submissions."""
    own = trace(submission)
    if is_new(submission, settings) and len(own.links) > settings.new_links:
        return _NEW_LINKS
    return _check_links(own, [], settings)


def trace(submission: Submission) -> SubmissionTrace:
    """Returns the fingerprints of a submission that are stored, so that later submissions can be compared with it."""
    own = digest(submission.text)
    return SubmissionTrace(
        submission.id,
        submission.submitted_at,
        _content(own, submission.image_urls + submission.media_urls),
        tuple(link for text in submission.texts for link in digest(text).links),
    )


class TextDigest(NamedTuple):
    """The fingerprints of a text. `content` is the fingerprint of the text's letters. If the letters are too few to
    compare, `content` is None and `letters` has the letters; otherwise `letters` is empty. `links` has one fingerprint
    for each link.
    """

    letters: str
    content: int | None
    links: tuple[int, ...]


@lru_cache(KEPT_TEXTS)
def digest(text: str) -> TextDigest:
    """Returns the fingerprints of a text."""
    folded = fold(text)
    compared, found = letters(folded), tuple(map(_fingerprint, links(folded)))
    return (
        TextDigest(compared, None, found) if len(compared) < _SHORT else TextDigest("", _fingerprint(compared), found)
    )


def links(folded: str) -> list[str]:
    """Returns the addresses of all links in a folded text (`folding.fold`), in canonical form: without scheme, `www.`,
    fragment and punctuation at the end.
    """
    pages = (link.partition("#")[0].rstrip(".,;:!?)]'*_~/") for link in text_tokens.links(folded))
    return [re.sub(r"^(?:https?://)?(?:www\.)?", "", page) for page in pages]


def _check_text(
    own: SubmissionTrace, earlier: list[SubmissionTrace], settings: ModerationSettings
) -> ModerationVerdict:
    times = 1 + sum(other.content == own.content for other in earlier if own.content is not None)
    reason = f"the same text was posted {times} times"
    if times > settings.same_text_waits:
        return ModerationVerdict(AuditStatus.REJECTED, reason)
    return ModerationVerdict(AuditStatus.PENDING, reason) if times > settings.same_text else APPROVED


def _check_links(
    own: SubmissionTrace, earlier: list[SubmissionTrace], settings: ModerationSettings
) -> ModerationVerdict:
    if len(own.links) > settings.links:
        return ModerationVerdict(AuditStatus.PENDING, f"has {len(own.links)} links")
    times = Counter(link for one in (own, *earlier) for link in one.links)
    most = max((times[link] for link in own.links), default=0)
    if most > settings.same_link:
        return ModerationVerdict(AuditStatus.PENDING, f"the same link was posted {most} times")
    return APPROVED


def _check_new_account(
    submission: Submission, own: SubmissionTrace, earlier: list[SubmissionTrace], settings: ModerationSettings
) -> ModerationVerdict:
    if not is_new(submission, settings):
        return APPROVED
    if len(own.links) > settings.new_links:
        return _NEW_LINKS
    posts = 1 + len(_within(_HOUR, submission, earlier))
    if posts > settings.new_posts_per_hour:
        return ModerationVerdict(AuditStatus.PENDING, f"{posts} posts of a new account within an hour")
    return APPROVED


def is_new(submission: Submission, settings: ModerationSettings) -> bool:
    """Returns whether the author's account was new when the submission was made, by the setting `new_account`."""
    return submission.account_age < timedelta(seconds=settings.new_account)


def _within(span: timedelta, submission: Submission, traces: Iterable[SubmissionTrace]) -> list[SubmissionTrace]:
    """Returns the author's other submissions that were made at most `span` before this submission."""
    until, since = submission.submitted_at, submission.submitted_at - span
    return [one for one in traces if one.id != submission.id and since < one.at <= until]


def _content(own: TextDigest, urls: tuple[str, ...]) -> int | None:
    if own.content is not None:
        return own.content  # other attachments do not make it another text
    return _fingerprint("\n".join((own.letters, *sorted(urls)))) if urls else None


def _fingerprint(text: str) -> int:
    digest = blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
