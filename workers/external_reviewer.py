"""The client of the external reviewer: an HTTP service of the operator that approves or rejects submissions.

The service receives signed JSON (docs/build/moderation.md) and answers `{"decision": "approve" | "reject" | "match" |
"review" | "later", "reason": "…", "labels": ["…"]}`. The response time, the number of concurrent requests and the size
of answers are limited. Without a valid answer, the submission waits for a moderator. After `later`, the service sends
its decision to the API (api/review_callback.py).
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import httpx
from pydantic import BaseModel, Field, ValidationError

from domain.labels import Labels
from domain.moderation.reports import CaseSource
from domain.moderation.reviewer import signature, verdict
from domain.moderation.verdicts import AuditStatus, ModerationVerdict, Submission
from observability import metrics
from observability.logs import Log
from settings import ReviewerSettings

log = Log(__name__)

UNANSWERED = ModerationVerdict(AuditStatus.PENDING, "the reviewer gave no answer", CaseSource.REVIEWER)
LATER = ModerationVerdict(AuditStatus.PENDING, "the reviewer decides later", CaseSource.REVIEWER)


class _Answer(BaseModel):
    decision: Literal["approve", "reject", "match", "review", "later"]
    reason: str | None = None
    labels: list[str] = Field(default_factory=list)


class _InvalidAnswer(Exception):
    """Raised for an invalid answer of the external reviewer: the status is not 200, or the answer is too long or
    malformed, or names a label that does not exist. `args[0]` is the outcome for metrics.
    """


class Reviewer:
    """A client of the external reviewer, an HTTP service that approves or rejects submissions. Open it with
    `opened`.
    """

    def __init__(self, client: httpx.AsyncClient, settings: ReviewerSettings, labels: Labels) -> None:
        self._client = client
        self._settings = settings
        self._labels = labels
        self._slots = asyncio.Semaphore(settings.concurrency)

    async def review(self, submission: Submission, content_version: int | None = None) -> ModerationVerdict:
        """Returns the external reviewer's decision about a submission; LATER if the reviewer sends the decision later;
        UNANSWERED if there is no valid answer before the timeout. If too many requests are running, waits first; the
        timeout begins after this wait.

        `content_version` is the version of a post or comment, which a later decision must name; None for a text of a
        profile.
        """
        async with self._slots:
            try:
                with metrics.REVIEW_SECONDS.time():
                    async with asyncio.timeout(self._settings.timeout):
                        answer = await self._ask(_request_body(submission, content_version))
            except (TimeoutError, httpx.HTTPError, _InvalidAnswer) as error:
                outcome = _outcome(error)
                metrics.REVIEWS.labels(outcome).inc()
                log.warning("no review", kind=submission.kind, id=submission.id, outcome=outcome, error=repr(error))
                return UNANSWERED
        metrics.REVIEWS.labels(answer.decision).inc()
        return LATER if answer.decision == "later" else verdict(answer.decision, answer.reason, answer.labels)

    async def _ask(self, body: bytes) -> _Answer:
        secret = self._settings.secret.get_secret_value()
        headers = {"X-Plaudit-Signature": signature(secret, int(time.time()), body)}
        async with self._client.stream("POST", str(self._settings.url), content=body, headers=headers) as response:
            if response.status_code != httpx.codes.OK:
                raise _InvalidAnswer("status")
            answer = _parse_answer(await self._read(response))
        if any(self._labels.named(name) is None for name in answer.labels):
            raise _InvalidAnswer("unknown_label")
        return answer

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


@asynccontextmanager
async def opened(settings: ReviewerSettings, labels: Labels) -> AsyncIterator[Reviewer]:
    """Opens a client of the external reviewer for the duration of the block. The client connects at the first review.
    `labels` are the configured labels, which the reviewer may set.
    """
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
    limits = httpx.Limits(max_connections=settings.concurrency)
    client = httpx.AsyncClient(
        headers=headers,
        limits=limits,
        timeout=settings.timeout,
        trust_env=False,  # a proxy would read what users wrote before it is public
    )
    async with client:
        yield Reviewer(client, settings, labels)


def _request_body(submission: Submission, content_version: int | None) -> bytes:
    """Returns a submission as the body of a request. Ids are strings, because JavaScript would round large numbers."""
    body = {
        "kind": submission.kind,
        "id": str(submission.id),
        "text": submission.text,
        "images": submission.image_urls,
        "media": submission.media_urls,
        "alts": submission.image_alts,
        "contentWarning": submission.content_warning,
        "attachments": [
            {
                "kind": one.kind,
                "url": one.url,
                "alt": one.alt,
                "posterUrl": one.poster_url,
                "mimeType": one.mime_type,
                "width": one.width,
                "height": one.height,
                "durationSeconds": None if one.duration_ms is None else one.duration_ms / 1000,
            }
            for one in submission.attachments
        ],
        "avatar": submission.avatar,
        "topics": submission.topics,
        "custom": submission.custom and json.loads(submission.custom),
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
    if content_version is not None:
        body["contentVersion"] = str(content_version)
    return json.dumps(body, ensure_ascii=False).encode()


def _outcome(error: Exception) -> str:
    if isinstance(error, _InvalidAnswer):
        return str(error)
    return "timeout" if isinstance(error, (TimeoutError, httpx.TimeoutException)) else "unreachable"


def _parse_answer(body: bytes) -> _Answer:
    try:
        return _Answer.model_validate_json(body)
    except ValidationError as error:
        raise _InvalidAnswer("malformed") from error
