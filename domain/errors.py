"""Every error a client can meet, and nothing else.

`PlauditError`s travel as GraphQL errors with `extensions.code`; `Refused` becomes an entry of a payload's `userErrors`.
Whatever is not one of these is a bug or a broken store: it is logged once and answered as INTERNAL.
"""

from dataclasses import dataclass
from enum import Enum


class PlauditError(Exception):
    """An expected failure of a whole field or request. `message` is written for the client and safe to show.

    `status` is the HTTP status of the answer where the whole request fails.
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
    """A malformed id, an argument out of range, text that no store could hold."""

    code = "BAD_INPUT"


class NotServed(BadInput):
    """A request that HTTP itself refuses, with that `status`. `allow` names the methods that would do."""

    def __init__(self, message: str, status: int, *, allow: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.allow = allow


class TooExpensive(PlauditError):
    """An operation beyond a limit: `limit` says which, `has` how much it has, `most` how much is allowed."""

    code = "QUERY_TOO_EXPENSIVE"

    def __init__(self, message: str, *, limit: str, has: int, most: int) -> None:
        super().__init__(message)
        self._price = {"limit": limit, "has": has, "most": most}

    @property
    def extensions(self) -> dict[str, object]:
        return {**super().extensions, **self._price}


class ImageNotAllowed(BadInput):
    """A URL that no image of ours has: of another host, or one that a proxy could read in another way."""


class BadSignature(PlauditError):
    """An image URL that we have not signed, or that is not good now; `reason` says which."""

    code = "FORBIDDEN"
    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadCursor(PlauditError):
    """A cursor that is not ours, not for this list, or altered."""

    code = "BAD_CURSOR"


class Unauthenticated(PlauditError):
    """Nobody is signed in where somebody must be, or the token is not to be trusted."""

    code = "UNAUTHENTICATED"
    status = 401


class Forbidden(PlauditError):
    """The token lacks a scope, or is restricted to other businesses."""

    code = "FORBIDDEN"
    status = 403


class RateLimited(PlauditError):
    """Too much of one thing; `retry_after` seconds later it works again."""

    code = "RATE_LIMITED"
    status = 429


class Unavailable(PlauditError):
    """A store cannot answer. Nothing was changed that was not acknowledged; trying again is right."""

    code = "UNAVAILABLE"
    reason = "UNAVAILABLE"
    """What `extensions.degraded` says where the answer goes on without."""
    status = 503

    def __init__(self, message: str = "This cannot be answered right now.", *, retry_after: float | None = 1.0) -> None:
        super().__init__(message, retry_after=retry_after)


class PersistedQueryNotFound(PlauditError):
    """A hash nobody has registered: the client sends the text along. Words and status are of Apollo's protocol."""

    code = "PERSISTED_QUERY_NOT_FOUND"
    status = 200

    def __init__(self, message: str = "PersistedQueryNotFound") -> None:
        super().__init__(message)


class PersistedQueryNotSupported(PlauditError):
    """Automatic persisted queries are off: the client sends texts from now on."""

    code = "PERSISTED_QUERY_NOT_SUPPORTED"
    status = 200

    def __init__(self) -> None:
        super().__init__("PersistedQueryNotSupported")


class PersistedDocumentNotFound(PersistedQueryNotFound):
    """A documentId that no manifest has."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is no persisted document with this id.")


class NotPersisted(PlauditError):
    """Lockdown: nothing runs but what a manifest has."""

    code = "PERSISTED_QUERY_ONLY"
    status = 403

    def __init__(self) -> None:
        super().__init__("Only persisted operations run here, and this is none of them.")


class UserErrorCode(Enum):
    """Why a mutation changed nothing. The subset of the contract that exists so far."""

    TARGET_NOT_FOUND = "TARGET_NOT_FOUND"
    TARGET_DELETED = "TARGET_DELETED"
    NOT_ALLOWED = "NOT_ALLOWED"
    CANNOT_FOLLOW_SELF = "CANNOT_FOLLOW_SELF"
    FOLLOW_LIMIT_REACHED = "FOLLOW_LIMIT_REACHED"
    DISLIKE_DISABLED = "DISLIKE_DISABLED"
    TEXT_EMPTY = "TEXT_EMPTY"
    TEXT_TOO_LONG = "TEXT_TOO_LONG"
    TEXT_INVALID = "TEXT_INVALID"
    TOO_MANY_IMAGES = "TOO_MANY_IMAGES"
    IMAGE_NOT_ALLOWED = "IMAGE_NOT_ALLOWED"
    TOO_MANY_TOPICS = "TOO_MANY_TOPICS"
    TOPIC_INVALID = "TOPIC_INVALID"
    COMMENTS_CLOSED = "COMMENTS_CLOSED"
    IDEMPOTENCY_MISMATCH = "IDEMPOTENCY_MISMATCH"
    HANDLE_TAKEN = "HANDLE_TAKEN"
    TEXT_NOT_ALLOWED = "TEXT_NOT_ALLOWED"
    INVALID = "INVALID"


@dataclass(frozen=True, slots=True)
class UserError:
    """One thing the caller can act on; `field` is the path of the input it is about."""

    code: UserErrorCode
    message: str
    field: tuple[str, ...] | None = None


class Refused(Exception):
    """Raised by commands: the mutation's payload carries `errors`, and nothing has changed."""

    def __init__(self, *errors: UserError) -> None:
        super().__init__(errors)
        self.errors = errors

    @classmethod
    def because(cls, code: UserErrorCode, message: str, *field: str) -> "Refused":
        """The usual case: one reason."""
        return cls(UserError(code, message, field or None))
