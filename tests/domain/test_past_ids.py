"""Ids of objects that were created before they came to Plaudit."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import EPOCH_MS, NODES, IdGenerator, born_ms, past_ids

YEAR_MS = 365 * 86_400_000
EARLIEST_MS = 946_684_800_000


def test_the_first_id_contains_the_time_and_the_same_name_leads_to_the_same_ids() -> None:
    ms = EPOCH_MS + YEAR_MS

    ids = list(islice(past_ids(ms, "Post 7"), 100))

    assert born_ms(ids[0]) == ms
    assert ids == list(islice(past_ids(ms, "Post 7"), 100))
    assert len(set(ids)) == 100
    assert ids[0] not in islice(past_ids(ms, "Post 8"), 100)


def test_no_process_makes_an_id_of_the_past() -> None:
    ms = EPOCH_MS + YEAR_MS
    generator = IdGenerator(lambda: ms)
    generator.node, generator.valid_until_ms = NODES - 1, ms

    assert generator() < min(islice(past_ids(ms, "any"), 10))


@pytest.mark.parametrize("years", range(1, 19))
def test_ids_of_times_before_2019_contain_these_times_and_are_in_their_order(years: int) -> None:
    ms = EPOCH_MS - years * YEAR_MS + 123

    earlier, next_ms, later = (next(past_ids(time, "any")) for time in (ms, ms + 1, ms + 600_000))

    assert earlier < next_ms < later < next(past_ids(EPOCH_MS + 5 * 86_400_000, "any"))
    assert [born_ms(id_) for id_ in (earlier, next_ms, later)] == [ms, ms + 1, ms + 600_000]
    assert {len(str(id_)) for id_ in (earlier, next_ms, later)} == {16}


@given(st.integers(EARLIEST_MS, EPOCH_MS + YEAR_MS), st.text(max_size=9))
def test_an_id_contains_the_time_of_the_object_to_the_millisecond(ms: int, name: str) -> None:
    ids = islice(past_ids(ms, name), 50)

    assert [born_ms(id_) - ms for id_ in ids] == [step * step // 2 for step in range(50)]


@given(st.integers(EARLIEST_MS, EPOCH_MS + YEAR_MS), st.integers(1, 1 << 45), st.text(max_size=9))
def test_ids_are_in_the_order_of_the_times_they_contain(ms: int, later: int, name: str) -> None:
    assert next(past_ids(ms, name)) < next(past_ids(ms + later, "other"))


def test_a_time_before_2000_becomes_2000() -> None:
    assert born_ms(next(past_ids(EARLIEST_MS - 1, "any"))) == EARLIEST_MS


def test_objects_of_one_millisecond_before_2019_get_different_ids() -> None:
    taken = set[int]()
    for number in range(2000):
        taken.add(next(id_ for id_ in past_ids(EPOCH_MS - YEAR_MS, f"Post {number}") if id_ not in taken))

    assert len(taken) == 2000
    assert max(map(born_ms, taken)) - (EPOCH_MS - YEAR_MS) < 60_000
