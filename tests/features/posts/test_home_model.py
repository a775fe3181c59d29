"""Home against a model: after random changes, every visible post of followed authors and every own post is listed once,
newest first, with any page size, in full pages.
"""

import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from domain.ids import UserId, parse_id
from loaders.request import own
from settings import Settings
from store import keys
from tests.support.follows import FOLLOW_BRIEF, id_of
from tests.support.paging import walk_back
from tests.support.posts import DELETE, EDIT, HOME, MODERATE, publish
from tests.support.random_walk import walk
from tests.support.reposts import BOTH_WAYS
from tests.support.system import LENIENT, Person, System, running

PEOPLE = 6
INBOX = 10
BIG = 3
"""The number of followers that makes an account big. With six users, all accounts become big and small repeatedly."""


@dataclass
class ModelPost:
    """A post of the model."""

    id: str
    author: str
    text: str
    rejected: bool = False
    deleted: bool = False


@dataclass
class HomeModel:
    """The users, their posts and their follows."""

    system: System
    random: random.Random
    people: dict[str, Person]
    ids: dict[str, str]
    posts: list[ModelPost] = field(default_factory=list)
    follows: set[tuple[str, str]] = field(default_factory=set)
    history: list[str] = field(default_factory=list)
    """All steps so far, for the message of a failure."""

    def expected(self, viewer: str) -> list[str]:
        """Returns the texts of the viewer's home, newest first."""
        followed = {followee for follower, followee in self.follows if follower == viewer}
        return [
            post.text
            for post in reversed(self.posts)
            if not post.deleted and (post.author == viewer or (post.author in followed and not post.rejected))
        ]

    async def step(self) -> None:
        """Makes a random change."""
        verbs = [self.publish] * 5 + [self.follow] * 4 + [self.delete, self.edit, self.judge, self.leave, self.look]
        await self.random.choice(verbs)()

    async def publish(self) -> None:
        author = self.random.choice(sorted(self.people))
        text = f"{author} {len(self.posts)}"
        self.history.append(f"publish {text}")
        post = (await publish(self.people[author], text))["post"]
        self.posts.append(ModelPost(post["id"], author, text))

    async def follow(self) -> None:
        follower, followee = self.random.sample(sorted(self.people), 2)
        pair = follower, followee
        verb = "unfollow" if pair in self.follows and self.random.random() < 0.7 else "follow"
        self.history.append(f"{follower} {verb} {followee}")
        payload = await self.people[follower].ask(FOLLOW_BRIEF % verb, id=self.ids[followee])
        assert payload[verb]["userErrors"] == []
        self.follows = self.follows | {pair} if verb == "follow" else self.follows - {pair}

    async def delete(self) -> None:
        if post := self._random_post():
            self.history.append(f"delete {post.text}")
            await self.people[post.author].ask(DELETE, id=post.id)
            post.deleted = True

    async def edit(self) -> None:
        if post := self._random_post():
            self.history.append(f"edit {post.text}")
            post.text += "!"
            post.rejected = False  # the post is moderated again
            await self.people[post.author].ask(EDIT, input={"postId": post.id, "text": post.text})

    async def judge(self) -> None:
        await self.system.drain()  # moderators see stored posts only
        if post := self._random_post():
            post.rejected = self.random.random() < 0.6
            decision = "REJECT" if post.rejected else "APPROVE"
            self.history.append(f"{decision} {post.text}")
            moderator = self.system.person("moderator", "moderate")
            payload = await moderator.ask(MODERATE, id=post.id, decision=decision, reason="because")
            assert payload["moderate"]["userErrors"] == []

    async def leave(self) -> None:
        """Removes a user's inbox, as if the user had been away for long."""
        name = self.random.choice(sorted(self.people))
        user = parse_id(self.ids[name])
        assert isinstance(user, UserId)
        self.history.append(f"the inbox of {name} expires")
        await self.system.state.cache.redis("DEL", keys.inbox(user.id), write=True)

    async def look(self) -> None:
        """Expects that a home with pending changes holds permitted posts only, and all own posts."""
        name = self.random.choice(sorted(self.people))
        self.history.append(f"{name} reads home")
        texts, own = (
            await self.home(name),
            [post.text for post in self.posts if post.author == name and not post.deleted],
        )
        followed = {followee for follower, followee in self.follows if follower == name}
        assert len(texts) == len(set(texts)), self.history
        assert {text.split()[0] for text in texts} <= followed | {name}, self.history
        assert [text for text in texts if text.split()[0] == name] == own[::-1], self.history

    async def home(self, name: str) -> list[str]:
        """Returns the texts of all pages, read with a random page size."""
        texts: list[str] = []
        after, first = None, self.random.randint(1, 7)
        while True:
            page = (await self.people[name].ask(HOME, first=first, after=after))["viewer"]["home"]
            texts += [post["text"] for post in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                return texts
            assert len(page["nodes"]) == first, self.history
            after = page["pageInfo"]["endCursor"]

    async def check(self) -> None:
        """Drains the system and expects that all homes agree with the model."""
        await self.system.drain()
        for name in self.people:
            assert await self.home(name) == self.expected(name), (name, self.history)
            back = await walk_back(self.people[name], BOTH_WAYS, "text", None, self.random.randint(1, 7))
            assert back == self.expected(name), (name, self.history)

    def _random_post(self) -> ModelPost | None:
        posts = [post for post in self.posts if not post.deleted]
        return self.random.choice(posts) if posts else None


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[System]:
    monkeypatch.setattr(own, "_ASK_EACH_UP_TO", 1)
    changes = {
        "moderation": LENIENT,
        "local_cache_seconds": 0,
        "caches": {"inbox_posts": INBOX},
        "push_follower_limit": BIG,
    }
    async with running(make_settings(**changes)) as system:
        yield system


async def model(system: System, seed: int) -> HomeModel:
    people = {f"p{i}": system.person(f"p{i}") for i in range(PEOPLE)}
    for person in people.values():
        await person.ask("{ viewer { id } }")
    return HomeModel(
        system, random.Random(seed), people, {name: await id_of(person) for name, person in people.items()}
    )


@pytest.mark.parametrize("seed", range(3))
async def test_home_agrees_with_the_model(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=8, steps=12)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 130))
async def test_home_agrees_with_the_model_in_long_histories(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=15, steps=25)
