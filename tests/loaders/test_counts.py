"""Counters with the viewer's pending changes."""

from loaders.counts import SeenCounts
from models.counters import CounterKind, Counts, EntityRef
from settings import USERS
from store.write_log.pending import Pending


def test_every_counter_can_be_read_with_and_without_pending_changes() -> None:
    counts = Counts(1, {})
    seen = SeenCounts(EntityRef(USERS, 7), counts, Pending(0), own=True)

    for kind in CounterKind:
        assert getattr(seen, kind.name.lower()) == getattr(counts, kind.name.lower()) == 0
