"""The steps together."""

import itertools
from pathlib import Path

import pytest

from moderation import pipeline
from moderation.reviewer import UNANSWERED
from moderation.verdicts import APPROVED, WAITS, AuditStatus, History, Verdict, worst
from settings import ModerationSettings
from tests.moderation.reviewing import listening, saying
from tests.moderation.writing import history, newcomer, post

PENDING, REJECTED = AuditStatus.PENDING, AuditStatus.REJECTED


@pytest.fixture
def settings(tmp_path: Path) -> ModerationSettings:
    file = tmp_path / "words.txt"
    file.write_text("mild\nreject: awful\n")
    return ModerationSettings(words_file=file)


async def test_what_nothing_objects_to_is_approved(settings: ModerationSettings) -> None:
    async with pipeline.opened(settings) as steps:
        assert steps.first_look(post("A fine day"), History()) == APPROVED


async def test_what_nothing_objects_to_waits_for_the_reviewer_where_there_is_one(settings: ModerationSettings) -> None:
    async with listening() as server:
        server.answer = saying({"decision": "reject", "reason": "dull"})
        async with pipeline.opened(settings.model_copy(update={"reviewer": server.settings()})) as steps:
            assert steps.first_look(post("A fine day"), History()) == WAITS
            assert server.requests == []
            assert await steps.review(post("A fine day")) == Verdict(REJECTED, "dull")


async def test_what_a_rule_objects_to_is_not_the_reviewers_business(settings: ModerationSettings) -> None:
    async with listening() as server:
        asking = settings.model_copy(update={"reviewer": server.settings()})
        async with pipeline.opened(settings) as alone, pipeline.opened(asking) as steps:
            for submission in (post("mild"), post("awful"), newcomer("https://a.cn")):
                verdict = steps.first_look(submission, History())

                assert verdict == alone.first_look(submission, History())
                assert verdict.status != AuditStatus.APPROVED
                assert verdict != WAITS


async def test_the_worst_of_risk_and_words_wins(settings: ModerationSettings) -> None:
    mild, awful = "something mild to read", "something awful to read"
    cases = {
        (PENDING, "has a word that a moderator has to look at: mild"): (mild, history()),
        (REJECTED, "has a word that is not allowed: awful"): (awful, history(*[awful] * 2)),
        (REJECTED, "the same was posted 6 times"): (mild, history(*[mild] * 5)),
        (PENDING, "the same was posted 3 times"): (mild, history(*[mild] * 2)),
    }
    async with pipeline.opened(settings) as steps:
        for (status, reason), (text, before) in cases.items():
            assert steps.first_look(post(text), before) == Verdict(status, reason)


async def test_what_waited_for_a_reviewer_that_is_no_longer_asked_waits_for_a_person(
    settings: ModerationSettings,
) -> None:
    async with pipeline.opened(settings) as steps:
        assert await steps.review(post("A fine day")) == UNANSWERED


async def test_a_list_that_cannot_be_read_is_an_error_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        async with pipeline.opened(ModerationSettings(words_file=tmp_path / "nowhere.txt")):
            pass


def test_the_first_of_the_worst_verdicts_wins_in_any_order() -> None:
    for order in itertools.permutations(AuditStatus):
        verdicts = [Verdict(status, f"{status.name} {n}") for n in range(2) for status in order]

        assert worst(*verdicts) == Verdict(REJECTED, "REJECTED 0")
        assert worst(*[one for one in verdicts if one.status != REJECTED]) == Verdict(PENDING, "PENDING 0")


def test_the_numbers_in_the_tables_stay() -> None:
    assert {status.name: status.value for status in AuditStatus} == {"PENDING": 0, "APPROVED": 1, "REJECTED": 2}
