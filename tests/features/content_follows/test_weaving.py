"""The places of posts of topics in home: rules that hold for all lists, and for random changes between pages."""

import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from resolvers.topic_feeds import woven
from settings import Settings
from store.cache.lists import Item
from tests.support.content_follows import follow_topics, show_topics_in_home, unfollow_topics
from tests.support.follows import follow_people
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running

HOME = """query ($first: Int!, $after: String) { viewer { home(first: $first, after: $after) {
  edges { homeReason { topic { name } } node { id text createdAt topics { name } } }
  pageInfo { hasNextPage endCursor } } } }"""
SPACING = 2


@given(
    places=st.lists(st.integers(1, 60), unique=True, max_size=40),
    kinds=st.lists(st.booleans(), min_size=40, max_size=40),
    spacing=st.integers(1, 5),
    is_first=st.booleans(),
)
def test_posts_of_topics_keep_their_distance(
    places: list[int], kinds: list[bool], spacing: int, is_first: bool
) -> None:
    items = [Item(place, place) for place in sorted(places, reverse=True)]
    page = [item for item, other in zip(items, kinds, strict=False) if not other]
    others = [item for item, other in zip(items, kinds, strict=False) if other]

    found = woven(page, others, spacing, is_first=is_first)

    assert found == sorted(found, reverse=True)
    assert [item for item in found if item in page] == page
    assert len({*found}) == len(found)
    since = spacing if is_first else 0
    for item in found:
        if item in others:
            assert since >= spacing
        since = 0 if item in others else since + 1
    assert not found or found[-1] in page


def test_a_gap_shows_its_newest_post() -> None:
    page, others = [Item(90, 90), Item(50, 50), Item(10, 10)], [Item(n, n) for n in (99, 95, 40, 30, 5)]
    assert [item.member for item in woven(page, others, 1, is_first=True)] == [99, 90, 50, 40, 10]
    assert [item.member for item in woven(page, others, 2, is_first=False)] == [90, 50, 40, 10]


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    settings = make_settings(moderation=LENIENT, local_cache_seconds=0, people={"topic_spacing": SPACING})
    async with running(settings) as one:
        yield one


class Reading:
    """One reading of alice's home, page by page, while others write."""

    def __init__(self, system: System, walk: random.Random) -> None:
        self.system, self.walk = system, walk
        self.alice, self.ann, self.bob = map(system.person, ("alice", "ann", "bob"))
        self.count = 0
        self.followed = {"cats", "dogs"}
        self.own: list[str] = []
        """The texts of the posts of ann, whom alice follows, oldest first."""

    async def write(self) -> None:
        """Publishes a post of ann or bob, perhaps with topics."""
        author, topics = (
            self.walk.choice([self.ann, self.bob, self.bob]),
            self.walk.choice([(), ("cats",), ("dogs", "cats")]),
        )
        self.count += 1
        text = f"{author.handle} {self.count}"
        await publish(author, text, *topics)
        if author is self.ann:
            self.own.append(text)

    async def change(self) -> None:
        """Writes, follows or unfollows a topic, or publishes what waits."""
        match self.walk.randrange(5):
            case 0:
                await self.system.drain()
            case 1:
                name = self.walk.choice(["cats", "dogs"])
                if name in self.followed:
                    await unfollow_topics(self.alice, name)
                else:
                    await follow_topics(self.alice, name)
                self.followed ^= {name}
            case _:
                await self.write()

    async def page(self, first: int, after: str | None) -> Any:
        """Reads a page. All reasons must be topics that alice follows now."""
        page = (await self.alice.ask(HOME, first=first, after=after))["viewer"]["home"]
        for edge in page["edges"]:
            if edge["homeReason"]:
                assert edge["homeReason"]["topic"]["name"] in self.followed
                assert edge["homeReason"]["topic"] in edge["node"]["topics"]
        assert len(page["edges"]) == first or not page["pageInfo"]["hasNextPage"]
        return page

    async def read(self) -> None:
        """Reads home with a random page size while others write, and checks the whole reading."""
        first, expected = self.walk.randint(1, 9), self.own[::-1]
        edges, after, more = list[Any](), None, True
        while more:
            page = await self.page(first, after)
            edges += page["edges"]
            more, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
            await self.change()
        texts = [edge["node"]["text"] for edge in edges]
        assert len({*texts}) == len(texts)
        numbers = [int(text.split()[1]) for text in texts]
        assert numbers == sorted(numbers, reverse=True)
        own = [edge["node"]["text"] for edge in edges if not edge["homeReason"]]
        assert own[-len(expected) :] == expected if expected else own == []
        since = SPACING
        for edge in edges:
            assert since >= SPACING or not edge["homeReason"]
            since = 0 if edge["homeReason"] else since + 1


@standalone
@pytest.mark.parametrize(
    "seed", [0, *[pytest.param(seed, marks=[pytest.mark.prove, pytest.mark.timeout(600)]) for seed in range(1, 20)]]
)
async def test_readings_of_home_repeat_and_lose_nothing_while_others_write(system: System, seed: int) -> None:
    reading = Reading(system, random.Random(seed))
    await follow_people(reading.alice, reading.ann)
    for name in ("cats", "dogs"):
        await publish(reading.bob, f"bob 0 {name}", name)
    await system.drain()
    await follow_topics(reading.alice, "cats", "dogs")
    await show_topics_in_home(reading.alice)
    for _ in range(4):
        for _ in range(reading.walk.randint(3, 10)):
            await reading.write()
        await system.drain()
        await reading.read()
