"""The measured numbers of a document, and their limits."""

from dataclasses import dataclass

ENDLESS = 10**12
"""The value at which numbers stop growing: fragments that double forty times would make enormous numbers."""


class TooCostly(Exception):
    """The document exceeds a limit. The message names the limit and the document's value."""

    def __init__(self, what: str, has: int, limit: int) -> None:
        had = "too many to count" if has >= ENDLESS else str(has)
        super().__init__(f"The document is beyond the limit of {limit} for its {what}: it has {had}.")
        self.what = what
        self.has = has
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Price:
    """The measured numbers of a document. `cost`, `depth` and `root_fields` are those of the operation; the others are
    of the whole document, because validation reads all of it.

    `fields`, `aliases` and `directives` count a fragment each time it is spread. `repeated` is the largest number of
    fields with one response key in one place. `literals` are arguments, the values inside them, and variables.
    `comparisons` bounds the work of validation beyond reading: pairs of fields that it compares, and input objects that
    it prints. `visits` is the number of selections and literals that were looked at. `values` are the values that
    arguments pass to fields, counted each time. An operation costs at least a quarter of its visits and values.
    """

    cost: int = 0
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
    """The limits of documents. They allow several times what the largest usual pages need.

    Mutations have their own limit for `cost`: their payloads are executed without plans, so each point takes several
    times as long. Within these limits, parsing and validating an unknown document takes at most 20 ms of CPU time on a
    slow processor.
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
"""The limits of trusted documents."""


def check_text(query: str, limits: Limits) -> None:
    """Raises TooCostly if a text is too long to be parsed."""
    if len(query) > limits.characters:
        raise TooCostly("characters", len(query), limits.characters)


def check(price: Price, limits: Limits) -> None:
    """Raises TooCostly for the first limit that a document exceeds."""
    for name in _OF_DOCUMENTS:
        _within(name.replace("_", " "), getattr(price, name), getattr(limits, name))
    check_running(price, limits)


def check_running(price: Price, limits: Limits) -> None:
    """Raises TooCostly if an operation costs too much to run. This also applies to known documents."""
    _within("values", price.values, limits.values)
    _within("cost", price.cost, limits.cost)


_OF_DOCUMENTS = (
    *("definitions", "literals", "visits", "fields", "depth", "root_fields", "aliases", "directives", "repeated"),
    "comparisons",
)


def check_mutation(price: Price, limits: Limits) -> None:
    """Raises TooCostly if a mutation costs more than mutations may."""
    _within("cost as a mutation", price.cost, limits.mutation_cost)


def _within(what: str, has: int, limit: int) -> None:
    if has > limit:
        raise TooCostly(what, has, limit)
