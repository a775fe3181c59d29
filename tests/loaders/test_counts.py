"""Counters with the viewer's pending changes."""

from loaders.counts import seen
from models.actions import VIEW
from models.counters import Counter, CounterKind, Counts
from models.follows import FOLLOW
from models.likes import REACT
from models.saves import SAVE
from store.write_log.pending import PendingHistory

ONE = PendingHistory(b"0 5-0=1")
UNKNOWN = PendingHistory(b"? 5-0=1")


def test_every_counter_can_be_read_with_and_without_pending_changes() -> None:
    counts = Counts(1, {})
    shown = seen(counts, 0, {})

    for kind in CounterKind:
        assert getattr(shown, kind.name.lower()) == getattr(counts, kind.name.lower()) == 0


def test_a_pending_change_adds_to_the_counters_of_its_kind_only() -> None:
    shown = seen(Counts(1, {}), 0, {REACT: ONE, SAVE: ONE, VIEW: ONE, "101": ONE, "of a later version": ONE})
    assert shown
    counted = {kind for kind in CounterKind if shown.of(kind)}
    assert counted == {CounterKind.LIKES, CounterKind.SAVES, CounterKind.VIEWS}
    assert shown.of(101) == 1


def test_follows_add_to_the_counters_of_the_viewer_and_friendships_to_those_of_friends() -> None:
    shown = seen(Counts(1, {}), 0, {}, follows=[ONE, ONE], friendships=[ONE])
    assert shown
    assert (shown.following, shown.friends, shown.followers) == (2, 1, 0)
    followed = seen(Counts(1, {}), 0, {FOLLOW: ONE})
    assert followed
    assert (followed.following, followed.followers) == (0, 1)


def test_counters_are_unknown_if_one_may_or_may_not_include_a_pending_change() -> None:
    assert seen(Counts(1, {}), 0, {REACT: UNKNOWN}) is None
    assert seen(Counts(1, {}), 0, {}, follows=[ONE, UNKNOWN]) is None


def test_a_follow_of_an_unknown_base_hides_only_counters_that_may_lack_it() -> None:
    """The base of a follow is unknown if Redis and Postgres were down when it was acknowledged."""
    counts = Counts(1, {CounterKind.FOLLOWING: Counter(1, {"0": 5 << 20})})

    shown = seen(counts, 0, {}, follows=[UNKNOWN], friendships=[])

    assert shown
    assert (shown.following, shown.friends) == (1, 0)
    assert seen(counts, 0, {}, follows=[UNKNOWN], friendships=[UNKNOWN]) is None
