"""Generates which posts people save, and the collections of a few people."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from models.likes import Reaction
from seed.people import NAMED

_NAMED, _OTHERS, _COLLECTED = 0.6, 0.08, 0.6
"""Three probabilities: that a person of `NAMED` saves a post that they like; that another person does; that a person
who has collections saves a post into one of them.
"""


class Collection(NamedTuple):
    """A collection of one person. `owner` is the person's index in the list of all people."""

    owner: int
    name: str
    is_public: bool


class Save(NamedTuple):
    """A save of one person. `person` and `post` are indexes in the lists of all people and posts. `collection` is an
    index in `COLLECTIONS`; None if the post is saved into no collection. `age` is in milliseconds before now.
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
    """Yields the saves of posts. People save some of the posts that they like, at the time of the like. The tuples in
    `likes` are (person, post, age in milliseconds before now, reaction).
    """
    chance = Random(14)
    for person, post, age, _ in likes:
        if chance.random() > (_NAMED if person < len(NAMED) else _OTHERS):
            continue
        own = [at for at, one in enumerate(COLLECTIONS) if one.owner == person]
        into = chance.choice(own) if own and chance.random() < _COLLECTED else None
        yield Save(person, post, age, into)
