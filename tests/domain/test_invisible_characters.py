"""Which invisible characters texts keep, and which texts are blank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import texts
from domain.errors import Refused
from domain.ids import topic
from domain.invisible_characters import is_blank, remove_deceptive

NEEDED = {
    "a Persian non-joiner": "می\u200cخواهم",
    "a Hindi joiner": "क्\u200dष",
    "a Sinhala joiner": "ශ්\u200dරී",
    "a family": "👨\u200d👩\u200d👧",
    "a heart on fire": "❤\ufe0f\u200d🔥",
    "a skin tone in a couple": "🧑🏽\u200d🤝\u200d🧑🏻",
    "the flag of England": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!",
    "Khmer words": "ខ្មែរ\u200bភាសា",
    "an Arabic exclamation": "شكرا\u200f!",
    "English within Hebrew": "שלום \u2066C++\u2069 שלום",
    "line breaks and tabs": "a\n\tb",
}
DECEIVING = {
    "an override": ("invoice\u202egpj.exe", "invoicegpj.exe"),
    "an override beside Arabic": ("سلام\u202e x", "سلام x"),
    "an embedding": ("a\u202bb\u202cc", "abc"),
    "direction marks where nothing is right to left": ("a\u200f\u200e\u061cb", "ab"),
    "an isolate where nothing is right to left": ("\u2067abc\u2069", "abc"),
    "an isolate that is not closed": ("שלום \u2067abc", "שלום \u2067abc\u2069"),
    "the end of an isolate that was not opened": ("שלום\u2069", "שלום"),
    "zero-width spaces in a Latin word": ("ad\u200bmin", "admin"),
    "joiners in a Latin word": ("ad\u200d\u200cmin", "admin"),
    "a soft hyphen, a word joiner, a byte order mark": ("a\u00ad\u2060\ufeffb", "ab"),
    "a message in tags": ("hi\U000e0068\U000e0069", "hi"),
    "a joiner at the end": ("👨\u200d", "👨"),
}


@pytest.mark.parametrize("text", NEEDED.values(), ids=NEEDED)
def test_invisible_characters_that_a_script_needs_are_kept(text: str) -> None:
    assert remove_deceptive(text) == text


@pytest.mark.parametrize(("text", "left"), DECEIVING.values(), ids=DECEIVING)
def test_deceptive_invisible_characters_are_removed(text: str, left: str) -> None:
    assert remove_deceptive(text) == left


@given(st.text(st.sampled_from("aאب 👨क\u200b\u200c\u200d\u200f\u202e\u2066\u2069\ufe0f\U000e0061🏴")))
def test_cleaning_is_idempotent(text: str) -> None:
    assert remove_deceptive(remove_deceptive(text)) == remove_deceptive(text)


@pytest.mark.parametrize(
    "text", ["", " \n", "\u2800\u2800", "\u3164", "\u115f\u1160\uffa0", "\u200d\ufe0f", "\u034f\u00ad"]
)
def test_a_text_of_invisible_characters_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "\u2800.", "한글", "👍", "\u0301", "⠓⠊"])
def test_a_text_with_a_visible_character_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ca\u200bts", "cats"),
        ("#C\u00adats", "cats"),
        ("می\u200cخواهم", "میخواهم"),
        ("❤\ufe0f", None),
        ("\u3164", None),
    ],
)
def test_topics_that_look_alike_are_equal(written: str, name: str | None) -> None:
    assert topic(written) == name


def test_a_text_that_is_too_long_after_closing_its_isolates_is_refused() -> None:
    closed = "שלום\u2067abc"
    assert texts.user_text(closed, len(closed) + 1) == closed + "\u2069"
    with pytest.raises(Refused):
        texts.user_text(closed, len(closed))
