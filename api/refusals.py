"""The errors and HTTP statuses of operations that cannot run."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from graphql import GraphQLSyntaxError, OperationType

from domain.errors import BadInput, NotServed, TooExpensive
from execution.documents import Invalid, NoOperation, Undeclared
from execution.limits import TooCostly

QUERIES = frozenset({OperationType.QUERY})
QUERIES_AND_MUTATIONS = QUERIES | {OperationType.MUTATION}
SUBSCRIPTIONS = frozenset({OperationType.SUBSCRIPTION})
_LONGEST_SHOWN_NAME = 100
"""The most characters of an undeclared variable's name that an error message shows."""


def status_of_invalid(error: Invalid) -> int:
    """Returns the HTTP status of an invalid document: 400 for a syntax error, 422 if it does not fit the schema."""
    return 400 if isinstance(error.error, GraphQLSyntaxError) else 422


def status_of_failed(body: dict[str, Any]) -> int:
    """Returns the HTTP status of a response without data: 500 for an internal error, otherwise 422, for example for a
    variable of the wrong type.
    """
    return 500 if any(error["extensions"]["code"] == "INTERNAL" for error in body["errors"]) else 422


@contextmanager
def client_errors() -> Iterator[None]:
    """Translates the exceptions of `execution/` that the block raises into errors for the client."""
    try:
        yield
    except TooCostly as error:
        raise TooExpensive(str(error), limit=error.what, has=error.has, most=error.limit) from None
    except NoOperation:
        raise BadInput("operationName must be the name of one operation of the document.") from None
    except Undeclared as error:
        raise BadInput(f"The document does not declare the variable ${error.name[:_LONGEST_SHOWN_NAME]}.") from None


def wrong_transport(kinds: Collection[OperationType]) -> BadInput:
    """Returns the error for an operation that the transport of the request cannot run. `kinds` are the kinds of
    operations that the transport can run.
    """
    if kinds is SUBSCRIPTIONS:
        return BadInput("Only subscriptions can be run here. Send queries and mutations by POST.")
    if kinds is QUERIES:
        return NotServed(
            "Only queries can be sent by GET. Send this operation by POST.", 405, headers={"Allow": "POST"}
        )
    return BadInput("Run subscriptions over WebSocket, or over HTTP with the header Accept: text/event-stream.")
