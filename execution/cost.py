"""Computes the price of a document before validation. Its main part is the cost in points: an upper bound that counts
each field once for each object of which it is read.

Each definition is walked once, in time linear in its size. The total of a fragment is computed once and added wherever
the fragment is spread. `@skip` and `@include` are ignored, and fields that merge are counted separately. No function is
recursive, so that deep documents cannot exhaust the stack.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphql import DocumentNode, FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode

from execution.limits import ENDLESS, Price
from execution.list_lengths import Lengths
from execution.selections import Definition, Walk, innermost_first

LEAST_COST = 10
"""The least cost of an operation and of an event, in points. Even the smallest operation takes as much CPU time as ten
points of a page.
"""


def price(
    schema: GraphQLSchema, document: DocumentNode, operation_name: str | None, variables: Mapping[str, Any] | None
) -> Price:
    """Returns the price of an operation (its cost, depth and other measurements) in a parsed document, which need not
    be valid. If `operation_name` does not determine one operation, each measurement is the highest of all candidates.
    Raises Cyclic if a fragment contains itself.
    """
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    chosen = [node for node in operations if node.name and node.name.value == operation_name] or operations
    walk = Walk(schema, Lengths(variables or {}, chosen))
    fragments = _fragments(walk, schema, document)
    roots = [walk.part(node, schema.get_root_type(node.operation)) for node in operations]
    parts = [*fragments.values(), *roots]
    spread = {name for part in parts for name in part.spreads()}
    for part in (*innermost_first(fragments), *roots):
        part.settle(fragments)
    may_run = set(map(id, chosen))  # `==` would compare the contents of the nodes
    run = [part.total for part, node in zip(roots, operations, strict=True) if id(node) in may_run]
    alone = [part.total for part in roots]
    alone += [part.total for name, part in fragments.items() if name not in spread]
    repeated = max((total.repeated for total in alone), default=0)
    visits, values = walk.selections + walk.literals, max((total.values for total in run), default=0)
    return Price(
        cost=max(
            [(visits + values) // 4, *(total.cost for total in run)]
        ),  # operations that do not run must be read too
        event_cost=max((total.cost_of_one for total in run), default=0),
        depth=max((total.depth for total in run), default=0),
        root_fields=max((total.width for total in run), default=0),
        fields=_sum(total.fields for total in alone),
        aliases=_sum(total.aliases for total in alone),
        directives=_sum(total.directives for total in alone),
        repeated=repeated,
        definitions=len(document.definitions),
        literals=walk.literals,
        comparisons=_comparisons(walk, parts, repeated),
        visits=visits,
        values=values,
    )


def _fragments(walk: Walk, schema: GraphQLSchema, document: DocumentNode) -> dict[str, Definition]:
    """Returns the fragments of a document by name. If several fragments share a name, all but the first are returned
    under names that no operation can spread: validation reads them, too, so they must be counted.
    """
    fragments: dict[str, Definition] = {}
    for node in document.definitions:
        if isinstance(node, FragmentDefinitionNode):
            name = node.name.value
            unique = f"{name} {len(fragments)}" if name in fragments else name
            fragments[unique] = walk.part(node, schema.get_type(node.type_condition.name.value))
    return fragments


def _comparisons(walk: Walk, parts: Sequence[Definition], repeated: int) -> int:
    """Returns an upper bound for the work of validation (`Price.comparisons`), as a number of comparisons: of fragments
    with each other, and of fields with the same response key. Adds the work of printing invalid input objects.
    `repeated` is the largest number of fields with one response key in one selection.
    """
    met = [level.met for part in parts for level in part.levels]
    pairs = sum(n * (n + 1) // 2 for n in met) + repeated * sum(met) + walk.fields * max(0, repeated - 1) // 2
    return min(pairs + walk.printed * 2 // 3, ENDLESS)


def _sum(numbers: Iterable[int]) -> int:
    return min(sum(numbers), ENDLESS)
