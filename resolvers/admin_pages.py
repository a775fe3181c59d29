"""Pages of the lists of the administration API. Their cursors contain the key of the last item, which is text."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from domain.cursors import Cursors
from domain.errors import BadCursor
from resolvers.pages import Connection
from store.cache.lists import Item

Row = TypeVar("Row")
Key = tuple[str, ...]
_SEPARATOR = "\0"
"""Stands between the parts of a key, which Postgres stores; so they do not contain it."""


def after_key(cursors: Cursors, scope: str, after: str | None) -> Key | None:
    """Returns the key in the cursor `after`; None without a cursor. Raises BadCursor if it is not a cursor of the
    list.
    """
    if after is None:
        return None
    (number, *_) = cursors.open(scope, after)
    try:
        content = number.to_bytes((number.bit_length() + 7) // 8)[1:].decode()
    except (OverflowError, ValueError) as error:
        raise BadCursor("This is not a cursor of this list.") from error
    return tuple(content.split(_SEPARATOR))


def page(
    cursors: Cursors, scope: str, rows: Sequence[Row], first: int, after: str | None, key: Callable[[Row], Key]
) -> Connection[Row]:
    """Returns the page of the list named `scope` that begins after the cursor `after`. `rows` are up to `first` + 1
    rows from there on, and `key` returns the key of a row.
    """
    shown = rows[:first]

    def places(at: int) -> Sequence[int]:
        return (int.from_bytes(b"\1" + _SEPARATOR.join(key(shown[at])).encode()),)

    items = [Item(at, at) for at in range(len(shown))]
    by_id: dict[int, Row | None] = dict(enumerate(shown))
    return Connection(cursors, scope, items, 0, by_id, len(rows) > first, after is not None, places=places)
