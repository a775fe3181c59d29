"""Objects that are left to the garbage collector."""

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_OURS = (
    *("api.", "context", "execution.", "loaders.", "resolvers.", "schema.", "store.", "state"),
    "graphql.",
)
"""The beginnings of the names of the classes that are counted."""


@contextmanager
def garbage() -> Iterator[Counter[str]]:
    """Yields a counter, by class, of the objects that the block leaves to the garbage collector: the project's, and
    those of its GraphQL library. The counter is filled at the end of the block.
    """
    left = Counter[str]()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield left
        gc.collect()
        classes = (f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.garbage)
        left.update(one for one in classes if one.startswith(_OURS))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
