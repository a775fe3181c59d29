"""The paths of values in a response. They are computed only when an error needs one."""

from collections.abc import Sequence
from typing import Any


class Frame:
    """The places of one column of values in the response. Value `i` is below the value `origins[i]` of the frame
    `above`, or below the value `i` without `origins`. With a `key`, it is the member with this key; otherwise it has
    the path of the value above.
    """

    __slots__ = ("above", "key", "origins")

    def __init__(
        self, above: "Frame | None" = None, key: str | None = None, origins: Sequence[int] | None = None
    ) -> None:
        self.above = above
        self.key = key
        self.origins = origins

    @property
    def names(self) -> list[str]:
        """Returns the response keys on the path of the values, without positions in lists."""
        own = [] if self.key is None else [self.key]
        return self.above.names + own if self.above else own

    @property
    def is_root(self) -> bool:
        """Returns whether the values are those of root fields."""
        return self.above is not None and self.above.above is None

    def path(self, i: int) -> list[str | int]:
        """Returns the path of value `i` in the response: keys and list positions."""
        above = self.above.path(i if self.origins is None else self.origins[i]) if self.above else []
        return above if self.key is None else [*above, self.key]


class ItemFrame(Frame):
    """The places of the items of a column of lists. The column may contain None in place of a list."""

    __slots__ = ("_lists",)

    def __init__(self, above: Frame, lists: Sequence[Any]) -> None:
        super().__init__(above)
        self._lists = lists

    def path(self, i: int) -> list[str | int]:
        """Returns the path of item `i` in the response: that of its list, and its position in the list."""
        positions = ((at, place) for at, one in enumerate(self._lists) for place in range(len(one or ())))
        at, place = next(position for count, position in enumerate(positions) if count == i)
        assert self.above is not None
        return [*self.above.path(at), place]
