"""Random muted words and hidden posts: each page is the page without them, filtered and filled up."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from tests.support.follows import follow
from tests.support.hiding_words import hide, mute_words, muted_words, unmute_words
from tests.support.posts import SQUARE, home, publish
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

VOCABULARY = ("alpha", "beta", "gamma", "delta", "\u732b")
AUTHORS = "bob", "carol", "beta"


async def square(viewer: Person, first: int) -> list[str]:
    """Returns the texts of all pages of the square. Checks that only the last page is short."""
    texts: list[str] = []
    after: str | None = None
    while True:
        page = (await viewer.ask(SQUARE, first=first, after=after))["square"]
        texts += [post["text"] for post in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            return texts
        assert len(page["nodes"]) == first
        after = page["pageInfo"]["endCursor"]


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("seed", range(2))
async def test_pages_are_those_without_muted_words_filtered(make_settings: Callable[..., Settings], seed: int) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        await walk(system, random.Random(seed))


async def walk(system: System, rng: random.Random) -> None:
    """Mutes words and hides posts at random, and compares pages with a filter after each step."""
    alice, authors = system.person("alice"), [system.person(name) for name in AUTHORS]
    posts: list[dict[str, Any]] = []
    for number in range(40):
        author, words = rng.choice([*authors, alice]), rng.sample(VOCABULARY, 2)
        topics = rng.sample(VOCABULARY[:4], 1)
        text = f"{number} {' '.join(words)}"
        payload = await publish(author, text, *topics)
        posts.append({"id": payload["post"]["id"], "text": text, "author": author.handle, "topics": topics})
    await follow(alice, *[await author.id() for author in authors])
    await system.drain()
    everything = await square(alice, 100)
    assert len(everything) == len(posts)

    muted, hidden = dict[str, list[str]](), set[str]()
    for _ in range(12):
        match rng.choice(["mute", "mute", "unmute", "hide", "unhide", "drain"]):
            case "mute":
                word, targets = rng.choice(VOCABULARY), rng.choice([["TEXT"], ["TOPICS"], ["TEXT", "TOPICS"]])
                await mute_words(alice, word, targets=targets)
                muted[word] = targets
            case "unmute" if muted:
                word = rng.choice(sorted(muted))
                await unmute_words(alice, word)
                del muted[word]
            case "hide":
                if (one := rng.choice(posts))["author"] != "alice":
                    await hide(alice, one["id"])
                    hidden.add(one["id"])
            case "unhide" if hidden:
                await hide(alice, gone := rng.choice(sorted(hidden)), "unhidePost")
                hidden.discard(gone)
            case _:
                await system.drain()
        shown = {
            one["text"]
            for one in posts
            if one["author"] == "alice"
            or not (
                one["id"] in hidden
                or any(
                    "TEXT" in where and word in (*one["text"].split(), one["author"]) for word, where in muted.items()
                )
                or any("TOPICS" in where and word in one["topics"] for word, where in muted.items())
            )
        }
        expected = [text for text in everything if text in shown]
        assert await square(alice, rng.choice([3, 7, 100])) == expected
        assert await home(alice, rng.choice([3, 7, 100])) == expected
        assert sorted(await muted_words(alice)) == sorted(muted)
