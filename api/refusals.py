"""The errors and HTTP statuses for clients whose operations cannot run."""

from collections.abc import Collection
from typing import Any

from graphql import GraphQLSyntaxError, OperationType

from domain.errors import BadInput, NotServed, PlauditError, TooExpensive
from execution.documents import Invalid, NoOperation, Undeclared, WrongKind
from execution.limits import TooCostly

NOT_RUNNABLE = TooCostly, NoOperation, Undeclared, WrongKind
"""The exceptions of `execution/` for an operation that cannot run, although its document may be valid."""

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


def refusal(error: TooCostly | NoOperation | Undeclared | WrongKind, kinds: Collection[OperationType]) -> PlauditError:
    """Returns the error for the client in place of an error of the package `execution`. `kinds` are the kinds of
    operations that the transport of the request can run. If the operation is of another kind (WrongKind), the message
    says which transport can run it.
    """
    if isinstance(error, TooCostly):
        return TooExpensive(str(error), limit=error.what, has=error.has, most=error.limit)
    if isinstance(error, NoOperation):
        return BadInput("operationName must be the name of one operation of the document.")
    if isinstance(error, Undeclared):
        return BadInput(f"The document does not declare the variable ${error.name[:_LONGEST_SHOWN_NAME]}.")
    if kinds is SUBSCRIPTIONS:
        return BadInput("Only subscriptions can be run here. Send queries and mutations by POST.")
    if kinds is QUERIES:
        return NotServed(
            "Only queries can be sent by GET. Send this operation by POST.", 405, headers={"Allow": "POST"}
        )
    return BadInput("Run subscriptions over WebSocket, or over HTTP with the header Accept: text/event-stream.")
