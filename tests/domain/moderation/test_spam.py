"""Risk rules: repetition, links and new accounts."""

from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from pydantic import ValidationError

from domain.moderation import spam
from domain.moderation.folding import fold
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, SubmissionHistory
from settings import ModerationSettings, Settings
from tests.support.submissions import NOON, history, newcomer, post

PENDING, REJECTED = AuditStatus.PENDING, AuditStatus.REJECTED
LIMITS = ModerationSettings()
ADVERT = "Come to my shop, everything is cheap"


def test_a_first_submission_is_approved() -> None:
    assert spam.check(post("Hello, https://example.com"), (), LIMITS) == APPROVED


# Repetition


def test_a_repeated_text_waits_from_the_third_time_and_is_rejected_from_the_sixth() -> None:
    verdicts = [spam.check(post(ADVERT), history(*[ADVERT] * before), LIMITS) for before in range(7)]

    assert [verdict.status.name for verdict in verdicts] == [
        *["APPROVED"] * 2,
        *["PENDING"] * 3,
        *["REJECTED"] * 2,
    ]
    assert verdicts[2].reason == "the same text was posted 3 times"


def test_texts_that_differ_only_in_form_are_repetitions() -> None:
    before = history("COME to my shop:\n everything is cheap!!!", "come\u200b to my shop 😀 everything is ｃｈｅａｐ")

    assert spam.check(post(ADVERT, image_urls=("https://images.example/1.png",)), before, LIMITS).status == PENDING


def test_different_texts_are_no_repetitions() -> None:
    assert spam.check(post(ADVERT), history(*(f"{ADVERT} {n}" for n in range(9))), LIMITS) == APPROVED


def test_a_short_text_may_be_repeated_but_not_with_the_same_image() -> None:
    picture = ("https://images.example/1.png",)

    assert spam.check(post("哈哈哈"), history(*["哈哈哈"] * 9), LIMITS) == APPROVED
    assert spam.check(post("👍"), history(*["👍"] * 9), LIMITS) == APPROVED
    assert spam.check(post("哈哈哈", image_urls=picture), history(*["哈哈哈"] * 9), LIMITS) == APPROVED
    assert (
        spam.check(post("哈哈", image_urls=picture), history(*["哈哈"] * 9, image_urls=picture), LIMITS).status
        == REJECTED
    )


def test_images_in_another_order_are_a_repetition() -> None:
    pictures = [f"https://images.example/{n}.png" for n in range(3)]

    assert len({spam.trace(post(image_urls=order)).content for order in permutations(pictures)}) == 1


def test_texts_before_the_window_do_not_count() -> None:
    day = timedelta(days=1)

    assert spam.check(post(ADVERT), history(*[ADVERT] * 9, ago=day), LIMITS) == APPROVED
    assert spam.check(post(ADVERT), history(*[ADVERT] * 9, ago=day - timedelta(seconds=1)), LIMITS).status == REJECTED


def test_later_texts_do_not_count() -> None:
    assert spam.check(post(ADVERT), history(*[ADVERT] * 9, ago=timedelta(seconds=-1)), LIMITS) == APPROVED


def test_an_edit_is_not_compared_with_its_own_earlier_text() -> None:
    edited = post(ADVERT, id=100)  # the first post of its history

    assert spam.check(edited, history(ADVERT, ADVERT), LIMITS) == APPROVED


def test_posts_of_one_batch_are_compared_with_earlier_ones_of_the_batch() -> None:
    so_far: SubmissionHistory = ()
    statuses = []
    for number in range(6):
        submission = post(ADVERT, id=number, submitted_at=NOON + timedelta(milliseconds=number))
        statuses.append(spam.check(submission, so_far, LIMITS).status.name)
        so_far = (*so_far, spam.trace(submission))

    assert statuses == ["APPROVED", "APPROVED", "PENDING", "PENDING", "PENDING", "REJECTED"]


# Links


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("see https://Example.com/a?b=1#c.", ["example.com/a?b=1"]),
        ("(http://www.example.com/)", ["example.com"]),
        ("看http://a.cn/x，https://b.cn/y。快来www.c.cn看", ["a.cn/x", "b.cn/y", "c.cn"]),
        ("ｈｔｔｐ：／／ａ．ｃｎ", ["a.cn"]),
        ("ht\u200btps://a.cn", ["a.cn"]),
        ("https://a.cnhttps://b.cn", ["a.cn", "b.cn"]),
        ("http://例子.中国/路 x", ["例子.中国/路"]),
        ('<a href="https://a.cn">', ["a.cn"]),
        ("e.g. node.js, readme.md, a@www.b.cn, //www.b.cn, http:// https", []),
    ],
)
def test_links_are_found_and_normalized(text: str, links: list[str]) -> None:
    assert spam.links(fold(text)) == links


def test_a_text_with_more_than_five_links_waits() -> None:
    texts = [" ".join(f"https://{host}.example" for host in "abcdefg"[:many]) for many in (5, 6)]

    assert spam.check(post(texts[0]), (), LIMITS) == APPROVED
    assert spam.check(post(texts[1]), (), LIMITS) == ModerationVerdict(PENDING, "has 6 links")


def test_one_link_in_different_texts_waits_from_the_sixth_time() -> None:
    link = "https://shop.example/offer"
    before = history(*(f"{n} good reasons {link}" for n in range(4)), "and http://www.SHOP.example/offer/ too")

    assert spam.check(post(f"Look: {link}"), before[1:], LIMITS) == APPROVED
    assert spam.check(post(f"Look: {link}"), before, LIMITS) == ModerationVerdict(
        PENDING, "the same link was posted 6 times"
    )
    assert spam.check(post("Look: https://shop.example/other"), before, LIMITS) == APPROVED
    assert spam.check(post("No link at all"), before, LIMITS) == APPROVED


def test_a_repeated_link_in_one_text_counts_each_time() -> None:
    limits = ModerationSettings(links=50)

    assert spam.check(post("https://a.cn " * 6), (), limits).reason == "the same link was posted 6 times"


# New accounts


def test_links_of_a_new_account_wait() -> None:
    text = "my page: www.example.com"

    assert spam.check(newcomer(text), (), LIMITS) == ModerationVerdict(PENDING, "links of a new account")
    assert spam.check(post(text), (), LIMITS) == APPROVED
    assert spam.check(newcomer("no link"), (), LIMITS) == APPROVED


def test_a_new_account_has_a_maximum_number_of_posts_per_hour() -> None:
    five, sixth = history(*(f"Thought number {n}" for n in range(5))), "And one thought more"

    assert spam.check(newcomer(sixth), five[1:], LIMITS) == APPROVED
    assert spam.check(newcomer(sixth), five, LIMITS).reason == "6 posts of a new account within an hour"
    assert spam.check(post(sixth), five, LIMITS) == APPROVED
    an_hour_ago = history(*(f"Thought number {n}" for n in range(9)), ago=timedelta(hours=1))
    assert spam.check(newcomer(sixth), an_hour_ago, LIMITS) == APPROVED


def test_an_account_is_new_for_a_day() -> None:
    link, day = "https://example.com", timedelta(days=1)

    assert spam.check(post(link, author_created_at=NOON - day), (), LIMITS) == APPROVED
    almost = NOON - day + timedelta(seconds=1)
    assert spam.check(post(link, author_created_at=almost), (), LIMITS).status == PENDING


def test_settings_can_turn_the_rules_for_new_accounts_off() -> None:
    assert spam.check(newcomer("https://example.com"), (), ModerationSettings(new_account=0)) == APPROVED


# All rules together


def test_the_most_severe_rule_is_used() -> None:
    assert (
        spam.check(newcomer(f"{ADVERT} https://a.cn"), history(*[f"{ADVERT} https://a.cn"] * 9), LIMITS).status
        == REJECTED
    )


def test_fingerprints_fit_a_bigint_and_never_change() -> None:
    trace = spam.trace(post("Hello world, see https://example.com/"))

    assert (trace.id, trace.at) == (1, NOON)
    assert (trace.content, trace.links) == (652978285632197809, (1424565772579972710,))  # as stored in tables
    assert all(-(1 << 63) <= spam.trace(post(f"Text number {n}")).content < 1 << 63 for n in range(100))  # type: ignore[operator]


def test_one_variable_changes_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_MODERATION", '{"same_text": 1, "new_account": 0}')
    changed = Settings(jwt_secret="s" * 32).moderation  # type: ignore[arg-type]

    assert changed == ModerationSettings(same_text=1, new_account=0)
    assert spam.check(post(ADVERT), history(ADVERT), changed).status == PENDING


@pytest.mark.parametrize("url", ["https://reviews.example/a?b=c", "http://localhost:9/", "http://[::1]:9/x"])
def test_a_reviewer_url_must_be_https_or_local(url: str) -> None:
    given = {"url": url, "secret": "s" * 16}

    assert str(ModerationSettings.model_validate({"reviewer": given}).reviewer.url) == url  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"same_texts": 1}, "Extra inputs"),
        ({"same_text": 0}, "greater than or equal to 1"),
        ({"window": 60}, "greater than or equal to 3600"),
        ({"same_text": 6}, "no submission would ever wait"),
        ({"traces": 4}, "which could not be reached"),
        ({"new_posts_per_hour": 101}, "which could not be reached"),
        ({"network_posts_per_hour": -1}, "greater than or equal to 0"),
        ({"premoderate": {"new_accounts": True}, "new_account": 0}, "no account is ever new"),
        ({"premoderate": {"places": []}}, "Extra inputs"),
        ({"reviewer": {"url": "http://reviews.example/", "secret": "s" * 16}}, "must use https"),
        ({"reviewer": {"url": "http://localhost.evil.example/", "secret": "s" * 16}}, "must use https"),
        ({"reviewer": {"url": "http://127.0.0.1:80@evil.example/", "secret": "s" * 16}}, "must use https"),
        ({"reviewer": {"url": "https://", "secret": "s" * 16}}, "valid URL"),
        ({"reviewer": {"url": "ftp://127.0.0.1/", "secret": "s" * 16}}, "URL scheme"),
        ({"reviewer": {"url": "https://reviews.example/", "secret": "short"}}, "at least 16"),
        ({"reviewer": {"url": "https://reviews.example/"}}, "Field required"),
    ],
)
def test_invalid_settings_are_refused(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        ModerationSettings.model_validate(given)
