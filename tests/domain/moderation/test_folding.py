"""Folding: texts that look alike are equal after it."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.moderation import folding
from domain.moderation.folding import fold, letters, shape

ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\u3164\U000e0101"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("SpAm", "spam"),
        ("\uff33\uff30\uff21\uff2d\u3000\uff11", "spam 1"),  # full width
        ("ⓢⓟⓐⓜ", "spam"),
        ("𝓢𝓹𝓪𝓶", "spam"),
        ("STRASSE straße", "strasse strasse"),
        ("Σίσυφος ΣΊΣΥΦΟΣ", "σίσυφοσ σίσυφοσ"),
        ("cafe\u0301", "café"),
        ("cafe\u200b\u0301", "café"),
        ("s\u0336p\u0336a\u0336m\u0336", "spam"),  # struck through
        (ZERO_WIDTH.join("spam"), "spam"),
        (ZERO_WIDTH.join("赌博"), "赌博"),
        ("  two \t\n\u2003 words ", "two words"),
        ("\ud800a", "a"),  # half a surrogate pair
        ("año", "año"),
        ("\u0390", "\u0390"),  # case folding decomposes it
        ("ｶﾞ", "ガ"),
    ],
)
def test_width_case_composition_and_invisible_characters_are_ignored(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize("marks", ["\u0300\u0323", "\u0316\u0300\u0334\u0327\u05b0", "\u0344"])
def test_many_combining_marks_are_folded_fast_and_to_thirty_at_most(marks: str) -> None:
    """Normalization sorts the marks: without a limit 100,000 marks took seconds."""
    piled = "a" + marks * (100_000 // len(marks))
    started = time.thread_time()
    folded = fold(piled)

    assert time.thread_time() - started < 1
    assert len(folded) <= 1 + 30
    assert fold(folded) == folded


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(codec="utf-8")))
def test_composed_and_decomposed_accents_are_equal(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@given(st.text())
def test_every_character_has_a_shape(text: str) -> None:
    shapes = shape(text)

    assert len(shapes) == len(text)
    assert set(shapes) <= set("wc. ")


def test_shapes_distinguish_scripts_with_spaces_from_those_without() -> None:
    assert shape("aé1Яשहि") == "w" * 7
    assert shape("赌〇々ひカー한ไทย") == "c" * 10
    assert shape(" -*_.😀,。!") == "      ..."


def test_letters_are_the_text_without_signs() -> None:
    assert letters("s-p a_m! 赌·博😀 हिन्दी 42") == "spam赌博हिन्दी42"


def test_texts_of_rare_characters_do_not_fill_the_memory() -> None:
    rare = "".join(map(chr, range(0x20000, 0x20000 + 2 * folding._MOST_KEPT)))

    folded = fold(rare)

    assert folded == "".join(map(fold, rare))
    assert max(len(table) for table in (folding._VISIBLE, folding._MARKS)) <= folding._MOST_KEPT
