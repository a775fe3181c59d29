"""Generates the whole community, identical in every run. Times are given as ages, in milliseconds before now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from typing import NamedTuple

from models.attachments import Attachments
from models.likes import Reaction
from seed import relations
from seed.comments import Comment, Thread, comments, length, likers
from seed.people import NAMED, Person, people
from seed.pictures import photos
from seed.reports import UNWELCOME, Existing, Report, Target, reports
from seed.saves import Save, saves
from seed.writing import Interest, Writer, interests

_HOUR = 3_600_000
_DAY = 24 * _HOUR

_BORN, _COHORT = 300 * _DAY, 11 * _DAY
"""The age of the oldest accounts, and the difference in age between two groups of accounts, in milliseconds."""
_COHORTS = 20
THINGS_AGE = COLLECTIONS_AGE = 60 * _DAY
_FOLLOWED = 60 * _DAY, 32 * _DAY
_DAYS = 29
"""The number of days, before now, over which posts are spread."""
_BUSY = (1, 1, 1, 1, 1, 2, 4, 8, 9, 7, 6, 6, 9, 8, 6, 6, 6, 8, 10, 12, 13, 12, 8, 4)
"""The relative number of posts that are written in each hour of the day (UTC)."""

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
"""The subjects of the titles of entities, each with the interest of the people who comment on it."""
_VIDEOS, _ARTICLES = 60, 20
_OUTDOORS = {"hiking", "photography", "摄影", "旅行"}
_WITH_PHOTOS, _WITH_PHOTOS_OUTDOORS = 0.25, 0.6
"""The shares of posts with photos: of all interests, and of outdoor interests."""
_QUOTING, _REPOSTED = 0.06, 0.04
"""The share of posts that quote a post, and the share of likes whose person also reposts the post."""
_OBJECTIONABLE = (
    "Selling cheap replica watches, message me.",
    "My uncle's method to get rich quick, in four easy lessons.",
    "Friends, this fund has guaranteed returns. Ask me how.",
    "周末刷单兼职，有兴趣的私信我。",
    "Free casino bonus for the first hundred people!",
    "Dear customer, send me your password and the parcel is yours.",
    "正规公司代开发票，价格从优。",
)
"""Texts to which the built-in word list of moderation objects: the first four wait for review, the others
are rejected.
"""
OBJECTIONABLE_KEY, _UNWELCOME_KEY = "seed-objectionable", "seed-unwelcome"
"""The idempotency keys of posts that moderation holds or rejects, and of posts that people report."""


class Post(NamedTuple):
    """A post of the demo data. `author` is the index of a person in the list of all people. `key` is the idempotency
    key under which the post is published, so that it is published only once. `age` is in milliseconds before now.
    """

    author: int
    key: str
    age: int
    text: str
    topics: list[str]
    interest: Interest
    images: Attachments = ()
    quotes: int | None = None
    """The index of the post that this one quotes, in the list of all posts; None if it quotes none."""


class Reacted(NamedTuple):
    """A reaction of one person to a post, entity or comment. `person` and `target` are indexes: in the list of all
    people, and in the list of all posts, entities or comments. `age` is in milliseconds before now.
    """

    person: int
    target: int
    age: int
    reaction: Reaction


class Thing(NamedTuple):
    """An entity, such as a video, that people of the demo data react to and comment on. `business` and `key` identify
    it; `owner` is the index of a person.
    """

    business: str
    key: str
    title: str
    owner: int
    interest: Interest


@dataclass(frozen=True)
class Community:
    """All demo data. It is the same for every `now_ms`, the current time in milliseconds since the Unix epoch, except
    that the ages of posts are chosen so that they were written at plausible hours of the day.
    """

    now_ms: int = 0

    @cached_property
    def people(self) -> list[Person]:
        """Returns all people. Everywhere else in the demo data, a person is an index in this list."""
        return people(self._interests)

    @cached_property
    def _interests(self) -> list[Interest]:
        return interests()

    @cached_property
    def cohorts(self) -> list[tuple[int, list[int]]]:
        """Returns the people in groups by the age of their accounts: pairs of this age, in milliseconds, and the
        indexes of the people. The oldest group is the first, and contains the people of `NAMED`.
        """
        size = -(-len(self.people) // _COHORTS)
        everybody = list(range(len(self.people)))
        return [(_BORN - _COHORT * i, everybody[i * size : (i + 1) * size]) for i in range(_COHORTS)]

    @cached_property
    def things(self) -> list[Thing]:
        """Returns all entities, which are videos and articles. Their owners are people of `NAMED`."""
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
        """Returns all follows as (follower, followee, age in milliseconds before now)."""
        chance, (first, last) = Random(6), _FOLLOWED
        return [(*pair, chance.randint(last, first)) for pair in relations.follows(self.people)]

    @cached_property
    def posts(self) -> list[Post]:
        """Returns all posts, grouped by author. Then follow the posts about which moderators must decide."""
        chance = Random(7)
        writer = Writer(chance)
        found = [
            self._post(chance, writer, author, number)
            for author, count in enumerate(relations.post_counts(self.people))
            for number in range(count)
        ]
        found = self._quoting(found)
        ages = [self._today // (2 + i) for i in range(len(_OBJECTIONABLE))]
        found += self._bad(chance, OBJECTIONABLE_KEY, _OBJECTIONABLE, ages)
        found += self._bad(
            chance, _UNWELCOME_KEY, list(UNWELCOME), [self._today + i * _DAY for i in range(len(UNWELCOME))]
        )
        return found

    def _quoting(self, posts: list[Post]) -> list[Post]:
        """Returns the posts, some of which quote an older post about the same interest by somebody else."""
        chance, found, older = Random(11), list(posts), dict[str, list[int]]()
        for at in sorted(range(len(posts)), key=lambda one: -posts[one].age):
            post = posts[at]
            others = [one for one in older.setdefault(post.interest.name, []) if posts[one].author != post.author]
            if others and not post.images and chance.random() < _QUOTING / (1 - _WITH_PHOTOS):
                found[at] = post._replace(quotes=chance.choice(others[-20:]))
            older[post.interest.name].append(at)
        return found

    def _bad(self, chance: Random, key: str, texts: Sequence[str], ages: Sequence[int]) -> Iterator[Post]:
        """Yields posts about which moderators must decide, one for each of `texts` and `ages`. Each has the idempotency
        key `key`. None of the authors is in `NAMED`.
        """
        authors = chance.sample(range(len(NAMED), len(self.people)), k=len(texts))
        for author, text, age in zip(authors, texts, ages, strict=True):
            yield Post(author, key, age, text, [], self.people[author].interests[0])

    def _post(self, chance: Random, writer: Writer, author: int, number: int) -> Post:
        own = self.people[author].interests
        interest = chance.choices(own, range(len(own) + 2, 2, -1))[0]
        age, text, topics = self._age(chance), writer.text(interest), writer.topics(interest)
        return Post(author, f"seed-{number}", age, text, topics, interest, self._images(author, number, interest))

    def _images(self, author: int, number: int, interest: Interest) -> Attachments:
        """Returns the images of the post with the number `number` by an author. Posts about outdoor interests have
        images most often.
        """
        chance = Random(f"{author} {number}")
        share = _WITH_PHOTOS_OUTDOORS if interest.name in _OUTDOORS else _WITH_PHOTOS
        return photos(chance, interest.name, interest.language) if chance.random() < share else ()

    @property
    def _today(self) -> int:
        """Returns the time since midnight UTC in milliseconds, but at least six hours."""
        return max(self.now_ms % _DAY, 6 * _HOUR)

    def _age(self, chance: Random) -> int:
        """Returns a random age for a post, in milliseconds: more often by day than by night, and more often recent than
        old.

        The hours of today that have passed are treated as a whole day, so that the order of posts is the same at any
        hour.
        """
        today = self._today
        day = int(_DAYS * (1 - chance.random() ** 0.7))
        into_day = chance.choices(range(24), _BUSY)[0] * _HOUR + chance.randrange(_HOUR)
        return today + day * _DAY - into_day if day else today - today * into_day // _DAY

    @cached_property
    def likes(self) -> list[Reacted]:
        """Returns the likes of posts, most of them a few hours after the post. Posts about which moderators must decide
        get none.
        """
        chance = Random(8)
        followers: list[list[int]] = [[] for _ in self.people]
        for follower, followee, _ in self.follows:
            followers[followee].append(follower)
        return [
            Reacted(person, at, _later(chance, post.age), Reaction.LIKE)
            for at, post in enumerate(self.posts)
            if post.key not in (OBJECTIONABLE_KEY, _UNWELCOME_KEY)
            for person in relations.likers(chance, post.author, len(self.people), followers[post.author])
        ]

    @cached_property
    def reposts(self) -> list[tuple[int, int, int]]:
        """Returns the reposts as (person, index of the post, age in milliseconds before now): of some people who like
        the post.
        """
        chance = Random(12)
        return [(one.person, one.target, one.age) for one in self.likes if chance.random() < _REPOSTED]

    @cached_property
    def saves(self) -> list[Save]:
        """Returns the saves: which posts people save, and into which collections."""
        return list(saves(self.likes))

    @cached_property
    def reactions(self) -> list[Reacted]:
        """Returns the reactions of the people of `NAMED` to about half of the entities. Entities that come first in the
        list get more.
        """
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
        """Returns all comments, thread by thread, each thread in order of time."""
        chance = Random(9)
        return comments(chance, self.people, chain(self._below_posts(chance), self._below_things(chance)))

    def _below_posts(self, chance: Random) -> Iterator[Thread]:
        """Yields the threads of comments on posts. The participants like the post and speak its language."""
        likers: list[list[int]] = [[] for _ in self.posts]
        for person, target, _, _ in self.likes:
            likers[target].append(person)
        for at, post in enumerate(self.posts):
            if post.key == _UNWELCOME_KEY:
                continue
            circle = self._speaking(post.interest, likers[at], post.author)
            count = length(chance, 0.12 * len(circle), circle)
            ages = sorted((_later(chance, post.age) for _ in range(count)), reverse=True)
            yield Thread(at, post.author, post.interest, circle, ages)

    def _below_things(self, chance: Random) -> Iterator[Thread]:
        """Yields the threads of comments on entities. Entities that come first in the list have more comments."""
        for at, thing in enumerate(self.things):
            circle = self._speaking(thing.interest, chance.sample(range(len(self.people)), k=40), thing.owner)
            count = length(chance, 7 / (1 + at / 3), circle)
            ages = sorted((chance.randrange(_DAYS * _DAY) for _ in range(count)), reverse=True)
            yield Thread(len(self.posts) + at, thing.owner, thing.interest, circle, ages)

    def _speaking(self, interest: Interest, some: Iterable[int], owner: int) -> list[int]:
        return [one for one in some if self.people[one].language == interest.language and one != owner]

    @cached_property
    def comment_likes(self) -> list[Reacted]:
        """Returns the likes of comments, most of them a few hours after the comment."""
        chance = Random(10)
        return [
            Reacted(person, at, _later(chance, comment.age), Reaction.LIKE)
            for at, comment in enumerate(self.comments)
            for person in likers(chance, comment, len(self.people))
        ]

    @cached_property
    def reports(self) -> list[Report]:
        """Returns the reports that wait for a moderator."""
        there = [(Existing(Target.POST, at, post.author), post) for at, post in enumerate(self.posts)]
        unwelcome = [(one, post.text) for one, post in there if post.key == _UNWELCOME_KEY]
        with_image = next(one for one, post in there if post.images)
        thing = Existing(Target.THING, 0, self.things[0].owner)
        return list(reports(len(self.people), unwelcome, with_image, thing, self.comments))


def _later(chance: Random, age: int) -> int:
    """Returns the age of a reaction to something of the age `age`, in milliseconds: usually some hours less."""
    after, anywhen = chance.expovariate(1 / (9 * _HOUR)), chance.random() * age
    return int(age - after if after < age else anywhen)
