"""Settings of the comparisons of counters and cached values with their rows (docs/operate/reconcile.md)."""

from typing import Annotated

from pydantic import Field

from settings.numbers import LARGEST, SecondsOrZero
from settings.part import Part


class ReconcileSettings(Part):
    """How often and how fast workers compare counters and cached values with the rows from which they are computed."""

    interval: SecondsOrZero = 86_400.0
    """Seconds between two comparisons by workers. 0: workers never compare."""
    keys_per_second: Annotated[float, Field(gt=0, le=LARGEST)] = 1000.0
    """The most keys that workers compare per second. With very many keys they compare more: all within 20 hours."""
