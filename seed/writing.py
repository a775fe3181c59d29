"""Composes texts of posts and comments from phrases about an interest. No two texts are the same."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

PHRASES = Path(__file__).with_name("phrases.toml")
_REMARKS = Path(__file__).with_name("remarks.toml")
_EVERYDAY = {"en": "everyday", "zh": "日常"}
_GAPS = {"en": " ", "zh": ""}
_SLOT = re.compile(r"\{(\w+)\}")
_BEGINS = re.compile(r"(?:^|[.!?] )$")
"""Matches a text after which a new sentence begins."""


@dataclass(frozen=True, slots=True)
class Interest:
    """An interest of people, such as baking, with the topics, phrases and words that posts about it use: one table of
    `phrases.toml`.
    """

    name: str
    language: str
    topics: list[str]
    bios: list[str]
    openers: list[str]
    details: list[str]
    closers: list[str]
    words: dict[str, list[str]]


def interests() -> list[Interest]:
    """Returns all interests, in every language."""
    return [Interest(**table) for table in tomllib.loads(PHRASES.read_text(encoding="utf-8"))["interest"]]


def everyday(all_interests: list[Interest], language: str) -> Interest:
    """Returns the interest that all people who speak this language have."""
    return next(interest for interest in all_interests if interest.name == _EVERYDAY[language])


class Writer:
    """Composes random texts and never repeats one."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._written: set[str] = set()
        self._remarks = tomllib.loads(_REMARKS.read_text(encoding="utf-8"))

    def text(self, interest: Interest) -> str:
        """Returns the text of a post about an interest: half of the time one line, otherwise some lines
        or a paragraph.
        """
        return self._new(lambda: self._composed(interest))

    def remark(self, interest: Interest, *, answers: bool) -> str:
        """Returns the text of a comment on a post about an interest: rarely more than two sentences. If `answers` is
        true, the comment is a reply to another comment.
        """
        return self._new(lambda: self._remarked(interest, "answers" if answers else "remarks"))

    def _new(self, compose: Callable[[], str]) -> str:
        while True:
            text = compose()
            said = "".join(filter(str.isalnum, text)).casefold()
            if said not in self._written:
                self._written.add(said)
                return text

    def topics(self, interest: Interest) -> list[str]:
        """Returns the names of the topics of a post about an interest. One post in four has none."""
        count = self._chance.choices((0, 1, 2, 3), (25, 45, 22, 8))[0]
        first, *others = interest.topics
        return [] if not count else [first, *self._chance.sample(others, k=min(count - 1, len(others)))]

    def _remarked(self, interest: Interest, kind: str) -> str:
        chance = self._chance
        details = chance.sample(interest.details, k=chance.choices((0, 1, 2), (20, 60, 20))[0])
        phrases = [chance.choice(self._remarks[interest.language][kind]), *details]
        return _GAPS[interest.language].join(self._filled(phrase, interest) for phrase in phrases)

    def _composed(self, interest: Interest) -> str:
        chance = self._chance
        details = chance.choices((0, 1, 2, 3, 4), (40, 28, 16, 10, 6))[0]
        phrases = [chance.choice(interest.openers), *chance.sample(interest.details, k=details)]
        if chance.random() < (0.5 if details > 1 else 0.2):
            phrases.append(chance.choice(interest.closers))
        gap = "\n\n" if details > 2 and chance.random() < 0.3 else _GAPS[interest.language]
        first, *others = [self._filled(phrase, interest) for phrase in phrases]
        return gap.join([first, _GAPS[interest.language].join(others)]) if others else first

    def _filled(self, phrase: str, interest: Interest) -> str:
        """Returns a phrase with a word in each of its slots, such as `{place}`. No word is used twice, and each
        sentence begins with a capital.
        """
        taken: list[str] = []

        def word(slot: re.Match[str]) -> str:
            taken.append(self._chance.choice([word for word in interest.words[slot[1]] if word not in taken]))
            begins = _BEGINS.search(phrase[: slot.start()])
            return taken[-1][0].upper() + taken[-1][1:] if begins else taken[-1]

        return _SLOT.sub(word, phrase)
