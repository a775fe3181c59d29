"""The protocol of the external reviewer: the signatures of messages, and the verdicts for its decisions."""

import hmac

from domain import texts
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import WAITS_FOR_REVIEW, AuditStatus, ModerationVerdict

LONGEST_AGE = 300
"""Seconds for which a signature is valid, before and after its time."""
_LONGEST_REASON = 300
_STATUS = {
    "approve": AuditStatus.APPROVED,
    "reject": AuditStatus.REJECTED,
    "review": AuditStatus.PENDING,
}
_DEFAULT_REASONS = {
    "approve": "approved by the reviewer",
    "reject": "rejected by the reviewer",
    "review": "the reviewer leaves it to a moderator",
}


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Returns the value of the signature header: the time in Unix seconds, and an HMAC-SHA256 of the time, a dot, and
    the body.
    """
    signed = hmac.digest(secret.encode(), b"%d.%s" % (timestamp, body), "sha256")
    return f"t={timestamp},v1={signed.hex()}"


def is_signed(header: str, secret: str, body: bytes, now: int) -> bool:
    """Returns whether a signature header belongs to a body, and its time is at most LONGEST_AGE away from `now`, in
    seconds.
    """
    stamp = header.partition(",")[0].removeprefix("t=")
    if not stamp.isdecimal() or len(stamp) > 12 or abs(now - int(stamp)) > LONGEST_AGE:
        return False
    return hmac.compare_digest(signature(secret, int(stamp), body).encode(), header.encode())


def verdict(decision: str, reason: str | None) -> ModerationVerdict:
    """Returns the verdict for a decision: `approve`, `reject` or `review`. If `reason` is None or empty, the verdict
    has a default reason.
    """
    return ModerationVerdict(_STATUS[decision], _reason(decision, reason), CaseSource.REVIEWER)


def _reason(decision: str, given: str | None) -> str:
    """Returns the reason of a decision for authors and moderators: shortened, without characters that cannot be stored.

    Returns a default reason if the reviewer gave none, or gave the reason of WAITS_FOR_REVIEW, which marks
    submissions that the reviewer has not decided yet.
    """
    shortened = (given or "")[:_LONGEST_REASON]
    reason = "".join(c if texts.is_storable(c) else " " for c in shortened).strip()
    return _DEFAULT_REASONS[decision] if reason in ("", WAITS_FOR_REVIEW.reason) else reason
