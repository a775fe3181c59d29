"""Settings of the batches in which workers write the journals to Postgres."""

from settings.numbers import Count, SecondsOrZero
from settings.part import Part


class BatchSettings(Part):
    """The size of a worker's batches, and the time between them."""

    entries: Count = 500
    """The most entries in one batch."""
    window_seconds: SecondsOrZero = 0.25
    """Seconds from one batch to the next. The first entry after a rest is written at once."""
