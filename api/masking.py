"""Converts errors for clients: shows expected errors in full, and all others as INTERNAL without details.

Applied where responses are encoded, so that no error bypasses it. Each masked error is logged here once.
"""

import re
from typing import Any

from graphql import ExecutionResult, GraphQLError, GraphQLSyntaxError

from domain.errors import PlauditError, Unavailable
from observability import metrics
from observability.logs import Log

log = Log(__name__)

_INVALID_ARGUMENT = re.compile(r"Argument '\w+' has invalid value")
"""Matches the start of graphql-core's message about an argument to which a variable gives an invalid value or null."""
_INVALID_VALUE = re.compile(r"( cannot represent [^:]*?value|, found): .*", re.DOTALL)
"""Matches the part of a message of graphql-core that shows an invalid value as Python writes it."""
_FAILURES = "INTERNAL", Unavailable.code
_INTERNAL_MESSAGE = "An internal error occurred. It has been logged."


def response(result: ExecutionResult) -> dict[str, Any]:
    """Returns the JSON body for the result of an execution, with the errors as clients may see them. If nothing was
    executed, the body has one error and no `data`. Counts the errors, and logs unexpected errors.
    """
    logged: set[int] = set()
    errors = result.errors or []
    # If nothing was executed, for example because a variable has the wrong type, an error has no path.
    if refused := result.data is None and any(error.path is None for error in errors):
        errors = errors[:1]
    body: dict[str, Any] = {}
    if errors:
        body["errors"] = [_formatted(error, *_message_and_extensions(error, logged)) for error in errors]
    if not refused:
        body["data"] = result.data
    return body


def invalid_document(error: GraphQLError) -> dict[str, Any]:
    """Returns the JSON body for a document that cannot be executed."""
    code = "GRAPHQL_PARSE_FAILED" if isinstance(error, GraphQLSyntaxError) else "GRAPHQL_VALIDATION_FAILED"
    return {"errors": [_formatted(error, _without_values(error.message), {"code": code})]}


def request_error(error: PlauditError) -> dict[str, Any]:
    """Returns the JSON body for a request that was refused before execution."""
    metrics.ERRORS.labels(error.code).inc()
    return {"errors": [{"message": error.message, "extensions": error.extensions}]}


def internal_error(error: Exception) -> dict[str, Any]:
    """Returns the JSON body for an unexpected exception outside of execution, and logs it."""
    metrics.ERRORS.labels("INTERNAL").inc()
    log.error("unexpected error", path=None, exc_info=error)
    return {"errors": [{"message": _INTERNAL_MESSAGE, "extensions": {"code": "INTERNAL"}}]}


def failure(body: dict[str, Any]) -> str | None:
    """Returns the code of the first error in a response body that is a failure of the server: INTERNAL or UNAVAILABLE.
    Returns None if there is no such error.
    """
    codes = (error["extensions"]["code"] for error in body.get("errors", ()))
    return next((code for code in codes if code in _FAILURES), None)


def _formatted(error: GraphQLError, message: str, extensions: dict[str, Any]) -> dict[str, Any]:
    metrics.ERRORS.labels(extensions["code"]).inc()
    formatted: dict[str, Any] = {"message": message, "extensions": extensions}
    if error.locations:
        formatted["locations"] = [location.formatted for location in error.locations]
    if error.path is not None:
        formatted["path"] = error.path
    return formatted


def _message_and_extensions(error: GraphQLError, logged: set[int]) -> tuple[str, dict[str, Any]]:
    """Returns the message and extensions of an error for the client. Logs an unexpected error once.

    `logged` contains the `id()` of each exception that is already in the log, because one exception can fail many
    fields.
    """
    cause = _cause(error)
    if isinstance(cause, PlauditError):
        return cause.message, cause.extensions
    if cause is None and (error.path is None or _INVALID_ARGUMENT.match(error.message)):
        return _without_values(error.message), {"code": "BAD_INPUT"}
    if id(cause or error) not in logged:
        logged.add(id(cause or error))
        path = None if error.path is None else ".".join(map(str, error.path))
        log.error("unexpected error", path=path, exc_info=cause or error)
    return _INTERNAL_MESSAGE, {"code": "INTERNAL"}


def _without_values(message: str) -> str:
    """Returns a message of graphql-core about an invalid value without the value, which the message shows as Python
    writes it. The message still names the type, and the place in a variable.
    """
    return _INVALID_VALUE.sub(r"\1.", message).replace("not to be None", "not to be null")


def _cause(error: BaseException) -> BaseException | None:
    """Returns the original exception behind a chain of GraphQLErrors, or None if there is no original exception."""
    original = getattr(error, "original_error", None)
    while isinstance(original, GraphQLError):
        original = original.original_error
    return original
