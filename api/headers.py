"""The headers of an HTTP request."""

from collections.abc import Iterable


class Headers:
    """The headers of a request, by name. Names are in lower case."""

    __slots__ = ("_values",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._values.setdefault(name, []).append(value)

    def __contains__(self, name: str) -> bool:
        return name.encode() in self._values

    def all(self, name: str) -> list[str]:
        """Returns the values of all headers with this name, in order."""
        return [value.decode("latin-1") for value in self._values.get(name.encode(), ())]

    def joined(self, name: str) -> str:
        """Returns the values of all headers with this name, separated by commas; an empty text if there are none."""
        return ",".join(self.all(name))

    def first(self, name: str) -> str | None:
        """Returns the value of the first header with this name, or None."""
        return next(iter(self.all(name)), None)
