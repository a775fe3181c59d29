"""Generates what people save, and the collections of a few of them."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from models.likes import Reaction
from seed.people import NAMED

_NAMED, _OTHERS, _COLLECTED = 0.6, 0.08, 0.6
"""Probabilities: a named person saves a post that they like; another person does; a person who has a collection saves
into it.
"""


class Collection(NamedTuple):
    """A collection of one person."""

    owner: int
    name: str
    is_public: bool


class Save(NamedTuple):
    """A save of one person: of a post, by its index in the list of all posts, into a collection, by its index in
    `COLLECTIONS`, or into none.
    """

    person: int
    post: int
    age: int
    collection: int | None


COLLECTIONS = (
    Collection(0, "Read again", is_public=False),
    Collection(0, "Ideas for the weekend", is_public=True),
    Collection(1, "Worth a visit", is_public=True),
    Collection(5, "以后再看", is_public=False),
)


def saves(likes: Iterable[tuple[int, int, int, Reaction]]) -> Iterator[Save]:
    """Yields the saves of posts. People save some of what they like, when they like it."""
    chance = Random(14)
    for person, post, age, _ in likes:
        if chance.random() > (_NAMED if person < len(NAMED) else _OTHERS):
            continue
        own = [at for at, one in enumerate(COLLECTIONS) if one.owner == person]
        into = chance.choice(own) if own and chance.random() < _COLLECTED else None
        yield Save(person, post, age, into)
