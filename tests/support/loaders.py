"""Loaders with planted faults."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import pytest

from loaders.loader import Loader


def replace_loader(
    patch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    make: Callable[[Any, Loader[Any, Any]], Loader[Any, Any]],
) -> None:
    """Replaces the loader `name` of the objects of a class by `make(object, original)`."""
    original: cached_property[Loader[Any, Any]] = getattr(owner, name)
    replacement = cached_property(lambda self: make(self, original.func(self)))
    replacement.__set_name__(owner, name)
    patch.setattr(owner, name, replacement)


def break_loader(patch: pytest.MonkeyPatch, owner: type, name: str) -> None:
    """Lets every batch of a loader raise an unexpected error."""

    async def fail(*_: Any) -> Any:
        raise RuntimeError("broken")

    replace_loader(patch, owner, name, lambda _, __: Loader(name, fail))
