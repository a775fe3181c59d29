"""All errors that clients can receive.

`PlauditError`s become GraphQL errors with `extensions.code`; `Refused` becomes entries of a payload's `userErrors`.
Every other exception is a bug or a broken store: it is logged once and reported as INTERNAL.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType


class PlauditError(Exception):
    """An expected failure of a field or a whole request. `message` is written for the client and contains no internal
    details. `status` is the HTTP status if the whole request fails. `retry_after` is the number of seconds after which
    the client can try again, or None.
    """

    code = "INTERNAL"
    status = 422

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after

    @property
    def extensions(self) -> dict[str, object]:
        extensions: dict[str, object] = {"code": self.code}
        if self.retry_after is not None:
            extensions["retryAfter"] = self.retry_after
        return extensions


class BadInput(PlauditError):
    """The request is malformed: a bad id, an argument out of range, a text that cannot be stored."""

    code = "BAD_INPUT"


class NotServed(BadInput):
    """The request is refused as a whole, with the HTTP status `status`. `headers` are HTTP response headers that tell
    the client what would be accepted, such as `Allow`.
    """

    def __init__(self, message: str, status: int, *, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


class TooExpensive(PlauditError):
    """The operation exceeds a limit: see [limits](limits.md#roles)."""

    code = "QUERY_TOO_EXPENSIVE"

    def __init__(self, message: str, *, limit: str, has: int, most: int) -> None:
        super().__init__(message)
        self._price = {"limit": limit, "has": has, "most": most}

    @property
    def extensions(self) -> dict[str, object]:
        return {**super().extensions, **self._price}


class ImageNotAllowed(BadInput):
    """The image URL is not accepted: its host is not allowed, or proxies could interpret its form in different ways."""


class BadSignature(PlauditError):
    """The image URL has no valid signature. `reason` says why."""

    code = "FORBIDDEN"
    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadCursor(PlauditError):
    """The cursor is expired, altered, or belongs to another list or viewer."""

    code = "BAD_CURSOR"


class Unauthenticated(PlauditError):
    """The token is missing, invalid or expired."""

    code = "UNAUTHENTICATED"
    status = 401


class Forbidden(PlauditError):
    """The token lacks a scope, or is restricted to other businesses."""

    code = "FORBIDDEN"
    status = 403


class AccountDeleted(PlauditError):
    """The viewer's account is being deleted or was deleted. If the deletion can still be cancelled, `dueAt` is the time
    until which `cancelDeletion` does that.
    """

    code = "ACCOUNT_DELETED"
    status = 403

    def __init__(self, due_at: str | None = None) -> None:
        if due_at:
            super().__init__(f"This account will be deleted. Until {due_at}, cancelDeletion restores it.")
        else:
            super().__init__("This account is being deleted or was deleted.")
        self._due_at = due_at

    @property
    def extensions(self) -> dict[str, object]:
        return {**super().extensions, **({"dueAt": self._due_at} if self._due_at else {})}


class RateLimited(PlauditError):
    """A budget is too low, or the caller or the process has too many connections, subscriptions or pending changes."""

    code = "RATE_LIMITED"
    status = 429


class Unavailable(PlauditError):
    """A store does not answer, the process is full, or the request took too long."""

    code = "UNAVAILABLE"
    reason = "UNAVAILABLE"
    """The `reason` of a field in `extensions.degraded`, if the response is sent without the value of this field."""
    status = 503

    def __init__(self, message: str = "This is temporarily unavailable.", *, retry_after: float | None = 1.0) -> None:
        super().__init__(message, retry_after=retry_after)


class NotHere(Unavailable):
    """This site only reads, and lacks what the answer needs. The other site can answer."""


class PersistedQueryNotFound(PlauditError):
    """No operation has this hash or id."""

    code = "PERSISTED_QUERY_NOT_FOUND"
    status = 200

    def __init__(self, message: str = "PersistedQueryNotFound") -> None:
        super().__init__(message)


class PersistedQueryNotSupported(PlauditError):
    """Automatic persisted queries are switched off."""

    code = "PERSISTED_QUERY_NOT_SUPPORTED"
    status = 200

    def __init__(self) -> None:
        super().__init__("PersistedQueryNotSupported")


class PersistedDocumentNotFound(PersistedQueryNotFound):
    """No manifest and no import has this documentId."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is no persisted document with this id.")


class NotPersisted(PlauditError):
    """The operation is not persisted, and only persisted operations run here (lockdown)."""

    code = "PERSISTED_QUERY_ONLY"
    status = 403

    def __init__(self) -> None:
        super().__init__("Only persisted operations run here, and this operation is not persisted.")


class OperationWithdrawn(PlauditError):
    """The operation, or this version of the client, was withdrawn. The message is for the user."""

    code = "OPERATION_WITHDRAWN"
    status = 200  # client libraries of old apps hide the body of any other status


class UserErrorCode(Enum):
    """The reasons why a mutation can change nothing."""

    TARGET_NOT_FOUND = "TARGET_NOT_FOUND"
    TARGET_DELETED = "TARGET_DELETED"
    NOT_ALLOWED = "NOT_ALLOWED"
    CANNOT_FOLLOW_SELF = "CANNOT_FOLLOW_SELF"
    FOLLOW_LIMIT_REACHED = "FOLLOW_LIMIT_REACHED"
    REQUEST_NOT_FOUND = "REQUEST_NOT_FOUND"
    BLOCKED = "BLOCKED"
    SUSPENDED = "SUSPENDED"
    CANNOT_BLOCK_SELF = "CANNOT_BLOCK_SELF"
    CANNOT_MUTE_SELF = "CANNOT_MUTE_SELF"
    BLOCK_LIMIT_REACHED = "BLOCK_LIMIT_REACHED"
    MUTE_LIMIT_REACHED = "MUTE_LIMIT_REACHED"
    COLLECTION_LIMIT_REACHED = "COLLECTION_LIMIT_REACHED"
    PIN_LIMIT_REACHED = "PIN_LIMIT_REACHED"
    DISLIKE_DISABLED = "DISLIKE_DISABLED"
    REACTION_UNKNOWN = "REACTION_UNKNOWN"
    TEXT_EMPTY = "TEXT_EMPTY"
    TEXT_TOO_LONG = "TEXT_TOO_LONG"
    TEXT_INVALID = "TEXT_INVALID"
    TOO_MANY_IMAGES = "TOO_MANY_IMAGES"
    IMAGE_NOT_ALLOWED = "IMAGE_NOT_ALLOWED"
    TOO_MANY_TOPICS = "TOO_MANY_TOPICS"
    TOPIC_INVALID = "TOPIC_INVALID"
    COMMENTS_CLOSED = "COMMENTS_CLOSED"
    COMMENTS_RESTRICTED = "COMMENTS_RESTRICTED"
    EDIT_WINDOW_OVER = "EDIT_WINDOW_OVER"
    ACTION_UNKNOWN = "ACTION_UNKNOWN"
    IDEMPOTENCY_MISMATCH = "IDEMPOTENCY_MISMATCH"
    HANDLE_TAKEN = "HANDLE_TAKEN"
    TEXT_NOT_ALLOWED = "TEXT_NOT_ALLOWED"
    CANNOT_REPORT_SELF = "CANNOT_REPORT_SELF"
    ALREADY_APPEALED = "ALREADY_APPEALED"
    CASE_ASSIGNED = "CASE_ASSIGNED"
    CASE_NOT_FOUND = "CASE_NOT_FOUND"
    EXPORT_LIMIT_REACHED = "EXPORT_LIMIT_REACHED"
    QUEUE_LIMIT_REACHED = "QUEUE_LIMIT_REACHED"
    INVALID = "INVALID"


@dataclass(frozen=True, slots=True)
class UserError:
    """A problem that the client can fix. `message` is written for developers. `field` is the path of the input field
    with the problem, or None.
    """

    code: UserErrorCode
    message: str
    field: tuple[str, ...] | None = None


class Refused(Exception):
    """Raised if a command refuses a change. Nothing has changed then. `errors` become the `userErrors` of the
    mutation's payload.
    """

    def __init__(self, *errors: UserError) -> None:
        super().__init__(errors)
        self.errors = errors

    @classmethod
    def because(cls, code: UserErrorCode, message: str, *field: str) -> "Refused":
        """Returns a Refused exception with one error. `field` is the path of the input field with the problem."""
        return cls(UserError(code, message, field or None))
