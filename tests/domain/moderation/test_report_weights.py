"""The weight of a report."""

from dataclasses import replace

from domain.moderation.report_weights import FULL_WEIGHT, Reporter, weight

NOBODY_SPECIAL = Reporter(is_new=False, accepted=0, dismissed=0, from_same_network=0)


def test_a_report_without_a_reason_for_doubt_has_the_full_weight() -> None:
    assert weight(NOBODY_SPECIAL) == FULL_WEIGHT


def test_a_report_of_a_new_account_weighs_a_fifth() -> None:
    assert weight(replace(NOBODY_SPECIAL, is_new=True)) == FULL_WEIGHT // 5


def test_a_reporter_whose_reports_are_nearly_all_dismissed_weighs_a_fifth() -> None:
    assert weight(replace(NOBODY_SPECIAL, dismissed=4)) == FULL_WEIGHT
    assert weight(replace(NOBODY_SPECIAL, dismissed=5)) == FULL_WEIGHT // 5
    assert weight(replace(NOBODY_SPECIAL, dismissed=4, accepted=1)) == FULL_WEIGHT
    assert weight(replace(NOBODY_SPECIAL, dismissed=9, accepted=1)) == FULL_WEIGHT // 5


def test_all_accounts_of_one_network_weigh_less_than_two_accounts() -> None:
    weights = [weight(replace(NOBODY_SPECIAL, from_same_network=n)) for n in range(1000)]
    assert weights[:3] == [100, 50, 25]
    assert sum(weights) < 2 * FULL_WEIGHT
