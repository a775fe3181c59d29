"""Words of a list in texts."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.moderation import word_list
from domain.moderation.folding import fold
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict
from domain.moderation.word_list import Word, WordList
from settings import ModerationSettings
from tests.support.submissions import post

REJECTED, PENDING = AuditStatus.REJECTED, AuditStatus.PENDING


def found(text: str, *listed: str) -> list[str]:
    return [word.text for word in WordList(Word(one, PENDING) for one in listed).matches(text)]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Buy SPAM now", "spam"),
        ("spam", "Spam"),
        ("(spam)", "spam"),
        ("spam's", "spam"),
        ("no_spam_here #spam", "spam"),
        ("去 spam吧", "spam"),
        ("买spam吧", "spam"),  # a word ends where another script begins
        ("s\u200bp\u200ba\u200bm", "spam"),
        ("\uff33\uff30\uff21\uff2d", "spam"),
        ("get\n rich\u3000QUICK!", "get rich quick"),
        ("СПАМ везде", "спам"),
        ("这里有赌博网站", "赌博"),
        ("赌\u200b博", "赌博"),
        ("加VX看看", "加vx"),
        ("스팸을 보내다", "스팸"),
        ("a c++ course", "c++"),
        ("only here 🔞!", "🔞"),
    ],
)
def test_a_word_is_found(text: str, word: str) -> None:
    assert word in found(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Scunthorpe", "cunt"),
        ("classic assessment", "ass"),
        ("spamming", "spam"),
        ("spam2", "spam"),
        ("cafés", "café"),
        ("cafe\u0301", "cafe"),
        ("спамер", "спам"),
        ("hand in hand", "and in"),
        ("加vx1", "加vx"),
        ("赌 博", "博赌"),
        ("sp am", "spam"),
        ("rich, quick", "rich quick"),
        ("a cc course", "c++"),
    ],
)
def test_an_absent_word_is_not_found(text: str, word: str) -> None:
    assert found(text, word) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("s p a m", "spam"),
        ("now: S.P.A.M", "spam"),
        ("s-p-a-m, they said", "spam"),
        ("s * p * a * m", "spam"),
        ("f r e e m o n e y", "free money"),
        ("赌 博", "赌博"),
        ("玩 赌·博", "玩赌博"),
        ("来，赌*博，玩", "赌博"),
    ],
)
def test_a_word_that_is_spelled_out_is_found(text: str, word: str) -> None:
    assert found(text, word) == [word]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a s p a m", "spam"),  # another word is spelled
        ("s p a m m e r", "spam"),
        ("s, p, a, m", "spam"),  # a list
        ("s p a mm", "spam"),
        ("as p a m", "spam"),
        ("打赌 博得掌声", "赌博"),
        ("黄、赌、毒", "黄赌毒"),
        ("a b", "ab"),  # two letters are initials
        ("s....p....a....m", "spam"),
    ],
)
def test_signs_between_letters_do_not_create_a_word(text: str, word: str) -> None:
    assert found(text, word) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("casino-bonus", "casino bonus"),
        ("CASINO_BONUS!", "casino bonus"),
        ("casino.bonus", "casino bonus"),
        ("casino🎰bonus", "casino bonus"),
        ("casino\u2800bonus", "casino bonus"),  # a blank of Braille
        ("casino\u3164bonus", "casino bonus"),  # a Hangul filler
        ("cas-ino bonus", "casino bonus"),
        ("sp.am", "spam"),
        ("s\u2800pam", "spam"),
        ("spa_m", "spam"),
    ],
)
def test_separators_and_gaps_do_not_hide_a_word(text: str, word: str) -> None:
    assert found(text, word) == [word]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("at the casino. Bonus: a free drink", "casino bonus"),
        ("the casino - bonus tracks", "casino bonus"),
        ("the casino, bonus", "casino bonus"),
        ("he'll see, she\u2019ll too", "hell"),
        ("a pass-age of class-ic prose", "ass"),
        ("A.B. wrote it, a-b tested", "ab"),
        ("打赌-博得", "赌博"),
        ("c.+.+", "c++"),
    ],
)
def test_separators_do_not_create_a_word(text: str, word: str) -> None:
    assert found(text, word) == []


def test_every_occurrence_counts_also_inside_other_words() -> None:
    assert found("网络赌博，赌博", "赌博", "网络赌博") == ["网络赌博", "赌博", "赌博"]


def test_the_most_severe_word_decides_and_the_first_among_equals() -> None:
    word_list = WordList([Word("mild", PENDING), Word("Worse", REJECTED), Word("worst", REJECTED)])

    assert word_list.check(post("a mild one")) == ModerationVerdict(
        PENDING, "has a word that a moderator must review: mild", CaseSource.WORDS
    )
    assert word_list.check(post("mild, WORSE and worst")) == ModerationVerdict(
        REJECTED, "has a word that is not allowed: Worse", CaseSource.WORDS
    )
    assert word_list.check(post("harmless")) == APPROVED


def test_alt_texts_of_images_are_searched() -> None:
    word_list = WordList([Word("get rich", REJECTED)])

    assert word_list.check(post("look", image_alts=("a chart: get rich",))).status is REJECTED
    assert word_list.check(post("look", image_alts=("get", "rich"))) == APPROVED


def test_topics_are_searched_separately() -> None:
    word_list = WordList([Word("get rich", REJECTED)])

    assert word_list.check(post("fun", topics=("music", "Get Rich"))).status == REJECTED
    assert word_list.check(post("get", topics=("rich",))) == APPROVED


def test_a_reason_names_the_listed_word_and_nothing_of_the_text() -> None:
    reason = WordList([Word("Spam", REJECTED)]).check(post("my secret: s\u200bPAM; my address")).reason

    assert reason == "has a word that is not allowed: Spam"


def test_a_word_listed_twice_has_the_higher_severity_in_any_order() -> None:
    once, again = Word("SPAM", REJECTED), Word("spam", PENDING)

    for listed in ([once, again], [again, once]):
        assert [word.status for word in WordList(listed).matches("spam")] == [REJECTED]


def test_an_empty_list_finds_nothing() -> None:
    assert WordList([]).check(post("anything at all, s p e l l e d")) == APPROVED


def test_a_file_lists_words_with_severities_and_comments(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(
        "\ufeff# heading\n\nmild\nreject: get rich  # why\nREVIEW : c# course\nreject\uff1a赌博\nreject it\n note: x\n",
        encoding="utf-8",
    )

    read = word_list.read(file, ())

    assert {word.text: word.status for word in read.words} == {
        "mild": PENDING,
        "get rich": REJECTED,
        "c# course": PENDING,
        "赌博": REJECTED,
        "reject it": PENDING,
        "note: x": PENDING,
    }


@pytest.mark.parametrize("line", ["reject:", "review: # nothing", "\u200b", "reject: \u200b\ufeff"])
def test_a_line_without_a_word_is_reported_by_number(line: str, tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(f"spam\n{line}\n", encoding="utf-8")

    with pytest.raises(ValueError, match=r"words\.txt:2: this line has no word"):
        word_list.read(file, ())


def test_the_shipped_list_has_both_languages_and_both_severities() -> None:
    shipped = word_list.read(ModerationSettings().words_file, ())

    assert shipped.check(post("Claim your CASINO bonus")).status == REJECTED
    assert shipped.check(post("how to get rich quick")).status == PENDING
    assert shipped.check(post("专业代开发票，价格优惠")).status == REJECTED
    assert shipped.check(post("招聘刷单兼职")).status == PENDING
    assert shipped.check(post("A quiet evening at the casino cinema. 今天天气很好，去公园散步。")) == APPROVED


SPACED, UNSPACED, SIGNS, STOPS = "ab1", "赌가", " -*", ",。"
ALPHABET = SPACED + UNSPACED + SIGNS + STOPS + "AＢ\u200b"
WORDS = st.text(ALPHABET, min_size=1, max_size=4).filter(fold)


@given(st.lists(WORDS, max_size=8, unique_by=fold), st.text(ALPHABET, max_size=30))
@example(["a1b"], "a 1 b, a-1-b a1b")
@example(["赌", "a赌", "赌a"], "赌a赌,赌 赌a")
@example(["111"], "11-1")
def test_the_search_finds_the_same_words_as_a_search_for_each_word(listed: list[str], text: str) -> None:
    expected: Counter[str] = Counter()
    for word in listed:
        expected[word] += sum(_stands(fold(word), fold(text), at) for at in range(len(fold(text))))
    # If several words have one spelling, one of them is found.
    spelled_out = [spelled for spelled in _spelled(fold(text)) if spelled in {_bare(fold(word)) for word in listed}]

    words = WordList(Word(one, PENDING) for one in listed)
    matches = list(words._plain_matches(fold(text)))
    standing, spelled = matches[: expected.total()], matches[expected.total() :]

    assert Counter(word.text for word in standing) == expected
    assert [_bare(fold(word.text)) for word in spelled] == spelled_out
    assert list(words.matches(text))[: len(matches)] == matches  # words that separators hide come later


def _stands(word: str, text: str, at: int) -> bool:
    end = at + len(word)
    cuts_before = at > 0 and text[at - 1] in SPACED and text[at] in SPACED
    cuts_behind = end < len(text) and text[end - 1] in SPACED and text[end] in SPACED
    return text.startswith(word, at) and not cuts_before and not cuts_behind


def _spelled(text: str) -> list[str]:
    """Returns the spelled-out parts, split at stops and at runs of more than one letter or three signs."""
    spelled = []
    for part in _parts(text):
        run, gap = "", 0
        for token in [*part, "ab"]:
            if token[0] in SIGNS:
                gap = len(token)
                continue
            if len(token) == 1 and (not run or 0 < gap <= 3):
                run += token
                continue
            spelled.append(run)
            run = token if len(token) == 1 else ""
    return [run for run in spelled if len(run) > 2 or (len(run) == 2 and not set(run) & set(SPACED))]


def _parts(text: str) -> list[list[str]]:
    """Returns the parts between stops: runs of letters and runs of signs."""
    parts: list[list[str]] = [[]]
    for character in text:
        if character in STOPS:
            parts.append([])
        elif parts[-1] and (parts[-1][-1][0] in SIGNS) == (character in SIGNS):
            parts[-1][-1] += character
        else:
            parts[-1].append(character)
    return parts


def _bare(text: str) -> str:
    return "".join(character for character in text if character in SPACED + UNSPACED)


def test_words_set_labels_beside_every_status() -> None:
    listed = word_list.parse("label violence: gore\nlabel adult: gore\nreject: gore\nlabel adult: nsfw", "list")
    verdict = listed.check(post("gore", topics=("nsfw",)))
    assert (verdict.status, verdict.reason) == (REJECTED, "has a word that is not allowed: gore")
    assert verdict.labels == (("violence", "has the word: gore"), ("adult", "has the word: gore"))
    only = listed.check(post("nsfw"))
    assert (only.status, only.reason, only.labels) == (APPROVED.status, "", (("adult", "has the word: nsfw"),))


def test_a_label_that_does_not_exist_is_reported_by_number() -> None:
    with pytest.raises(ValueError, match="list:2: there is no label gory"):
        word_list.parse("label adult: nsfw\nlabel gory: gore", "list", {"adult"})
    with pytest.raises(ValueError, match="list:1: this line has no word"):
        word_list.parse("label adult:", "list", {"adult"})
