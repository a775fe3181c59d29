"""What readers share, such as cached answers and lists, and what is sent to them, follows their age bands."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest_asyncio

from settings import Settings
from tests.support.follows import follow_people
from tests.support.http_requests import curl, url_params
from tests.support.labels import (
    CLAIMS,
    WRITE_COMMENT,
    aged,
    choose,
    seen,
    set_labels,
    with_labels,
    write_comment,
    write_post,
)
from tests.support.outgoing import received, to_stream
from tests.support.posts import home, on_square, publish, published
from tests.support.stores import standalone
from tests.support.subscriptions import HOME_POST_ADDED, Live, serving
from tests.support.system import LENIENT, System, running

pytestmark = standalone

SQUARE = "{ square { nodes { text labels { name %s } } } }"


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[Live]:
    """A server with labels on a port."""
    settings = make_settings(
        port=0, businesses_file=with_labels(tmp_path), jwt_claims=CLAIMS, moderation=LENIENT, local_cache_seconds=0
    )
    async with serving(settings) as one:
        yield one


async def test_public_answers_have_what_the_lowest_age_band_may_see(system: System) -> None:
    alice, adult = aged(system, "alice", "adult"), aged(system, "bob", "adult")
    await write_post(alice, "for adults", "adult")
    await publish(alice, "for all")
    await system.drain()
    bearer = f"Authorization: {adult.headers['authorization']}"
    for _ in range(2):  # each reader reads first once
        own = await curl(system, "GET", bearer, url=url_params(SQUARE % ""))
        public = await curl(system, "GET", url=url_params(SQUARE % ""))
        assert own.headers["cache-control"].startswith("private")
        assert public.headers["cache-control"].startswith("public")
        assert [node["text"] for node in own.json()["data"]["square"]["nodes"]] == ["for all", "for adults"]
        assert [node["text"] for node in public.json()["data"]["square"]["nodes"]] == ["for all"]
        assert "for adults" not in public.text
    mine = await curl(system, "GET", url=url_params(SQUARE % "visibility"))
    assert mine.headers["cache-control"].startswith("private")


async def test_readers_of_all_age_bands_share_cached_lists(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    settings = make_settings(
        businesses_file=with_labels(tmp_path), jwt_claims=CLAIMS, moderation=LENIENT, local_cache_seconds=60,
        pending_seconds=100,
    )  # fmt: skip
    async with running(settings) as system:
        alice = aged(system, "alice", "adult")
        adult, child = aged(system, "bob", "adult"), aged(system, "carol", "child")
        await follow_people(adult, alice)
        await follow_people(child, alice)
        await write_post(alice, "for adults", "adult")
        await publish(alice, "for all")
        await system.drain()
        for _ in range(2):
            for reader, expected in ((adult, ["for all", "for adults"]), (child, ["for all"])):
                assert await on_square(reader) == expected
                assert await home(reader) == expected
            assert await on_square(system.person(None)) == ["for all"]


async def test_a_subscription_sends_no_hidden_content(live: Live) -> None:
    alice = aged(live, "alice", "adult")
    post, other = await published(alice, "post", "other")
    await live.drain()
    adult = aged(live, "bob", "adult")
    async with live.socket("carol") as of_unknown_age, live.raw() as raw:
        await raw.init({"authorization": adult.headers["authorization"]})
        for socket in (of_unknown_age, raw):
            await socket.subscribe([post, other])
            assert {(await socket.value())["id"] for _ in range(2)} == {post, other}
        await set_labels(live.person("mia", "moderate"), post, "adult")
        await live.drain()
        await adult.like(post)
        await live.drain()
        assert (await raw.until(lambda value: value["likeCount"] == 1))[-1]["id"] == post
        await adult.like(other)
        await live.drain()
        values = await of_unknown_age.until(lambda value: value["likeCount"] == 1)
        assert [value["id"] for value in values] == [other]


async def test_home_news_has_no_hidden_posts(live: Live) -> None:
    alice = aged(live, "alice", "adult")
    carol = live.person("carol")
    await follow_people(carol, alice)
    await live.drain()
    assert await home(carol) == []
    async with live.socket("carol") as socket:
        await socket.send(id="1", type="subscribe", payload={"query": HOME_POST_ADDED})
        await socket.send(id="2", type="subscribe", payload={"query": "subscription { nothing }"})
        assert (await socket.receive())["id"] == "2"  # so the first one has begun
        await write_post(alice, "for adults", "adult")
        await live.drain()
        await publish(alice, "for all")
        await live.drain()
        message = await socket.receive()
        assert message["payload"]["data"]["homePostAdded"]["node"]["text"] == "for all"


async def test_the_word_list_reads_content_warnings(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("review: dubious\n")
    moderation = LENIENT.model_copy(update={"words_file": words})
    async with running(make_settings(moderation=moderation)) as system:
        alice, bob = map(system.person, ("alice", "bob"))
        held = (await write_post(alice, "post", contentWarning="a dubious thing"))["post"]["id"]
        public = (await write_post(alice, "other", contentWarning="a thing"))["post"]["id"]
        await system.drain()
        assert await seen(bob, held) is None
        assert (await seen(bob, public))["contentWarning"] == "a thing"
        assert await system.rows("SELECT status FROM posts ORDER BY moment") == [(0,), (1,)]


async def test_push_messages_have_no_texts_that_labels_hide(system: System) -> None:
    alice = aged(system, "alice", "adult")
    of_unknown_age, adult = aged(system, "carol", None), aged(system, "bob", None)
    ids = [await of_unknown_age.id(), await adult.id()]
    (post,) = await published(alice, "for all")
    await system.drain()
    await system.rows("UPDATE users SET age_band = 'adult' WHERE handle = 'bob' RETURNING 1")
    await choose(adult, spoiler="HIDE")
    await to_stream(system, "notification.created")
    await write_post(alice, "@carol @bob for adults", "adult")
    await write_post(alice, "@carol @bob the end", "spoiler")
    await write_comment(alice, post, "@carol @bob a comment for adults", "adult")

    found = [(event["data"]["userId"], event["data"]["excerpt"]) for event in await received(system)]

    assert [text for user, text in found if user == ids[0] and text] == ["@carol @bob the end"]
    assert {text for user, text in found if user == ids[1] and text} == {
        "@carol @bob for adults", "@carol @bob a comment for adults",
    }  # fmt: skip
    assert len(found) == 6


async def test_events_have_the_labels_of_a_comment_and_of_what_it_is_on(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (video,) = await system.videos("v", owner="alice")
    await alice.id()
    await system.rows("UPDATE users SET age_band = 'adult' WHERE handle = 'alice' RETURNING 1")
    await to_stream(system, "notification.created", "entity.updated")
    assert (await set_labels(mia, video, "spoiler"))["userErrors"] == []
    await system.drain()
    await write_comment(system.person("bob"), video, "a comment", "violence")
    await system.drain()
    events = [one["data"] for one in await received(system)]
    assert [one["labels"] for one in events if one.get("id") == video] == [["spoiler"]]
    (told,) = [one for one in events if one.get("kind") == "COMMENT"]
    assert (told["excerpt"], told["labels"]) == ("a comment", ["violence", "spoiler"])


async def test_events_have_no_excerpt_of_a_comment_on_a_hidden_entity(system: System) -> None:
    await to_stream(system, "notification.created")
    (video,) = await system.videos("v")
    comment = (await write_comment(system.person("alice"), video, "first"))["comment"]["id"]
    await system.drain()
    assert (await set_labels(system.person("mia", "moderate"), video, "adult"))["userErrors"] == []
    reply = {"replyToId": comment, "text": "a reply", "idempotencyKey": "reply"}
    await aged(system, "bob", "adult").ask(WRITE_COMMENT, input={**reply, "subjectId": video})
    await system.drain()
    told = [one["data"] for one in await received(system)]
    assert [(one["excerpt"], one["labels"]) for one in told if one["kind"] == "REPLY"] == [(None, [])]
