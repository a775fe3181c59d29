"""muteWords and unmuteWords: what lists leave out, refusals that write nothing, expiry, notifications and outages."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store.people import follows
from tests.support import comments, outgoing
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.hiding_words import MUTE_WORDS, UNMUTE_WORDS, mute_words, muted_words, unmute_words
from tests.support.notifications import everything, unread
from tests.support.outages import Away, both_ways
from tests.support.posts import home, on_profile, on_square, publish, published, seen, under_topic
from tests.support.reconciliation import drift
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import System, running

CAT = "https://images.example.com/cat.jpg"
STORED = "SELECT words FROM muted_words"
PAGE = "{ square { nodes { id text author { handle } quote { post { text } } } } }"


class Clock:
    """A clock that tests set, in milliseconds since the Unix epoch."""

    def __init__(self) -> None:
        self.now_ms = int(datetime(2030, 1, 1, tzinfo=UTC).timestamp() * 1000)

    def __call__(self) -> int:
        return self.now_ms


def refusal(payload: Any) -> tuple[str, list[str]]:
    """Returns code and field of a payload's one user error."""
    assert payload["viewer"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


@standalone
async def test_muted_words_are_left_out_of_lists_of_several_authors(system: System) -> None:
    alice, bob, carol, dave = (system.person(name) for name in ("alice", "bob", "carol", "dave"))
    await follow(alice, await bob.id())
    (spoiler, fine) = await published(bob, "a big SPOILER", "fine")
    await system.drain()
    await publish(carol, "about topics", "Spoiler")
    await publish(carol, "with a picture", images=[{"url": CAT, "alt": "spoiler!"}])
    await publish(carol, "a quote", quoteOf=spoiler)
    await publish(carol, "spoilers are no whole word")
    (own,) = await published(alice, "my spoiler")
    await system.drain()
    await comments.added(dave, fine, "the spoiler in a comment")
    await comments.added(dave, fine, "a comment")
    await system.drain()
    assert (await mute_words(alice, "spoiler"))["userErrors"] == []
    for _ in ("at once", "stored", "from rows"):
        assert await on_square(alice, 3) == ["my spoiler", "spoilers are no whole word", "fine"]  # filled up
        assert await home(alice, 1) == ["my spoiler", "fine"]
        assert await under_topic(alice, "spoiler") == []
        assert await comments.read(alice, fine, "NEWEST") == ["a comment"]
        assert await on_profile(alice, "bob") == ["fine", "a big SPOILER"]
        assert (await seen(alice, spoiler))["text"] == "a big SPOILER"
        assert len(await on_square(bob)) == 7
        assert await muted_words(alice) == ["spoiler"]
        await system.drain()
        await system.empty_redis()
    await unmute_words(alice, "SPOILER")
    assert len(await on_square(alice)) == 7
    await system.drain()
    assert await system.rows(STORED) == [("[]",)]
    assert await drift(system) == {}
    assert own


@standalone
async def test_words_that_spare_followed_users_hide_others(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    await follow(alice, await bob.id())
    await published(bob, "a spoiler by bob")
    await published(carol, "a spoiler by carol")
    await system.drain()
    await mute_words(alice, "spoiler", exceptFollowed=True)
    assert await on_square(alice) == ["a spoiler by bob"]
    await mute_words(alice, "Spoiler")  # replaces the earlier one
    assert await on_square(alice) == []
    assert await muted_words(alice) == ["Spoiler"]


@standalone
async def test_names_and_handles_of_authors_are_searched(system: System) -> None:
    alice = system.person("alice")
    await published(system.person("casino_bob"), "hello")
    await published(system.person("carol"), "hi")
    await system.drain()
    await mute_words(alice, "@casino_bob")
    assert await on_square(alice) == ["hi"]
    await mute_words(alice, "@casino_bob", targets=["TOPICS"])
    assert await on_square(alice) == ["hi", "hello"]


@standalone
async def test_words_are_muted_together_replaced_and_listed(system: System) -> None:
    alice = system.person("alice")
    first = await mute_words(alice, "cats", "Straße", key="k", until="2090-01-01T00:00:00Z", wholeWord=False)
    words = first["viewer"]["mutedWords"]
    assert [(word["text"], word["until"]) for word in words] == [
        ("cats", "2090-01-01T00:00:00.000Z"),
        ("Straße", "2090-01-01T00:00:00.000Z"),
    ]
    again = await mute_words(alice, "cats", "Straße", key="k", until="2090-01-01T00:00:00Z", wholeWord=False)
    assert again == first
    assert await muted_words(system.person("bob")) == []
    (replaced, *_) = (await mute_words(alice, "STRASSE", "#dogs"))["viewer"]["mutedWords"]
    assert replaced == {
        "id": words[1]["id"],
        "text": "STRASSE",
        "targets": ["TEXT", "TOPICS"],
        "wholeWord": True,
        "exceptFollowed": False,
        "until": None,
    }
    assert await muted_words(alice) == ["STRASSE", "#dogs", "cats"]
    payload = (await alice.ask(UNMUTE_WORDS, ids=[words[0]["id"], "unknown"], texts=["#DOGS"]))["unmuteWords"]
    assert [word["text"] for word in payload["viewer"]["mutedWords"]] == ["STRASSE"]


@standalone
async def test_words_that_cannot_be_muted_write_nothing(system: System) -> None:
    alice = system.person("alice")
    async with unchanged(system):
        assert refusal(await mute_words(alice, " \u200b ")) == ("INVALID", ["words", "0", "text"])
        assert refusal(await mute_words(alice, "a", "b" * 101)) == ("TEXT_TOO_LONG", ["words", "1", "text"])
        assert refusal(await mute_words(alice, "a\0")) == ("TEXT_INVALID", ["words", "0", "text"])
        assert refusal(await mute_words(alice, "a", targets=[])) == ("INVALID", ["words", "0", "targets"])
        past = await alice.errors(MUTE_WORDS, words=[{"text": "a", "until": "2020-01-01T00:00:00Z"}])
        assert past == [("BAD_INPUT", ["muteWords"])]
        for count in (0, 101):
            assert await alice.errors(MUTE_WORDS, words=[{"text": "a"}] * count) == [("BAD_INPUT", ["muteWords"])]
            assert await alice.errors(UNMUTE_WORDS, texts=["a"] * count) == [("BAD_INPUT", ["unmuteWords"])]
        anonymous = system.person(None)
        assert await anonymous.errors(MUTE_WORDS, words=[{"text": "a"}]) == [("UNAUTHENTICATED", ["muteWords"])]
        assert await anonymous.errors(UNMUTE_WORDS, texts=["a"]) == [("UNAUTHENTICATED", ["unmuteWords"])]
    await mute_words(alice, "a", key="k")
    assert refusal(await mute_words(alice, "b", key="k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])


@standalone
async def test_words_beyond_the_limit_are_refused(system: System) -> None:
    alice = system.person("alice")
    for hundred in range(5):
        await mute_words(alice, *(f"word{hundred} {number}" for number in range(100)))
    assert refusal(await mute_words(alice, "one more")) == ("MUTE_LIMIT_REACHED", ["words"])
    await mute_words(alice, "WORD0 7")  # replaces one
    await system.drain()
    async with directly(system):
        assert refusal(await mute_words(alice, "one more")) == ("MUTE_LIMIT_REACHED", ["words"])
        await unmute_words(alice, "word0 7")
        assert (await mute_words(alice, "one more"))["userErrors"] == []
    assert len(await muted_words(alice)) == 500


@standalone
async def test_two_devices_that_mute_words_at_once_lose_none(system: System) -> None:
    alice = system.person("alice")
    await alice.id()
    await asyncio.gather(*[mute_words(alice, f"word {number}") for number in range(4)])
    assert sorted(await muted_words(alice)) == [f"word {number}" for number in range(4)]
    await system.drain()
    assert await drift(system) == {}


@standalone
async def test_a_word_stops_muting_at_its_end(make_settings: Callable[..., Settings]) -> None:
    clock = Clock()
    async with running(make_settings(), clock) as system:
        alice = system.person("alice")
        await published(system.person("bob"), "a spoiler")
        await system.drain()
        until = datetime.fromtimestamp(clock.now_ms / 1000 + 60, UTC).isoformat()
        await mute_words(alice, "spoiler", until=until)
        clock.now_ms += 59_999
        assert await on_square(alice) == []
        clock.now_ms += 1
        assert await on_square(alice) == ["a spoiler"]
        assert await muted_words(alice) == []


@standalone
async def test_nobody_is_notified_of_muted_content_only(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    (post,) = await published(alice, "my post")
    await system.drain()
    await comments.added(bob, post, "a spoiler")
    await comments.added(carol, post, "nice")
    await published(bob, "spoiler for @alice")
    await system.drain()
    assert await unread(alice) == 2
    assert [one["actorCount"] for one in await everything(alice) if one["kind"] == "COMMENT"] == [2]
    await mute_words(alice, "spoiler")
    assert await unread(alice) == 1
    assert [(one["kind"], one["actorCount"]) for one in await everything(alice)] == [("COMMENT", 1)]
    await mute_words(alice, "nice")
    assert await unread(alice) == 0
    assert await everything(alice) == []
    await unmute_words(alice, "spoiler", "nice")
    assert await unread(alice) == 2


@standalone
async def test_a_muted_comment_with_replies_stays_as_a_tombstone(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    (post,) = await published(carol, "a post")
    await system.drain()
    root = await comments.added(bob, post, "a spoiler")
    await system.drain()
    await comments.added(carol, post, "a reply", root)
    await system.drain()
    await mute_words(alice, "spoiler")
    query = (
        "query ($id: ID!) { node(id: $id) { ... on Post { comments { nodes { text author { id } replyCount } } } } }"
    )
    assert (await alice.ask(query, id=post))["node"]["comments"]["nodes"] == [
        {"text": None, "author": None, "replyCount": 1}
    ]


@standalone
async def test_muted_words_cost_no_round_trip(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(bob, *map(str, range(5)))
    await system.drain()
    for _ in range(2):
        await alice.ask(PAGE)
    without = await cost(alice, PAGE)
    await mute_words(alice, *(f"word {number}" for number in range(100)))
    await system.drain()
    for _ in range(2):
        await alice.ask(PAGE)
    assert await cost(alice, PAGE) == without


@standalone
@both_ways
async def test_words_are_muted_while_a_store_is_down(
    system: System, postgres: Postgres, valkey: Valkey, away: Away
) -> None:
    alice = system.person("alice")
    await published(system.person("bob"), "a spoiler", "another secret", "fine")
    await system.drain()
    await mute_words(alice, "spoiler")
    assert await on_square(alice) == ["fine", "another secret"]
    async with away(postgres, system.state.postgres):
        await mute_words(alice, "secret")
        assert await on_square(alice) == ["fine"]
    await system.drain()
    async with away(valkey, system.state.redis):
        body = (await alice.send("{ square { nodes { text } } }")).json()
        assert body["data"]["square"] in (None, {"nodes": [{"text": "fine"}]})


@standalone
async def test_push_services_get_no_muted_texts(system: System) -> None:
    await outgoing.to_stream(system, "notification.created")
    alice, bob, carol, dave = (system.person(name) for name in ("alice", "bob", "carol", "dave"))
    (post,) = await published(alice, "my post")
    await follow(alice, await dave.id())
    await system.drain()
    await mute_words(alice, "spoiler")
    await mute_words(alice, "secret", exceptFollowed=True)
    await system.drain()
    await comments.added(carol, post, "nice")
    await comments.added(bob, post, "a spoiler")
    await published(bob, "a spoiler for @alice")
    await published(carol, "a secret for @alice")
    await published(dave, "a secret of dave for @alice")
    await system.drain()
    sent = [event["data"] for event in await outgoing.received(system)]
    excerpts = sorted({one["excerpt"] for one in sent if one["kind"] in ("COMMENT", "MENTION")})
    assert excerpts == ["a secret of dave for @alice", "nice"]


@standalone
async def test_all_muted_words_together_have_a_bounded_size(system: System) -> None:
    alice = system.person("alice")
    for start in range(0, 300, 100):
        words = [f"{number:03}" + "\u732b" * 97 for number in range(start, start + 100)]
        errors = (await mute_words(alice, *words))["userErrors"]
        assert errors == ([] if start == 0 else [{"code": "MUTE_LIMIT_REACHED", "field": ["words"]}])
    assert len(await muted_words(alice)) == 100
    await unmute_words(alice, *(f"{number:03}" + "\u732b" * 97 for number in range(50)))
    assert (await mute_words(alice, "cat"))["userErrors"] == []


@standalone
async def test_one_query_tells_whom_the_recipients_of_many_events_follow(system: System) -> None:
    await outgoing.to_stream(system, "notification.created")
    alice = system.person("alice")
    await mute_words(alice, "secret", exceptFollowed=True)
    await system.drain()
    people = [system.person(f"writer{number}") for number in range(4)]
    await follow(alice, await people[0].id())
    for one in people:
        await published(one, "a secret for @alice")
    await system.drain()
    asked: list[set[tuple[int, int]]] = []
    original = follows.following_among

    async def counted(source: Any, pairs: Any) -> set[tuple[int, int]]:
        asked.append(pairs)
        return await original(source, pairs)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(follows, "following_among", counted)
        sent = [event["data"] for event in await outgoing.received(system)]
    assert [len(pairs) for pairs in asked] == [4]
    assert [one["excerpt"] for one in sent if one["kind"] == "MENTION"] == ["a secret for @alice"]
