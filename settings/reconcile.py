"""Settings of the comparisons of counters and cached values with their rows (docs/operate/reconcile.md)."""

from typing import Annotated

from pydantic import Field

from settings.numbers import LARGEST, SecondsOrZero
from settings.part import Part


class ReconcileSettings(Part):
    """How often and how fast workers compare counters and cached values with the rows from which they are computed."""

    interval: SecondsOrZero = 86_400.0
    """Seconds between two comparisons. 0: never."""
    keys_per_second: Annotated[float, Field(gt=0, le=LARGEST)] = 1000.0
    """The most compared keys per second, or more if all keys would take more than 20 hours."""
