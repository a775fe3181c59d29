"""KeptTexts: the texts of unchanged rows are written once, and never contain what differs between requests."""

from collections.abc import Sequence
from typing import Any

import pytest

from execution import objects
from execution.objects import KeptTexts, Selection
from schema.planned import Executor
from tests.support.posts import PUBLISH
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGE = """query { square { nodes { id text likeCount createdAt viewerReaction topics { name } images { url alt }
  author { id handle displayName avatarUrl } } } }"""
EDIT = "mutation ($id: ID!, $text: String!) { editPost(input: {postId: $id, text: $text}) { userErrors { code } } }"
IMAGE = "https://images.example.com/cat.jpg"


@pytest.fixture(autouse=True)
def _no_fragments() -> None:
    KeptTexts._drop_all()
    KeptTexts._of_process.clear()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns a list to which each writing of fragments adds the number of its rows."""
    counts: list[int] = []
    write = Selection.__call__

    def counted(self: Selection, run: Any, rows: Sequence[Any], frame: Any) -> Any:
        if any(self is one._write for one in KeptTexts._of_process.values()):
            counts.append(len(rows))
        return write(self, run, rows, frame)

    monkeypatch.setattr(Selection, "__call__", counted)
    return counts


async def posts(system: System) -> list[str]:
    """Publishes two posts of bob with topics and images. Returns their ids, oldest first."""
    bob, images, ids = system.person("bob"), [{"url": IMAGE, "alt": "A cat"}], list[str]()
    for text in ("one", "two"):
        published = await bob.ask(PUBLISH, text=text, topics=["cats"], key=text, images=images)
        ids.append(published["publishPost"]["post"]["id"])
    await system.drain()
    return ids


async def page(reader: Person, times: int = 1) -> list[Any]:
    """Reads the page several times. Returns its posts, oldest first."""
    nodes: list[Any] = [await reader.ask(PAGE) for _ in range(times)][-1]["square"]["nodes"]
    return nodes[::-1]


def kept() -> list[bytes]:
    return [text for one in KeptTexts._of_process.values() for text in one._texts.values()]


async def test_the_texts_of_unchanged_rows_are_written_once(system: System, written: list[int]) -> None:
    await posts(system)
    carol = system.person("carol")
    first = await page(carol, 6)
    written.clear()

    again = await page(carol)

    assert written == []
    assert again == first
    assert len(kept()) >= 2


async def test_operations_share_the_texts_of_equal_selections(system: System, written: list[int]) -> None:
    await posts(system)
    carol = system.person("carol")
    first = await page(carol, 6)
    written.clear()

    named = await carol.ask(PAGE.replace("query", "query Another"))
    assert (named["square"]["nodes"][::-1], written) == (first, [])

    aliased = await carol.ask(PAGE.replace("text", "text: id").replace("handle", "handle: id"))
    assert written != []
    for shown, post in zip(aliased["square"]["nodes"][::-1], first, strict=True):
        assert (shown["text"], shown["author"]["handle"]) == (post["id"], post["author"]["id"])


async def test_many_objects_that_depend_on_their_rows_alone_are_completed_at_once(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    reruns: list[str] = []
    monkeypatch.setattr(Executor.plans, "rerun", lambda _, why: reruns.append(why))
    topics = [f"topic{number}" for number in range(objects.MOST_ROWS + 1)]
    await system.person("bob").ask(PUBLISH, text="one", topics=topics, key="k", images=[])

    (post,) = await page(system.person("bob"))

    assert sorted(topic["name"] for topic in post["topics"]) == sorted(topics)
    assert reruns == []


async def test_a_plan_that_runs_rarely_keeps_nothing(system: System) -> None:
    await posts(system)
    await page(system.person("carol"), objects._FREQUENT)

    assert kept() == []


async def test_counters_and_reactions_change_beside_kept_fragments(system: System, written: list[int]) -> None:
    ids = await posts(system)
    carol = system.person("carol")
    await page(carol, 6)
    await carol.react("like", ids[0])
    written.clear()

    seen = await page(carol)

    assert [(one["likeCount"], one["viewerReaction"]) for one in seen] == [(1, "LIKE"), (0, None)]
    assert written == []


async def test_an_edited_post_is_shown_with_its_new_text(system: System) -> None:
    ids = await posts(system)
    bob, carol = system.person("bob"), system.person("carol")
    await page(carol, 6)
    await bob.ask(EDIT, id=ids[0], text="edited")
    await system.drain()

    assert [one["text"] for one in await page(carol, 6)] == ["edited", "two"]


async def test_texts_that_only_their_author_may_see_are_never_kept(system: System) -> None:
    ids = await posts(system)
    bob, carol = system.person("bob"), system.person("carol")
    await page(carol, 6)
    await bob.ask(EDIT, id=ids[0], text="not published yet")

    own = [one["text"] for one in await page(bob, 8)]
    others = [one["text"] for one in await page(carol, 8)]

    assert own == ["not published yet", "two"]
    assert others == ["one", "two"]
    assert [text for text in kept() if b"not published yet" in text] == []


async def test_fragments_contain_no_signed_urls_and_no_values_of_the_viewer(system: System) -> None:
    ids = await posts(system)
    carol = system.person("carol")
    await carol.react("like", ids[0])
    seen = await page(carol, 8)

    assert "&s=" in seen[0]["images"][0]["url"]
    assert kept() != []
    for text in kept():
        for secret in (b"&s=", b"viewerReaction", b"likeCount", b"LIKE"):
            assert secret not in text


async def test_fragments_beyond_the_limit_of_bytes_are_dropped(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "_MOST_BYTES", 2 * objects._ENTRY_BYTES)
    await posts(system)

    seen = await page(system.person("carol"), 8)

    assert [one["text"] for one in seen] == ["one", "two"]
    assert KeptTexts._bytes <= objects._MOST_BYTES
    assert sum(len(one._rows) for one in KeptTexts._of_process.values()) <= 2
