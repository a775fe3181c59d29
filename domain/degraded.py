"""Collects the fields of a response that are missing or incomplete because a store did not answer. Clients receive them
as `extensions.degraded` (docs/build/missing-data.md, ADR 22).

Input: fields that are null because of a store, and fields whose values may lack the newest changes. Output: one entry
for each field and reason, for any number of objects. Fields that a setting forbids to look up are listed too, with the
reason `NOT_LOOKED_UP`, but do not count as an outage.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from domain.errors import Unavailable
from observability import metrics


class Degraded:
    """The fields of one response that are missing or incomplete because they could not be read. In all methods, `field`
    is a schema coordinate such as `Post.likeCount`.
    """

    def __init__(self) -> None:
        self._missing: defaultdict[tuple[tuple[str, ...], str, str, float | None], int] = defaultdict(int)
        self._incomplete: dict[tuple[str, str, float | None], None] = {}
        self.was_reported = False
        """Whether the last result of `extensions` lists a field that the client can get later by a new request."""

    def missing(self, path: Sequence[str], field: str, error: Unavailable) -> None:
        """Records a field that is null because its value could not be read. `path` is the place of the field in the
        response: its response keys from the root, without positions in lists. `error` has the reason, and when the
        client can try again.
        """
        self._missing[tuple(path), field, error.reason, error.retry_after] += 1

    def incomplete(self, field: str, error: Unavailable) -> None:
        """Records a field whose value may lack the newest changes, because they are only in the store that `error` is
        about.
        """
        self._incomplete[field, error.reason, error.retry_after] = None

    def extensions(self) -> dict[str, Any]:
        """Returns the response extensions: `degraded`, a list with an entry for each recorded field and reason; or an
        empty dictionary if no field was recorded.

        Sets `was_reported`, and counts the fields in the metrics. Then forgets the fields, so that the next response of
        a subscription begins without any.
        """
        self.was_reported = False
        if not self._missing and not self._incomplete:
            return {}
        entries: list[dict[str, Any]] = []
        for (path, field, reason, after), count in sorted(self._missing.items(), key=lambda one: one[0][:3]):
            if after is not None:
                metrics.DEGRADED_FIELDS.labels(field, reason).inc(count)
            what = {"path": path, "field": field, "effect": "MISSING", "count": count}
            entries.append({**what, "reason": reason, "retryAfter": after})
        for field, reason, after in sorted(self._incomplete, key=lambda one: one[:2]):
            metrics.DEGRADED_FIELDS.labels(field, reason).inc()
            entries.append({"field": field, "effect": "INCOMPLETE", "reason": reason, "retryAfter": after})
        self.was_reported = any(entry["retryAfter"] is not None for entry in entries)
        self._missing.clear()
        self._incomplete.clear()
        return {"degraded": entries}
