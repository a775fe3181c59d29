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
    those of its GraphQL library. The counter is filled at the end of the block. Objects that existed before the block
    do not count: earlier tests may still have held them.
    """
    left = Counter[str]()
    gc.collect()
    earlier = set(map(id, gc.get_objects()))
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield left
        gc.collect()
        new = (type(one) for one in gc.garbage if id(one) not in earlier)
        classes = (f"{class_.__module__}.{class_.__qualname__}" for class_ in new)
        left.update(one for one in classes if one.startswith(_OURS))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
