"""The client of the external reviewer: an HTTP service of the operator that approves or rejects submissions.

The service receives signed JSON (docs/build/moderation.md) and answers `{"decision": "approve" | "reject" | "review",
"reason": "…"}`. The response time, the number of concurrent requests and the size of answers are limited. Without a
valid answer, the submission waits for a moderator.
"""

import asyncio
import hmac
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import httpx
from pydantic import BaseModel, ValidationError

from domain import texts
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import WAITS_FOR_REVIEW, AuditStatus, ModerationVerdict, Submission
from observability import metrics
from observability.logs import Log
from settings import ReviewerSettings

log = Log(__name__)

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
UNANSWERED = ModerationVerdict(AuditStatus.PENDING, "the reviewer gave no answer", CaseSource.REVIEWER)


class _Answer(BaseModel):
    decision: Literal["approve", "reject", "review"]
    reason: str | None = None


class _InvalidAnswer(Exception):
    """Raised for an invalid answer of the external reviewer: the status is not 200, or the answer is too long or
    malformed. `args[0]` is the outcome for metrics.
    """


class Reviewer:
    """A client of the external reviewer. Open it with `opened`."""

    def __init__(self, client: httpx.AsyncClient, settings: ReviewerSettings) -> None:
        self._client = client
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.concurrency)

    async def review(self, submission: Submission) -> ModerationVerdict:
        """Returns the external reviewer's decision about a submission, or UNANSWERED if there is no valid answer before
        the timeout. Waits first until fewer than the maximum number of requests are running; the timeout begins after
        this wait.
        """
        async with self._slots:
            try:
                with metrics.REVIEW_SECONDS.time():
                    async with asyncio.timeout(self._settings.timeout):
                        answer = await self._ask(_request_body(submission))
            except (TimeoutError, httpx.HTTPError, _InvalidAnswer) as error:
                outcome = _outcome(error)
                metrics.REVIEWS.labels(outcome).inc()
                log.warning("no review", kind=submission.kind, id=submission.id, outcome=outcome, error=repr(error))
                return UNANSWERED
        metrics.REVIEWS.labels(answer.decision).inc()
        return ModerationVerdict(_STATUS[answer.decision], _reason(answer), CaseSource.REVIEWER)

    async def _ask(self, body: bytes) -> _Answer:
        secret = self._settings.secret.get_secret_value()
        headers = {"X-Plaudit-Signature": signature(secret, int(time.time()), body)}
        async with self._client.stream("POST", str(self._settings.url), content=body, headers=headers) as response:
            if response.status_code != httpx.codes.OK:
                raise _InvalidAnswer("status")
            return _parse_answer(await self._read(response))

    async def _read(self, response: httpx.Response) -> bytes:
        """Returns the body of a response as received. The body is not decompressed, because a small compressed body can
        be huge when decompressed. Raises _InvalidAnswer if the body is too long.
        """
        read = bytearray()
        async for chunk in response.aiter_raw():
            read += chunk
            if len(read) > self._settings.max_bytes:
                raise _InvalidAnswer("oversized")
        return bytes(read)


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Returns the value of the signature header: the time, and an HMAC-SHA256 of the time, a dot, and the body."""
    signed = hmac.digest(secret.encode(), b"%d.%s" % (timestamp, body), "sha256")
    return f"t={timestamp},v1={signed.hex()}"


@asynccontextmanager
async def opened(settings: ReviewerSettings) -> AsyncIterator[Reviewer]:
    """Opens a client of the external reviewer for the duration of the block. The client connects at the
    first review.
    """
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
    limits = httpx.Limits(max_connections=settings.concurrency)
    async with httpx.AsyncClient(headers=headers, limits=limits, timeout=settings.timeout) as client:
        yield Reviewer(client, settings)


def _request_body(submission: Submission) -> bytes:
    """Returns a submission as the body of a request. Ids are strings, because JavaScript would round large numbers."""
    body = {
        "kind": submission.kind,
        "id": str(submission.id),
        "text": submission.text,
        "images": submission.image_urls,
        "alts": submission.image_alts,
        "topics": submission.topics,
        "business": submission.business,
        "author": {
            "id": str(submission.author_id),
            "createdAt": submission.author_created_at.isoformat(),
            "accountAgeSeconds": int(submission.account_age.total_seconds()),
            "rejections": submission.rejections,
            "acceptedReports": submission.accepted_reports,
        },
        "client": {"network": submission.network, "device": submission.device},
        "submittedAt": submission.submitted_at.isoformat(),
    }
    return json.dumps(body, ensure_ascii=False).encode()


def _outcome(error: Exception) -> str:
    if isinstance(error, _InvalidAnswer):
        return str(error)
    return "timeout" if isinstance(error, TimeoutError | httpx.TimeoutException) else "unreachable"


def _parse_answer(body: bytes) -> _Answer:
    try:
        return _Answer.model_validate_json(body)
    except ValidationError as error:
        raise _InvalidAnswer("malformed") from error


def _reason(answer: _Answer) -> str:
    """Returns the reason in the reviewer's answer, as authors and moderators read it: shortened, without characters
    that cannot be stored.

    Returns a default reason if the answer has none, or has the one that marks posts and comments that wait for review.
    """
    given = (answer.reason or "")[:_LONGEST_REASON]
    reason = "".join(c if texts.is_storable(c) else " " for c in given).strip()
    return _DEFAULT_REASONS[answer.decision] if reason in ("", WAITS_FOR_REVIEW.reason) else reason
