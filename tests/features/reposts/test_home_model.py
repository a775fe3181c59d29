"""Home with reposts against a model: after random changes, each post is listed once, in the place of its newest repost
by a followed user or of its own time, with any page size, in full pages.
"""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

import pytest
import pytest_asyncio

from loaders.request import own
from settings import Settings
from store import keys
from store.content import inboxes
from tests.support.follows import follow_people
from tests.support.paging import walk_back
from tests.support.posts import DELETE, published
from tests.support.random_walk import walk
from tests.support.reposts import BOTH_WAYS, entries, mute_reposts, repost, unrepost
from tests.support.system import LENIENT, Person, System, running

PEOPLE = 6
BIG = 3
"""The number of followers that makes a user big. With six users, all become big and small repeatedly."""


@dataclass
class RepostModel:
    """The users, their posts, reposts, follows and mutes. Times are numbers of changes."""

    system: System
    random: random.Random
    people: dict[str, Person]
    ids: dict[str, str]
    texts: dict[str, str] = field(default_factory=dict)
    """The text of each post, by the id of the post."""
    authors: dict[str, str] = field(default_factory=dict)
    """The author of each post, by the id of the post."""
    posts: dict[str, int] = field(default_factory=dict)
    """When each post that exists was published, by id."""
    reposts: dict[tuple[str, str], int] = field(default_factory=dict)
    """When a user reposted a post, by both."""
    follows: set[tuple[str, str]] = field(default_factory=set)
    mutes: set[tuple[str, str]] = field(default_factory=set)
    clock: Iterator[int] = field(default_factory=count)
    history: list[str] = field(default_factory=list)

    def expected(self, viewer: str) -> list[tuple[str, int]]:
        """Returns the texts of the viewer's home, each with how many users bring it to its place."""
        followed = {followee for follower, followee in self.follows if follower == viewer}
        shown = {user for user in followed if (viewer, user) not in self.mutes}
        places: dict[str, tuple[int, int]] = {}
        for post, published_at in self.posts.items():
            times = [at for (user, id_), at in self.reposts.items() if id_ == post and user in shown]
            if times or self.authors[post] in followed | {viewer}:
                places[post] = max(times, default=published_at), len(times)
        return [
            (self.texts[post], places[post][1]) for post in sorted(places, key=lambda one: places[one][0], reverse=True)
        ]

    async def step(self) -> None:
        verbs = [self.publish] * 3 + [self.repost] * 6 + [self.unrepost] * 2 + [self.follow] * 4
        await self.random.choice([*verbs, self.mute, self.delete, self.leave, self.look])()

    async def publish(self) -> None:
        author = self._anyone()
        text = f"{author} {next(self.clock)}"
        (post,) = await published(self.people[author], text)
        self.history.append(f"publish {text}")
        self.texts[post] = text
        self.authors[post], self.posts[post] = author, next(self.clock)

    async def repost(self) -> None:
        await self.system.drain()  # only approved posts can be reposted
        if post := self._any_post():
            user = self._anyone()
            self.history.append(f"{user} reposts {self.texts[post]}")
            await repost(self.people[user], post)
            self.reposts.setdefault((user, post), next(self.clock))

    async def unrepost(self) -> None:
        standing = [one for one in self.reposts if one[1] in self.posts]
        if standing:
            user, post = self.random.choice(standing)
            self.history.append(f"{user} unreposts {self.texts[post]}")
            await unrepost(self.people[user], post)
            del self.reposts[user, post]

    async def follow(self) -> None:
        follower, followee = self.random.sample(sorted(self.people), 2)
        pair = follower, followee
        verb = "unfollow" if pair in self.follows and self.random.random() < 0.7 else "follow"
        self.history.append(f"{follower} {verb}s {followee}")
        await follow_people(self.people[follower], self.people[followee], verb=verb)
        self.follows = self.follows | {pair} if verb == "follow" else self.follows - {pair}

    async def mute(self) -> None:
        viewer, user = self.random.sample(sorted(self.people), 2)
        pair = viewer, user
        verb = "unmuteReposts" if pair in self.mutes else "muteReposts"
        self.history.append(f"{viewer} {verb} {user}")
        assert (await mute_reposts(self.people[viewer], self.ids[user], verb))["userErrors"] == []
        self.mutes = self.mutes ^ {pair}

    async def delete(self) -> None:
        if post := self._any_post():
            self.history.append(f"delete {self.texts[post]}")
            await self.people[self.authors[post]].ask(DELETE, id=post)
            del self.posts[post]

    async def leave(self) -> None:
        """Removes a cached list of a user, as if the user had been away for long."""
        name = self._anyone()
        user = int(self.ids[name].removeprefix("User:"))
        key = self.random.choice([keys.inbox, keys.reposts, keys.reposted])(user)
        self.history.append(f"{key} expires")
        await self.system.state.cache.redis("DEL", key, write=True)

    async def look(self) -> None:
        """Expects that a home with pending changes has no post twice, and full pages."""
        name = self._anyone()
        found = [text for text, *_ in await entries(self.people[name], self.random.randint(1, 7))]
        assert len(found) == len(set(found)), (name, self.history)

    async def check(self) -> None:
        """Drains the system and expects that all homes agree with the model."""
        await self.system.drain()
        for name, person in self.people.items():
            found = await entries(person, self.random.randint(1, 7))
            assert [(text, number) for text, _, number in found] == self.expected(name), (name, self.history)
            back = await walk_back(person, BOTH_WAYS, "text", None, self.random.randint(1, 7))
            assert back == [text for text, _ in self.expected(name)], (name, self.history)

    def _anyone(self) -> str:
        return self.random.choice(sorted(self.people))

    def _any_post(self) -> str | None:
        return self.random.choice(sorted(self.posts)) if self.posts else None


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[System]:
    monkeypatch.setattr(own, "_ASK_EACH_UP_TO", 1)
    monkeypatch.setattr(inboxes, "REPOSTS", 10)
    changes = {"moderation": LENIENT, "local_cache_seconds": 0, "caches": {"inbox_posts": 10}}
    async with running(make_settings(**changes, push_follower_limit=BIG)) as system:
        yield system


async def model(system: System, seed: int) -> RepostModel:
    people = {f"p{i}": system.person(f"p{i}") for i in range(PEOPLE)}
    return RepostModel(system, random.Random(seed), people, {name: await one.id() for name, one in people.items()})


@pytest.mark.parametrize("seed", range(2))
async def test_home_agrees_with_the_model(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=6, steps=12)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 130))
async def test_home_agrees_with_the_model_in_long_histories(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=12, steps=25)
