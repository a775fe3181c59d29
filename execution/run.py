"""One execution of a plan: its context, its errors, and the places of its values in the response.

A plan is made of completers, which convert a column of values into their JSON texts. A completer returns a list of
texts, or an awaitable for the list if its selections have lookups.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphql import FieldNode, GraphQLError, GraphQLObjectType, located_error

from dependencies.graphql import Executor, Path

ColumnValues = Sequence[Any]
"""One value of a field for each row (object of a level), in order. An exception in place of a value means that the
field failed.
"""
JsonColumn = list[bytes]
"""The JSON text of each value of a column."""
ColumnResult = JsonColumn | Awaitable[JsonColumn]
Completer = Callable[["PlanRun", ColumnValues, "Frame"], ColumnResult]
_SOUND: set[type] = set()
"""The classes that were found not to be exceptions."""


class Anomaly(Exception):
    """Raised when a plan cannot continue. Its result is discarded, and graphql-core executes the operation. The
    argument is a short reason for metrics.
    """


@dataclass(frozen=True, slots=True)
class Expected:
    """The exceptions after which a plan continues. An exception of the class `errors` becomes an error of the response.
    An exception of the class `excused` becomes a null that is not an error (`Excuse`), if the field is nullable and not
    a root field.
    """

    errors: type[Exception]
    excused: type[Exception]


class Excuse(NamedTuple):
    """A null below the root fields of a response that an expected exception explains, and that is not an error. Has the
    response keys on the path of the field (`names`), the coordinate of the field in the schema, such as `Post.author`,
    and the exception.
    """

    names: list[str]
    coordinate: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a document: a field, or the items of a list field. `nullable` tells whether its values may be null."""

    nodes: list[FieldNode]
    parent: GraphQLObjectType
    nullable: bool

    @property
    def coordinate(self) -> str:
        """Returns the coordinate of the field in the schema, such as `Post.author`."""
        return f"{self.parent.name}.{self.nodes[0].name.value}"


@dataclass(slots=True, eq=False)
class Frame:
    """The places of one column of values in the response. The path of a value is computed only when an error needs it.

    Value `i` is below the value `origins[i]` of the frame `above`; without `origins`, below its value `i`. With a
    `key`, the value is the member of the value above with this key; without, it has the path of the value above. With
    `lists`, the values above are these lists, and the values of this frame are their items; None may be in place of a
    list.
    """

    above: "Frame | None" = None
    key: str | None = None
    origins: Sequence[int] | None = None
    lists: Sequence[Any] | None = None

    @property
    def names(self) -> list[str]:
        """Returns the response keys on the path of the values, without positions in lists."""
        own = [] if self.key is None else [self.key]
        return self.above.names + own if self.above else own

    @property
    def is_root(self) -> bool:
        """Returns whether the values are those of root fields."""
        return self.above is not None and self.above.above is None

    def path(self, i: int) -> list[str | int]:
        """Returns the path of value `i` in the response: keys and list positions."""
        own: list[str | int] = [] if self.key is None else [self.key]
        if self.lists is not None:
            positions = [(at, place) for at, one in enumerate(self.lists) for place in range(len(one or ()))]
            i, place = positions[i]
            own.append(place)
        elif self.origins is not None:
            i = self.origins[i]
        return [*self.above.path(i), *own] if self.above else own


@dataclass(slots=True, eq=False)
class PlanRun:
    """The data of one execution, which is passed to all completers of a plan: the context of the request, the errors of
    the response, the nulls that are not errors (`excuses`) and, when the plan has run, the JSON text of the result
    (`data`).
    """

    executor: Executor[Any]
    context: Any
    expected: Expected
    data: Any = None
    errors: list[GraphQLError] = field(default_factory=list)
    excuses: list[Excuse] = field(default_factory=list)

    def info(self, site: Site) -> Any:
        """Returns the `info` object that graphql-core would pass to the resolver of the field at `site` or to
        `is_type_of` of its type. Its path has only the key of the field, not the path of the parent.
        """
        node = site.nodes[0]
        key = node.alias.value if node.alias else node.name.value
        path = Path(None, key, site.parent.name)
        return self.executor.build_resolve_info(site.parent.fields[node.name.value], site.nodes, site.parent, path)

    def settled(self, values: ColumnValues, site: Site, frame: Frame) -> ColumnValues:
        """Returns the values of a column, with None in place of each expected exception. Records each of these
        exceptions as an error of the response or as an excuse (a null that is not an error). `site` is the place of the
        values in the document, `frame` their places in the response. Raises Anomaly for any other exception.
        """
        if not has_exceptions(values):
            return values
        settled, names = list(values), frame.names
        excusable = site.nullable and not frame.is_root
        for i in [i for i, value in enumerate(settled) if isinstance(value, BaseException)]:
            if excusable and isinstance(settled[i], self.expected.excused):
                self.excuses.append(Excuse(names, site.coordinate, settled[i]))
            elif isinstance(settled[i], self.expected.errors):
                self.errors.append(located_error(settled[i], site.nodes, frame.path(i)))
            else:
                raise Anomaly("exception") from settled[i]
            settled[i] = None
        return settled


def has_exceptions(values: ColumnValues) -> bool:
    """Returns whether a column contains exceptions. Remembers the classes that are not exceptions."""
    if _SOUND.issuperset(map(type, values)):
        return False
    _SOUND.update(class_ for class_ in set(map(type, values)) if not issubclass(class_, BaseException))
    return not _SOUND.issuperset(map(type, values))


def started(completer: Completer, run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
    """Calls a completer and returns its result. If the call fails, returns an awaitable that raises the failure, so
    that the caller also awaits the results of other completers.
    """
    try:
        return completer(run, values, frame)
    except Exception as error:  # noqa: BLE001 - raised later
        return _failed(error)


async def _failed(error: Exception) -> JsonColumn:
    raise error


async def gathered(results: Iterable[ColumnResult]) -> list[JsonColumn]:
    """Returns these results of completers, after all awaitable results are ready. Awaitables run concurrently, so that
    their lookups share batches. If one fails, waits for the others and then raises its exception, because no code of a
    request may run after its response was sent.
    """
    done: list[Any] = list(results)
    waiting = [i for i, result in enumerate(done) if not isinstance(result, list)]
    if len(waiting) == 1:
        done[waiting[0]] = await done[waiting[0]]
    elif waiting:
        outcomes = await asyncio.gather(*[done[i] for i in waiting], return_exceptions=True)
        for i, outcome in zip(waiting, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                raise outcome
            done[i] = outcome
    return done
