"""One execution of a plan: its context, its variables, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphql import FieldNode, GraphQLError, located_error

from dependencies.graphql import Executor
from execution.fields import has_exceptions
from execution.frames import Frame


class Anomaly(Exception):
    """Raised when a plan cannot continue. Its result is discarded, and graphql-core executes the operation. The
    argument is a short reason for metrics.
    """


@dataclass(frozen=True, slots=True)
class Expected:
    """The exceptions after which a plan continues. Exceptions of the class `errors` become errors of the response.
    Those of the class `excused` become nulls that are not errors (`Excuse`), where the field is nullable and not a root
    field.
    """

    errors: type[Exception]
    excused: type[Exception]


class Excuse(NamedTuple):
    """A null below the root fields of a response that is not an error: the response keys on its path, the coordinate of
    its field in the schema, and the exception that is the reason.
    """

    names: list[str]
    coordinate: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a document: a field, or the items of a list field. `nullable` tells whether its values may be null."""

    nodes: list[FieldNode]
    coordinate: str
    nullable: bool


class PlanRun:
    """The data of one execution, which is passed to all closures of a plan."""

    __slots__ = ("_excused", "context", "data", "errors", "excuses", "executor", "expected")

    def __init__(self, executor: Executor[Any], expected: Expected) -> None:
        self.executor = executor
        self.context = executor.context_value
        self.expected = expected.errors
        self._excused = expected.excused
        self.data: Any = None
        self.errors: list[GraphQLError] = []
        self.excuses: list[Excuse] = []

    def settled(self, values: Sequence[Any], site: Site, frame: Frame) -> Sequence[Any]:
        """Returns the values of a column. Replaces each expected exception by None and records it. Raises Anomaly for
        any other exception.
        """
        if not has_exceptions(values):
            return values
        settled, names = list(values), frame.names
        excusable = site.nullable and not frame.is_root
        for i in [i for i, value in enumerate(settled) if isinstance(value, BaseException)]:
            if excusable and isinstance(settled[i], self._excused):
                self.excuses.append(Excuse(names, site.coordinate, settled[i]))
            elif isinstance(settled[i], self.expected):
                self.errors.append(located_error(settled[i], site.nodes, frame.path(i)))
            else:
                raise Anomaly("exception") from settled[i]
            settled[i] = None
        return settled
