"""One execution of a plan: who asks, with which variables, and what went wrong in ways that clients are told."""

from collections.abc import Sequence
from typing import Any

from graphql import FieldNode, GraphQLError, located_error
from graphql.execution import Executor

from execution.frames import Frame


class Anomaly(Exception):
    """Something a plan leaves to graphql-core: its output is thrown away. The argument says what, in a word or two."""


class Run:
    """What the closures of a plan are handed."""

    __slots__ = ("context", "errors", "executor", "expected")

    def __init__(self, executor: Executor[Any], expected: type[Exception]) -> None:
        self.executor = executor
        self.context = executor.context_value
        self.expected = expected
        self.errors: list[GraphQLError] = []

    def settled(self, values: Sequence[Any], nodes: list[FieldNode], frame: Frame) -> Sequence[Any]:
        """The values; those that failed as expected are noted, and null. Raises Anomaly for any other failure."""
        if not any(issubclass(class_, BaseException) for class_ in set(map(type, values))):
            return values
        settled = list(values)
        for i in [i for i, value in enumerate(settled) if isinstance(value, BaseException)]:
            if not isinstance(settled[i], self.expected):
                raise Anomaly("exception") from settled[i]
            self.errors.append(located_error(settled[i], nodes, frame.path(i)))
            settled[i] = None
        return settled
