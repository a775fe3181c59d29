"""What clients are told of errors: expected ones in full, everything else only that it happened.

Applied where responses are encoded, so that nothing can pass by it; what is masked is logged once, here.
"""

from collections.abc import Iterable
from typing import Any

import structlog
from graphql import ExecutionResult, GraphQLError, GraphQLSyntaxError

from domain.errors import PlauditError
from observability import metrics

log = structlog.get_logger(__name__)

_UNEXPECTED = "Something went wrong here; it has been logged."


def response(result: ExecutionResult) -> dict[str, Any]:
    """The JSON response of an execution. `data` is absent when nothing was executed."""
    told: set[int] = set()
    errors = result.errors or []
    if refused := _is_request_error(result):
        errors = errors[:1]
    body: dict[str, Any] = {}
    if errors:
        body["errors"] = [_formatted(error, *_public(error, told)) for error in errors]
    if not refused:
        body["data"] = result.data
    return body


def invalid(error: GraphQLError) -> dict[str, Any]:
    """The JSON response to a document that cannot be executed."""
    code = "GRAPHQL_PARSE_FAILED" if isinstance(error, GraphQLSyntaxError) else "GRAPHQL_VALIDATION_FAILED"
    return {"errors": [_formatted(error, error.message, {"code": code})]}


def request_error(error: PlauditError) -> dict[str, Any]:
    """The JSON response to a request that never reached execution."""
    metrics.ERRORS.labels(error.code).inc()
    return {"errors": [{"message": error.message, "extensions": error.extensions}]}


def unexpected(error: Exception) -> dict[str, Any]:
    """The JSON response to a request that failed outside execution, for no reason its client should know."""
    metrics.ERRORS.labels("INTERNAL").inc()
    log.error("unexpected error", path=None, exc_info=error)
    return {"errors": [{"message": _UNEXPECTED, "extensions": {"code": "INTERNAL"}}]}


def _is_request_error(result: ExecutionResult) -> bool:
    """Variables that do not fit and operations that are not there: errors without a path, and no data."""
    return result.data is None and any(error.path is None for error in result.errors or ())


def _formatted(error: GraphQLError, message: str, extensions: dict[str, Any]) -> dict[str, Any]:
    metrics.ERRORS.labels(extensions["code"]).inc()
    formatted: dict[str, Any] = {"message": message, "extensions": extensions}
    if error.locations:
        formatted["locations"] = [location.formatted for location in error.locations]
    if error.path is not None:
        formatted["path"] = error.path
    return formatted


def _public(error: GraphQLError, told: set[int]) -> tuple[str, dict[str, Any]]:
    """`told` holds the causes that are in the log: one failed batch fails many fields."""
    cause = _cause(error)
    if isinstance(cause, PlauditError):
        return cause.message, cause.extensions
    if error.path is None and cause is None:
        return error.message, {"code": "BAD_INPUT"}
    if id(cause or error) not in told:
        told.add(id(cause or error))
        log.error("unexpected error", path=_dotted(error.path), exc_info=cause or error)
    return _UNEXPECTED, {"code": "INTERNAL"}


def _cause(error: BaseException) -> BaseException | None:
    """What a chain of GraphQLErrors was raised for."""
    original = getattr(error, "original_error", None)
    while isinstance(original, GraphQLError):
        original = original.original_error
    return original


def _dotted(path: Iterable[str | int] | None) -> str | None:
    return None if path is None else ".".join(map(str, path))
