"""Search: the terms of texts, and queries.

A text is folded (moderation/folding.py) and loses its accents. Each word of a script with spaces between words is a
term. In other scripts, such as Chinese and Thai, each pair of neighbouring characters is a term, and so is the last
character of a run: 四川火锅 has the terms 四川, 川火, 火锅 and 锅. So each part of a run can be found, also a single
character, which is the beginning of a term.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from domain import handles, topics
from domain.errors import BadInput
from domain.moderation.folding import fold, shape, without_accents

MOST_TERMS = 5000
"""The most terms of one text that are indexed: the first ones."""
MOST_CHARACTERS = 200
MOST_PARTS = 10
"""The most characters of a query, and its most parts: words, phrases and filters."""
_LONGEST_WORD = 64
_RUNS = re.compile("w+|c+")
_QUOTES = str.maketrans("\u201c\u201d\u201e\uff02\uff1a", '"""":')
_PARTS = re.compile(r'(?:(from|topic|before|after|has):)?("[^"]*"?|[^\s"]+)', re.IGNORECASE)
NO_STEMS: Mapping[str, str] = {}


class Phrase(NamedTuple):
    """Terms that a text must have one after the other. With `is_prefix`, the last one is the beginning of a term."""

    terms: tuple[str, ...]
    is_prefix: bool = False

    def sql(self) -> str:
        """Returns this phrase in the syntax of Postgres for `tsquery`."""
        each = " <-> ".join(f"'{term}'" for term in self.terms)
        return f"{each}:*" if self.is_prefix else each


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one object in the index: the terms of its text in their order, each with its position, and labels,
    such as the author. No word can equal a label.
    """

    placed: tuple[tuple[str, int], ...]
    labels: frozenset[str]

    def sql(self) -> str:
        """Returns the terms in the syntax of Postgres for `tsvector`."""
        return " ".join([*(f"'{term}':{at}" for term, at in self.placed), *(f"'{label}'" for label in self.labels)])

    def have(self, phrases: Iterable[Phrase], labels: Iterable[str]) -> bool:
        """Returns whether these terms have all phrases and all labels."""
        return self.labels.issuperset(labels) and all(map(self._has, phrases))

    def _has(self, phrase: Phrase) -> bool:
        *first, last = phrase.terms
        ends = {at for term, at in self.placed if term == last or (phrase.is_prefix and term.startswith(last))}
        for back, term in enumerate(reversed(first), 1):
            ends &= {at + back for one, at in self.placed if one == term}
        return bool(ends)


@dataclass(frozen=True, slots=True)
class Query:
    """A query. An object is found if it has all phrases and fulfils all filters: `handles` of its author, names of
    `topics`, and a time of at least `since_ms` and less than `until_ms`, in milliseconds since the Unix epoch.
    """

    phrases: tuple[Phrase, ...]
    handles: tuple[str, ...]
    topics: tuple[str, ...]
    has_image: bool
    since_ms: int
    until_ms: int

    def stemmed(self, stems: Mapping[str, str]) -> tuple[Phrase, ...]:
        """Returns the phrases with the stems of their words."""
        return tuple(Phrase(tuple(stems.get(one, one) for one in terms), prefix) for terms, prefix in self.phrases)

    @property
    def words(self) -> set[str]:
        """Returns the terms that may have a stem."""
        return {term for phrase in self.phrases for term in phrase.terms}


_END_MS = 1 << 52
_EVERYTHING = Query((), (), (), False, 0, _END_MS)


def terms_of(texts: Iterable[str], labels: Iterable[str] = (), stems: Mapping[str, str] = NO_STEMS) -> Terms:
    """Returns the terms of several texts of one object. `stems` has the stems of words; others stay as they are. No
    phrase is found across the end of a text.
    """
    placed, at = list[tuple[str, int]](), 0
    for text in texts:
        some = islice(_terms(text), MOST_TERMS - len(placed))
        placed += ((stems.get(term, term), place) for place, (term, _) in enumerate(some, at + 1))
        at = placed[-1][1] + 1 if placed else 0
    return Terms(tuple(placed), frozenset(labels))


def words_of(texts: Iterable[str]) -> set[str]:
    """Returns the words of texts that may have stems: those of scripts with spaces between words."""
    return {term for text in texts for term, is_word in _terms(text) if is_word}


def differ_by_one(one: str, other: str) -> bool:
    """Returns whether two different words become the same if one letter is added, removed or replaced, or if two
    neighbouring letters change their places.
    """
    at = next((at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs), None)
    if at is None:
        return abs(len(one) - len(other)) == 1
    one, other = one[at:], other[at:]
    return one[1:] in (other[1:], other) or one == other[1:] or (one[1::-1], one[2:]) == (other[:2], other[2:])


def parsed(query: str) -> Query:
    """Parses a query from a client. Raises BadInput for a query that is too long, finds everything, or has
    a filter with an invalid value.
    """
    if len(query) > MOST_CHARACTERS:
        raise BadInput(f"A query has at most {MOST_CHARACTERS} characters.")
    parts = _PARTS.findall(query.translate(_QUOTES))
    if len(parts) > MOST_PARTS:
        raise BadInput(f"A query has at most {MOST_PARTS} words, phrases and filters.")
    values: dict[str, list[str]] = {name: [] for name in ("", "from", "topic", "before", "after", "has")}
    for name, value in parts:
        values[name.lower()].append(value.strip('"'))
    if set(map(str.lower, values["has"])) - {"image"}:
        raise BadInput("The only value of has: is image.")
    found = Query(
        tuple(phrase for value in values[""] if (phrase := _phrase(value))),
        tuple(handles.canonical(value.removeprefix("@")) or "" for value in values["from"]),  # "": of nobody
        tuple(map(_topic, values["topic"])),
        bool(values["has"]),
        max(map(_midnight_ms, values["after"]), default=0),
        min(map(_midnight_ms, values["before"]), default=_END_MS),
    )
    if found == _EVERYTHING:
        raise BadInput("A query needs a word, a phrase or a filter.")
    return found


def _topic(value: str) -> str:
    name = topics.spelling(value)
    if name is None:
        raise BadInput("topic: needs the name of a topic.")
    return name


def _midnight_ms(value: str) -> int:
    """Returns the beginning of a day in UTC, given as YYYY-MM-DD, in milliseconds since the Unix epoch, at least 0."""
    try:
        day = datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise BadInput("before: and after: need a day, such as 2026-01-31.") from None
    return max(0, round(day.timestamp() * 1000))


def _phrase(text: str) -> Phrase | None:
    """Returns the terms of a text as a phrase; None if the text has no terms. If the text ends
    with characters of a script without spaces, more such characters may follow in the texts that are found.
    """
    terms = list(_terms(text))
    if not terms:
        return None
    (last, is_word), (before, _) = terms[-1], terms[-2] if len(terms) > 1 else ("", True)
    if not is_word and len(before) > 1 and before.endswith(last):
        terms, is_word = terms[:-1], True  # the pair before the last character is enough
    return Phrase(tuple(term for term, _ in terms), not is_word)


def _terms(text: str) -> Iterator[tuple[str, bool]]:
    """Yields the terms of a text in their order, each with whether it is a word of a script with spaces."""
    folded = without_accents(fold(text))
    for run in _RUNS.finditer(shape(folded)):
        start, end = run.span()
        if run[0][0] == "w":
            yield folded[start : min(end, start + _LONGEST_WORD)], True
        else:
            for at in range(start, end):
                yield folded[at : min(at + 2, end)], False
