"""The list of projections is complete, and no two projections claim the same entries or events."""

import pkgutil
from importlib import import_module

import projections
from projections.projection import Projection
from projections.registry import PROJECTIONS


def test_the_list_has_the_projection_of_every_module() -> None:
    modules = [import_module(f"projections.{module.name}") for module in pkgutil.iter_modules(projections.__path__)]
    found = [module.PROJECTION for module in modules if hasattr(module, "PROJECTION")]

    assert all(isinstance(one, Projection) for one in found)
    assert {*found} == {*PROJECTIONS}
    assert len(found) == len(PROJECTIONS)


def test_each_kind_of_entry_and_type_of_event_has_one_projection() -> None:
    kinds = [kind for one in PROJECTIONS for kind in one.parsers]
    types = [type_ for one in PROJECTIONS for type_ in one.events]

    assert len({*kinds}) == len(kinds) >= 20
    assert len({*types}) == len(types)
