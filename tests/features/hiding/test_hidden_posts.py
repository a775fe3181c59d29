"""hidePost, showLess and unhidePost: lists, refusals that write nothing, rows, outages and recommendations."""

from collections.abc import Callable
from typing import Any

from domain.ids import wall_clock_ms
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from tests.support.boundaries import block
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.hiding_words import HIDE, hidden, hide
from tests.support.notifications import unread
from tests.support.outages import Away, both_ways
from tests.support.posts import delete, home, on_profile, on_square, publish, published, seen, under_topic
from tests.support.reconciliation import drift
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

STORED = "SELECT post_id, state FROM hidden_posts ORDER BY post_id"
RECOMMENDED = "{ viewer { recommended(first: 20) { nodes { text } } } }"


def refusal(payload: Any) -> tuple[str, list[str]]:
    """Returns code and field of a payload's one user error."""
    assert payload["post"] is None
    (error,) = payload["userErrors"]
    return error["code"], error["field"]


async def recommended(viewer: Person) -> list[str]:
    """Returns the texts of the first page of recommended posts."""
    return [post["text"] for post in (await viewer.ask(RECOMMENDED))["viewer"]["recommended"]["nodes"]]


@standalone
async def test_a_hidden_post_is_in_no_list_and_can_be_read(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    ids = [(await publish(bob, text, "cats"))["post"]["id"] for text in ("one", "two", "three")]
    await system.drain()
    assert await hide(alice, ids[1], key="k") == {"post": {"id": ids[1], "viewerHasHidden": True}, "userErrors": []}
    assert (await hide(alice, ids[1], key="k"))["post"]["viewerHasHidden"]
    for _ in ("at once", "stored", "from rows"):
        assert await on_square(alice, 2) == ["three", "one"]  # filled up
        assert await under_topic(alice, "cats") == ["three", "one"]
        assert await hidden(alice) == ["two"]
        assert await on_square(carol) == ["three", "two", "one"]
        assert await on_profile(alice, "bob") == ["three", "two", "one"]
        assert (await seen(alice, ids[1]))["text"] == "two"
        await system.drain()
        await system.empty_redis()
    assert (await hide(alice, ids[1], "unhidePost"))["post"] == {"id": ids[1], "viewerHasHidden": False}
    assert await on_square(alice) == ["three", "two", "one"]
    assert await hidden(alice) == []
    await system.drain()
    assert [state for _, state in await system.rows(STORED)] == [0]
    assert await drift(system) == {}


@standalone
async def test_hiding_what_cannot_be_hidden_writes_nothing(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (own,), (theirs, blocked) = await published(alice, "mine"), await published(bob, "theirs", "blocked")
    await system.drain()
    async with unchanged(system):
        assert refusal(await hide(alice, own)) == ("INVALID", ["postId"])
        assert refusal(await hide(alice, own, "showLess")) == ("INVALID", ["postId"])
        assert refusal(await hide(alice, "Post:7")) == ("TARGET_NOT_FOUND", ["postId"])
        assert refusal(await hide(alice, await bob.id())) == ("TARGET_NOT_FOUND", ["postId"])
        assert refusal(await hide(alice, await bob.id(), "unhidePost")) == ("TARGET_NOT_FOUND", ["postId"])
        assert await alice.errors(HIDE % "hidePost", id="7") == [("BAD_INPUT", ["hidePost"])]
        assert await system.person(None).errors(HIDE % "hidePost", id=theirs) == [("UNAUTHENTICATED", ["hidePost"])]
    await hide(alice, theirs, key="k")
    assert refusal(await hide(alice, blocked, key="k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])
    await block(bob, await alice.id())
    assert refusal(await hide(alice, blocked)) == ("TARGET_NOT_FOUND", ["postId"])
    assert await hide(alice, theirs, "unhidePost") == {"post": None, "userErrors": []}
    await system.drain()
    assert [state for _, state in await system.rows(STORED)] == [0]


@standalone
async def test_posts_beyond_the_limit_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(people={"boundary_limit": 1}, moderation=LENIENT)) as system:
        alice = system.person("alice")
        one, two = await published(system.person("bob"), "one", "two")
        await system.drain()
        await hide(alice, one)
        assert refusal(await hide(alice, two)) == ("MUTE_LIMIT_REACHED", ["postId"])
        await system.drain()
        async with directly(system):
            assert refusal(await hide(alice, two)) == ("MUTE_LIMIT_REACHED", ["postId"])
            assert (await hide(alice, one, "unhidePost"))["userErrors"] == []
            assert (await hide(alice, two))["userErrors"] == []
            assert await hidden(alice) == ["two"]


@standalone
async def test_the_list_of_hidden_posts_leaves_out_deleted_posts_and_stays_full(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = await published(bob, *map(str, range(5)))
    await system.drain()
    for post_id in ids:
        await hide(alice, post_id)
    await delete(bob, ids[3])
    await system.drain()
    assert await hidden(alice, 2) == ["4", "2"]


@standalone
async def test_showing_less_hides_the_post_and_lowers_others_like_it(system: System) -> None:
    alice, bob, carol, dave = (system.person(name) for name in ("alice", "bob", "carol", "dave"))
    (disliked, *_) = [(await publish(bob, text, "cats"))["post"]["id"] for text in ("by bob", "also by bob")]
    await publish(carol, "with topic", "cats")
    await publish(dave, "something else", "dogs")
    await system.drain()
    assert sorted(await recommended(alice)) == ["also by bob", "by bob", "something else", "with topic"]
    assert (await hide(alice, disliked, "showLess"))["post"]["viewerHasHidden"]
    assert await recommended(alice) == ["something else", "with topic", "also by bob"]
    await system.drain()
    await hide(alice, disliked)  # showLess stays
    await system.drain()
    assert [state for _, state in await system.rows(STORED)] == [2]
    await system.empty_redis()
    assert await recommended(alice) == ["something else", "with topic", "also by bob"]
    await hide(alice, disliked, "unhidePost")
    assert len(await recommended(alice)) == 4
    assert await drift(system) == {}


@standalone
async def test_nobody_is_notified_of_a_hidden_post(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id()
    (mention,) = await published(bob, "hello @alice")
    await system.drain()
    assert await unread(alice) == 1
    await hide(alice, mention)
    assert await unread(alice) == 0
    await hide(alice, mention, "unhidePost")
    assert await unread(alice) == 1


@standalone
@both_ways
async def test_posts_are_hidden_while_a_store_is_down(
    system: System, postgres: Postgres, valkey: Valkey, away: Away
) -> None:
    alice = system.person("alice")
    one, two = await published(system.person("bob"), "one", "two")
    await system.drain()
    assert await on_square(alice) == ["two", "one"]
    await hide(alice, one)
    async with away(postgres, system.state.postgres):
        await hide(alice, two)
        assert await on_square(alice) == []
    await system.drain()
    async with away(valkey, system.state.redis):
        body = (await alice.send("{ square { nodes { text } } }")).json()
        assert body["data"]["square"] in (None, {"nodes": []})
    assert [state for _, state in await system.rows(STORED)] == [1, 1]


@standalone
async def test_home_leaves_hidden_posts_out(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(alice, await bob.id())
    ids = await published(bob, "one", "two", "three")
    await system.drain()
    assert await home(alice, 2) == ["three", "two", "one"]
    await hide(alice, ids[1])
    assert await home(alice, 2) == ["three", "one"]


@standalone
async def test_show_less_lowers_posts_for_thirty_days(make_settings: Callable[..., Settings]) -> None:
    start = wall_clock_ms()
    now = [start]
    async with running(make_settings(), lambda: now[0]) as system:
        alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
        (disliked, _) = await published(bob, "by bob", "also by bob")
        await published(carol, "by carol")
        await system.drain()
        await hide(alice, disliked, "showLess")
        await system.drain()
        await carol.like((await published(bob, "liked by carol"))[0])
        await system.drain()
        assert await recommended(alice) == ["by carol", "liked by carol", "also by bob"]
        now[0] = start + 30 * 86_400_000 + 60_000
        assert await recommended(alice) == ["liked by carol", "by carol", "also by bob"]
