"""Topics: the two forms of a topic's name. The spelling is shown to users. The key is compared: names with the same key
are one topic.
"""

import unicodedata
from functools import lru_cache

import regex

from domain import invisible_characters

RULE = "A topic is 1 to 50 letters, digits, _ and -, with single apostrophes or middle dots between letters."
"""Says what a valid name is."""
LONGEST = 50
"""The most characters of a key."""
_DECOMPOSED = 4
"""The most characters that normalization combines into one. For example, U+1F82 is made of four."""
LONGEST_INPUT = 1 + _DECOMPOSED * LONGEST
"""The longest input for a topic, in characters: `#` and fifty letters, each decomposed."""
_JOINERS = r"\u200c\u200d\u180e"
_MEDIALS = r"'\u2019\uff07\u00b7\u0387\u2010\u2011\u2027\u058a\u05f4\u0f0b\u0f0c\u30a0\u30fb\uff65"
"""Characters that are part of a word between two letters: apostrophes, middle dots, hyphens, the Tibetan tsheg. Source:
UAX 31, table 3a, without `.` and `:`, which end sentences and clauses.
"""
PATTERN = (
    rf"(?:[\p{{L}}\p{{M}}\p{{N}}_\u05f3-]|[{_JOINERS}](?=[\p{{L}}\p{{M}}])"
    rf"|(?<=[\p{{L}}\p{{M}}\p{{N}}])[{_MEDIALS}](?=[\p{{L}}\p{{N}}]))+"
)
"""Matches the name of a topic in a text."""
_NAME = regex.compile(PATTERN)
_BEGINNING = regex.compile(rf"[\p{{L}}\p{{M}}\p{{N}}_\u05f3{_MEDIALS}-]*")
"""Matches the beginning of a key. A medial character may be its last one."""
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_MOST_WORDS = 8
_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
_NOT_SHOWN = regex.compile(rf"[\p{{Default_Ignorable_Code_Point}}--\p{{Mn}}--[{_JOINERS}]]+", regex.V1)
"""Invisible characters that change no letter beside them."""
_SAME = str.maketrans({"\u2019": "'", "\u2010": "-"})
"""Replaces typographic apostrophes and hyphens by the typed ones, because both stand for the same name."""


def spelling(text: str) -> str | None:
    """Returns the name of a topic as it is shown: in lower case, without a leading `#`.

    Returns None if the text is not a valid name: 1 to 50 letters, digits, `_` and `-`. Apostrophes and similar
    characters are allowed between two letters only.
    """
    if len(text) > LONGEST_INPUT:  # checked first, because normalizing may turn one character into eighteen
        return None
    plain = _composed(invisible_characters.remove_deceptive(text)).removeprefix("#")
    name = _composed(_NOT_SHOWN.sub("", plain).lower())
    return name if _NAME.fullmatch(name) and 0 < len(key(name)) <= LONGEST else None


@lru_cache(10_000)
def key(name: str) -> str:
    """Returns the form of a topic's name that is compared: without differences of case and without invisible
    characters. `Straße`, `STRASSE` and `strasse` are one topic. Topics are stored under their keys.
    """
    return _composed(_composed(_IGNORED.sub("", name)).casefold()).translate(_SAME)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def beginning(text: str) -> str | None:
    """Returns the beginning of a topic's key, for a text that a user is typing, with or without `#`. The empty text
    begins all keys. Returns None if no key begins with the text.
    """
    begun = key(_composed(invisible_characters.remove_deceptive(text)).strip().removeprefix("#").lower())
    return begun if _BEGINNING.fullmatch(begun) and len(begun) <= LONGEST else None


def words(text: str) -> list[str]:
    """Returns the words of a search for topics, in the form in which keys have them: letters and digits. Returns the
    first eight, each once.
    """
    return list(dict.fromkeys(_WORD.findall(key(text.lower()))))[:_MOST_WORDS]
