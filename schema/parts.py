"""Collects the classes that the modules of a package contribute to a GraphQL type. So a new module can add fields
without an entry in a list.
"""

from typing import Any

from domain.packages import modules_of


def parts(package: str, name: str) -> list[Any]:
    """Imports all modules of a package. Returns the classes named `name` that they define, in module order."""
    return [vars(module)[name] for module in modules_of(package) if name in vars(module)]
