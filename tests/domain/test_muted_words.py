"""The search for muted words in texts and topics."""

import random

import pytest

from domain.moderation.folding import fold, inside_word, shape
from domain.muted_words import Match, MutedWord, MutedWordTarget, WordMatcher, dumps, loads, matcher

BOTH = MutedWordTarget.TEXT | MutedWordTarget.TOPICS
NOW = 1000


def found(word: str, *texts: str, topics: tuple[str, ...] = (), targets: int = BOTH, **more: bool) -> bool:
    """Returns whether a muted word hides a post with these texts and topics."""
    one = MutedWord(word, targets, **more)
    return WordMatcher([one]).match(texts, topics, NOW) is Match.MUTED


@pytest.mark.parametrize(
    ("word", "text", "is_found"),
    [
        ("cat", "a cat", True),
        ("cat", "A CAT!", True),
        ("cat", "concatenate", False),
        ("cat", "cats", False),
        ("cute cat", "the cute  cat sleeps", True),
        ("straße", "STRASSE", True),
        ("c++", "I like C++ a lot", True),
        ("#cats", "see #cats", True),
        ("#cats", "see cats", False),
        ("@bob", "@bob", True),
        ("猫", "小猫在睡觉", True),
        ("猫咪", "小猫在睡觉", False),
        ("แมว", "ฉันรักแมวมาก", True),
        ("ｃａｔ", "cat", True),
        ("cat", "c\u200bat", True),
    ],
)
def test_words_are_found_as_whole_words(word: str, text: str, is_found: bool) -> None:
    assert found(word, text) is is_found


def test_parts_of_words_are_found_only_on_request() -> None:
    assert found("cat", "concatenate", whole_word=False)
    assert not found("cat", "concatenate")


@pytest.mark.parametrize(
    ("word", "topic", "is_found"),
    [
        ("cats", "Cats", True),
        ("#cats", "cats", True),
        ("cats", "catsanddogs", False),
        ("cute cats", "cutecats", True),
        ("cute cats", "cute_cats", True),
        ("cats", "cute_cats", True),
        ("#cats", "cute_cats", False),
    ],
)
def test_words_are_found_in_topics(word: str, topic: str, is_found: bool) -> None:
    assert found(word, "nothing", topics=(topic,)) is is_found
    assert not found(word, "nothing", topics=(topic,), targets=MutedWordTarget.TEXT)


def test_a_word_is_compared_with_its_targets_only() -> None:
    assert not found("cats", "cats", topics=("dogs",), targets=MutedWordTarget.TOPICS)
    assert found("cats", "cats", topics=("dogs",), targets=MutedWordTarget.TEXT)


def test_texts_are_searched_apart() -> None:
    assert not found("cute cat", "so cute", "cat")
    assert found("cute cat", "so cute", "cute cat")


def test_a_word_stops_at_its_end_and_not_before() -> None:
    words = WordMatcher([MutedWord("cat", BOTH, until_ms=NOW)])
    assert [words.match(["cat"], (), now) for now in (NOW - 1, NOW)] == [Match.MUTED, Match.NONE]
    assert [words.match([], ["cat"], now) for now in (NOW - 1, NOW)] == [Match.MUTED, Match.NONE]


def test_the_strictest_of_the_found_words_counts() -> None:
    words = [MutedWord("cat", BOTH, except_followed=True), MutedWord("dog", BOTH)]
    match = WordMatcher(words).match
    assert match(["cat"], (), NOW) is Match.UNLESS_FOLLOWED
    assert match([], ["cat"], NOW) is Match.UNLESS_FOLLOWED
    assert match(["cat and dog"], (), NOW) is Match.MUTED
    assert match(["cat"], ["dog"], NOW) is Match.MUTED
    assert match(["bird"], ["fish"], NOW) is Match.NONE


def test_words_survive_storage_and_others_are_refused() -> None:
    words = [MutedWord("cat \u732b", BOTH, whole_word=False, except_followed=True, until_ms=7), MutedWord("#dog", 1)]
    assert loads(dumps(words)) == words
    assert matcher(dumps(words)) is matcher(dumps(words))
    assert loads("") == []
    for text in ('[["cat"]]', '[["cat", "1", true, false, 0]]', "[1]", "{"):
        with pytest.raises((ValueError, TypeError)):
            loads(text)


def test_words_with_the_same_folded_text_have_the_same_id() -> None:
    assert MutedWord("Straße ", 1).word_id == MutedWord("STRASSE", 2).word_id != MutedWord("strasse!", 1).word_id


def test_words_that_end_with_each_other_do_not_make_a_search_long() -> None:
    looked_at = 0

    class Counted(MutedWord):
        def is_muted(self, now_ms: int) -> bool:
            nonlocal looked_at
            looked_at += 1
            return super().is_muted(now_ms)

    words = WordMatcher([Counted("a" * length, BOTH) for length in range(1, 101)])

    assert words.match(["a" * 10_000], (), NOW) is Match.NONE
    assert words.match(["b " * 3000 + "a"], (), NOW) is Match.MUTED
    assert looked_at < 50_000


def test_random_texts_give_the_same_result_as_a_plain_search() -> None:
    rng = random.Random(0)
    letters = "ab\u732b \u00c4#_."
    for _ in range(3000):
        words = {"".join(rng.choices(letters, k=rng.randint(1, 3))) for _ in range(rng.randint(1, 4))}
        drawn = [MutedWord(word, BOTH, whole_word=rng.random() < 0.5) for word in words if fold(word)]
        muted = list({word.key: word for word in drawn}.values())  # a user has each folded text once
        texts = ["".join(rng.choices(letters, k=rng.randint(0, 8))) for _ in range(2)]
        expected = any(plainly_found(word, fold(text)) for word in muted for text in texts)
        assert (WordMatcher(muted).match(texts, (), NOW) is Match.MUTED) is expected, (words, texts)


def plainly_found(word: MutedWord, folded: str) -> bool:
    """Returns whether a folded text contains a word, by a search at each place."""
    shapes = shape(folded)
    ends = [at + len(word.key) for at in range(len(folded)) if folded.startswith(word.key, at)]
    return any(
        not word.whole_word or not (inside_word(shapes, end - len(word.key)) or inside_word(shapes, end))
        for end in ends
    )
