"""Worked examples of domain/ranking.py."""

import math
import random
from collections import Counter

import pytest

from domain.ranking import (
    DECADE,
    SLOW_DECADE,
    appeal,
    diversified,
    hot,
    hot_comment,
    lowered,
    net_votes,
    new_member,
    popular_in_topic,
    recommended,
    second_degree,
    similar_likes,
    step,
)

NOON = 1_800_000_000_000 << 10


@pytest.mark.parametrize(
    ("likes", "dislikes", "net"),
    [(0, 0, 0.0), (1, 0, 0.378), (10, 0, 8.589), (100, 0, 98.384), (10, 5, 2.518), (100, 100, -9.025), (0, 7, -7.0)],
)
def test_votes_count_by_their_certainty(likes: int, dislikes: int, net: float) -> None:
    assert net_votes(likes, dislikes) == pytest.approx(net, abs=0.001)


def test_wilsons_bound_equals_the_published_value() -> None:
    """95 of 100 at z = 1.2816: (0.95 + z²/200 - z·sqrt(0.95·0.05/100 + z²/40000)) / (1 + z²/100)."""
    z = 1.2816
    bound = (0.95 + z * z / 200 - z * math.sqrt(0.95 * 0.05 / 100 + z * z / 40000)) / (1 + z * z / 100)

    assert net_votes(95, 5) == pytest.approx(100 * bound - 5)


def test_without_votes_the_score_depends_on_age_alone() -> None:
    assert hot(NOON, 0, 0) == NOON


def test_nine_certain_likes_equal_twelve_and_a_half_hours() -> None:
    twelve_and_a_half_hours = 45_000_000 << 10
    assert twelve_and_a_half_hours == DECADE

    assert hot(NOON, 10, 0) < NOON + DECADE < hot(NOON, 11, 0)
    assert hot(NOON, 100, 0) < NOON + 2 * DECADE < hot(NOON, 102, 0)


def test_dislikes_lower_a_score_as_likes_raise_it() -> None:
    assert hot(NOON, 0, 9) == NOON - DECADE
    assert hot(NOON, 5, 5) < NOON
    assert hot(NOON, 10, 5) < hot(NOON, 10, 0)


def test_the_order_never_changes_by_the_passage_of_time() -> None:
    day = 86_400_000 << 10
    posts = [(NOON, 3, 0), (NOON - day, 50, 2), (NOON + day, 0, 1)]

    order = sorted(posts, key=lambda post: hot(*post))
    later = sorted(posts, key=lambda post: hot(post[0] + 100 * day, *post[1:]))

    assert order == later


@pytest.mark.parametrize(
    ("age", "minutes"), [(-600, 10), (0, 10), (160, 10), (320, 20), (24 * 60, 90), (96 * 60, 360), (960 * 60, 360)]
)
def test_a_step_is_a_sixteenth_of_the_age_within_bounds(age: int, minutes: int) -> None:
    minute = 60_000 << 10

    assert step(NOON - age * minute, NOON) == minutes * minute


def test_the_first_like_moves_a_post_of_a_day_by_a_step_and_a_hundred_and_first_does_not() -> None:
    now = NOON + (86_400_000 << 10)

    assert hot(NOON, 1, 0) - hot(NOON, 0, 0) > step(hot(NOON, 0, 0), now)
    assert hot(NOON, 101, 0) - hot(NOON, 100, 0) < step(hot(NOON, 101, 0), now)


def test_sorted_sets_hold_scores_exactly() -> None:
    most = hot((1 << 42) << 10, 1 << 62, 0)

    assert float(most) == most < 1 << 53
    assert hot(0, 0, 1 << 62) == 1


def test_wrong_counters_cause_no_error() -> None:
    assert net_votes(-3, -1) == 0


def test_recommendation_factors_are_added_to_the_hot_score() -> None:
    assert recommended(NOON, appeal(0, 0)) == NOON
    assert recommended(NOON, appeal(1, 0)) == NOON + DECADE
    assert recommended(NOON, appeal(0.5, 9)) == NOON + DECADE * 5 // 2
    assert appeal(7, -1) == appeal(1, 0) == (1.0, 0.0)


def test_suggestions_have_the_scores_of_the_documentation() -> None:
    assert second_degree(2, 12) == 0.5
    assert second_degree(9, 1_000_000) < 0.5 < second_degree(10, 1_000_000)
    assert similar_likes([2, 14]) == 0.25 + 0.125
    assert similar_likes([1_000_000]) < similar_likes([2])
    assert popular_in_topic(3) == 0.2
    assert new_member(0) == 0.1
    assert new_member(15 * 86_400_000) == 0.05
    assert new_member(31 * 86_400_000) == 0


@pytest.mark.parametrize(
    ("authors", "most", "window", "chosen"),
    [
        ("aaabbb", 1, 2, [0, 3, 1, 4, 2, 5]),
        ("aaab", 1, 2, [0, 3, 1]),
        ("aaabcd", 2, 4, [0, 1, 3, 4, 2, 5]),
        ("abc", 1, 20, [0, 1, 2]),
        ("aaa", 2, 20, [0, 1]),
        ("", 2, 20, []),
    ],
)
def test_an_author_has_at_most_their_share_of_any_window(
    authors: str, most: int, window: int, chosen: list[int]
) -> None:
    assert diversified([ord(author) for author in authors], most, window) == chosen


def test_the_share_holds_for_any_list() -> None:
    chance = random.Random(7)
    for _ in range(200):
        authors = [chance.randint(1, 6) for _ in range(chance.randint(0, 60))]
        most, window = chance.randint(1, 3), chance.randint(1, 12)
        order = diversified(authors, most, window)
        assert len(set(order)) == len(order)
        for at in range(len(order)):
            assert max(Counter(authors[i] for i in order[at : at + window]).values()) <= most


def test_ten_times_the_votes_keep_a_comment_up_for_a_week() -> None:
    week = 604_800_000 << 10
    assert week == SLOW_DECADE

    assert hot_comment(NOON, 0, 0, 0) == NOON
    assert hot_comment(NOON, 10, 0, 0) < NOON + week < hot_comment(NOON, 11, 0, 0)
    assert hot_comment(NOON, 0, 9, 0) == NOON - week


def test_the_first_reply_counts_as_a_certain_vote_and_later_ones_count_less() -> None:
    assert hot_comment(NOON, 0, 0, 1) - NOON == round(math.log10(2) * SLOW_DECADE)
    assert hot_comment(NOON, 0, 0, 511) - NOON == SLOW_DECADE
    assert hot_comment(NOON, 5, 0, 0) < hot_comment(NOON, 5, 0, 3) < hot_comment(NOON, 10, 0, 0)
    assert hot_comment(NOON, 0, 100, 1000) < NOON


def test_less_like_a_post_lowers_posts_of_its_author_and_topics() -> None:
    assert lowered(NOON, same_author=False, same_topic=False) == NOON
    assert lowered(NOON, same_author=False, same_topic=True) == NOON - DECADE
    assert lowered(NOON, same_author=True, same_topic=True) == NOON - 4 * DECADE
