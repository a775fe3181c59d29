"""The steps of moderation together."""

import itertools
from pathlib import Path

import pytest
from pydantic import HttpUrl, SecretStr

from domain.moderation.pipeline import Pipeline
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import (
    APPROVED,
    WAITS_FOR_REVIEW,
    AuditStatus,
    ModerationVerdict,
    most_severe,
)
from settings import ModerationSettings, ReviewerSettings
from tests.support.submissions import history, newcomer, post

RULES, WORDS = CaseSource.RULES, CaseSource.WORDS
PENDING, REJECTED = AuditStatus.PENDING, AuditStatus.REJECTED


@pytest.fixture
def settings(tmp_path: Path) -> ModerationSettings:
    file = tmp_path / "words.txt"
    file.write_text("mild\nreject: awful\n")
    return ModerationSettings(words_file=file)


@pytest.fixture
def with_reviewer(settings: ModerationSettings) -> ModerationSettings:
    reviewer = ReviewerSettings(url=HttpUrl("https://reviewer.example.com"), secret=SecretStr("s" * 16))
    return settings.model_copy(update={"reviewer": reviewer})


def test_a_submission_without_objection_is_approved(settings: ModerationSettings) -> None:
    assert Pipeline(settings).check(post("A fine day"), ()) == APPROVED


def test_a_submission_without_objection_waits_for_the_reviewer_if_there_is_one(
    with_reviewer: ModerationSettings,
) -> None:
    assert Pipeline(with_reviewer).check(post("A fine day"), ()) == WAITS_FOR_REVIEW


def test_a_submission_with_an_objection_is_not_sent_to_the_reviewer(
    settings: ModerationSettings, with_reviewer: ModerationSettings
) -> None:
    for submission in (post("mild"), post("awful"), newcomer("https://a.cn")):
        verdict = Pipeline(with_reviewer).check(submission, ())

        assert verdict == Pipeline(settings).check(submission, ())
        assert verdict.status != AuditStatus.APPROVED
        assert verdict != WAITS_FOR_REVIEW


def test_the_most_severe_verdict_of_risk_and_words_is_used(settings: ModerationSettings) -> None:
    mild, awful = "something mild to read", "something awful to read"
    cases = {
        (PENDING, "has a word that a moderator must review: mild", WORDS): (mild, history()),
        (REJECTED, "has a word that is not allowed: awful", WORDS): (awful, history(*[awful] * 2)),
        (REJECTED, "the same text was posted 6 times", RULES): (mild, history(*[mild] * 5)),
        (PENDING, "the same text was posted 3 times", RULES): (mild, history(*[mild] * 2)),
    }
    for verdict, (text, before) in cases.items():
        assert Pipeline(settings).check(post(text), before) == ModerationVerdict(*verdict)


def test_an_unreadable_word_list_is_an_error_at_startup(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Pipeline(ModerationSettings(words_file=tmp_path / "nowhere.txt"))


def test_the_first_of_the_most_severe_verdicts_is_used_in_any_order() -> None:
    for order in itertools.permutations(AuditStatus):
        verdicts = [ModerationVerdict(status, f"{status.name} {n}") for n in range(2) for status in order]

        assert most_severe(*verdicts) == ModerationVerdict(REJECTED, "REJECTED 0")
        assert most_severe(*[one for one in verdicts if one.status != REJECTED]) == ModerationVerdict(
            PENDING, "PENDING 0"
        )


def test_stored_numbers_never_change() -> None:
    assert {status.name: status.value for status in AuditStatus} == {"PENDING": 0, "APPROVED": 1, "REJECTED": 2}
