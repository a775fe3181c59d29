"""Reserved names: handles and display names that readers would mistake for the operators of the site."""

import re
from collections.abc import Collection, Iterator

from anyascii import anyascii

from domain.moderation.folding import fold, letters

_LOOK_ALIKES = str.maketrans({"0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"})
LIKE_LATIN = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u04cf\u043f\u0433\u03b1\u03b2\u03b3\u03b5\u03b7\u03ba\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9@$!|",
    "abekmhopctyxijsdhlnrabyenkoptuxwasll",
)
"""Cyrillic letters, Greek letters and signs that look like Latin letters."""


def is_reserved(name: str, reserved: Collection[str]) -> bool:
    """Returns whether a handle or a display name consists only of words in `reserved`, or looks or sounds so. If
    `admin` and `moderator` are reserved words, these names are reserved: `Admin`, `adm1n`, `_admin_`, `ad.min`,
    `admin-42`, `A d m i n`, `@dmin`, `rnoderator`, `Admin Moderator`.
    """
    words = {_look(word) for word in reserved} - {""}
    return any(_consists_of(spelling, words) for spelling in set(_spellings(name)))


def _spellings(name: str) -> Iterator[str]:
    """Yields the simplified spellings of a name: as it sounds and as it looks in Latin letters, each with and without
    the digits at its end.
    """
    folded = fold(name)
    for latin in (anyascii(letters(folded)), anyascii(folded.translate(LIKE_LATIN))):
        yield _look(latin)
        yield _look(latin.rstrip("0123456789_.- "))


def _look(text: str) -> str:
    """Returns the Latin letters and digits of a text, each replaced by one common character for all that look alike."""
    plain = re.sub(r"[^a-z0-9]", "", text.lower())
    return plain.replace("rn", "m").replace("vv", "w").translate(_LOOK_ALIKES)


def _consists_of(text: str, words: Collection[str]) -> bool:
    """Returns whether a text is one of the words, or several of them one after the other."""
    ends = {0}
    for start in range(len(text)):
        if start in ends:
            ends.update(start + len(word) for word in words if text.startswith(word, start))
    return bool(text) and len(text) in ends
