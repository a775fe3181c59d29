"""The price of a document, the limits that it is checked against, and the limits of variables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOST_KEPT_BYTES = 16_384
"""The most bytes of JSON that the variables of a subscription may have: they are kept while the subscription runs."""
ENDLESS = 10**12
"""The maximum of all numbers in a price. Without it, nested fragments could make numbers of any length."""


class TooCostly(Exception):
    """Raised for a document that exceeds a limit. `what` names the measurement, `has` is its value in the document, and
    `limit` is the most that is allowed.
    """

    def __init__(self, what: str, has: int, limit: int) -> None:
        had = "too many to count" if has >= ENDLESS else str(has)
        super().__init__(f"The document is beyond the limit of {limit} for its {what}: it has {had}.")
        self.what = what
        self.has = has
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Price:
    """The measurements of a document. `cost`, `event_cost`, `depth`, `root_fields` and `values` are measured for the
    operation, the others for the whole document, because validation reads the whole document. `cost` is in points,
    about one for each field of each object. `event_cost` is the cost of one event, if the operation is a subscription:
    an event has one of the objects that the arguments name.

    `fields`, `aliases` and `directives` count a fragment each time it is spread. `repeated` is the largest number of
    fields that have the same response key in the same selection. `literals` counts arguments, the values inside them,
    and variables. `comparisons` is an upper bound for the work of validation: pairs of fields to compare, and input
    objects to print. `visits` counts selections and literals; it counts a fragment once, however often it is spread.
    `values` counts the values that arguments pass to fields. An operation costs at least a quarter of its visits and
    values.
    """

    cost: int = 0
    event_cost: int = 0
    depth: int = 0
    root_fields: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    repeated: int = 0
    definitions: int = 0
    literals: int = 0
    comparisons: int = 0
    visits: int = 0
    values: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of documents. The defaults are several times as high as the largest usual pages need.

    Mutations have their own limit for `cost`, because each of their root fields writes. Within these limits, parsing
    and validating an unknown document takes at most 20 ms of CPU time on a slow processor.
    """

    cost: int = 50_000
    mutation_cost: int = 5000
    depth: int = 20
    root_fields: int = 30
    fields: int = 400
    aliases: int = 100
    directives: int = 50
    repeated: int = 30
    definitions: int = 30
    literals: int = 200
    comparisons: int = 1000
    visits: int = 200
    values: int = 1000
    tokens: int = 1000
    characters: int = 10_000


LARGEST = Limits(
    fields=2000,
    aliases=500,
    directives=200,
    definitions=100,
    literals=1000,
    comparisons=5000,
    visits=2000,
    tokens=10_000,
    characters=100_000,
)
"""The limits with which trusted documents (of manifests of persisted operations) are checked before an import. When a
trusted document runs, only the measurements of OF_TRUSTED are checked.
"""
OF_TRUSTED = "values", "cost"
"""The measurements that are limited in trusted documents, too: they tell what running the operation costs."""
OF_DOCUMENTS = (
    *("definitions", "literals", "visits", "fields", "depth", "root_fields", "aliases", "directives", "repeated"),
    *("comparisons", *OF_TRUSTED),
)
"""The measurements that are limited in documents that are not trusted, in the order of the checks."""


def check_text(query: str, limits: Limits) -> None:
    """Raises TooCostly if a text is too long to be parsed."""
    if len(query) > limits.characters:
        raise TooCostly("characters", len(query), limits.characters)


def check(price: Price, limits: Limits, measurements: Sequence[str] = OF_DOCUMENTS) -> None:
    """Raises TooCostly for the first of these measurements that exceeds its limit."""
    for name in measurements:
        has, limit = getattr(price, name), getattr(limits, name)
        if has > limit:
            raise TooCostly(name.replace("_", " "), has, limit)


def measured(value: Any) -> tuple[int, int]:
    """Returns the number of values in a JSON value, including the value itself, and the depth to which lists and
    objects are nested (0 for a string or number). Works without recursion, so that deep values cannot exhaust the
    stack.
    """
    values, depth, level = 1, 0, [value]
    while level := [one for one in level if isinstance(one, (dict, list))]:
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one)]
        values, depth = values + len(level), depth + 1
    return values, depth
