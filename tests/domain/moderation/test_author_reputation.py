"""The rule about earlier decisions."""

import itertools
from datetime import timedelta

from domain.moderation import author_reputation
from domain.moderation.author_reputation import Decision, DecisionKind, Record
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict
from settings import ModerationSettings
from tests.support.submissions import NOON, post

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
LIMITS = ModerationSettings(rejections=3)


def rejected(target: int, ago: timedelta = DAY) -> Decision:
    return Decision(NOON - ago, DecisionKind.REJECTED, target)


def test_submissions_of_an_author_with_many_rejections_wait() -> None:
    assert author_reputation.check(post(rejections=2), LIMITS) == APPROVED
    assert author_reputation.check(post(rejections=3), LIMITS) == ModerationVerdict(
        AuditStatus.PENDING, "3 posts of the author were rejected within 30 days"
    )
    assert author_reputation.check(post(rejections=1000), ModerationSettings()) == APPROVED


def test_decisions_of_the_thirty_days_before_the_submission_count() -> None:
    decisions = [rejected(1, 30 * DAY + SECOND), rejected(2, 30 * DAY), rejected(3, SECOND), rejected(4, 0 * DAY)]

    assert author_reputation.record_at(decisions, NOON) == Record(2, 0)
    assert author_reputation.record_at((), NOON) == Record(0, 0)


def test_a_target_counts_once_and_not_after_a_moderators_approval() -> None:
    decisions = [
        *(rejected(1, 3 * DAY), rejected(1, 2 * DAY)),
        *(rejected(2, 3 * DAY), Decision(NOON - 2 * DAY, DecisionKind.APPROVED, 2)),
        *(Decision(NOON - 3 * DAY, DecisionKind.APPROVED, 3), rejected(3, 2 * DAY)),
        *(rejected(4, 3 * DAY), Decision(NOON, DecisionKind.APPROVED, 4)),
        *(
            Decision(NOON - DAY, DecisionKind.REPORTS_ACCEPTED, 1),
            Decision(NOON - DAY, DecisionKind.REPORTS_ACCEPTED, 9),
        ),
    ]

    assert author_reputation.record_at(decisions, NOON) == Record(3, 2)
    for order in itertools.islice(itertools.permutations(decisions), 100):
        assert author_reputation.record_at(order, NOON) == Record(3, 2)
