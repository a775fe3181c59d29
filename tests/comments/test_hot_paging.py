"""C5: whatever happens between pages of the hottest, what is there all the time comes once; cursors keep their word."""

import random
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import Settings
from tests.comments.world import delete, many, page, said
from tests.conftest import standalone
from tests.posts.conftest import LENIENT
from tests.system import LIMITLESS, Person, System, running

RANKED, OLD, SAID = 12, 30, 10


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Few comments are ranked."""
    async with running(make_settings(moderation=LENIENT, hot_comments=RANKED, limits=LIMITLESS)) as one:
        yield one


class Crowd:
    """People who do anything to the comments of a subject, as a seed says."""

    def __init__(self, system: System, video: str, comments: list[str], seed: int) -> None:
        self.dice = random.Random(seed)
        self.gone: set[str] = set()
        self._system = system
        self._video = video
        self._comments = comments
        self._author = system.person("author")
        self._people = [system.person(f"p{i}") for i in range(8)]

    async def act(self) -> None:
        """A few acts, stored and published."""
        for _ in range(self.dice.randrange(1, 6)):
            await self._one()
        await self._system.drain()
        if self.dice.random() < 0.2:  # the lists are evicted, snapshots are not
            client = self._system.state.redis.client
            await client.delete(*list(await client.keys("{*comments:*") or [b"none"]))

    async def _one(self) -> None:
        comment, person = self.dice.choice(self._comments), self.dice.choice(self._people)
        match self.dice.choice(["like", "like", "like", "dislike", "unlike", "reply", "delete", "new"]):
            case "reply" if comment not in self.gone:
                await said(person, self._video, f"reply {self.dice.random()}", to=comment)
            case "delete" if comment not in self.gone and self.dice.random() < 0.5:
                assert (await delete(self._author, comment))["userErrors"] == []
                self.gone.add(comment)
            case "new":
                await said(self._author, self._video, f"new {self.dice.random()}")
            case "like" | "dislike" | "unlike" as verb if comment not in self.gone:
                await person.react(verb, comment)
            case _:
                pass


@standalone
@pytest.mark.parametrize("seed", range(6))
async def test_nothing_comes_twice_and_nothing_that_stays_is_missed(system: System, seed: int) -> None:
    video, people, reader = await stage(system, seed)
    there = {node["id"] for node in (await page(reader, video, "HOT", 100))["nodes"]}
    first = people.dice.choice([1, 2, 3, 5, 7, 11])
    pages: list[tuple[str | None, list[str]]] = []
    after: str | None = None
    while True:
        one = await page(reader, video, "HOT", first, after)
        pages.append((after, [node["id"] for node in one["nodes"]]))
        if not one["pageInfo"]["hasNextPage"]:
            break
        assert len(one["nodes"]) == first
        after = one["pageInfo"]["endCursor"]
        await people.act()

    found = [id_ for _, ids in pages for id_ in ids]
    assert len(found) == len(set(found))
    assert there - people.gone <= set(found)
    for cursor, ids in pages[1:]:
        again = [node["id"] for node in (await page(reader, video, "HOT", first, cursor))["nodes"]]
        left = [id_ for id_ in ids if id_ in again]
        assert again[: len(left)] == left
        assert set(ids) - set(left) <= people.gone


async def stage(system: System, seed: int) -> tuple[str, Crowd, Person]:
    """A subject with old comments, some of today, and a reader who has said something, too."""
    (video,) = await system.videos("v1")
    author, reader = system.person("author"), system.person("reader")
    ids = [await said(author, video, f"said {i}") for i in range(SAID)]
    await said(reader, video, "mine")
    await system.drain()
    crowd = Crowd(system, video, ids + await many(system, OLD), seed)
    await crowd.act()
    await said(reader, video, "waits")
    return video, crowd, reader
