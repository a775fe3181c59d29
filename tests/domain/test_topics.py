"""Names of topics: how they are shown, and which of them are one topic."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import parse_id
from domain.topics import LONGEST_INPUT, key, spelling

MIDDLES = "'\u2019\u00b7\u0387\u2010\u2011\u2027\u058a\u05f4\u0f0b\u0f0c\u30a0\u30fb\uff65"
"""The characters of UAX 31, table 3a, and their compatible forms; `-` may stand anywhere, `.` and `:` nowhere."""

SHOWN = {
    "Θουκυδίδης": "θουκυδίδης",
    "ΟΔΥΣΣΕΥΣ": "οδυσσευς",
    "Straße": "straße",
    "GROẞ": "groß",
    "col·lecció": "col·lecció",
    "coŀlecció": "col·lecció",
    "one·two·three": "one·two·three",
    "ジョン・レノン": "ジョン・レノン",
    "ｼﾞｮﾝ･ﾚﾉﾝ": "ジョン・レノン",
    "བོད་ཡིག": "བོད་ཡིག",
    "བོད༌ཡིག": "བོད་ཡིག",
    "Rock'n'Roll": "rock'n'roll",
    "צה״ל": "צה״ל",
    "צ׳יפס": "צ׳יפס",
    "نرم\u200cافزار": "نرم\u200cافزار",
    "क्\u200dष": "क्\u200dष",
    "ᠬᠠᠷ\u180eᠠ": "ᠬᠠᠷ\u180eᠠ",
    "葛\U000e0100飾": "葛\U000e0100飾",
    "\uff03\uff23ats": "cats",
    "#2024": "2024",
}
SAME = [
    ("Straße", "STRASSE"),
    ("Θουκυδίδης", "ΘΟΥΚΥΔΊΔΗΣ"),
    ("نرم\u200cافزار", "نرمافزار"),
    ("rock'n'roll", "Rock\u2019n\u2019Roll"),
    ("well-known", "well\u2010known"),
    ("ca\u200bts", "#C\u00adats"),
    ("café", "cafe\u0301"),
]
FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters that show nothing."""
IMPOSSIBLE = ["", "#", "❤\ufe0f", "\u3164", "two words", 'a","b', "\u200d", "node.js", "a:b", "a" * 51, "a+b"]


@pytest.mark.parametrize(("written", "shown"), SHOWN.items())
def test_a_topic_is_shown_as_it_was_written_in_lower_case(written: str, shown: str) -> None:
    assert spelling(written) == shown
    assert spelling(shown) == shown


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    first, second = spelling(one), spelling(other)
    assert first is not None
    assert second is not None
    assert key(first) == key(second)


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_a_text_that_cannot_be_a_topic_has_no_spelling(text: str) -> None:
    assert spelling(text) is None


@pytest.mark.parametrize("middle", MIDDLES)
def test_a_character_of_the_middle_of_words_stands_between_letters_only(middle: str) -> None:
    assert spelling(f"a{middle}b{middle}c")
    assert not any(map(spelling, (middle, f"{middle}a", f"a{middle}", f"a{middle}{middle}b", f"a_{middle}b")))


@pytest.mark.parametrize("codes", [range(0x3400), range(0xA000, 0xAC00), range(0xF900, 0x1F000)], ids=str)
def test_every_letter_has_the_key_that_topics_had_when_they_had_one_form(codes: range) -> None:
    """Otherwise a topic that is stored would not be found."""
    for letter in map(chr, codes):
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", f"a{letter}b").casefold())
        if letter not in FILLERS and all(unicodedata.category(one)[0] in "LN" for one in folded):
            name = spelling(f"a{letter}b")
            assert name is not None
            assert key(name) == folded


@given(st.text(max_size=60) | st.text(st.sampled_from("aßΣσς\u200c\u200dهक्\u0345\u0301İ·'\u2019_-#1"), max_size=60))
def test_a_key_is_a_spelling_with_this_key_and_can_be_in_an_id(text: str) -> None:
    if name := spelling(text):
        assert spelling(name) == name
        assert key(key(name)) == key(name)
        assert str(parse_id(f"Topic:{key(name)}")) == f"Topic:{key(name)}"


def test_a_name_may_be_as_long_as_its_longest_decomposition() -> None:
    decomposed = (unicodedata.normalize("NFD", chr(code)) for code in range(sys.maxunicode + 1))
    assert max(map(len, decomposed)) == 4  # the most characters that compose to one

    assert spelling("#" + "o\u0323\u0302" * 50) == "\u1ed9" * 50
    assert len("#" + unicodedata.normalize("NFD", "\u1f82") * 50) == LONGEST_INPUT
    assert spelling("\ufdfa" * LONGEST_INPUT) is None
    assert spelling("a" * (LONGEST_INPUT + 1)) is None
