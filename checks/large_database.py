"""Checks the settings of Postgres that matter when the database is larger than its buffers."""

from collections.abc import Iterator

from checks.findings import Finding, Severity, assess
from store.postgres.server import PostgresTuning

LARGE = 1 << 30
"""The size in bytes from which on a database counts as large."""
_BUFFERS, _WAL, _CHECKPOINT_S = 1 << 30, 4 << 30, 900
_FREQUENT = "after each checkpoint, the first change of a page writes the whole page to the WAL"


def findings(tuning: PostgresTuning) -> Iterator[Finding]:
    """Yields a finding about autovacuum, and one about each setting that can slow down the writes of a large database.
    If the database is smaller than LARGE, the latter are always good.
    """
    because = "dead rows stay and slow down reads: set autovacuum and track_counts to on"
    fact = f"autovacuum is {'on' if tuning.autovacuum else 'off'}"
    yield assess("postgres.autovacuum", tuning.autovacuum, Severity.WARNING, fact, because)
    is_small = tuning.bytes < LARGE
    each = {
        "shared_buffers": (tuning.shared_buffers >= _BUFFERS, "a quarter of the memory", "writes wait for the disk"),
        "wal_compression": (tuning.compresses_fast, "lz4", "copies of pages are most of the WAL"),
        "max_wal_size": (tuning.max_wal_size >= _WAL, "4GB or more", _FREQUENT),
        "checkpoint_timeout": (tuning.checkpoint_s >= _CHECKPOINT_S, "15min or more", _FREQUENT),
    }
    for name, (is_good, advice, reason) in each.items():
        fact = f"{name} is {tuning.shown[name]}"
        yield assess(f"postgres.{name}", is_small or is_good, Severity.WARNING, fact, f"{reason}: set it to {advice}")
