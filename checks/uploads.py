"""Checks that the access key of the store of uploads has the rights that Plaudit needs. Writes, reads
and deletes a small file for this, and lists the bucket.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple

from checks.findings import Finding, Severity, assess
from settings import Settings
from store.uploads import UploadStore


class _Rule(NamedTuple):
    """The HTTP statuses that the store must answer, and what any other status means."""

    good: tuple[HTTPStatus, ...]
    because: str


def _right(what: str, action: str, *good: HTTPStatus) -> _Rule:
    return _Rule(good, f"{what}: allow the access key {action} for this bucket")


_RULES: Mapping[str, _Rule] = {
    "write": _right("users cannot upload files", "s3:PutObject", HTTPStatus.OK),
    "overwrite": _Rule(
        (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.CONFLICT),
        "users can replace a file that moderation has approved: use a store with conditional writes (If-None-Match)",
    ),
    "read": _right("posts with uploaded files are refused", "s3:GetObject", HTTPStatus.OK),
    "delete": _right("deletions of accounts do not end", "s3:DeleteObject", HTTPStatus.OK, HTTPStatus.NO_CONTENT),
    "list": _right("deletions of accounts do not end", "s3:ListBucket", HTTPStatus.OK),
}


async def findings(settings: Settings, now_ms: Callable[[], int]) -> list[Finding]:
    """Returns a finding about each right that the access key needs; none if this deployment takes no uploads. Raises
    httpx.HTTPError if the store does not answer.
    """
    if settings.images.uploads is None:
        return []
    store = UploadStore(settings.images.uploads)
    try:
        tried = await store.probe(now_ms())
    finally:
        await store.close()
    return [_finding(name, status, _RULES[name]) for name, status in tried.items()]


def _finding(name: str, status: int, rule: _Rule) -> Finding:
    fact = f"the store of uploads answers {status} when Plaudit tries to {name} a file"
    return assess(f"uploads.{name}", status in rule.good, Severity.ERROR, fact, rule.because)
