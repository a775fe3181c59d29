"""Reposts in home timelines: each post once, where its newest repost by a followed user stands."""

from collections.abc import Callable

import pytest

from settings import Settings
from store import keys
from tests.support.boundaries import block, mute
from tests.support.costs import cost
from tests.support.follows import follow_people
from tests.support.posts import DELETE, home, published
from tests.support.private_accounts import make_private
from tests.support.reposts import HOME, entries, mute_reposts, repost, unrepost
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, Person, System, running


async def people(system: System) -> tuple[Person, Person, Person, Person]:
    """Returns alice, who follows bob and carol, and dave, who has published "old" and "new"."""
    alice, bob, carol, dave = (system.person(name) for name in ("alice", "bob", "carol", "dave"))
    await follow_people(alice, bob, carol)
    await system.drain()
    return alice, bob, carol, dave


async def test_a_post_stands_once_where_its_newest_repost_stands(system: System) -> None:
    alice, bob, carol, dave = await people(system)
    old, new = await published(dave, "old", "new")
    (own,) = await published(bob, "bob")
    await system.drain()
    assert await entries(alice) == [("bob", None, 0)]
    await repost(bob, old)
    await system.drain()
    assert await entries(alice) == [("old", ["bob"], 1), ("bob", None, 0)]
    await repost(carol, new, old)
    await system.drain()
    expected = [("old", ["carol", "bob"], 2), ("new", ["carol"], 1), ("bob", None, 0)]
    assert await entries(alice) == await entries(alice, first=1) == expected
    await repost(carol, own)
    await system.drain()
    assert await entries(alice, first=1) == [("bob", ["carol"], 1), *expected[:2]]
    await unrepost(carol, old)
    expected = [("bob", ["carol"], 1), ("new", ["carol"], 1), ("old", ["bob"], 1)]
    assert await entries(alice) == await entries(alice, first=1) == expected
    await system.drain()
    assert await entries(alice, first=2) == expected
    await unrepost(bob, old)
    await unrepost(carol, own, new)
    assert await entries(alice) == [("bob", None, 0)]


async def test_later_reposts_move_no_post_in_a_reading(system: System) -> None:
    alice, bob, carol, dave = await people(system)
    ids = await published(dave, *map(str, range(6)))
    await published(bob, "bob")
    await system.drain()
    await repost(bob, *ids)
    await system.drain()
    page = (await alice.ask(HOME, first=2))["viewer"]["home"]
    assert [edge["node"]["text"] for edge in page["edges"]] == ["5", "4"]
    await repost(carol, ids[1], ids[4])
    await system.drain()
    page = (await alice.ask(HOME, first=5, after=page["pageInfo"]["endCursor"]))["viewer"]["home"]
    assert [edge["node"]["text"] for edge in page["edges"]] == ["3", "2", "1", "0", "bob"]
    assert [text for text, *_ in await entries(alice, first=3)] == ["4", "1", "5", "3", "2", "0", "bob"]


async def test_a_follow_brings_earlier_reposts_and_an_unfollow_takes_them(system: System) -> None:
    alice, bob, _, dave = await people(system)
    erin = system.person("erin")
    (post,) = await published(dave, "post")
    await published(bob, "bob")
    await system.drain()
    await repost(erin, post)
    await system.drain()
    assert await entries(alice) == [("bob", None, 0)]
    await follow_people(alice, erin)
    await system.drain()
    assert await entries(alice) == [("post", ["erin"], 1), ("bob", None, 0)]
    await follow_people(alice, erin, verb="unfollow")
    assert await entries(alice) == [("bob", None, 0)]


async def test_muted_reposts_bring_no_posts(system: System) -> None:
    alice, bob, carol, dave = await people(system)
    one, two = await published(dave, "one", "two")
    await published(bob, "bob")
    await system.drain()
    await repost(bob, one)
    await repost(carol, one, two)
    await system.drain()
    muted = await mute_reposts(alice, await carol.id())
    assert muted == {"user": {"viewerMutesReposts": True}, "userErrors": []}
    assert await entries(alice) == [("one", ["bob"], 1), ("bob", None, 0)]
    await system.drain()
    await mute(alice, await bob.id())
    assert await entries(alice) == []
    muted = await mute_reposts(alice, await carol.id(), "unmuteReposts")
    assert muted == {"user": {"viewerMutesReposts": False}, "userErrors": []}
    assert await entries(alice) == [("two", ["carol"], 1), ("one", ["carol"], 1)]
    assert (await mute_reposts(alice, await alice.id()))["userErrors"] == [{"code": "CANNOT_MUTE_SELF"}]


@pytest.mark.parametrize(
    "how", ["bob blocks", "dave blocks", "bob is hidden", "dave is hidden", "dave is private", "deleted"]
)
async def test_what_is_hidden_is_not_reposted(system: System, how: str) -> None:
    alice, bob, _, dave = await people(system)
    (post,) = await published(dave, "post")
    await system.drain()
    await repost(bob, post)
    await system.drain()
    assert await entries(alice) == [("post", ["bob"], 1)]
    who = bob if how.startswith("bob") else dave
    if how.endswith("blocks"):
        await block(who, await alice.id())
    elif how.endswith("hidden"):
        await suspend(moderator(system), await who.id(), "HIDDEN")
    elif how == "deleted":
        await dave.ask(DELETE, id=post)
    else:
        await make_private(dave)
    await system.drain()
    assert await entries(alice) == []


async def test_reposts_of_big_accounts_are_read_from_their_lists(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, push_follower_limit=1)) as system:
        alice, bob, _, dave = await people(system)
        ids = await published(dave, "one", "two")
        await published(bob, "bob")
        await system.drain()
        assert await entries(alice) == [("bob", None, 0)]
        await repost(bob, *ids)
        await system.drain()
        assert await system.rows("SELECT pushed FROM reposts") == [(False,), (False,)]
        expected = [("two", ["bob"], 1), ("one", ["bob"], 1), ("bob", None, 0)]
        assert await entries(alice) == await entries(alice, first=1) == expected
        await system.empty_redis()
        assert await entries(alice, first=1) == expected


async def test_a_home_without_cached_lists_is_the_same(system: System) -> None:
    alice, bob, carol, dave = await people(system)
    ids = await published(dave, *map(str, range(5)))
    await published(bob, "bob")
    await system.drain()
    await repost(bob, *ids[:3])
    await repost(carol, *ids[2:])
    await system.drain()
    expected = [
        ("4", ["carol"], 1),
        ("3", ["carol"], 1),
        ("2", ["carol", "bob"], 2),
        ("1", ["bob"], 1),
        ("0", ["bob"], 1),
    ]
    assert await entries(alice, first=2) == [*expected, ("bob", None, 0)]
    await system.empty_redis()
    assert await entries(alice, first=2) == [*expected, ("bob", None, 0)]


async def test_a_page_with_reposts_costs_no_more_round_trips(make_settings: Callable[..., Settings]) -> None:
    """The process remembers whose homes have reposts. The field `repostedBy` costs two more."""
    plain = HOME.replace("repostedBy(first: 2) { nodes { handle } totalCount }", "")
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=60, pending_seconds=100)) as system:
        alice, bob, carol, dave = await people(system)
        ids = await published(dave, *map(str, range(30)))
        await system.drain()
        await repost(bob, *ids[:20])
        await repost(carol, *ids[17:])
        await system.drain()
        page = (await alice.ask(plain, first=20))["viewer"]["home"]
        after = page["pageInfo"]["endCursor"]
        await alice.ask(plain, first=20, after=after)
        for cursor in (None, after):
            trips, queries = await cost(alice, plain, first=20, after=cursor)
            assert (trips, queries) <= (3, 0)


async def test_reposts_are_no_new_posts_for_subscribers(system: System) -> None:
    alice, bob, _, dave = await people(system)
    (post,) = await published(dave, "post")
    await system.drain()
    await repost(bob, post)
    await system.drain()
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    assert await home(alice) == ["post"]
    assert await system.state.cache.redis("ZSCORE", keys.inbox(user), "-1") is not None
