"""Folds texts for comparison, so that texts that look the same become the same, however they were typed.

`fold` returns the form of a text that is compared. `shape` tells where words and sentences can begin and end, and
`inside_word` whether a position is inside a word. `letters` leaves out all characters except letters, marks and digits.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

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
"""Characters that show nothing, although their Unicode category does not say so: joiners, fillers,
variation selectors.
"""
_ACCENTS = re.compile("[\u0300-\u036f]+")
_STROKES = re.compile("[\u0334-\u0338]")
"""Overlay marks, which can strike through any letter."""
_UNSPACED = (
    *("CJK", "IDEOGRAPHIC", "BOPOMOFO", "HIRAGANA", "KATAKANA", "HENTAIGANA", "HANGUL"),
    *("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"),
)
"""The beginnings of the Unicode names of characters in scripts that have no spaces between words, or that attach
endings to words.
"""

SPACED, UNSPACED, STOP, OTHER = "w", "c", ".", " "
"""The kinds of characters. SPACED and UNSPACED are letters, marks and digits of scripts with and without spaces between
words; STOP is a character that ends a sentence or clause; OTHER is every other character.
"""
_STOPS = frozenset(",;:!?\u3001\u3002")


_MOST_KEPT = 30_000
"""The most characters whose replacements one table keeps. Usual texts have fewer different characters. All full tables
together take about 12 MB.
"""


class _Table(dict[int, str]):
    """A table for `str.translate` that computes the replacement of a character when it first occurs, and keeps the
    result. A full table is cleared, so that texts of rare characters cannot fill the memory.
    """

    def __init__(self, replacement: Callable[[str], str]) -> None:
        super().__init__()
        self._replacement = replacement

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[code] = self._replacement(chr(code))
        return self[code]


KEPT_TEXTS = 1000
"""The number of texts for which a process remembers the results of the rules. A text can be analysed before a
transaction, so that the transaction does not have to analyse it again.
"""
_LONGEST_EXPANSION = 6
"""The most characters to which one character can expand. Longer expansions are cut: those of U+FDFA and U+FDFB, which
are whole Arabic phrases of 18 and 8 characters.
"""


def _visible(character: str) -> str:
    """Returns an empty text for an invisible character or a lone surrogate; the first characters of a ligature with a
    long expansion; otherwise the character itself.
    """
    code, category = ord(character), unicodedata.category(character)
    control = category == "Cc" and not character.isspace()
    selector = 0xE0100 <= code < 0xE01F0
    if category in ("Cf", "Cs") or control or selector or code in _BLANK:
        return ""
    expanded = unicodedata.normalize("NFKC", character)
    return expanded[:_LONGEST_EXPANSION] if len(expanded) > _LONGEST_EXPANSION else character


def _shape(character: str) -> str:
    if unicodedata.category(character)[0] not in "LMN":
        return STOP if character in _STOPS else OTHER
    return UNSPACED if unicodedata.name(character, "").startswith(_UNSPACED) else SPACED


_VISIBLE, _SHAPES = _Table(_visible), _Table(_shape)
_LETTERS = _Table(lambda character: character if _shape(character) in (SPACED, UNSPACED) else "")
_MARKS = _Table(lambda character: "m" if unicodedata.combining(character) else "s")
_MARKED = re.compile("(s*m{0,30})m*")
"""Matches a letter with at most 30 marks, and then its further marks. No language uses more than 30 marks (Unicode's
Stream-Safe Text Format, UAX 15). In the text that is searched, `s` stands for a letter and `m` for a mark.
"""


@lru_cache(64)  # several rules need the same few texts of one submission
def fold(text: str) -> str:
    """Returns a text without invisible characters and without differences of width and case. Each run of white space
    becomes one space; leading and trailing space is removed.

    Folding a folded text changes nothing. Composed and decomposed accents fold to the same text.
    """
    visible = unicodedata.normalize("NFKC", _limit_marks(text.translate(_VISIBLE)))
    composed = unicodedata.normalize("NFKC", visible.casefold())
    return " ".join(_limit_marks(_STROKES.sub("", composed)).split())


def without_accents(folded: str) -> str:
    """Returns a folded text without the accents of Latin, Greek and Cyrillic letters."""
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", folded)))


def _limit_marks(text: str) -> str:
    """Returns a text without the marks of a letter beyond the 30th. Without this limit, normalization would take
    quadratic time.
    """
    marks = text.translate(_MARKS)
    if "m" * 31 not in marks:
        return text
    return "".join(text[slice(*run.span(1))] for run in _MARKED.finditer(marks))


def shape(folded: str) -> str:
    """Returns the kind of each character of a folded text, as a text of the same length: SPACED for scripts with spaces
    between words, UNSPACED for scripts without (such as Chinese), STOP for punctuation that ends a sentence or clause,
    OTHER for the rest.
    """
    return folded.translate(_SHAPES)


def inside_word(shapes: str, position: int) -> bool:
    """Returns whether a position is inside a word of a script with spaces between words. `shapes` is the shape of the
    text (`shape`).
    """
    return position > 0 and shapes[position - 1 : position + 1] == SPACED * 2


def letters(folded: str) -> str:
    """Returns the letters, marks and digits of a folded text."""
    return folded.translate(_LETTERS)
