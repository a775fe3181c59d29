"""The inputs of an operation: variables, arguments of resolvers, and fast paths for those that need no coercion.

The fast path for variables accepts values only if graphql-core's coercion would return them unchanged. All other
variables are coerced by graphql-core, which also writes the error messages.

Arguments without variables are computed once for all executions. If variables with scalar types fill whole arguments,
or whole fields of an input object, the arguments are computed with placeholders. Each execution replaces the
placeholders by its values. Which variables are missing or null decides about defaults, so the computation is repeated
and kept for each such set of variables, up to a few sets. All other arguments are coerced by graphql-core in each
execution.

Executions share the values that do not come from variables, so resolvers must not change their arguments.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLBoolean,
    GraphQLError,
    GraphQLField,
    GraphQLID,
    GraphQLInputType,
    GraphQLInt,
    GraphQLSchema,
    GraphQLString,
    InlineFragmentNode,
    ListValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_argument_values,
    get_nullable_type,
    is_list_type,
    is_non_null_type,
    value_from_ast_untyped,
)

from dependencies.graphql import (
    Executor,
    FragmentDetails,
    GraphQLVariableSignature,
    VariableValues,
    VariableValueSource,
    get_variable_signature,
)

Arguments = Callable[[Executor[Any]], Mapping[str, Any]]
Convert = Callable[[dict[str, Any]], Mapping[str, Any]]
"""A function that converts the arguments that graphql-core has coerced into arguments of the resolver."""
_CLASSES: dict[Any, type] = {GraphQLString: str, GraphQLID: str, GraphQLBoolean: bool}
_INTS = range(-(1 << 31), 1 << 31)
_SCALARS = frozenset({GraphQLString, GraphQLID, GraphQLInt, GraphQLBoolean})
_MOST_TEMPLATES = 8
"""The most combinations of missing variables for which the arguments of a field are kept."""


class InvalidArguments(GraphQLError):
    """Raised if the values of an execution's variables do not fit a field's arguments, such as null for an argument
    whose type does not allow it.
    """


class RootCall(NamedTuple):
    """A call of a root field: the name of the field in the schema, and the arguments as Python values that have not
    been checked.
    """

    field: str
    arguments: dict[str, Any]


class _Declared(NamedTuple):
    signature: GraphQLVariableSignature
    is_plain: Callable[[Any], bool]
    may_be_absent: bool


class PreparedOperation:
    """An operation of a valid document, with the data that all of its executions share: its fragments, its root fields,
    and the declarations of its variables. `decisive` are the names of the variables in directives: their values decide
    which fields the operation has. `fields` is the number of fields in the operation and all fragments of its document.
    `suggestions` tells whether errors may suggest names of the schema.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        operation: OperationDefinitionNode,
        decisive: Collection[str] = (),
        fields: int = 0,
        *,
        suggestions: bool = True,
    ) -> None:
        self.schema = schema
        self.document = document
        self.operation = operation
        self.decisive = sorted(decisive)
        self.fields = fields
        self.suggestions = suggestions
        definitions = document.definitions
        self.fragments = {one.name.value: one for one in definitions if isinstance(one, FragmentDefinitionNode)}
        self.details = {name: FragmentDetails(one, None) for name, one in self.fragments.items()}
        declared = operation.variable_definitions or ()
        signatures = [get_variable_signature(schema, one) for one in declared]
        self._declared = [_declared(one) for one in signatures if not isinstance(one, GraphQLError)]
        self._is_sound = len(self._declared) == len(signatures)
        self._defaults = {
            one.variable.name.value: value_from_ast_untyped(one.default_value) for one in declared if one.default_value
        }
        self._root_fields = list(_root_fields(operation.selection_set, dict(self.fragments)))

    def variables(self, given: Mapping[str, Any]) -> VariableValues | None:
        """Returns the values of the variables for an execution if the values `given` by a request need no coercion.
        Returns None if graphql-core must coerce them.
        """
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

    def calls(self, variables: Mapping[str, Any]) -> Iterator[RootCall]:
        """Yields the calls of root fields with the variables of a request, in no particular order. `variables` are the
        values that the request sends, without defaults. `@skip` and `@include` are ignored, and fields that merge are
        yielded separately. The fields of a fragment are yielded once, even if the fragment is spread several times,
        because they are executed once.
        """
        given = {**self._defaults, **variables}
        for field in self._root_fields:
            arguments = {one.name.value: value_from_ast_untyped(one.value, given) for one in field.arguments or ()}
            yield RootCall(field.name.value, arguments)


def _root_fields(selections: SelectionSetNode, fragments: dict[str, FragmentDefinitionNode]) -> Iterator[FieldNode]:
    """Yields the fields of an operation's selection set, and of its fragments, each fragment once."""
    left = [selections]
    while left:
        for selection in left.pop().selections:
            if isinstance(selection, FieldNode):
                yield selection
            elif isinstance(selection, InlineFragmentNode):
                left.append(selection.selection_set)
            elif isinstance(selection, FragmentSpreadNode) and (spread := fragments.pop(selection.name.value, None)):
                left.append(spread.selection_set)


def _declared(signature: GraphQLVariableSignature) -> _Declared:
    optional = signature.default is None and not is_non_null_type(signature.type)
    return _Declared(signature, _plain(signature.type), optional)


def _plain(type_: GraphQLInputType) -> Callable[[Any], bool]:
    """Returns a function that takes a value, and returns True only if coercion to this type certainly returns the value
    unchanged.
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


class _Hole(NamedTuple):
    """A place for the value of a variable: an argument, or an attribute of an argument that is an input object."""

    variable: str
    argument: str
    attribute: str | None


class _Template(NamedTuple):
    """The arguments of a resolver (`known`), with `holes` for the values of variables. `objects` are the names of the
    arguments whose attributes have holes.
    """

    known: Mapping[str, Any]
    holes: Sequence[_Hole]
    objects: Sequence[str]


def arguments(field: GraphQLField, node: FieldNode, convert: Convert) -> Arguments:
    """Returns a function that computes the arguments of a field's resolver for an execution. `convert` converts the
    arguments that graphql-core has coerced. The function raises InvalidArguments if the values of variables do not fit
    the field's arguments.
    """
    return _Arguments(field, node, convert) if field.args else lambda _: {}


class _Arguments:
    """Computes the arguments of a field's resolver. Keeps a template for each set of variables that are missing or
    null, because these decide which defaults apply.
    """

    def __init__(self, field: GraphQLField, node: FieldNode, convert: Convert) -> None:
        self._field = field
        self._node = node
        self._convert = convert
        self._names = [name for argument in node.arguments or () for name in _variables(argument.value)]
        self._templates: dict[Sequence[tuple[str, bool]], _Template | None] = {}

    def __call__(self, executor: Executor[Any]) -> Mapping[str, Any]:
        given = executor.variable_values.coerced
        missing = tuple([(name, name in given) for name in self._names if given.get(name) is None])
        if missing not in self._templates and len(self._templates) < _MOST_TEMPLATES:
            self._templates[missing] = self._template(executor.variable_values, missing)
        template = self._templates.get(missing)
        if template is None:
            return self._coerced(executor.variable_values)
        if not template.holes:
            return template.known
        filled = dict(template.known)
        for argument in template.objects:
            filled[argument] = copy(filled[argument])
        for variable, argument, attribute in template.holes:
            if attribute is None:
                filled[argument] = given[variable]
            else:
                setattr(filled[argument], attribute, given[variable])
        return filled

    def _template(self, values: VariableValues, missing: Sequence[tuple[str, bool]]) -> _Template | None:
        """Returns the template for executions in which the variables of `missing` have no value; the bool beside the
        name of a variable is True if the variable is null, False if it is absent. Returns None if a variable is not a
        scalar or fills only a part of a value. Then there is no template, and graphql-core coerces the arguments in
        each execution.
        """
        types = [values.sources[name].signature.type for name in self._names if name in values.sources]
        if len(types) < len(self._names) or not all(get_nullable_type(type_) in _SCALARS for type_ in types):
            return None
        rest = [name for name in self._names if name not in dict(missing)]
        placeholders = {name: object() for name in rest}
        null = {name: None for name, is_null in missing if is_null}
        known = self._coerced(VariableValues(values.sources, placeholders | null))
        holes = list(_holes(known, {id(placeholder): name for name, placeholder in placeholders.items()}))
        if sorted(hole.variable for hole in holes) != sorted(rest):
            return None
        return _Template(known, holes, sorted({hole.argument for hole in holes if hole.attribute is not None}))

    def _coerced(self, values: VariableValues) -> Mapping[str, Any]:
        try:
            given = get_argument_values(self._field, self._node, values)
        except GraphQLError as error:
            raise InvalidArguments(error.message, error.nodes) from error
        return self._convert(given)


def _holes(known: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[_Hole]:
    for argument, value in known.items():
        if id(value) in names:
            yield _Hole(names[id(value)], argument, None)
        elif is_dataclass(value):
            for attribute, inner in vars(value).items():
                if id(inner) in names:
                    yield _Hole(names[id(inner)], argument, attribute)


def _variables(value: ValueNode) -> Iterator[str]:
    """Yields the names of the variables in a literal, once for each place."""
    if isinstance(value, ListValueNode):
        for item in value.values:
            yield from _variables(item)
    elif isinstance(value, ObjectValueNode):
        for field in value.fields:
            yield from _variables(field.value)
    elif isinstance(value, VariableNode):
        yield value.name.value
