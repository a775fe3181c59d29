"""Parses, prices and validates documents, and keeps the valid ones.

Input: the text of a document, the name of an operation in it, its variables, and the caller's limits. Output: a
`DocumentOperation` that can be executed. A document that is too costly is refused in time linear in its size, before
any step that could take longer.
"""

from collections.abc import Callable, Collection, Generator, Hashable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, cast

from cachetools import LRUCache
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLField,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    OperationType,
    parse,
    specified_rules,
    validate,
)

from execution.cost import LEAST_COST, price
from execution.definitions import Definitions
from execution.inputs import PreparedOperation
from execution.limits import OF_DOCUMENTS, OF_TRUSTED, Limits, Price, TooCostly, check, check_text, measured
from execution.selections import Cyclic

T = TypeVar("T")
Stepwise = Generator[None, None, T]
"""A generator that does work in steps and returns a result. Other requests may run between two steps."""
_KEPT_CHARACTERS = 500_000
_LEAST_CHARACTERS = 1000
"""The minimum size that is counted for a kept document, in characters. Even a small document takes this much memory,
because its prices are kept too.
"""
_KEPT_PRICES = 64
_LONGEST_NAMES = 100
"""The maximum length of the names in the key of a kept price, in characters: the names of the operation, of the
variables, and of their members.
"""


class Invalid(Exception):
    """Raised for a document that cannot be executed: it has a syntax error, does not fit the schema, or is nested too
    deeply. `error` has the message for the client.
    """

    def __init__(self, error: GraphQLError) -> None:
        super().__init__(error.message)
        self.error = error


class NoOperation(Exception):
    """Raised if it is unclear which operation to run: not exactly one operation has the name, or no name was given and
    the document does not have exactly one operation. `found` is the number of operations that match.
    """

    def __init__(self, found: int) -> None:
        super().__init__(f"{found} operations could be meant.")
        self.found = found


class Undeclared(Exception):
    """Raised for a request with a variable that no operation of the document declares. The value of such a variable
    would not be checked.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class WrongKind(Exception):
    """Raised if the caller does not accept operations of this kind (query, mutation or subscription)."""


@dataclass(slots=True)
class DocumentOperation:
    """One operation of a valid document, and its price for the variables of a request."""

    prepared: PreparedOperation
    node: OperationDefinitionNode
    name: str | None
    root_field: str | None
    """The name of the first root field, or None if the first selection is a fragment. The document is valid, so there
    are only as many distinct names as the schema has root fields.
    """
    is_personal: bool
    """Whether a field of the document depends on the viewer."""
    fields: frozenset[str]
    """The watched fields that the operation selects, as coordinates such as `Query.viewer`. The `is_watched` of
    `Documents` decides which fields are watched.
    """
    price: Price


class _Document:
    """A parsed document of `size` characters, with the prices of its operations for recent variables, and with the
    result of validation.
    """

    __slots__ = ("candidates", "declared", "node", "operations", "prices", "size")

    def __init__(self, node: DocumentNode, size: int) -> None:
        self.node = node
        self.size = size
        operations = [one for one in node.definitions if isinstance(one, OperationDefinitionNode)]
        self.candidates: dict[str | None, list[OperationDefinitionNode]] = {None: operations}
        """The operations that a request can mean by a name. Without a name, it can mean all operations."""
        for one in operations:
            if one.name:
                self.candidates.setdefault(one.name.value, []).append(one)
        self.declared = {one.variable.name.value for each in operations for one in each.variable_definitions or ()}
        """The names of the variables that at least one operation declares."""
        self.prices: LRUCache[Hashable, Price] = LRUCache(_KEPT_PRICES)
        self.operations: dict[str | None, Callable[[Price], DocumentOperation]] = {}
        """For each name that means one operation, the function that adds a price to the operation. Empty until the
        document is validated.
        """


def _nothing(_type: str, _field: str) -> bool:
    return False


@contextmanager
def _readable() -> Iterator[None]:
    """Converts errors of the block that show that a document is invalid to Invalid: an error of graphql-core, a
    fragment that contains itself, or a document beyond Python's limits.
    """
    try:
        yield
    except GraphQLError as error:
        raise Invalid(error) from None
    except Cyclic as error:
        raise Invalid(GraphQLError(str(error))) from None
    except (RecursionError, ValueError):  # Python's recursion and integer limits
        raise Invalid(GraphQLError("The document is nested too deeply, or a number is too long.")) from None


class Documents:
    """The parsed documents of a process. Keeps the most recently used documents up to a total size, and documents that
    `warm` has added forever.

    `is_personal` tells whether a field depends on the viewer. `is_watched` tells whether the field with this type and
    name is listed in `DocumentOperation.fields`. Without `introspection`, documents that read the schema are invalid.
    Without `suggestions`, errors do not suggest names of the schema.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        is_personal: Callable[[GraphQLField], bool],
        is_watched: Callable[[str, str], bool] = _nothing,
        *,
        introspection: bool = True,
        suggestions: bool = True,
    ) -> None:
        self._schema = schema
        self._is_personal = is_personal
        self._is_watched = is_watched
        self._suggestions = suggestions
        self._rules = specified_rules if introspection else (*specified_rules, NoSchemaIntrospectionCustomRule)
        self._stored: dict[str, _Document] = {}
        self._kept: LRUCache[str, _Document] = LRUCache(
            _KEPT_CHARACTERS, getsizeof=lambda one: max(one.size, _LEAST_CHARACTERS)
        )

    def knows(self, text: str) -> bool:
        """Returns whether a document is kept, so that it need not be parsed again."""
        return text in self._stored or text in self._kept

    def operation(self, *wanted: Any) -> DocumentOperation:
        """Returns the operation to run. Takes the arguments of `reading`: text, name, variables, limits, and optionally
        the allowed kinds of operations and the kilobytes of the request. Runs all steps of `reading` without pauses,
        and raises the same errors.
        """
        return finished(self.reading(*wanted))

    def reading(
        self,
        text: str,
        name: str | None,
        variables: Mapping[str, Any] | None,
        limits: Limits,
        kinds: Collection[OperationType] = frozenset(OperationType),
        kilobytes: int = 0,
    ) -> Stepwise[DocumentOperation]:
        """Finds and returns the operation `name` of the document `text`, in steps between which other requests may run.
        Parses, validates and keeps a document that is not kept yet, and checks the operation's price. `kinds` are the
        kinds of operations that the caller accepts. `kilobytes`, the size of the request, is added to the cost.

        Raises Invalid if the document is invalid; TooCostly if it exceeds one of the `limits`; NoOperation if not
        exactly one operation is meant; WrongKind if the operation is of another kind; Undeclared if no operation of the
        document declares a variable.
        """
        stored = self._stored.get(text)
        document = stored or self._kept.get(text)
        if document is None:
            check_text(text, limits)
            document = _parsed(text, limits.tokens)
            yield
        key = name, _shape(variables or {})
        price = document.prices.get(key) or self._priced(document, key, variables or {})
        if kilobytes:
            price = replace(price, cost=price.cost + kilobytes)
        check(price, limits, OF_TRUSTED if stored else OF_DOCUMENTS)
        candidates = document.candidates.get(name, ())
        if candidates and candidates[0].operation not in kinds:
            raise WrongKind
        if price.cost > limits.mutation_cost and any(one.operation is OperationType.MUTATION for one in candidates):
            raise TooCostly("cost as a mutation", price.cost, limits.mutation_cost)
        if candidates and not document.operations:
            self._validate(document, text, self._kept)
            yield
        if len(candidates) != 1:
            raise NoOperation(len(candidates))
        return document.operations[name](price)

    def warm(self, text: str) -> list[PreparedOperation]:
        """Validates a document and keeps it forever, whatever its size. Returns each of its operations. Raises Invalid
        if the document is not valid.
        """
        return finished(self.warming(text))

    def warming(self, text: str) -> Stepwise[list[PreparedOperation]]:
        """Validates a document and keeps it forever, whatever its size, in steps between which other requests may run.
        Returns each of its operations. Raises Invalid if the document is not valid.
        """
        document = _parsed(text)
        yield
        self._validate(document, text, self._stored)
        yield
        return list({operation(Price()).prepared: None for operation in document.operations.values()})

    @_readable()
    def _priced(self, document: _Document, key: tuple[str | None, Hashable], variables: Mapping[str, Any]) -> Price:
        """Returns the price of an operation. Keeps the price under `key` (the operation's name and the shape of the
        variables), unless the names are long.

        Raises Undeclared for a variable that no operation declares. A variable that another operation declares is
        allowed, because editors send the variables of all operations of a document with each operation. Raises Invalid
        if a fragment contains itself.
        """
        for variable in variables:
            if variable not in document.declared:
                raise Undeclared(variable)
        name, _ = key
        found = price(self._schema, document.node, name, variables)
        found = replace(found, cost=max(LEAST_COST, found.cost), event_cost=max(LEAST_COST, found.event_cost))
        names = [name or "", *variables]
        names += [member for value in variables.values() if isinstance(value, Mapping) for member in value]
        if len(names) + sum(map(len, names)) <= _LONGEST_NAMES:
            document.prices[key] = found
        return found

    @_readable()
    def _validate(self, document: _Document, text: str, kept: MutableMapping[str, _Document]) -> None:
        """Validates a document, stores in it the operations that requests can choose by name, and adds it to `kept`.
        Raises Invalid if the document is not valid.
        """
        errors = validate(
            self._schema, document.node, self._rules, max_errors=1, hide_suggestions=not self._suggestions
        )
        if errors:
            raise errors[0]
        definitions = Definitions(self._schema, document.node, self._is_personal, self._is_watched)
        described = {id(node): self._described(document.node, node, definitions) for node in document.candidates[None]}
        document.operations = {
            name: described[id(nodes[0])] for name, nodes in document.candidates.items() if len(nodes) == 1
        }
        kept[text] = document

    def _described(
        self, document: DocumentNode, node: OperationDefinitionNode, definitions: Definitions
    ) -> Callable[[Price], DocumentOperation]:
        name, first = node.name.value if node.name else None, next(iter(node.selection_set.selections), None)
        contents = definitions.operation(name)
        return partial(
            DocumentOperation,
            PreparedOperation(
                self._schema, document, node, contents.decisive, contents.fields, suggestions=self._suggestions
            ),
            node,
            name,
            first.name.value if isinstance(first, FieldNode) else None,
            definitions.is_personal,
            frozenset(contents.watched),
        )


@_readable()
def _parsed(text: str, tokens: int | None = None) -> _Document:
    return _Document(parse(text, max_tokens=tokens), len(text))


def _shape(variables: Mapping[str, Any]) -> Hashable:
    """Returns the properties of a request's variables on which prices depend: of an integer its value; of a list its
    length and the number of its values; of an input object the number of its values, and for each member the length of
    a list or else the type; of any other value its type.
    """
    shape: list[Hashable] = []
    for name, value in variables.items():
        if isinstance(value, Mapping):
            members = tuple([(key, len(one) if isinstance(one, list) else type(one)) for key, one in value.items()])
            shape.append((name, members, measured(value)[0]))
        elif isinstance(value, list):
            shape.append((name, len(value), measured(value)[0]))
        else:  # True and 1 are equal keys of a dictionary
            shape.append((name, str(value) if type(value) is int else type(value).__name__))
    return tuple(shape)


def finished(steps: Stepwise[T]) -> T:
    """Runs all steps of a generator without pauses and returns the result of the generator."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("T", done.value)
