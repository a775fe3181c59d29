"""Checks that a library has the parts that dependencies/ takes. The messages say what to do if it has not."""

from collections.abc import Callable
from importlib.metadata import version
from inspect import signature
from typing import Any, NamedTuple


class Library(NamedTuple):
    """A library: its name on PyPI, and the name of its module and of that in dependencies/."""

    name: str
    module: str

    def has(self, thing: object, *names: str) -> None:
        """Fails if an object or class does not have all these attributes."""
        gone = [name for name in names if not hasattr(thing, name)]
        what = thing if isinstance(thing, type) else type(thing)
        assert not gone, self.has_changed(f"{what.__qualname__} has no {', '.join(gone)}")

    def takes(self, function: Callable[..., Any], *parameters: str, by_name: tuple[str, ...] = ()) -> None:
        """Fails if a function or class does not take these arguments: the first ones in this order, others by name."""
        given = list(signature(function).parameters)
        fits = given[: len(parameters)] == list(parameters) and {*by_name} <= {*given}
        assert fits, self.has_changed(f"{function.__qualname__} takes {', '.join(given)}")

    def has_changed(self, how: str) -> str:
        """Returns the message of a failed check."""
        return (
            f"{self.name} {version(self.name)} has changed: {how}. "
            f"The docstring of dependencies/{self.module}.py says what to do."
        )
