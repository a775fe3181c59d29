"""Accounts with very many followers: their card and counters are kept in the process for a moment (F8)."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import pytest_asyncio
from cachetools import TTLCache
from prometheus_client import REGISTRY

from loaders.read_through import ReadThrough
from loaders.shared import shared_loaders
from models.users import UserRow
from settings import Settings
from tests.follows.test_api import follow, registered, unfollow, user_id
from tests.likes.test_budgets import cost
from tests.system import Person, System, running
from tests.workers.writing import Someone, someone

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

BIG, SECONDS = 3, 0.5
CARD = "query ($id: ID!) { node(id: $id) { ... on User { handle bio followerCount followingCount friendCount } } }"
RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation followerCount } } }"
BIO = "mutation ($bio: String) { updateProfile(input: {bio: $bio}) { user { bio } userErrors { code } } }"


class Clock:
    """Time that passes when it is told to, or by a step whenever somebody looks."""

    def __init__(self) -> None:
        self.now = self.step = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in ("loaders.read_through", "loaders.shared"):
        monkeypatch.setattr(f"{module}.TTLCache", partial(TTLCache, timer=clock))
    return clock


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], clock: Clock) -> AsyncIterator[System]:
    """Where three followers are very many, and time stands still in the process's own copies."""
    assert clock.now == 0
    async with running(make_settings(big_followers=BIG, big_seconds=SECONDS)) as one:
        yield one


async def star(system: System, followers: int = BIG) -> Someone:
    """Somebody with so many followers, drained."""
    star = await someone(system, "star")
    for i in range(followers):
        await follow(system.person(f"fan{i}"), f"User:{star.user_id}")
    await system.drain()
    return star


async def card(reader: Person, one: Someone) -> Any:
    return (await reader.ask(CARD, id=f"User:{one.user_id}"))["node"]


async def seen(reader: Person, one: Someone) -> Any:
    """The card, and what it cost."""
    await card(reader, one)
    return await card(reader, one), await cost(reader, CARD, id=f"User:{one.user_id}")


async def test_the_card_and_counters_of_a_big_account_come_from_the_process(system: System) -> None:
    big, small = await star(system), await someone(system, "fan0")
    nobody = system.person(None)

    assert (await seen(nobody, big))[1] == (0, 0)
    assert (await seen(nobody, small))[1] == (2, 0)
    assert (await card(nobody, big))["followerCount"] == BIG


async def test_one_follower_short_of_big_is_not_big(system: System) -> None:
    nearly = await star(system, BIG - 1)

    assert (await seen(system.person(None), nearly))[1] == (2, 0)


async def test_copies_are_kept_no_longer_than_the_setting(system: System, clock: Clock) -> None:
    big, nobody = await star(system), system.person(None)
    await seen(nobody, big)
    await follow(system.person("late"), f"User:{big.user_id}")
    await system.drain()

    clock.now += SECONDS * 0.9
    assert (await card(nobody, big))["followerCount"] == BIG
    clock.now += SECONDS * 0.2
    assert (await card(nobody, big))["followerCount"] == BIG + 1


@pytest.mark.parametrize("step", [0.2, 0.4, 0.6, 0.9])
async def test_a_copy_that_runs_out_while_it_is_looked_at_is_read_anew(
    system: System, clock: Clock, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    users, one = copying_everybody(system, monkeypatch), await someone(system, "alice")
    clock.step = step * SECONDS

    for _ in range(10):
        (found,) = await users.get_many([one.user_id])
        assert found is not None
        assert found.user_id == one.user_id
    assert clock.now > SECONDS


async def test_a_copy_shows_the_viewers_own_follow_at_once_and_to_nobody_else(system: System) -> None:
    big = await star(system)
    id_ = f"User:{big.user_id}"
    alice, bob, nobody = system.person("alice"), system.person("bob"), system.person(None)
    for reader in (alice, bob, nobody):
        await seen(reader, big)

    async def views() -> list[tuple[str | None, int]]:
        nodes = [(await reader.ask(RELATION, id=id_))["node"] for reader in (alice, bob, nobody)]
        return [(node["viewerRelation"], node["followerCount"]) for node in nodes]

    await follow(alice, id_)
    assert await views() == [("FOLLOWING", BIG + 1), ("NONE", BIG), (None, BIG)]
    await follow(bob, id_)
    await unfollow(alice, id_)
    assert await views() == [("NONE", BIG), ("FOLLOWING", BIG + 1), (None, BIG)]


async def test_a_copy_from_before_and_one_from_after_show_ones_follow_once(system: System, clock: Clock) -> None:
    big, alice = await star(system), system.person("alice")
    await seen(alice, big)
    await follow(alice, f"User:{big.user_id}")
    worker = system.worker()
    await system.rows("UPDATE partitions SET lease_until = '-infinity' RETURNING p")
    await worker.ownership.renew()
    await worker.step()

    assert (await card(alice, big))["followerCount"] == BIG + 1  # the old copy, and what is pending
    clock.now += SECONDS * 2
    assert (await card(alice, big))["followerCount"] == BIG + 1  # a new one, with it in it


async def test_ones_own_profile_and_counters_are_never_a_copy(system: System) -> None:
    big, fan = await star(system), system.person("fan0")
    fans = await user_id(fan)
    await seen(big.person, big)
    await seen(fan, big)

    await big.person.ask(BIO, bio="new")
    await follow(big.person, fans)

    own = await card(big.person, big)
    assert (own["bio"], own["followingCount"], own["friendCount"]) == ("new", 1, 1)


async def test_a_profile_edit_is_seen_by_others_when_their_copy_has_run_out(system: System, clock: Clock) -> None:
    big, nobody = await star(system), system.person(None)
    await seen(nobody, big)
    await big.person.ask(BIO, bio="new")

    clock.now += SECONDS * 2

    assert (await card(nobody, big))["bio"] == "new"


async def test_no_time_at_all_means_no_copies(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(big_followers=BIG, big_seconds=0)) as system:
        big = await star(system)

        assert (await seen(system.person(None), big))[1] == (2, 0)


async def test_copies_are_bounded_in_number(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loaders.read_through._MOST_BIG", 5)
    users = copying_everybody(system, monkeypatch)
    ids = [int(id_.removeprefix("User:")) for id_ in await registered(system, *[f"p{i}" for i in range(20)])]
    await users.get_many(ids)
    before = copies_read()

    assert [user and user.user_id for user in await users.get_many(ids)] == ids

    assert copies_read() - before == 5


def copying_everybody(system: System, monkeypatch: pytest.MonkeyPatch) -> ReadThrough[int, UserRow | None]:
    """Profiles as a process reads them to whom everybody is big."""
    users = shared_loaders(system.state).users
    monkeypatch.setattr(users, "_kind", replace(users._kind, keeps_near=lambda *_: True))
    return users


def copies_read() -> float:
    return REGISTRY.get_sample_value("plaudit_cache_reads_total", {"loader": "users", "outcome": "near"}) or 0
