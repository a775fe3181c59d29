"""Generates follows, numbers of posts, and likes of posts. A person is an index in the list of all people."""

from itertools import permutations
from random import Random

from seed.people import NAMED, Person

BIG = range(8, 12)
"""The people whom most others follow."""
_LONERS = range(190, 200)
"""The people who write but follow no one."""
_SAME, _OTHER, _BACK = 0.15, 0.04, 0.45
"""Three probabilities: that a person follows another person with the same favourite interest, any other person, and a
person who already follows back.
"""


def follows(people: list[Person]) -> list[tuple[int, int]]:
    """Returns all follows as (follower, followee), each pair once."""
    chance = Random(3)
    named, everybody = range(len(NAMED)), range(len(people))
    # The earlier a named person is in the list, the more named people follow that person.
    found = [(one, other) for one, other in permutations(named, 2) if chance.random() < 0.9 - 0.8 * other / len(named)]
    there = set(found)
    for one, other in permutations(everybody, 2):
        if (one in named and other in named) or one in _LONERS:
            continue
        if chance.random() < _likelihood(people, one, other, back=(other, one) in there):
            found.append((one, other))
            there.add((one, other))
    return found


def _likelihood(people: list[Person], one: int, other: int, *, back: bool) -> float:
    if other in BIG:
        return 0.85 - 0.08 * (other - BIG.start)
    if other in _LONERS:
        return 0.005
    if back:
        return _BACK
    return _SAME if people[one].interests[0] is people[other].interests[0] else _OTHER


def post_counts(people: list[Person]) -> list[int]:
    """Returns the number of posts of each person: few posts for most people, very many for a few."""
    chance = Random(5)
    return [
        30 + chance.randrange(11) if i in BIG else min(40, 2 + int(chance.expovariate(1 / 9.5)))
        for i in range(len(people))
    ]


def likers(chance: Random, author: int, count: int, followers: list[int]) -> list[int]:
    """Returns the people who like a post by `author`: some of the author's followers, and some of all
    `count` people.
    """
    charm = chance.paretovariate(2) - 0.6
    from_followers = int(min(len(followers) * 0.7, charm * (1 + len(followers) / 25)))
    passing = [one for one in chance.sample(range(count), k=int(min(count / 10, charm * 0.7))) if one != author]
    return list(dict.fromkeys(chance.sample(followers, k=from_followers) + passing))
