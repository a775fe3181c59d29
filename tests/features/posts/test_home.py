"""Home: the posts of the viewer and of followed users, each once, newest first, in full pages."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from loaders import lists
from loaders.memory import Memory
from loaders.request import own
from loaders.timelines import BigAccounts
from settings import Settings
from tests.support.follows import follow_people
from tests.support.posts import DELETE, MODERATE, home, published
from tests.support.system import LENIENT, System, running


async def test_home_lists_the_posts_of_followed_users_and_own_posts(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    await published(bob, "before")
    await follow_people(alice, bob)
    await system.drain()
    assert await home(alice) == ["before"]

    await published(bob, "after")
    await published(carol, "stranger")
    await published(alice, "own")
    assert await home(alice) == ["own", "before"]
    await system.drain()

    assert await home(alice) == ["own", "after", "before"]
    assert await home(alice, first=1) == ["own", "after", "before"]


async def test_a_follow_adds_earlier_posts_to_a_warm_inbox(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    await published(bob, "b1")
    await published(carol, "c1")
    await follow_people(alice, bob)
    await system.drain()
    assert await home(alice) == ["b1"]

    await follow_people(alice, carol)
    await system.drain()
    assert await home(alice) == ["c1", "b1"]

    await follow_people(alice, carol, verb="unfollow")
    assert await home(alice) == ["b1"]
    await system.drain()
    assert await home(alice) == ["b1"]
    await follow_people(alice, carol)
    assert await home(alice) == ["c1", "b1"]


async def test_deleted_and_rejected_posts_disappear_at_once_and_pages_stay_full(system: System) -> None:
    alice, bob, moderator = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    await follow_people(alice, bob)
    ids = await published(bob, *map(str, range(12)))
    await system.drain()
    assert await home(alice, 3) == [str(i) for i in reversed(range(12))]

    await bob.ask(DELETE, id=ids[10])
    for i in (9, 8, 7):
        await moderator.ask(MODERATE, id=ids[i], decision="REJECT", reason="no")
    await system.drain()

    assert await home(alice, 3) == ["11", *[str(i) for i in reversed(range(7))]]
    await moderator.ask(MODERATE, id=ids[8], decision="APPROVE", reason="yes")
    await system.drain()
    assert await home(alice, 3) == ["11", "8", *[str(i) for i in reversed(range(7))]]


async def test_a_page_is_full_although_most_of_the_inbox_is_filtered(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    await follow_people(alice, bob, carol)
    await published(carol, "carol 1", "carol 2")
    for at in range(0, 60, 20):
        await published(bob, *(f"bob {n}" for n in range(at, at + 20)))
        await system.drain()
    assert len(await home(alice, first=50)) == 62
    await follow_people(alice, bob, verb="unfollow")

    assert await home(alice, first=1) == ["carol 2", "carol 1"]


async def test_a_follow_of_an_author_with_more_posts_than_an_inbox_holds_loses_no_post(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, caches={"inbox_posts": 10})) as system:
        alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
        await published(bob, *(str(n) for n in range(14)))
        await published(carol, "carol")
        await follow_people(alice, carol)
        await system.drain()
        assert await home(alice) == ["carol"]
        await follow_people(alice, bob)
        await system.drain()

        assert await home(alice, first=4) == ["carol", *(str(n) for n in reversed(range(14)))]


@pytest.mark.parametrize("limit", [0, 100], ids=["whole follow set", "each account"])
async def test_a_page_is_full_although_the_newest_posts_of_big_accounts_were_deleted(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(own, "_ASK_EACH_UP_TO", limit)
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, push_follower_limit=1)) as system:
        alice, *big = map(system.person, ("alice", *(f"big{n}" for n in range(9))))
        await follow_people(alice, *big)
        await system.drain()
        assert await home(alice) == []  # fills an inbox, to which big accounts do not push
        ids = [(await published(author, author.handle))[0] for author in big]
        await system.drain()
        assert await home(alice, first=2) == [author.handle for author in reversed(big)]

        for author, post in list(zip(big, ids, strict=True))[2:]:
            await author.ask(DELETE, id=post)
        await system.drain()
        assert await home(alice, first=1) == ["big1", "big0"]
        await follow_people(alice, big[1], verb="unfollow")
        assert await home(alice, first=1) == ["big0"]


async def test_the_list_of_big_accounts_is_as_old_as_the_start_of_its_read(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list expires after the age of its read, so that a slow read does not hide an account for longer."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0.5, push_follower_limit=1)) as system:
        alice, big = system.person("alice"), system.person("big")
        await follow_people(alice, big)
        await system.drain()
        accounts, read = BigAccounts(system.state, Memory[int, int](10)), lists.read

        async def slow_read(*args: Any) -> Any:
            found = await read(*args)
            await published(big, "hello")
            await system.drain()
            await asyncio.sleep(0.5)
            return found

        with monkeypatch.context() as patched:
            patched.setattr(lists, "read", slow_read)
            assert await accounts.authors() == {}
        assert len(await accounts.authors()) == 1
