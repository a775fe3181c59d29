"""Finds the parts of a GraphQL type in the modules of a package, so that a new module adds fields without an entry in a
list.
"""

from typing import Any

from domain.packages import modules_of


def parts(package: str, name: str) -> list[Any]:
    """Imports the modules of a package. Returns the classes with this name that they define, in the order of the
    modules.
    """
    return [vars(module)[name] for module in modules_of(package) if name in vars(module)]
