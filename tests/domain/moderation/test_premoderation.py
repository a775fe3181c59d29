"""Pre-moderation: what waits for a moderator whatever the other rules say."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import HttpUrl, SecretStr

from domain.moderation.pipeline import Pipeline
from domain.moderation.premoderation import Premoderation
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings, PremoderationSettings, ReviewerSettings
from tests.support.submissions import newcomer, post


def settings(**chosen: Any) -> ModerationSettings:
    return ModerationSettings(premoderate=PremoderationSettings(**chosen))


@pytest.mark.parametrize(
    ("submission", "reason"),
    [
        (post(business="post"), "moderators approve everything in post"),
        (post(business="video"), None),
        (post(business="article", kind="comment"), "moderators approve everything in article"),
        (post(topics=("cats", "news")), "moderators approve everything about news"),
        (post(topics=("\u4e2d\u6587",)), "moderators approve everything about \u4e2d\u6587"),
        (post(topics=("cats",)), None),
        (newcomer(), "moderators approve everything of new accounts"),
    ],
)
def test_what_is_named_waits(submission: Submission, reason: str | None) -> None:
    chosen = settings(businesses=["post", "article"], topics=["#News", "\u4e2d\u6587"], new_accounts=True)

    expected = ModerationVerdict(AuditStatus.PENDING, reason, CaseSource.RULES) if reason else APPROVED
    assert Premoderation(chosen).check(submission) == expected
    assert Premoderation(ModerationSettings()).check(submission) == APPROVED


def test_a_topic_that_cannot_exist_is_an_error_at_startup() -> None:
    with pytest.raises(ValueError, match="'not a topic' is not a topic"):
        Pipeline(settings(topics=["not a topic"]))


def test_the_reviewer_is_not_asked_and_stricter_or_more_specific_verdicts_win(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("mild\nreject: awful\n")
    reviewer = ReviewerSettings(url=HttpUrl("https://reviewer.example.com"), secret=SecretStr("s" * 16))
    chosen = settings(businesses=["post"]).model_copy(update={"words_file": file, "reviewer": reviewer})

    verdicts = [Pipeline(chosen).check(post(text, business="post"), ()) for text in ("fine", "mild", "awful")]

    assert [(verdict.status.name, verdict.source.name) for verdict in verdicts] == [
        ("PENDING", "RULES"),
        ("PENDING", "WORDS"),
        ("REJECTED", "WORDS"),
    ]
    assert verdicts[0].reason == "moderators approve everything in post"
