"""The programs of the guide to outgoing events (docs/events)."""

import importlib.util
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs" / "events"


def example(name: str) -> Any:
    """Returns a module of the guide."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
