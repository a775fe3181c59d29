"""What a document comes to, in numbers, and the most of each that is served."""

from dataclasses import dataclass

ENDLESS = 10**12
"""Numbers stop growing here: fragments that double forty times come to more than anybody could count."""


class TooCostly(Exception):
    """A document beyond a limit. The message says which, and what the document has."""

    def __init__(self, what: str, has: int, limit: int) -> None:
        had = "too many to count" if has >= ENDLESS else str(has)
        super().__init__(f"The document is beyond the limit of {limit} for its {what}: it has {had}.")
        self.what = what
        self.has = has
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Price:
    """`cost`, `depth` and `root_fields` are the operation's; the rest is the whole document's, which validation reads.

    `fields`, `aliases` and `directives` count a fragment as often as it is spread. `repeated` is how many fields may
    share one place in the response. `literals` are arguments, with what is inside them, and variables. `comparisons`
    bounds what validation does beyond reading: pairs that it checks for whether they merge, input objects that it
    prints. `visits` says how many selections and literals were looked at to find all this out. `values` counts what
    arguments pass to fields, written out or by variables, as often as they pass it. A quarter of visits and values is
    what the operation costs at least.
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
    """The most that is served: several times what the largest pages that people look at need.

    A mutation has a `cost` of its own: no plan runs what it selects, so that each point takes several times as long.
    Reading a document that is not known takes 20 ms of CPU time at most within these limits, on a slow processor.
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
"""What trusted documents may have."""


def check_text(query: str, limits: Limits) -> None:
    """Raises TooCostly for a text not even worth parsing: parsing takes time for every character of a string."""
    if len(query) > limits.characters:
        raise TooCostly("characters", len(query), limits.characters)


def check(price: Price, limits: Limits) -> None:
    """Raises TooCostly for the first limit that a document is beyond."""
    for name in _OF_DOCUMENTS:
        _within(name.replace("_", " "), getattr(price, name), getattr(limits, name))
    check_running(price, limits)


def check_running(price: Price, limits: Limits) -> None:
    """Raises TooCostly for what costs too much to run, however well its document is known."""
    _within("values", price.values, limits.values)
    _within("cost", price.cost, limits.cost)


_OF_DOCUMENTS = (
    *("definitions", "literals", "visits", "fields", "depth", "root_fields", "aliases", "directives", "repeated"),
    "comparisons",
)


def check_mutation(price: Price, limits: Limits) -> None:
    """Raises TooCostly for a mutation that selects more than one may."""
    _within("cost as a mutation", price.cost, limits.mutation_cost)


def _within(what: str, has: int, limit: int) -> None:
    if has > limit:
        raise TooCostly(what, has, limit)
