"""Remembers what a function returns for texts, so that each text is processed once."""

from collections.abc import Callable
from typing import TypeVar

V = TypeVar("V")
_MOST = 4_000_000
"""The most characters of texts that are remembered. They take 4 to 16 MB."""
_ENTRY = 250
"""About how many characters take as much memory as the rest of an entry."""


class Remembered(dict[str, V]):
    """The results of a function by text. Calls the function when a text is first looked up. Forgets everything when the
    texts become too long together.
    """

    def __init__(self, function: Callable[[str], V]) -> None:
        super().__init__()
        self._function = function
        self._size = 0

    def __missing__(self, text: str) -> V:
        if self._size > _MOST:
            self.clear()
            self._size = 0
        self._size += len(text) + _ENTRY
        self[text] = self._function(text)
        return self[text]
