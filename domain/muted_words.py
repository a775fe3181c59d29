"""Muted words, and the search for them in posts and comments.

Texts and words are folded before they are compared (domain/moderation/folding.py). A word of a script with spaces
between words matches whole words, or also parts of words if the user wants this. A word of another script (Chinese,
Japanese, Korean, Thai …) matches anywhere.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import islice
from typing import Any, NamedTuple, Self

import ahocorasick
import orjson
from cachetools import LRUCache

from domain.digests import digest
from domain.moderation.folding import fold, inside_word, shape

LONGEST_WORD = 100
"""The most characters of a muted word."""
MOST_WORDS = 500
"""The most words that one user can mute at the same time."""
MOST_BYTES = 40_000
"""The most bytes of the words that one user mutes, as one text (`dumps`)."""
_NEVER = 0
_MOST_CHARACTERS = 2_000_000
"""The most characters of folded texts that a process keeps. They take about 10 MB, or 30 MB if they are Chinese."""
_MOST_COMPILED = 2_000_000
"""The largest sum of the sizes (`WordMatcher.size`) of the matchers that a process keeps. They take about 70 MB."""
_MOST_FOUND = 4
"""How many words the search looks at for each character of the text, on average. More is only possible if a user mutes
many words of which each ends with the others, such as a, aa, aaa …; without a limit, texts made for these words would
take long.
"""
_BETWEEN = "\n"
"""Separates the texts that are searched together. A folded text never contains it."""


class MutedWordTarget(IntEnum):
    """What a muted word is compared with. The numbers are bits, and are stored."""

    TEXT = 1
    TOPICS = 2


class MutedWord(NamedTuple):
    """A word, phrase or topic that a user mutes."""

    text: str
    targets: int
    """The sum of the targets (`MutedWordTarget`)."""
    whole_word: bool = True
    """Whether the word matches only whole words."""
    except_followed: bool = False
    """Whether the word does not hide what followed users write."""
    until_ms: int = _NEVER
    """The time at which the word stops muting, in milliseconds since the Unix epoch; 0 if it never does."""

    @property
    def key(self) -> str:
        """Returns the folded text. A user has at most one word with each folded text."""
        return fold(self.text)

    @property
    def word_id(self) -> str:
        """Returns the id of the word, which is the same for all words with the same folded text."""
        return digest("muted word", self.key)[:16]

    def is_muted(self, now_ms: int) -> bool:
        """Returns whether the word mutes at the time `now_ms`, in milliseconds since the Unix epoch."""
        return not self.until_ms or self.until_ms > now_ms

    @property
    def target_list(self) -> list[MutedWordTarget]:
        """Returns the targets of the word."""
        return [target for target in MutedWordTarget if self.targets & target]


class Match(IntEnum):
    """What the muted words say about a post or comment."""

    NONE = 0
    UNLESS_FOLLOWED = 1
    """The post or comment is hidden unless the viewer follows its author."""
    MUTED = 2


def dumps(words: Iterable[MutedWord]) -> str:
    """Returns all words of a user as one text. `loads` reads it."""
    return orjson.dumps([(word.text, int(word.targets), *word[2:]) for word in words]).decode()


def loads(text: str) -> list[MutedWord]:
    """Returns the words in a text that `dumps` has made; none for an empty text. Raises ValueError for other texts."""
    return [_word(*fields) for fields in orjson.loads(text)] if text else []


def _word(*fields: Any) -> MutedWord:
    if tuple(map(type, fields)) != (str, int, bool, bool, int):
        raise ValueError(f"{fields!r} are not the fields of a muted word")
    return MutedWord(*fields)


class _Folded(NamedTuple):
    """A folded text and its shape (`folding.shape`)."""

    text: str
    shape: str


_folded: LRUCache[str, _Folded] = LRUCache(_MOST_CHARACTERS, getsizeof=lambda folded: len(folded.text) + 50)
"""The folded forms of the texts that were searched last, by text. So a text is not folded for each viewer."""


def _fold(text: str) -> _Folded:
    found = _folded.get(text)
    if found is None:
        folded = fold(text)
        found = _Folded(folded, shape(folded))
        if len(folded) < _MOST_CHARACTERS // 10:
            _folded[text] = found
    return found


class WordMatcher:
    """The muted words of a user in a form that finds all of them in a text at once, in linear time (`_MOST_FOUND`)."""

    def __init__(self, words: Sequence[MutedWord]) -> None:
        self._finder = ahocorasick.Automaton()
        self._topics: dict[str, list[MutedWord]] = {}
        for word in words:
            if key := word.key:
                self._finder.add_word(key, (len(key), word))
                self._topics.setdefault(_compact(key), []).append(word)
        self.is_empty = not self._topics
        """Whether there are no words."""
        self._finder.make_automaton()
        self.size = 100 + sum(len(word.text) + 20 for word in words)
        """A number that grows with the memory that the matcher takes, which is about 35 times as many bytes."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Returns the matcher of the words in a text that `dumps` has made."""
        return cls(loads(text))

    def match(self, texts: Iterable[str], topics: Iterable[str], now_ms: int) -> Match:
        """Returns what the words that mute at the time `now_ms` say about a post or comment with these texts and the
        names of these topics. `now_ms` is in milliseconds since the Unix epoch.
        """
        if self.is_empty:
            return Match.NONE
        found = self._match(list(map(_fold, texts)), MutedWordTarget.TEXT, now_ms)
        named = list(topics) if found is not Match.MUTED else ()
        if not named:
            return found
        tags = [_fold("#" + topic.replace("_", " ")) for topic in named]
        among = [word for tag in tags for word in self._topics.get(_compact(tag.text), ())]
        whole = [_says(word) for word in among if word.targets & MutedWordTarget.TOPICS and word.is_muted(now_ms)]
        return max(found, *whole, self._match(tags, MutedWordTarget.TOPICS, now_ms))

    def _match(self, texts: Sequence[_Folded], target: MutedWordTarget, now_ms: int) -> Match:
        text, shapes = (_BETWEEN.join(parts) for parts in ((one[at] for one in texts) for at in (0, 1)))
        found = Match.NONE
        for last, (length, word) in islice(self._finder.iter(text), _MOST_FOUND * len(text) + MOST_WORDS):
            if not word.targets & target or not word.is_muted(now_ms):
                continue
            is_inside = inside_word(shapes, last + 1 - length) or inside_word(shapes, last + 1)
            if not (word.whole_word and is_inside) and (found := max(found, _says(word))) is Match.MUTED:
                break
        return found


def _says(word: MutedWord) -> Match:
    return Match.UNLESS_FOLLOWED if word.except_followed else Match.MUTED


def _compact(folded: str) -> str:
    """Returns a folded word or topic without `#`, `_` and spaces: `#cute cats` and `cute_cats` are one topic."""
    return folded.translate({ord(character): None for character in "#_ "})


_matchers: LRUCache[str, WordMatcher] = LRUCache(_MOST_COMPILED, getsizeof=lambda matcher: matcher.size)
"""The matchers that were used last, by the text of their words. So a process compiles a set of words once."""


def matcher(text: str) -> WordMatcher:
    """Returns the matcher of the words in a text that `dumps` has made. The process keeps the last matchers."""
    found = _matchers.get(text)
    if found is None:
        _matchers[text] = found = WordMatcher.of(text)
    return found
