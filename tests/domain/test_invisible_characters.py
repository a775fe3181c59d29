"""Which invisible characters texts keep, and which texts are blank."""

import sys
import time
import unicodedata

import emoji
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from domain import texts
from domain.errors import Refused
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
    "a joiner before an Arabic letter": "\u200dه",
    "joiners that keep Arabic letters apart": "ل\u200d\u200c\u200dا",
    "a joiner after an Arabic mark": "هُ\u200d",
    "a joiner before a Bengali virama": "র\u200d্য",
    "an N'Ko, a Syriac, a Manichaean and a Rohingya joiner": "ߞ\u200d ܒ\u200d 𐫀\u200d 𐴀\u200d",
    "a joiner in Grantha and in Kaithi": "𑌕𑍍\u200dഷ 𑂍𑂹\u200d𑂭",
    "a Hebrew meteg": "ב\u05b2\u200d\u05bd ב\u05b2\u034f\u05bd",
    "a Mongolian vowel separator": "ᠬᠠᠷ\u180eᠠ",
    "a Mongolian variant": "ᠠ\u180b\u180eᠠ",
    "a variant of an ideograph": "葛\U000e0100飾",
    "a variant of a Myanmar letter": "က\ufe00",
    "a keycap": "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "an information sign": "ℹ\ufe0f",
    "the flag of Texas": "🏴\U000e0075\U000e0073\U000e0074\U000e0078\U000e007f",
    "a filler in an old Korean syllable": "\u115fᅡ",
    "words of Lao, Tai Tham and Javanese": "ລາວ\u200bພາ ᨠ\u200bᨡ ꦗ\u200bꦮ",
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
    "tags of a flag that is not complete": ("🏴\U000e0067\U000e0062", "🏴"),
    "a long message in tags of a flag": ("🏴" + "\U000e0067" * 7 + "\U000e007f", "🏴"),
    "a message in variation selectors": ("😀\ufe01\U000e0110\U000e0111", "😀\ufe01"),
    "a message in joiners": ("ه" + "\u200c\u200d" * 20, "ه\u200c\u200d\u200c"),
    "a message in unassigned code points": ("a\U000e0fff\U000e0080\u2065", "a"),
}


@pytest.mark.parametrize("text", NEEDED.values(), ids=NEEDED)
def test_invisible_characters_that_a_script_needs_are_kept(text: str) -> None:
    assert remove_deceptive(text) == text


@pytest.mark.parametrize(("text", "left"), DECEIVING.values(), ids=DECEIVING)
def test_deceptive_invisible_characters_are_removed(text: str, left: str) -> None:
    assert remove_deceptive(text) == left


def test_every_emoji_is_kept() -> None:
    assert len(emoji.EMOJI_DATA) > 5000
    assert [one for one in emoji.EMOJI_DATA if remove_deceptive(one) != one] == []


@pytest.mark.parametrize("code", [0x1FAEF, 0x1F8FF, 0x1FACF, 0x1FADD, 0x1FC00, 0x1FFFD])
def test_an_emoji_that_is_not_assigned_yet_is_kept(code: int) -> None:
    text = f"👨🏿\u200d{chr(code)}\ufe0f\u200d👨🏻"
    assert remove_deceptive(text) == text


def test_letters_of_a_script_that_is_not_assigned_yet_keep_their_joiners() -> None:
    assert unicodedata.category("\U00012fff") == "Cn"
    assert remove_deceptive("\U00012fff\u200d\U00012fff") == "\U00012fff\u200d\U00012fff"


def test_no_invisible_character_stays_within_a_latin_word() -> None:
    invisible = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--\p{L}]", regex.V1)
    characters = [one for one in map(chr, range(sys.maxunicode + 1)) if invisible.match(one)]

    assert len(characters) > 4000
    assert [one for one in characters if remove_deceptive(f"ad{one}min") != "admin"] == []


@pytest.mark.parametrize("piece", ["\u200d", "ه\u200d", "ه\u0301", "\ufe0f", "🏴\U000e0061", "\u0301\u200d", "\u2067ש"])
def test_the_time_for_a_text_grows_with_its_length(piece: str) -> None:
    short, long = ("ه🏴" + piece * (characters // len(piece)) for characters in (5_000, 40_000))

    def spent(text: str) -> float:
        started = time.process_time()
        remove_deceptive(text)
        return time.process_time() - started

    assert min(spent(long) for _ in range(3)) < 8 * 4 * max(0.001, min(spent(short) for _ in range(3)))


@given(
    st.text(
        st.sampled_from(
            "aאب 👨क한ש\u05bd\u1820\u200b\u200c\u200d\u200f\u202e\u2066\u2069"
            "\ufe0f\u180e\u034f\u00ad\U000e0061\U000e007f🏴\U0001faef"
        )
    )
)
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


def test_a_text_that_is_too_long_after_closing_its_isolates_is_refused() -> None:
    closed = "שלום\u2067abc"
    assert texts.user_text(closed, len(closed) + 1) == closed + "\u2069"
    with pytest.raises(Refused):
        texts.user_text(closed, len(closed))
