"""A suspension, and its end, holds from its acknowledgement, whichever store fails then; otherwise it is refused."""

import asyncio
from typing import Any

import pytest

from runner.postgres import Postgres
from runner.server import Server
from store.people.users import cache_key
from store.redis.client import RedisDown
from tests.support.fallback_mode import begin, end
from tests.support.interrupting import run_after
from tests.support.outages import known_to_be_back, stopped
from tests.support.read_only import only_reading
from tests.support.stores import standalone
from tests.support.suspended_writes import REFUSED, failures, scene
from tests.support.suspensions import REINSTATE, SUSPEND, moderator, reinstate, suspend, suspension
from tests.support.system import Person, System

SUSPENDED = [{"code": "SUSPENDED", "message": "Your account is suspended."}]
UNAVAILABLE = ["UNAVAILABLE"]


async def decide(moderator: Person, user_id: str, mode: str | None) -> list[str]:
    """Suspends a user in a mode, or ends the suspension. Returns the codes of the errors."""
    more = {"mode": mode, "until": None, "reason": "spam"} if mode else {}
    return [code for code, _ in await moderator.errors(SUSPEND if mode else REINSTATE, id=user_id, **more)]


async def writes(person: Person) -> list[Any]:
    """Returns the user errors of a post, or the codes of other errors."""
    query = 'mutation { publishPost(input: {text: "new", idempotencyKey: "p"}) { userErrors { code message } } }'
    body = (await person.send(query)).json()
    codes = [error["extensions"]["code"] for error in body.get("errors", [])]
    return codes or body["data"]["publishPost"]["userErrors"]


@standalone
@pytest.mark.parametrize("mode", ["READ_ONLY", None])
async def test_a_decision_that_redis_interrupts_is_refused_and_can_be_repeated_at_once(
    system: System, valkey: Server, monkeypatch: pytest.MonkeyPatch, mode: str | None
) -> None:
    bob, ids = await scene(system)
    mia = moderator(system)
    if mode is None:
        await suspend(mia, ids["bob"], "READ_ONLY")

    async def fails() -> None:
        await asyncio.to_thread(valkey.stop)

    run_after(monkeypatch, system.state.patches, "append", fails)
    try:
        refused = await decide(mia, ids["bob"], mode)
        await begin(system)
        if refused:
            assert refused == UNAVAILABLE
            assert await decide(mia, ids["bob"], mode) == []
        assert (await suspension(mia, ids["bob"]) or {}).get("mode") == mode
        assert await writes(bob) == (SUSPENDED if mode else [])
    finally:
        valkey.start()
    await known_to_be_back(system.state.redis)
    await end(system)
    await system.drain()
    assert (await suspension(mia, ids["bob"]) or {}).get("mode") == mode


@standalone
@pytest.mark.parametrize("mode", ["READ_ONLY", None])
async def test_a_decision_holds_if_postgres_goes_down_after_it(
    system: System, postgres: Postgres, mode: str | None
) -> None:
    bob, ids = await scene(system)
    mia = moderator(system)
    await (suspend(mia, ids["bob"], "READ_ONLY") if mode else reinstate(mia, ids["bob"]))

    async with stopped(postgres, system.state.postgres):
        assert await writes(bob) == (SUSPENDED if mode else [])


@standalone
async def test_a_decision_is_refused_and_has_no_effect_while_postgres_is_down(
    system: System, postgres: Postgres
) -> None:
    bob, ids = await scene(system)
    mia = moderator(system)
    await suspension(mia, ids["bob"])

    async with stopped(postgres, system.state.postgres):
        assert await decide(mia, ids["bob"], "HIDDEN") == UNAVAILABLE
        assert await writes(bob) == []

    await system.drain()
    assert await suspension(mia, ids["bob"]) is None
    assert await decide(mia, ids["bob"], "HIDDEN") == []


@standalone
async def test_a_decision_is_refused_and_has_no_effect_while_postgres_refuses_writes(system: System) -> None:
    _, ids = await scene(system)
    mia = moderator(system)
    await system.drain()

    async with only_reading(system):
        assert await decide(mia, ids["bob"], "HIDDEN") == UNAVAILABLE

    await system.rows("SELECT 1")
    await system.drain()
    assert await suspension(mia, ids["bob"]) is None


@standalone
async def test_a_worker_drops_the_profile_if_the_api_dies_before_it_does(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    assert await suspension(mia, bob) is None  # caches the profile

    async def dies(*_: object) -> None:
        raise RedisDown

    with monkeypatch.context() as patched:
        patched.setattr(system.state.cache, "drop", dies)
        assert await decide(mia, bob, "HIDDEN") == UNAVAILABLE
    assert await system.rows("SELECT suspended FROM users WHERE handle = 'bob'") == [(2,)]
    await system.drain()

    cached = await system.state.cache.redis("GET", cache_key(int(bob.partition(":")[2])))
    assert cached is None
    assert (await suspension(mia, bob) or {}).get("mode") == "HIDDEN"


@standalone
async def test_a_user_whose_profile_cannot_be_read_cannot_write(system: System, postgres: Postgres) -> None:
    bob, ids = await scene(system)
    await suspend(moderator(system), ids["bob"], "READ_ONLY")
    async with stopped(postgres, system.state.postgres):
        await system.state.cache.redis("DEL", cache_key(int(ids["bob"].partition(":")[2])), write=True)
        assert await failures(bob, ids, REFUSED, "k") == dict.fromkeys(REFUSED, UNAVAILABLE)

    await system.drain()
    assert await system.rows("SELECT text FROM posts ORDER BY text") == [("carol's",), ("old",)]
