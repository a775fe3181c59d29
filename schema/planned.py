"""The plans of this schema: how its fields tell the compiler what they need."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, cast

import strawberry
from graphql import GraphQLField
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.types.arguments import convert_arguments
from strawberry.types.field import StrawberryField

import metrics
from context import Context
from errors import PlauditError
from execution.compile import Described
from execution.plans import PlannedExecutor, Plans
from schema.batched import Lookup, without_unset


def plans_of(schema: strawberry.Schema) -> Plans:
    """The plans of operations of this schema."""
    registry = schema.schema_converter.scalar_registry

    def describe(field: GraphQLField) -> Described:
        declared: StrawberryField = field.extensions["strawberry-definition"]
        if declared.extensions or declared.permission_classes:
            return Described()
        if declared.is_basic_field:
            return Described(read=attrgetter(declared.python_name))
        if lookup := declared.metadata.get(Lookup):
            names = declared.arguments
            return Described(
                None, lookup, lambda given: without_unset(convert_arguments(given, names, registry, schema.config))
            )
        return Described(read=_method(declared))

    return Plans(describe, PlauditError, _report)


def _method(field: StrawberryField) -> Callable[[Any], Any] | None:
    """A resolver that looks at its parent alone."""
    resolver = field.base_resolver
    if resolver is None or resolver.is_async or resolver.info_parameter or field.arguments:
        return None
    return cast("Callable[[Any], Any]", resolver.wrapped_func) if resolver.self_parameter else None


def _report(what: str, why: str) -> None:
    metrics.PLANS.labels(what, why).inc()


class Executor(PlannedExecutor, StrawberryGraphQLCoreExecutionContext):
    """Plans where there are any, Strawberry's executor for the rest."""

    @property
    def is_planned(self) -> bool:
        """As the setting says."""
        context: Context = self.context_value
        return context.state.settings.plans
