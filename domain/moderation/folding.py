"""Text as it is compared: however it was typed, what reads the same is the same.

`fold` makes of a text the one form in which it is compared, `shape` says of each of its characters what it is.
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
"""Characters that show nothing though their categories do not say so: joiners, fillers, variation selectors."""
_STROKES = re.compile("[\u0334-\u0338]")
"""Overlays, with which any letter can be struck through."""
_UNSPACED = (
    *("CJK", "IDEOGRAPHIC", "BOPOMOFO", "HIRAGANA", "KATAKANA", "HENTAIGANA", "HANGUL"),
    *("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"),
)
"""How Unicode's names of characters begin in scripts that put no space between words, or glue endings to them."""

SPACED, UNSPACED, STOP, OTHER = "w", "c", ".", " "
"""Shapes: letters, marks and digits of scripts that put spaces between words; of scripts that do not; what ends a
sentence or a part of it; everything else."""
_STOPS = frozenset(",;:!?\u3001\u3002")


class _Table(dict[int, str]):
    """For `str.translate`: what a function makes of each character, which is found out once."""

    def __init__(self, of: Callable[[str], str]) -> None:
        super().__init__()
        self._of = of

    def __missing__(self, code: int) -> str:
        self[code] = self._of(chr(code))
        return self[code]


def _visible(character: str) -> str:
    """Nothing, for what cannot be seen and for lone surrogates."""
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
"""No language puts more than 30 marks on a letter (Unicode's Stream-Safe Text Format, UAX 15)."""


def fold(text: str) -> str:
    """Without what cannot be seen, width and case; with one space for any run of white space, and none around.

    Folding twice is folding once, and it does not matter how accents are composed.
    """
    visible = unicodedata.normalize("NFKC", _unpiled(text.translate(_VISIBLE)))
    composed = unicodedata.normalize("NFKC", visible.casefold())
    return " ".join(_unpiled(_STROKES.sub("", composed)).split())


def _unpiled(text: str) -> str:
    """Drops marks piled on one letter: normalising sorts them, in time that grows with the square of their number."""
    marks = text.translate(_MARKS)
    if "m" * 31 not in marks:
        return text
    return "".join(text[slice(*run.span(1))] for run in _MARKED.finditer(marks))


def shape(folded: str) -> str:
    """One of SPACED, UNSPACED, STOP and OTHER for each character."""
    return folded.translate(_SHAPES)


def letters(folded: str) -> str:
    """Letters, marks and digits alone."""
    return folded.translate(_LETTERS)
