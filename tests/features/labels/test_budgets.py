"""Labels cost no round trip and no query. Only pages that are filled up, because a label hides content, take more."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from settings import Settings
from tests.support.comments import add
from tests.support.costs import Cost, cost
from tests.support.follows import follow_people
from tests.support.labels import CLAIMS, aged, choose, set_labels, with_labels
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone

FIELDS = "id text contentWarning labels { name source visibility } likeCount author { handle }"
PAGES = {
    "square": f"{{ square(first: 10) {{ nodes {{ {FIELDS} }} }} }}",
    "home": f"{{ viewer {{ home(first: 10) {{ nodes {{ {FIELDS} }} }} }} }}",
    "comments": f"""query ($video: ID!) {{ node(id: $video) {{ ... on Commentable {{
      comments(first: 10) {{ nodes {{ {FIELDS} }} }} }} }} }}""",
    "entity": '{ entity(business: "video", key: "v") { title labels { name visibility } } }',
    "post": f"query ($post: ID!) {{ node(id: $post) {{ ... on Post {{ {FIELDS} }} }} }}",
}
EXPECTED: dict[str, Cost] = {"square": (3, 0), "home": (3, 0), "comments": (4, 0), "entity": (1, 0), "post": (2, 0)}
FILLED_UP: dict[str, Cost] = {**EXPECTED, "square": (5, 0), "home": (5, 0), "comments": (6, 0)}


@asynccontextmanager
async def made(
    make_settings: Callable[..., Settings], file: Path | None, label: str
) -> AsyncIterator[tuple[System, str, str]]:
    """Starts a system with 20 posts and comments, of which every second has the label. Without a businesses file, none
    has a label. Yields it with the ids of a post and a video.
    """
    more = {"businesses_file": file} if file else {}
    settings = make_settings(moderation=LENIENT, jwt_claims=CLAIMS, local_cache_seconds=0, **more)
    async with running(settings) as system:
        alice, bob = aged(system, "alice", "adult"), aged(system, "bob", "adult")
        mia = system.person("mia", "moderate")
        await follow_people(aged(system, "carol", "child"), alice)
        await follow_people(system.person("dave"), alice)
        (video,) = await system.videos("v")
        post = ""
        for number in range(20):
            post = (await publish(alice, f"post {number}"))["post"]["id"]
            comment = (await add(bob, video, f"comment {number}"))["comment"]["id"]
            await system.drain()
            if file and number % 2 == 0:
                for target in (post, comment):
                    assert (await set_labels(mia, target, label))["userErrors"] == []
        await system.drain()
        yield system, post, video


async def costs(reader: Person, post: str, video: str) -> dict[str, Cost]:
    """Returns what each page costs a reader, when all caches are filled."""
    found = {}
    for name, query in PAGES.items():
        if name == "home" and not reader.handle:
            continue
        variables = {one: id_ for one, id_ in (("post", post), ("video", video)) if f"${one}" in query}
        for _ in range(2):
            await reader.ask(query, **variables)
        found[name] = await cost(reader, query, **variables)
    return found


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("label", "expected"), [(None, EXPECTED), ("spoiler", EXPECTED), ("adult", FILLED_UP)], ids=str
)
async def test_pages_cost_the_same_with_labels(
    make_settings: Callable[..., Settings], tmp_path: Path, label: str | None, expected: dict[str, Cost]
) -> None:
    async with made(make_settings, with_labels(tmp_path) if label else None, label or "") as (system, post, video):
        child = aged(system, "carol", "child")
        if label:
            await choose(child, spoiler="SHOW")
            await system.drain()
        readers = {"child": child, "of unknown age": system.person("dave"), "anonymous": system.person(None)}
        for name, reader in readers.items():
            pages = {page: one for page, one in expected.items() if page != "home" or reader.handle}
            assert await costs(reader, post, video) == pages, name
        texts = [node["text"] for node in (await child.ask(PAGES["square"]))["square"]["nodes"]]
    assert texts == [f"post {number}" for number in range(19, 0, -2 if label == "adult" else -1)][:10]
