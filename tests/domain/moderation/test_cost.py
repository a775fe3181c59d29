"""The CPU time of the moderation rules for each byte of a submission: about as much for every kind of text."""

import time
import unicodedata
from datetime import UTC, datetime
from itertools import islice, product
from pathlib import Path

import pytest

from domain.moderation import spam
from domain.moderation.folding import fold
from domain.moderation.pipeline import Pipeline
from domain.moderation.verdicts import Submission
from settings import ModerationSettings

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = "Hello, my friend, how are you today? "
MOST_TIMES_PLAIN = 12
"""How many times as much as for plain ASCII a byte may cost. The most expensive kinds cost about six times as much."""


def expansion(character: str) -> float:
    """Returns how many characters normalization and case folding make of each byte of a character."""
    forms = (unicodedata.normalize("NFKC", one) for one in (character, character.casefold(), character.upper()))
    return max(map(len, forms)) / len(character.encode())


CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
EXPENSIVE = [
    *sorted(CHARACTERS, key=expansion, reverse=True)[:12],
    *sorted(CHARACTERS, key=lambda one: len(unicodedata.normalize("NFKD", one)) / len(one.encode()))[-6:],
    "".join(one for one in CHARACTERS if unicodedata.combining(one))[:900],  # all combining classes
    *("a\u0301", "a" + "\u0301\u0323" * 15, "\u0344", "a\u0334", "각", "\u1100\u1161\u11a8", "𝓢", "ß", "İ", "\u0390"),
    *(
        "рауреl ",
        "a\u200b",
        "a\u3164",
        "a-",
        "a ",
        "a--b ",
        "s p a m ",
        "赌博",
        "赌.",
        "哈",
        "\u00a0",
        "\ufeff",
        "\u2800",
    ),
    *("http://a.b/ ", "www.", "http://", "www.ä", "https://www.", "#", "@a ", "a#b", "\U000e0020", "👩‍👩‍👧‍👦"),
    "".join(map(chr, range(0x20000, 0x20000 + 5000))),  # each character once
]
NAMES = ["+".join(f"{ord(one):04x}" for one in text[:4]) for text in EXPENSIVE]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """Returns a pipeline with 10,000 words in several scripts, many of which begin alike or contain each other."""
    letters = ("abcdefgh", "абвгдежз", "赌博哈色情网站外")
    words = [
        *("哈" * n for n in range(1, 9)),
        *("a" * n for n in range(2, 9)),
        "casino bonus",
        "http",
        "www",
        "صلى الله",
    ]
    for script in letters:
        words += ["".join(one) for one in islice(product(script, repeat=5), 3_327)]
    path: Path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text("\n".join(words), encoding="utf-8")
    return Pipeline(ModerationSettings(words_file=path))


def seconds_a_byte(pipeline: Pipeline, pattern: str) -> float:
    """Returns the CPU time for each byte of a post with nine images, whose text and descriptions repeat a pattern."""
    text = (pattern * 5000)[:5000]
    alts = tuple(text[number : number + 491] for number in range(9))
    submission = Submission("post", 1, 1, NOW, text, (), alts, ("cats",), NOW)
    spent = []
    for _ in range(3):
        fold.cache_clear()
        spam.digest.cache_clear()
        pipeline._words.verdict_on.cache_clear()
        began = time.thread_time()
        pipeline.check(submission, ())
        spam.trace(submission)
        spent.append(time.thread_time() - began)
    return min(spent) / sum(len(one.encode()) for one in (text, *alts))


@pytest.fixture(scope="module")
def plain(pipeline: Pipeline) -> float:
    return min(seconds_a_byte(pipeline, PLAIN) for _ in range(3))


@pytest.mark.parametrize("pattern", EXPENSIVE, ids=NAMES)
def test_a_byte_of_any_text_costs_about_as_much_as_one_of_plain_text(
    pipeline: Pipeline, plain: float, pattern: str
) -> None:
    assert seconds_a_byte(pipeline, pattern) < MOST_TIMES_PLAIN * plain


def test_no_character_folds_to_more_than_two_characters_for_each_byte() -> None:
    assert [one for one in CHARACTERS if len(fold(one)) > 2 * len(one.encode())] == []


def test_each_text_is_folded_once(pipeline: Pipeline) -> None:
    fold.cache_clear()
    submission = Submission("post", 1, 1, NOW, "text one", (), ("alt one", "alt two"), ("unread",), NOW)

    pipeline.check(submission, ())
    spam.trace(submission)

    assert fold.cache_info().misses == 4
