"""Home against a model: whatever happens in whatever order, every visible post of followed authors and one's own is
there once, newest first, through any paging, with pages never short.
"""

import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from domain.ids import UserId, parse_id
from loaders import request
from settings import Settings
from store import keys
from tests.support.follows import FOLLOW_BRIEF, id_of
from tests.support.posts import DELETE, EDIT, HOME, MODERATE, publish
from tests.support.random_walk import walk
from tests.support.system import LENIENT, Person, System, running

PEOPLE = 6
INBOX = 10
BIG = 3
"""So many followers make an account big: with six people everybody crosses that again and again."""


@dataclass
class Written:
    """A post as the model knows it."""

    id: str
    author: str
    text: str
    rejected: bool = False
    deleted: bool = False


@dataclass
class HomeModel:
    """Everybody, what they have written, and whom they follow."""

    system: System
    random: random.Random
    people: dict[str, Person]
    ids: dict[str, str]
    posts: list[Written] = field(default_factory=list)
    follows: set[tuple[str, str]] = field(default_factory=set)
    told: list[str] = field(default_factory=list)
    """What has happened, for whoever reads a failure."""

    def expected(self, viewer: str) -> list[str]:
        """The texts of somebody's home, newest first."""
        mine = {followee for follower, followee in self.follows if follower == viewer}
        return [
            post.text
            for post in reversed(self.posts)
            if not post.deleted and (post.author == viewer or (post.author in mine and not post.rejected))
        ]

    async def step(self) -> None:
        """Something happens."""
        verbs = [self.publish] * 5 + [self.follow] * 4 + [self.delete, self.edit, self.judge, self.leave, self.look]
        await self.random.choice(verbs)()

    async def publish(self) -> None:
        author = self.random.choice(sorted(self.people))
        text = f"{author} {len(self.posts)}"
        self.told.append(f"publish {text}")
        post = (await publish(self.people[author], text))["post"]
        self.posts.append(Written(post["id"], author, text))

    async def follow(self) -> None:
        follower, followee = self.random.sample(sorted(self.people), 2)
        pair = follower, followee
        verb = "unfollow" if pair in self.follows and self.random.random() < 0.7 else "follow"
        self.told.append(f"{follower} {verb} {followee}")
        payload = await self.people[follower].ask(FOLLOW_BRIEF % verb, id=self.ids[followee])
        assert payload[verb]["userErrors"] == []
        self.follows = self.follows | {pair} if verb == "follow" else self.follows - {pair}

    async def delete(self) -> None:
        if post := self._some():
            self.told.append(f"delete {post.text}")
            await self.people[post.author].ask(DELETE, id=post.id)
            post.deleted = True

    async def edit(self) -> None:
        if post := self._some():
            self.told.append(f"edit {post.text}")
            post.text += "!"
            post.rejected = False  # it is judged anew
            await self.people[post.author].ask(EDIT, input={"postId": post.id, "text": post.text})

    async def judge(self) -> None:
        await self.system.drain()  # a decision is about what has been stored
        if post := self._some():
            post.rejected = self.random.random() < 0.6
            decision = "REJECT" if post.rejected else "APPROVE"
            self.told.append(f"{decision} {post.text}")
            moderator = self.system.person("moderator", "moderate")
            payload = await moderator.ask(MODERATE, id=post.id, decision=decision, reason="because")
            assert payload["moderate"]["userErrors"] == []

    async def leave(self) -> None:
        """Somebody does not come to look for so long that their inbox expires."""
        name = self.random.choice(sorted(self.people))
        user = parse_id(self.ids[name])
        assert isinstance(user, UserId)
        self.told.append(f"{name} stays away")
        await self.system.state.cache.redis("DEL", keys.inbox(user.id), write=True)

    async def look(self) -> None:
        """Somebody looks, while things are under way: what is there is theirs to see, and their own posts are."""
        name = self.random.choice(sorted(self.people))
        self.told.append(f"{name} looks")
        texts, own = (
            await self.home(name),
            [post.text for post in self.posts if post.author == name and not post.deleted],
        )
        mine = {followee for follower, followee in self.follows if follower == name}
        assert len(texts) == len(set(texts)), self.told
        assert {text.split()[0] for text in texts} <= mine | {name}, self.told
        assert [text for text in texts if text.split()[0] == name] == own[::-1], self.told

    async def home(self, name: str) -> list[str]:
        """The texts of all pages, of a random size."""
        texts: list[str] = []
        after, first = None, self.random.randint(1, 7)
        while True:
            page = (await self.people[name].ask(HOME, first=first, after=after))["viewer"]["home"]
            texts += [post["text"] for post in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                return texts
            assert len(page["nodes"]) == first, self.told
            after = page["pageInfo"]["endCursor"]

    async def check(self) -> None:
        """A quiet point: everybody's home is what the model says."""
        await self.system.drain()
        for name in self.people:
            assert await self.home(name) == self.expected(name), (name, self.told)

    def _some(self) -> Written | None:
        there = [post for post in self.posts if not post.deleted]
        return self.random.choice(there) if there else None


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[System]:
    monkeypatch.setattr(request, "_MANY", 1)
    changes = {"moderation": LENIENT, "local_cache_seconds": 0, "inbox_posts": INBOX, "push_follower_limit": BIG}
    async with running(make_settings(**changes)) as one:
        yield one


async def model(system: System, seed: int) -> HomeModel:
    people = {f"p{i}": system.person(f"p{i}") for i in range(PEOPLE)}
    for person in people.values():
        await person.ask("{ viewer { id } }")
    return HomeModel(system, random.Random(seed), people, {name: await id_of(one) for name, one in people.items()})


@pytest.mark.parametrize("seed", range(3))
async def test_home_is_what_the_model_says(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=8, steps=12)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 130))
async def test_home_is_what_the_model_says_for_long(system: System, seed: int) -> None:
    await walk(await model(system, seed), rounds=15, steps=25)
