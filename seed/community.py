"""The whole community as it comes about: the same one each time, in *ages*, milliseconds before now."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from typing import NamedTuple

from models.likes import Reaction
from seed import relations
from seed.comments import Comment, Thread, comments, length, likers
from seed.people import NAMED, Person, people
from seed.pictures import photo
from seed.writing import Interest, Writer, interests

_HOUR = 3_600_000
_DAY = 24 * _HOUR

_BORN, _COHORT = 300 * _DAY, 11 * _DAY
"""How old the oldest people are, and how much younger each next cohort is."""
_COHORTS = 20
THINGS_AGE = 60 * _DAY
_FOLLOWED = 60 * _DAY, 32 * _DAY
_DAYS = 29
"""For so many there have been posts."""
_BUSY = (1, 1, 1, 1, 1, 2, 4, 8, 9, 7, 6, 6, 9, 8, 6, 6, 6, 8, 10, 12, 13, 12, 8, 4)
"""How much is written in each hour of a day (UTC is as good as any)."""

_SUBJECTS = {
    "Sourdough from scratch": "baking",
    "A night train north": "everyday",
    "Tiny kitchens": "baking",
    "How glaciers move": "hiking",
    "城市里的花园": "日常",
    "Repairing an old radio": "music",
    "Learning to whistle": "music",
    "四川火锅的秘密": "美食",
    "Maps nobody needed": "hiking",
    "The last lighthouse": "photography",
}
"""What things are about, and which interest people talk about there."""
_VIDEOS, _ARTICLES = 60, 20
_OUTDOORS = {"hiking", "photography"}
_OBJECTIONABLE = (
    "Selling cheap replica watches, message me.",
    "My uncle's method to get rich quick, in four easy lessons.",
    "Friends, this fund has guaranteed returns. Ask me how.",
    "周末刷单兼职，有兴趣的私信我。",
    "Free casino bonus for the first hundred people!",
    "Dear customer, send me your password and the parcel is yours.",
    "正规公司代开发票，价格从优。",
)
"""What moderation holds back (the first four) or rejects, by the words that are shipped."""


class Post(NamedTuple):
    """What somebody wrote; `key` makes it theirs once for ever."""

    author: int
    key: str
    age: int
    text: str
    topics: list[str]
    interest: Interest
    image: tuple[str, str] | None = None
    """Its URL and alternative text."""


class Reacted(NamedTuple):
    """Somebody's reaction to a post, thing or comment, by its place in `posts`, `things` or `comments`."""

    person: int
    target: int
    age: int
    reaction: Reaction


class Thing(NamedTuple):
    """Something to like that another system owns."""

    business: str
    key: str
    title: str
    owner: int
    interest: Interest


@dataclass(frozen=True)
class Community:
    """Everything there is to load. `now_ms` decides at which hours of the day things were written, and nothing else."""

    now_ms: int = 0

    @cached_property
    def people(self) -> list[Person]:
        """Everybody; elsewhere people are numbers, their places here."""
        return people(self._interests)

    @cached_property
    def _interests(self) -> list[Interest]:
        return interests()

    @cached_property
    def cohorts(self) -> list[tuple[int, list[int]]]:
        """Ages, and who is so old: the named ones are the oldest."""
        size = -(-len(self.people) // _COHORTS)
        everybody = list(range(len(self.people)))
        return [(_BORN - _COHORT * i, everybody[i * size : (i + 1) * size]) for i in range(_COHORTS)]

    @cached_property
    def things(self) -> list[Thing]:
        """Videos and articles of the named ones."""
        chance = Random(1)
        numbered = [("video", f"bv-{i:03}") for i in range(1, _VIDEOS + 1)]
        numbered += [("article", f"art-{i:03}") for i in range(1, _ARTICLES + 1)]
        by_name, subjects = {interest.name: interest for interest in self._interests}, list(_SUBJECTS)
        found = []
        for i, place in enumerate(numbered):
            subject, owner = chance.choice(subjects), chance.randrange(len(NAMED))
            found.append(Thing(*place, f"{subject}, part {i % 7 + 1}", owner, by_name[_SUBJECTS[subject]]))
        return found

    @cached_property
    def follows(self) -> list[tuple[int, int, int]]:
        """(follower, followee, age)."""
        chance, (first, last) = Random(6), _FOLLOWED
        return [(*pair, chance.randint(last, first)) for pair in relations.follows(self.people)]

    @cached_property
    def posts(self) -> list[Post]:
        """By author."""
        chance = Random(7)
        writer = Writer(chance)
        found = [
            self._post(chance, writer, author, number)
            for author, count in enumerate(relations.post_counts(self.people))
            for number in range(count)
        ]
        authors = chance.sample(range(len(NAMED), len(self.people)), k=len(_OBJECTIONABLE))
        found += [
            Post(author, "seed-objectionable", self._today // (2 + i), text, [], self.people[author].interests[0])
            for i, (author, text) in enumerate(zip(authors, _OBJECTIONABLE, strict=True))
        ]
        return found

    def _post(self, chance: Random, writer: Writer, author: int, number: int) -> Post:
        own = self.people[author].interests
        interest = chance.choices(own, range(len(own) + 2, 2, -1))[0]
        age, text, topics = self._age(chance), writer.text(interest), writer.topics(interest)
        return Post(author, f"seed-{number}", age, text, topics, interest, self._image(author, number, interest))

    def _image(self, author: int, number: int, interest: Interest) -> tuple[str, str] | None:
        """Some posts show one, most of them where people are outdoors."""
        chance = Random(f"{author} {number}")
        return photo(chance) if chance.random() < (0.5 if interest.name in _OUTDOORS else 0.06) else None

    @property
    def _today(self) -> int:
        """Returns the milliseconds since midnight UTC, but at least six hours."""
        return max(self.now_ms % _DAY, 6 * _HOUR)

    def _age(self, chance: Random) -> int:
        """When people write: by day rather than by night, and more lately. What has gone of today stands for a whole
        day, so that whatever the hour, the same was written before the same.
        """
        today = self._today
        day = int(_DAYS * (1 - chance.random() ** 0.7))
        into_day = chance.choices(range(24), _BUSY)[0] * _HOUR + chance.randrange(_HOUR)
        return today + day * _DAY - into_day if day else today - today * into_day // _DAY

    @cached_property
    def likes(self) -> list[Reacted]:
        """Of posts, most of them within hours; what moderation will not show, nobody likes."""
        chance = Random(8)
        followers: list[list[int]] = [[] for _ in self.people]
        for follower, followee, _ in self.follows:
            followers[followee].append(follower)
        return [
            Reacted(person, at, _later(chance, post.age), Reaction.LIKE)
            for at, post in enumerate(self.posts)
            if post.text not in _OBJECTIONABLE
            for person in relations.likers(chance, post.author, len(self.people), followers[post.author])
        ]

    @cached_property
    def reactions(self) -> list[Reacted]:
        """The named ones' to about half of the things, the earlier a thing is the likelier; one after the other."""
        chance = Random(2)
        found = []
        for person in range(len(NAMED)):
            for at, thing in enumerate(self.things):
                if chance.random() > 0.9 - 0.8 * at / len(self.things):
                    continue
                disliked = thing.business == "video" and chance.random() < 0.1
                age = (len(NAMED) - person) * 3 * _DAY - at * _HOUR // 2
                found.append(Reacted(person, at, age, Reaction.DISLIKE if disliked else Reaction.LIKE))
        return found

    @cached_property
    def comments(self) -> list[Comment]:
        """Thread by thread, each in order of time."""
        chance = Random(9)
        return comments(chance, self.people, chain(self._below_posts(chance), self._below_things(chance)))

    def _below_posts(self, chance: Random) -> Iterator[Thread]:
        """Some of those who like a post and speak its language talk, most of them within hours."""
        likers: list[list[int]] = [[] for _ in self.posts]
        for person, target, _, _ in self.likes:
            likers[target].append(person)
        for at, post in enumerate(self.posts):
            circle = self._speaking(post.interest, likers[at], post.author)
            count = length(chance, 0.12 * len(circle), circle)
            ages = sorted((_later(chance, post.age) for _ in range(count)), reverse=True)
            yield Thread(at, post.author, post.interest, circle, ages)

    def _below_things(self, chance: Random) -> Iterator[Thread]:
        """Things are talked about for as long as there are posts, the earlier ones more."""
        for at, thing in enumerate(self.things):
            circle = self._speaking(thing.interest, chance.sample(range(len(self.people)), k=40), thing.owner)
            count = length(chance, 7 / (1 + at / 3), circle)
            ages = sorted((chance.randrange(_DAYS * _DAY) for _ in range(count)), reverse=True)
            yield Thread(len(self.posts) + at, thing.owner, thing.interest, circle, ages)

    def _speaking(self, interest: Interest, some: Iterable[int], owner: int) -> list[int]:
        return [one for one in some if self.people[one].language == interest.language and one != owner]

    @cached_property
    def comment_likes(self) -> list[Reacted]:
        """Of comments, most of them within hours."""
        chance = Random(10)
        return [
            Reacted(person, at, _later(chance, comment.age), Reaction.LIKE)
            for at, comment in enumerate(self.comments)
            for person in likers(chance, comment, len(self.people))
        ]


def _later(chance: Random, age: int) -> int:
    """The age of what somebody thought of something that old: hours later as a rule."""
    after, anywhen = chance.expovariate(1 / (9 * _HOUR)), chance.random() * age
    return int(age - after if after < age else anywhen)
