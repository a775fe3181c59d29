"""Generates the people of the demo data. Documentation and tests mention some of those in `NAMED`, who come first."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from seed.writing import Interest, everyday, interests

NAMED = (
    ("alice", "Alice Martin"),
    ("bob", "Bob Okafor"),
    ("carol", "Carol Jensen"),
    ("dave", "Dave Kowalski"),
    ("erin", "Erin Walsh"),
    ("mei", "李梅"),
    ("noah", "Noah Steiner"),
    ("yuki", "佐藤ゆき"),
)
_NAMES = Path(__file__).with_name("names.toml")
Names = dict[str, list[str]]
_CHINESE = frozenset({"mei"})
_ENGLISH_MADE_UP, _CHINESE_MADE_UP = 143, 49


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the demo data. The first of the interests is the favourite."""

    handle: str
    name: str
    language: str
    interests: tuple[Interest, ...]
    bio: str


@cache
def names_by_handle() -> dict[str, str]:
    """Returns the names of all people, by handle. Callers must not change the dictionary, because it is cached."""
    return {person.handle: person.name for person in people(interests())}


def people(interests: list[Interest]) -> list[Person]:
    """Returns all people: first those of `NAMED`, then the others, with English and Chinese names in random order."""
    chance = Random(4)
    names = tomllib.loads(_NAMES.read_text(encoding="utf-8"))
    made_up = _english(chance, names) + _chinese(chance, names)
    chance.shuffle(made_up)
    named = [(handle, name, "zh" if handle in _CHINESE else "en") for handle, name in NAMED]
    return [_person(chance, interests, *somebody) for somebody in named + made_up]


def _person(chance: Random, interests: list[Interest], handle: str, name: str, language: str) -> Person:
    daily = everyday(interests, language)
    own = [interest for interest in interests if interest.language == language and interest is not daily]
    chosen = (*chance.sample(own, k=chance.choice((1, 2, 2, 3))), daily)
    return Person(handle, name, language, chosen, chance.choice(chosen[0].bios))


def _english(chance: Random, names: Names) -> list[tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < _ENGLISH_MADE_UP:
        first, last = chance.choice(names["first"]), chance.choice(names["last"])
        joined = chance.choice(("_", "", "_"))
        handle = chance.choice((f"{first}{joined}{last}", f"{first}_{last[0]}", f"{first[0]}{last}")).lower()
        found.setdefault(handle, (handle, f"{first} {last}", "en"))
    return list(found.values())


def _chinese(chance: Random, names: Names) -> list[tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < _CHINESE_MADE_UP:
        (family, sound), (given, sounds) = _spelt(chance.choice(names["family"])), _spelt(chance.choice(names["given"]))
        handle = chance.choice((f"{sounds}_{sound}", f"{sound}{sounds}", f"{sound}_{sounds}"))
        found.setdefault(handle, (handle, family + given, "zh"))
    return list(found.values())


def _spelt(name: str) -> tuple[str, str]:
    """Splits a name of names.toml, such as `李li`, into the Chinese characters and their Latin transcription."""
    letters = name.lstrip("".join(character for character in name if not character.isascii()))
    return name.removesuffix(letters), letters
