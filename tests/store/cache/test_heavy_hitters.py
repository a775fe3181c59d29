"""Heavy hitters: a key is hot while it is read often, and never if it is read seldom."""

from collections import Counter
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.cache import local
from store.cache.local import PANE_S, PANES, HeavyHitters, cut

WINDOW_S = PANES * PANE_S
BATCHES = st.lists(st.lists(st.sampled_from("abcdefghijkl"), max_size=12), max_size=30)


@given(BATCHES)
def test_counts_are_exact_while_there_are_few_keys(batches: list[list[str]]) -> None:
    hitters, panes = HeavyHitters(5), [Counter[str]()]
    hitters.turn(0)
    for at, batch in enumerate(batches, 1):
        hitters.add(batch)
        panes.append(Counter(batch))
        assert hitters.turn(at * PANE_S)

        within = sum(panes[-PANES:], Counter[str]())
        assert hitters.hot.keys() == {key for key, times in within.items() if times >= 5}


@given(BATCHES)
def test_a_summary_is_bounded_and_its_counts_are_nearly_exact(batches: list[list[str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "SIZE", 3)
        hitters = HeavyHitters(1)
        hitters.turn(0)
        truth: Counter[str] = Counter()
        for batch in batches:
            hitters.add(batch)
            truth.update(batch)
            assert len(hitters._open) <= 2 * 3

        short = truth.total() / (3 + 1)
        assert all(times - short <= hitters._open[key] <= times for key, times in truth.items())


def test_a_cut_keeps_keys_that_are_more_frequent_than_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "SIZE", 3)
    assert cut(Counter(a=9, b=7, c=4, d=4, e=1)) == Counter(a=5, b=3)


def test_a_frequent_key_is_hot_among_any_number_of_others() -> None:
    hitters = HeavyHitters(1000)
    hitters.turn(0)
    for start in range(0, 100_000, 100):
        hitters.add(["one"] * 10 + [str(number) for number in range(start, start + 90)])
    hitters.turn(PANE_S)

    assert hitters.hot.keys() == {"one"}
    assert len(hitters._closed[0].counts) <= 2 * local.SIZE


def test_a_key_that_is_no_longer_read_cools_down() -> None:
    hitters = HeavyHitters(3)
    hitters.turn(0)
    hitters.add(["a", "a", "a"])

    assert not hitters.turn(PANE_S * 0.9)
    assert hitters.hot.keys() == set()
    hitters.turn(PANE_S)
    assert hitters.hot.keys() == {"a"}
    hitters.turn(WINDOW_S)
    assert hitters.hot.keys() == {"a"}
    hitters.turn(WINDOW_S + PANE_S)
    assert hitters.hot.keys() == set()


def test_after_a_long_pause_no_key_is_hot_and_counting_continues() -> None:
    hitters = HeavyHitters(3)
    hitters.turn(0)
    hitters.add(["a"] * 3)
    hitters.turn(PANE_S)
    assert (len(hitters.hot_at(PANE_S)), len(hitters.hot_at(86_400))) == (1, 0)

    hitters.turn(86_400)
    assert hitters.hot.keys() == set()
    hitters.add(["b"] * 3)
    hitters.turn(86_400 + PANE_S)
    assert hitters.hot.keys() == {"b"}


def test_the_most_frequent_keys_are_hot_if_too_many_qualify(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "MOST", 2)
    hitters = HeavyHitters(3)
    hitters.turn(0)
    hitters.add([*chain.from_iterable(repeat(key, times) for key, times in {"a": 3, "b": 5, "c": 4}.items())])
    hitters.turn(PANE_S)

    assert hitters.hot.keys() == {"b", "c"}
