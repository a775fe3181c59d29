"""Runs queries, mutations and subscriptions: by a compiled plan, which computes each field for a whole list of objects
at once, or as Strawberry does. Also describes the schema's fields to the compiler of plans.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import cache, partial
from operator import attrgetter
from typing import Any, cast

import strawberry
from graphql import (
    ExecutionResult,
    GraphQLError,
    GraphQLField,
    GraphQLObjectType,
    create_source_event_stream,
    default_field_resolver,
    default_type_resolver,
    execute_subscription_event,
)
from prometheus_client import Counter

from context import Context
from dependencies.graphql import Executor as CoreExecutor
from dependencies.strawberry import (
    ExecutionContext,
    Schema,
    StrawberryField,
    convert_arguments,
    declaration,
    optimized_is_awaitable,
)
from domain.errors import PlauditError, Unavailable
from execution.compile import Described
from execution.documents import DocumentOperation, Documents
from execution.plans import PlannedExecutor, Plans
from execution.run import Excuse, Expected
from identity.permissions import is_ruled
from observability import metrics
from schema.access import PERSONAL, RULE, declarations
from schema.fields import Lookup, without_unset

_RESOLVERS = default_field_resolver, default_type_resolver, default_field_resolver
_SHARED = frozenset({"Comment", "Entity", "Post", "User"})
"""The types whose rows the read-through caches of a process share between requests."""


@cache
def documents_of(schema: Schema, *, shown: bool) -> Documents:
    """Returns the cache of parsed GraphQL documents for a schema, which all requests of the process share. `shown`
    allows introspection, and names of the schema as suggestions in errors.
    """
    watched = partial(is_ruled, declarations(schema.graphql_core, RULE))
    return Documents(schema.graphql_core, _is_personal, watched, introspection=shown, suggestions=shown)


def _is_personal(field: GraphQLField) -> bool:
    declared = declaration(field)
    return declared is not None and declared.metadata.get(PERSONAL, False)


def plans_of(schema: Schema) -> Plans:
    """Returns the cache of compiled plans for operations on this schema."""

    def describe(field: GraphQLField) -> Described:
        declared = declaration(field)
        assert declared is not None
        if declared.extensions or declared.permission_classes:
            return Described()
        if declared.is_subscription:
            return Described(read=lambda event: event)
        if declared.is_basic_field:
            return Described(read=attrgetter(declared.python_name))

        def arguments(given: dict[str, Any]) -> dict[str, Any]:
            return convert_arguments(given, declared.arguments, schema.scalars, schema.config)

        return _computed(declared, arguments)

    return Plans(
        describe,
        _is_shared,
        Expected(errors=PlauditError, excused=Unavailable),
        report=lambda outcome, reason: _counter(outcome, reason).inc(),
    )


@cache
def _counter(outcome: str, reason: str) -> Counter:
    return metrics.PLANS.labels(outcome, reason)


def _is_shared(type_: GraphQLObjectType) -> bool:
    """Returns whether the objects of a type are rows that the read-through caches of the process share."""
    return type_.name in _SHARED


def _computed(field: StrawberryField, arguments: Callable[[dict[str, Any]], dict[str, Any]]) -> Described:
    """Returns how a plan gets the value of a field that has a lookup (`Batched` or `Listed`) or a resolver. `arguments`
    converts the arguments of the field for the resolver.
    """
    if lookup := field.metadata.get(Lookup):
        return Described(lookup=lookup, arguments=lambda given: without_unset(arguments(given)))
    if read := _method(field):
        return Described(read=read)
    resolve = _direct(field)
    return Described(resolve=resolve, arguments=arguments) if resolve else Described()


def _method(field: StrawberryField) -> Callable[[Any], Any] | None:
    """Returns the function of a field's resolver if it needs only the parent object; otherwise None."""
    resolver = field.base_resolver
    if resolver is None or resolver.is_async or resolver.info_parameter or field.arguments:
        return None
    return cast("Callable[[Any], Any]", resolver.wrapped_func) if resolver.self_parameter else None


def _direct(field: StrawberryField) -> Callable[..., Any] | None:
    """Returns a field's resolver without Strawberry's wrapper if it takes its parent and `info`; otherwise None."""
    resolver = field.base_resolver
    if resolver is None or not (resolver.self_parameter and resolver.info_parameter):
        return None
    call = cast("Callable[..., Any]", resolver.wrapped_func)
    return lambda parent, info, **given: call(parent, strawberry.Info(info, field), **given)


async def execute(
    schema: Schema, operation: DocumentOperation, variables: dict[str, Any] | None, context: Context
) -> ExecutionResult:
    """Runs a query or mutation, by its compiled plan if there is one. Returns the result with its data and errors."""
    executor = _executor(schema, operation, variables, context)
    if isinstance(executor, list):
        return ExecutionResult(None, executor)
    try:
        result: Any = executor.execute_operation()
        return cast("ExecutionResult", await result if isinstance(result, Awaitable) else result)
    finally:
        _release(executor)


async def subscribe(
    schema: Schema, operation: DocumentOperation, variables: dict[str, Any] | None, context: Context
) -> AsyncGenerator[ExecutionResult] | ExecutionResult:
    """Starts a subscription. Returns a stream with one result per event, or a result with errors if it cannot start."""
    executor = _executor(schema, operation, variables, context)
    if isinstance(executor, list):
        return ExecutionResult(None, executor)
    source = create_source_event_stream(executor)
    source = await source if isinstance(source, Awaitable) else source
    if isinstance(source, ExecutionResult):
        _release(executor)
        return source
    return _results(executor, source)


def _executor(
    schema: Schema, operation: DocumentOperation, variables: dict[str, Any] | None, context: Context
) -> CoreExecutor[Any] | list[GraphQLError]:
    """Returns the executor for one operation, or the errors in its variables."""
    settings, prepared = context.state.settings, operation.prepared
    options: dict[str, Any] = {"is_awaitable": optimized_is_awaitable, "hide_suggestions": not prepared.suggestions}
    known = prepared.variables(variables or {}) if settings.compiled_plans else None
    if known is None:
        built = Executor.build(
            schema.graphql_core,
            prepared.document,
            context_value=context,
            raw_variable_values=variables,
            operation_name=operation.name,
            max_coercion_errors=1,
            **options,
        )
    else:
        of_all = prepared.schema, prepared.fragments, prepared.details, None, context, prepared.operation
        built = Executor(*of_all, known, *_RESOLVERS, **options)
    if settings.compiled_plans and isinstance(built, Executor):
        built.prepared = prepared
    return built


async def _results(executor: CoreExecutor[Any], source: Any) -> AsyncGenerator[ExecutionResult]:
    """Yields the result of each event of `source`. Raises Unavailable if an event takes longer than the request
    timeout, because its values may be outdated by then.
    """
    most = executor.context_value.state.settings.request_timeout
    try:
        async with aclosing(source):
            async for event in source:
                try:
                    async with asyncio.timeout(most):
                        result = await _result(executor.build_per_event_executor(event))
                except TimeoutError:
                    raise Unavailable from None
                yield result
    finally:
        _release(executor)


async def _result(of_event: CoreExecutor[Any]) -> ExecutionResult:
    """Runs the executor of one event and returns the result of the event."""
    try:
        result = execute_subscription_event(of_event)
        return await result if isinstance(result, Awaitable) else result
    finally:
        _release(of_event)


def _release(executor: CoreExecutor[Any]) -> None:
    """Empties an executor after its last use, which frees its memory. The executor refers to itself, so otherwise its
    memory would be free only after a garbage collection.
    """
    vars(executor).clear()


class Executor(PlannedExecutor, ExecutionContext):
    """Executes one operation: by its compiled plan, or as Strawberry does if the operation has no plan."""

    def excuse(self, excuse: Excuse) -> None:
        """Records that a field is null because its value could not be read. `extensions.degraded` of the response lists
        it.
        """
        context: Context = self.context_value
        assert isinstance(excuse.error, Unavailable)
        context.degraded.missing(excuse.names, excuse.coordinate, excuse.error)
