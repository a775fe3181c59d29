"""Invisible characters: finds them, and removes those that a text does not need.

Some scripts need invisible characters: joiners in Persian and Indic scripts and in emoji, word breaks in Khmer and
Thai, direction marks beside right-to-left letters. Elsewhere they deceive: they make two texts look the same, reverse a
text, or hide a message. Source: Unicode Technical Reports 36 and 39, and UAX 9.
"""

import re
import unicodedata

_BLANKS = frozenset(map(chr, (0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0)))
"""Letters and symbols that look like a space: Hangul fillers and the blank pattern of Braille."""
_GAPS = re.compile(f"[{''.join(_BLANKS)}]")
_INVISIBLE_MARKS = re.compile("[\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ZWSP, _ZWNJ, _ZWJ, _PDI, _FLAG = "\u200b", "\u200c", "\u200d", "\u2069", "\U0001f3f4"
_MARKS, _ISOLATES = "\u061c\u200e\u200f", "\u2066\u2067\u2068"
_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
_SUSPICIOUS = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_JOINING = (
    *("ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN", "PHAGS-PA", "ADLAM", "DEVANAGARI", "BENGALI", "GURMUKHI"),
    *("GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "TIBETAN", "MYANMAR", "KHMER"),
    *("BALINESE", "JAVANESE", "CHAKMA", "NEWA", "TIRHUTA"),
)
"""The first words of Unicode character names in scripts whose spelling needs joiners and non-joiners."""
_UNSPACED = ("KHMER", "THAI", "LAO", "MYANMAR", "TIBETAN")
"""The first words of Unicode character names in scripts without spaces between words, where lines break at zero-width
spaces.
"""


def is_blank(text: str) -> bool:
    """Returns whether a text has no visible character."""
    return all(_is_invisible(character) for character in text)


def gaps_to_spaces(text: str) -> str:
    """Returns a text in which spaces replace the letters and symbols that look like a space."""
    return _GAPS.sub(" ", text)


def remove_deceptive(text: str) -> str:
    """Returns a text without the invisible characters that its script does not need. Closes direction isolates (U+2066
    to U+2068) that the text leaves open.
    """
    if not _SUSPICIOUS.search(text):
        return text
    right_to_left = any(unicodedata.bidirectional(one) in ("R", "AL") for one in _SUSPICIOUS.sub("", text))
    kept: list[str] = []
    isolates = 0
    for at, character in enumerate(text):
        if not _SUSPICIOUS.match(character) or (character in _MARKS and right_to_left):
            kept.append(character)
        elif character in _ISOLATES and right_to_left:
            kept.append(character)
            isolates += 1
        elif character == _PDI and isolates:
            kept.append(character)
            isolates -= 1
        elif kept and _is_needed(character, kept[-1], text[at + 1 : at + 2], text, at):
            kept.append(character)
    return "".join(kept) + _PDI * isolates


def _is_needed(character: str, before: str, after: str, text: str, at: int) -> bool:
    """Returns whether a script or an emoji needs this invisible character between the characters
    `before` and `after`.
    """
    if character == _ZWSP:
        return _name(before).startswith(_UNSPACED) and _name(after).startswith(_UNSPACED)
    if character in (_ZWJ, _ZWNJ) and _name(before).startswith(_JOINING):
        return True
    if character == _ZWJ:
        return _is_emoji(before) and _is_emoji(after)
    return character in _TAGS and (before == _FLAG or before in _TAGS) and _FLAG in text[max(0, at - 8) : at]


def _is_emoji(character: str) -> bool:
    """Returns whether a character can stand next to a joiner in an emoji: a symbol, skin tone or variation selector."""
    return unicodedata.category(character or " ") in ("So", "Sk", "Sm") or character == "\ufe0f"


def _is_invisible(character: str) -> bool:
    category = unicodedata.category(character)
    return (
        character.isspace() or category in ("Cf", "Cc", "Zs", "Zl", "Zp") or character in _BLANKS
        or _INVISIBLE_MARKS.match(character) is not None
    )  # fmt: skip


def _name(character: str) -> str:
    return unicodedata.name(character, "") if character else ""
