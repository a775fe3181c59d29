"""The rule about the number of submissions from one network or device."""

import random

from domain.moderation import velocity
from domain.moderation.velocity import HOUR_MS, HourlyCounts
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict
from settings import ModerationSettings
from tests.support.submissions import post

NOON = 1_777_636_800_000


def test_more_submissions_than_allowed_wait() -> None:
    limits = ModerationSettings(network_posts_per_hour=100, device_posts_per_hour=10)

    assert velocity.check(post(network_posts=100, device_posts=10), limits) == APPROVED
    assert velocity.check(post(network_posts=101), limits) == ModerationVerdict(
        AuditStatus.PENDING, "101 posts from one network within an hour"
    )
    assert velocity.check(post(network_posts=101, device_posts=11), limits) == ModerationVerdict(
        AuditStatus.PENDING, "11 posts from one device within an hour"
    )


def test_nothing_is_limited_by_default() -> None:
    assert velocity.check(post(network_posts=10**6, device_posts=10**6), ModerationSettings()) == APPROVED


def test_the_hour_before_a_submission_counts() -> None:
    counts = HourlyCounts({"a": [NOON + 1, NOON - HOUR_MS, NOON - HOUR_MS + 1]}, [("b", 4, NOON)])

    assert counts.up_to("a", 5, NOON) == 2
    assert counts.up_to("a", 5, NOON + 1) == 2
    assert counts.up_to("b", 5, NOON - 1) == 1
    assert counts.up_to("b", 5, NOON) == 2
    assert counts.up_to("c", 5, NOON) == 1


def test_an_edited_submission_counts_once_where_it_was_edited() -> None:
    counts = HourlyCounts({}, [("a", 1, NOON - 5), ("a", 2, NOON - 4), ("b", 2, NOON), ("a", 1, NOON)])

    assert counts.up_to("a", 1, NOON) == 1
    assert counts.up_to("a", 1, NOON - 5) == 1
    assert counts.up_to("a", 3, NOON) == 2
    assert counts.up_to("b", 3, NOON) == 2
    assert HourlyCounts({}, [("a", 1, NOON - 5), (None, 1, NOON)]).up_to("a", 2, NOON) == 1


def test_counts_are_those_of_a_plain_search() -> None:
    chance = random.Random(7)
    stored = {source: [NOON + chance.randrange(2 * HOUR_MS) for _ in range(50)] for source in "ab"}
    batch = {key: ("ab"[chance.randrange(2)], NOON + chance.randrange(2 * HOUR_MS)) for key in range(50)}
    counts = HourlyCounts(stored, [(source, key, at_ms) for key, (source, at_ms) in batch.items()])
    for _ in range(500):
        key, at_ms = chance.randrange(100), NOON + chance.randrange(2 * HOUR_MS)
        others = [at for other, (source, at) in batch.items() if other != key and source == "a"]
        found = sum(at_ms - HOUR_MS < one <= at_ms for one in stored["a"] + others)
        assert counts.up_to("a", key, at_ms) == 1 + found
