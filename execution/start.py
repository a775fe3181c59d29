"""The data that all executions of one operation share, and a fast path for variables that need no coercion.

The fast path accepts variables only if graphql-core's coercion would return them unchanged. All other variables are
coerced by graphql-core, which also writes the error messages.
"""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, NamedTuple, TypeVar

from graphql import (
    DocumentNode,
    FragmentDefinitionNode,
    GraphQLBoolean,
    GraphQLError,
    GraphQLID,
    GraphQLInputType,
    GraphQLInt,
    GraphQLSchema,
    GraphQLString,
    OperationDefinitionNode,
    default_field_resolver,
    default_type_resolver,
    get_nullable_type,
    is_list_type,
    is_non_null_type,
)

from dependencies.graphql import (
    Executor,
    FragmentDetails,
    GraphQLVariableSignature,
    VariableValues,
    VariableValueSource,
    get_variable_signature,
)

E = TypeVar("E", bound=Executor[Any])
_RESOLVERS = default_field_resolver, default_type_resolver, default_field_resolver
_CLASSES: dict[Any, type] = {GraphQLString: str, GraphQLID: str, GraphQLBoolean: bool}
_INTS = range(-(1 << 31), 1 << 31)


class _Declared(NamedTuple):
    signature: GraphQLVariableSignature
    is_plain: Callable[[Any], bool]
    may_be_absent: bool


class Start:
    """The data that all executions of one operation share: its fragments, and the declarations of its variables."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> None:
        self.schema = schema
        self.operation = operation
        definitions = document.definitions
        self.fragments = {one.name.value: one for one in definitions if isinstance(one, FragmentDefinitionNode)}
        self.details = {name: FragmentDetails(one, None) for name, one in self.fragments.items()}
        signatures = [get_variable_signature(schema, one) for one in operation.variable_definitions or ()]
        self._declared = [_declared(one) for one in signatures if not isinstance(one, GraphQLError)]
        self._is_sound = len(self._declared) == len(signatures)

    def variables(self, given: Mapping[str, Any]) -> VariableValues | None:
        """Returns the coerced variables, or None if graphql-core must coerce them."""
        if not self._is_sound:
            return None
        values = VariableValues({}, {})
        for signature, is_plain, may_be_absent in self._declared:
            name = signature.name
            if name not in given and may_be_absent:
                values.sources[name] = VariableValueSource(signature)
            elif name in given and is_plain(value := given[name]):
                values.sources[name] = VariableValueSource(signature, value)
                values.coerced[name] = value
            else:
                return None
        return values

    def executor(self, class_: type[E], context: Any, variables: VariableValues, **options: Any) -> E:
        """Returns an executor for one execution with these coerced variables. `class_` is its class."""
        of_all = self.schema, self.fragments, self.details, None, context, self.operation
        return class_(*of_all, variables, *_RESOLVERS, **options)


def _declared(signature: GraphQLVariableSignature) -> _Declared:
    optional = signature.default is None and not is_non_null_type(signature.type)
    return _Declared(signature, _plain(signature.type), optional)


def _plain(type_: GraphQLInputType) -> Callable[[Any], bool]:
    """Returns a function that tells whether coercion to a type returns a value unchanged. The function returns False if
    this is not certain.
    """
    inner, nullable = get_nullable_type(type_), not is_non_null_type(type_)
    if is_list_type(inner):
        items = _classes(inner.of_type)
        return lambda value: set(map(type, value)) <= items if type(value) is list else value is None and nullable
    if inner is GraphQLInt:
        return lambda value: value in _INTS if type(value) is int else value is None and nullable
    classes = _classes(type_)
    return lambda value: type(value) in classes


def _classes(type_: GraphQLInputType) -> set[type]:
    """Returns the Python classes whose values are valid for this input type as they are, without coercion."""
    own = _CLASSES.get(get_nullable_type(type_))
    return ({own} if own else set()) | (set() if is_non_null_type(type_) else {NoneType})
