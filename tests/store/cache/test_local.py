"""The local cache: the life of its copies, and early ends of that life."""

import pytest

from store.cache.local import ONE_IN, PANE_S, PANES, LocalCache
from tests.support.clocks import ManualClock
from tests.support.metrics import metric

SECONDS, WINDOW_S = 0.5, PANES * PANE_S


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_an_answer_that_is_older_than_a_change_is_not_cached(clock: ManualClock) -> None:
    local = LocalCache(SECONDS, 1, clock, lambda: 0.0)
    local.find(["a"], clock())
    clock.now += PANE_S
    asked = clock()
    assert local.find(["a"], asked) == {}

    local.drop(["b"])
    local.keep([("a", "old")], asked)
    assert local.find(["a"], clock()) == {}

    clock.now += 0.01
    local.keep([("a", "new")], clock())
    assert local.find(["a"], clock()) == {"a": "new"}
    local.drop(["a"])
    assert local.find(["a"], clock()) == {}


def test_the_life_of_a_copy_begins_with_its_read(clock: ManualClock) -> None:
    local = LocalCache(SECONDS, 1, clock, lambda: 0.0)
    local.find(["a"], clock())
    clock.now += PANE_S
    asked = clock()
    local.find(["a"], asked)
    clock.now += SECONDS * 0.9
    local.keep([("a", 1)], asked)

    assert local.find(["a"], clock()) == {"a": 1}
    clock.now += SECONDS * 0.2
    assert local.find(["a"], clock()) == {}


def test_a_key_that_cooled_down_is_not_cached(clock: ManualClock) -> None:
    local = LocalCache(3600, 1, clock, lambda: 0.0)
    local.find(["a"], clock())
    clock.now += PANE_S
    local.find(["b"], clock())
    local.keep([("a", 1), ("b", 2)], clock())
    assert local._copies.keys() == {"a"}  # the other key is not hot yet

    clock.now += WINDOW_S
    assert local.find(["a"], clock()) == {}
    assert not local._copies


def test_about_every_eighth_key_is_counted_at_any_place_of_a_page() -> None:
    local = LocalCache(SECONDS, 800, lambda: 0.0)
    for _ in range(2000):
        local.find(["page", *map(str, range(49))], 0.0)

    counted = local._hitters._open
    assert 150 < min(counted.values()) <= max(counted.values()) < 350


def test_the_metrics_name_the_ten_keys_that_are_read_most_often(clock: ManualClock) -> None:
    local = LocalCache(SECONDS, ONE_IN, clock, lambda: 0.0)
    for number in range(1, 12):
        for _ in range(number):
            local.find([f"key{number}"], clock())
    clock.now += PANE_S
    local.find(["other"], clock())

    assert metric("hot_keys") == 11
    rates = [metric("hot_key_reads_per_second", key=f"key{number}") for number in range(1, 12)]
    assert rates == [0, *(number * ONE_IN / WINDOW_S for number in range(2, 12))]

    clock.now += 2 * WINDOW_S
    assert metric("hot_key_reads_per_second", key="key11") == 0
