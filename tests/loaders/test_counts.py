"""Counters as one viewer must see them."""

from loaders.counts import SeenCounts
from models.counters import CounterKind, Counts, EntityRef
from settings import USERS
from store.write_log.pending import Pending


def test_every_counter_is_there_for_who_has_pending_changes_and_for_who_has_none() -> None:
    counts = Counts(1, {})
    seen = SeenCounts(EntityRef(USERS, 7), counts, Pending(0), own=True)

    for kind in CounterKind:
        assert getattr(seen, kind.name.lower()) == getattr(counts, kind.name.lower()) == 0
