"""Imports all modules of a package, so that a new module needs no entry in a list."""

import pkgutil
from importlib import import_module
from types import ModuleType


def modules_of(package: str) -> list[ModuleType]:
    """Imports the modules of a package whose names do not begin with `_`. Returns them in the order of their names."""
    names = sorted(
        found.name for found in pkgutil.iter_modules(import_module(package).__path__) if not found.name.startswith("_")
    )
    return [import_module(f"{package}.{name}") for name in names]
