"""The protocol of the external reviewer, a moderation service that operators run: how messages are signed, and which
verdict follows from each decision.
"""

import hmac
from collections.abc import Iterable

from domain import texts
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import WAITS_FOR_REVIEW, AuditStatus, LabelVerdict, ModerationVerdict

LONGEST_AGE = 300
"""The most seconds by which the time in a signature may differ from the current time."""
_LONGEST_REASON = 300
_STATUS = {
    "approve": AuditStatus.APPROVED,
    "reject": AuditStatus.REJECTED,
    "match": AuditStatus.REJECTED,
    "review": AuditStatus.PENDING,
}
_NO_NOTE = "known illegal content"
"""What is recorded about a match if the reviewer says nothing about it."""
_DEFAULT_REASONS = {
    "approve": "approved by the reviewer",
    "reject": "rejected by the reviewer",
    "match": "rejected by the reviewer",
    "review": "the reviewer leaves it to a moderator",
    "label": "set by the reviewer",
}


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Returns the value of the signature header, such as `t=1700000000,v1=…`: the time in Unix seconds, and the
    HMAC-SHA256, in hex, of the time, a dot, and the body.
    """
    signed = hmac.digest(secret.encode(), b"%d.%s" % (timestamp, body), "sha256")
    return f"t={timestamp},v1={signed.hex()}"


def is_signed(header: str, secret: str, body: bytes, now: int) -> bool:
    """Returns whether a signature header is valid for a body, and its time is at most LONGEST_AGE seconds before or
    after `now`, in Unix seconds.
    """
    stamp = header.partition(",")[0].removeprefix("t=")
    if not stamp.isdecimal() or len(stamp) > 12 or abs(now - int(stamp)) > LONGEST_AGE:
        return False
    return hmac.compare_digest(signature(secret, int(stamp), body).encode(), header.encode())


def verdict(decision: str, reason: str | None, labels: Iterable[str] = ()) -> ModerationVerdict:
    """Returns the verdict for a decision of the reviewer: `approve`, `reject`, `match`, which also rejects, or
    `review`, which leaves it to a moderator. `labels` are the names of the labels that the reviewer sets. If `reason`
    is None or empty, the verdict has a default reason. The reason of a match is only for operators, so the author reads
    the default reason.
    """
    match, why = (_shortened(reason) or _NO_NOTE, None) if decision == "match" else (None, reason)
    because = _reason("label", why)
    found = tuple(LabelVerdict(name, because) for name in sorted({*labels}))
    return ModerationVerdict(_STATUS[decision], _reason(decision, why), CaseSource.REVIEWER, match, found)


def _reason(decision: str, given: str | None) -> str:
    """Returns the reason of a decision in the form that authors and moderators read.

    Returns a default reason if the reviewer gave none. Does so too if the reviewer gave the text of WAITS_FOR_REVIEW,
    because this text marks submissions that the reviewer has not decided yet.
    """
    reason = _shortened(given)
    return _DEFAULT_REASONS[decision] if reason in ("", WAITS_FOR_REVIEW.reason) else reason


def _shortened(given: str | None) -> str:
    """Returns the beginning of a text of the reviewer, without characters that cannot be stored."""
    shortened = (given or "")[:_LONGEST_REASON]
    return "".join(c if texts.is_storable(c) else " " for c in shortened).strip()
