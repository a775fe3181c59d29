"""Typical bugs of query compilers, which tests plant to prove that they would be found."""

from collections.abc import Callable
from typing import Any

import pytest

from dependencies.graphql import collect_subfields
from execution import compile as compiling
from execution import complete
from execution.inputs import PreparedOperation, arguments
from execution.plans import Plans

Bug = Callable[[pytest.MonkeyPatch], None]


def drops_merged_fields(patch: pytest.MonkeyPatch) -> None:
    collect = collect_subfields

    def first_alone(schema: Any, fragments: Any, values: Any, operation: Any, type_: Any, details: Any) -> Any:
        return collect(schema, fragments, values, operation, type_, details[:1])

    patch.setattr(compiling, "collect_subfields", first_alone)


def ignores_the_arguments_of_aliases(patch: pytest.MonkeyPatch) -> None:
    seen: dict[int, Any] = {}

    def of_the_first(field: Any, node: Any, convert: Any) -> Any:
        return arguments(field, seen.setdefault(id(field), node), convert)

    patch.setattr(compiling, "arguments", of_the_first)


def gives_items_to_the_wrong_parent(patch: pytest.MonkeyPatch) -> None:
    deal = complete._dealt

    def shifted(items: list[bytes], values: Any) -> list[bytes]:
        dealt = deal(items, values)
        whose = [i for i, one in enumerate(dealt) if one != complete.NULL]
        for i, j in zip(whose, [*whose[1:], *whose[:1]], strict=True):
            dealt[i] = deal(items, values)[j]
        return dealt

    patch.setattr(complete, "_dealt", shifted)


def checks_no_nulls(patch: pytest.MonkeyPatch) -> None:
    def nullable(make: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *of: make(*of[:-1], True)

    for name in ("leaf", "list_of", "objects", "objects_by_class"):
        patch.setattr(compiling, name, nullable(getattr(compiling, name)))


def ignores_variables_of_directives(patch: pytest.MonkeyPatch) -> None:
    plan_for = Plans.plan_for

    def of_any(self: Plans, prepared: PreparedOperation, variables: Any) -> Any:
        with patch.context() as names:
            names.setattr(prepared, "decisive", [])
            return plan_for(self, prepared, variables)

    patch.setattr(Plans, "plan_for", of_any)


BUGS: dict[str, Bug] = {
    "drops merged fields": drops_merged_fields,
    "ignores the arguments of aliases": ignores_the_arguments_of_aliases,
    "gives items to the wrong parent": gives_items_to_the_wrong_parent,
    "checks no nulls": checks_no_nulls,
    "ignores variables of directives": ignores_variables_of_directives,
}
