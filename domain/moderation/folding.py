"""Folds texts for comparison: texts that read the same become the same, however they were typed.

`fold` returns the form of a text in which it is compared; `shape` returns the kind of each of its characters.
"""

import re
import unicodedata
from collections.abc import Callable

_BLANK = {
    0x034F,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    *range(0x180B, 0x1810),
    0x2800,
    0x3164,
    *range(0xFE00, 0xFE10),
    0xFFA0,
}
"""Characters that show nothing although their Unicode category does not say so: joiners, fillers, variation
selectors.
"""
_STROKES = re.compile("[\u0334-\u0338]")
"""Overlays, which can strike through any letter."""
_UNSPACED = (
    *("CJK", "IDEOGRAPHIC", "BOPOMOFO", "HIRAGANA", "KATAKANA", "HENTAIGANA", "HANGUL"),
    *("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"),
)
"""The beginnings of Unicode character names in scripts without spaces between words, or that join endings to words."""

SPACED, UNSPACED, STOP, OTHER = "w", "c", ".", " "
"""Kinds of characters: letters, marks and digits of scripts with spaces between words; those of scripts without;
characters that end a sentence or clause; all others.
"""
_STOPS = frozenset(",;:!?\u3001\u3002")


class _Table(dict[int, str]):
    """A table for `str.translate` that computes the replacement of each character once."""

    def __init__(self, of: Callable[[str], str]) -> None:
        super().__init__()
        self._of = of

    def __missing__(self, code: int) -> str:
        self[code] = self._of(chr(code))
        return self[code]


def _visible(character: str) -> str:
    """Returns an empty text for invisible characters and for lone surrogates, otherwise the character."""
    code, category = ord(character), unicodedata.category(character)
    control = category == "Cc" and not character.isspace()
    selector = 0xE0100 <= code < 0xE01F0
    return "" if category in ("Cf", "Cs") or control or selector or code in _BLANK else character


def _shape(character: str) -> str:
    if unicodedata.category(character)[0] not in "LMN":
        return STOP if character in _STOPS else OTHER
    return UNSPACED if unicodedata.name(character, "").startswith(_UNSPACED) else SPACED


def _letter(character: str) -> str:
    return character if _shape(character) in (SPACED, UNSPACED) else ""


def _mark(character: str) -> str:
    return "m" if unicodedata.combining(character) else "s"


_VISIBLE, _SHAPES, _LETTERS, _MARKS = _Table(_visible), _Table(_shape), _Table(_letter), _Table(_mark)
_MARKED = re.compile("(s*m{0,30})m*")
"""The most marks on one letter. No language uses more (Unicode's Stream-Safe Text Format, UAX 15)."""


def fold(text: str) -> str:
    """Returns a text without invisible characters, differences of width and of case; each run of white space becomes
    one space, and there is none at the ends. Folding a folded text changes nothing. Composed and decomposed accents
    fold to the same text.
    """
    visible = unicodedata.normalize("NFKC", _unpiled(text.translate(_VISIBLE)))
    composed = unicodedata.normalize("NFKC", visible.casefold())
    return " ".join(_unpiled(_STROKES.sub("", composed)).split())


def _unpiled(text: str) -> str:
    """Removes excess marks on one letter. Normalising sorts marks, in time that grows with the square of their
    number.
    """
    marks = text.translate(_MARKS)
    if "m" * 31 not in marks:
        return text
    return "".join(text[slice(*run.span(1))] for run in _MARKED.finditer(marks))


def shape(folded: str) -> str:
    """Returns SPACED, UNSPACED, STOP or OTHER for each character."""
    return folded.translate(_SHAPES)


def letters(folded: str) -> str:
    """Returns only the letters, marks and digits of a text."""
    return folded.translate(_LETTERS)
