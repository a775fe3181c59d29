"""The terms by which searches find names. A search finds a name if each word of the query is the beginning of one of
the name's terms.

Names and queries are folded in one way: case, width, accents and invisible characters make no difference, and letters
that look like Latin letters are these letters.
"""

from collections.abc import Iterator

from domain.moderation.folding import SPACED, UNSPACED, fold, shape, without_accents
from domain.reserved_names import LIKE_LATIN

LONGEST = 64
"""The most characters of a term, and of a query."""
MOST_TERMS = 40
"""The most terms of one user."""
MOST_WORDS = 5
"""How many words of a query are compared: the longest ones."""
END = "\U0010ffff"
"""Follows all characters of names. The terms with a prefix are those from the prefix to the prefix with END."""
_LETTERS_LIKE_LATIN = {code: latin for code, latin in LIKE_LATIN.items() if chr(code).isalpha()}


def folded(text: str) -> str:
    """Returns the form of a name or query that is compared."""
    return without_accents(fold(text)).translate(_LETTERS_LIKE_LATIN)


def terms(*names: str) -> list[str]:
    """Returns the terms of a user with these names, without duplicates: the longest come first in each word of a name.
    `Jean-Luc Li` has the terms `jean-luc`, `luc` and `li`; a name in a script without spaces, such as `王小明`, has a
    term for each of its characters.
    """
    found: dict[str, None] = {}
    for name in names:
        for run in folded(name).split():
            found |= dict.fromkeys(run[start : start + LONGEST] for start in _starts(run))
    return [*found][:MOST_TERMS]


def words(query: str) -> list[str]:
    """Returns the folded words of a query without duplicates, longest first, and without characters before the first
    letter or digit of a word. Empty if the query has no letter or digit.
    """
    starts = ((run, next(_starts(run), len(run))) for run in folded(query).split())
    found = {word: None for run, start in starts if (word := run[start : start + LONGEST])}
    return sorted(found, key=len, reverse=True)[:MOST_WORDS]


def longest_part(word: str) -> str:
    """Returns the longest run of letters and digits in a folded word."""
    kinds = zip(word, shape(word), strict=True)
    return max("".join(one if kind in (SPACED, UNSPACED) else " " for one, kind in kinds).split(), key=len)


def _starts(run: str) -> Iterator[int]:
    """Yields where words begin in a text without spaces: at letters and digits that do not follow another one, and at
    all characters of scripts without spaces between words.
    """
    before = ""
    for at, kind in enumerate(shape(run)):
        if kind == UNSPACED or (kind == SPACED and before != SPACED):
            yield at
        before = kind
