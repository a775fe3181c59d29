"""Ids of objects that were created before they came to Plaudit."""

from itertools import islice

import pytest

from domain.ids import EPOCH_MS, NODES, IdGenerator, born_ms, past_ids

YEAR_MS = 365 * 86_400_000


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
def test_ids_of_times_before_2019_are_in_order_of_time_and_in_january_2019(years: int) -> None:
    earlier, later = (next(past_ids(EPOCH_MS - ago, "any")) for ago in (years * YEAR_MS, years * YEAR_MS - 600_000))

    assert earlier < later
    assert 0 < born_ms(earlier) - EPOCH_MS < 31 * 86_400_000
    assert len(str(earlier)) == len(str(later)) == 16
