"""exportUser and Viewer.export: who may request an export, and how often."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest_asyncio
from sqlalchemy import text

from runner.postgres import Postgres
from settings import Settings
from tests.support.clocks import ForwardClock
from tests.support.exports import LAST, REQUEST, records_in, request, requested
from tests.support.follows import registered
from tests.support.outages import stopped
from tests.support.stores import standalone
from tests.support.system import System, running

pytestmark = standalone

DAY_MS = 86_400_000


@pytest_asyncio.fixture
async def timed(make_settings: Callable[..., Settings]) -> AsyncIterator[tuple[System, ForwardClock]]:
    """Starts the application with a clock that the test sets forward."""
    clock = ForwardClock()
    async with running(make_settings(jwt_issuer=["https://plaudit.local", "https://other.test"]), clock) as system:
        yield system, clock


async def last(person: Any) -> Any:
    """Returns the last export of a person."""
    return (await person.ask(LAST))["viewer"]["export"]


async def test_an_export_can_be_repeated_for_a_day_and_requested_once_a_week(
    timed: tuple[System, ForwardClock],
) -> None:
    system, clock = timed
    alice = system.person("alice")
    assert await last(alice) is None

    first = await request(alice)
    again = await request(alice)
    clock.ahead_ms = DAY_MS + 1000
    expired = await last(alice)
    refused = await request(alice)
    clock.ahead_ms = 7 * DAY_MS + 1000
    later = await request(alice)

    assert first["userErrors"] == []
    assert first["export"]["state"] == "READY"
    assert first["export"]["url"].startswith("/exports/")
    assert again == first
    assert expired == {**first["export"], "state": "EXPIRED", "url": None}
    (error,) = refused["userErrors"]
    assert refused["export"] is None
    assert error["code"] == "EXPORT_LIMIT_REACHED"
    assert "can be exported again from 20" in error["message"]
    assert later["export"]["state"] == "READY"
    assert later["export"]["url"] != first["export"]["url"]
    assert await last(alice) == later["export"]
    assert (await system.http.get(first["export"]["url"])).status_code == 410
    assert (await system.http.get(later["export"]["url"])).status_code == 200


async def test_an_older_link_ends_with_the_next_request(make_settings: Callable[..., Settings]) -> None:
    clock = ForwardClock()
    async with running(make_settings(people={"export_days": 0.001}), clock) as system:
        alice = system.person("alice")
        first = await requested(alice)
        clock.ahead_ms = 100_000
        second = await requested(alice)

        assert (await system.http.get(first)).status_code == 404
        assert (await system.http.get(second)).status_code == 200


async def test_each_user_has_exports_of_their_own(timed: tuple[System, ForwardClock]) -> None:
    system, _ = timed
    alice, bob = system.person("alice"), system.person("bob")

    urls = await requested(alice), await requested(bob)

    handles = [
        next(one["handle"] for one in records_in((await system.http.get(url)).content) if one["kind"] == "user")
        for url in urls
    ]
    assert handles == ["alice", "bob"]
    assert await request(alice) != await request(bob)


async def test_a_service_exports_users_of_its_issuer(timed: tuple[System, ForwardClock]) -> None:
    system, _ = timed
    (alice,) = await registered(system, "alice")
    service = system.person("desk", "users:write")

    url = await requested(service, alice)

    account, profile, *_ = records_in((await system.http.get(url)).content)
    assert (account["user"], profile["handle"]) == (alice, "alice")
    assert (await last(system.person("alice")))["url"] == url


async def test_a_service_cannot_export_users_of_another_issuer(timed: tuple[System, ForwardClock]) -> None:
    system, _ = timed
    (alice,) = await registered(system, "alice")
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text("UPDATE identities SET issuer = 'https://other.test' WHERE subject = 'alice'"))
    service = system.person("desk", "users:write")

    for user in (alice, "User:77", "Post:7"):
        payload = await request(service, user)
        assert payload["export"] is None
        assert [(one["code"], one["field"]) for one in payload["userErrors"]] == [("TARGET_NOT_FOUND", ["userId"])]
    assert await system.stored("exports") == []


async def test_others_need_the_scope_and_a_token(timed: tuple[System, ForwardClock]) -> None:
    system, _ = timed
    (bob,) = await registered(system, "bob")

    assert await system.person("alice").errors(REQUEST, user=bob) == [("FORBIDDEN", ["exportUser"])]
    assert await system.person(None).errors(REQUEST) == [("UNAUTHENTICATED", ["exportUser"])]
    assert await system.person("alice").errors(REQUEST, user="nonsense") == [("FORBIDDEN", ["exportUser"])]
    assert await system.person("desk", "users:write").errors(REQUEST, user="User") == [("BAD_INPUT", ["exportUser"])]
    assert await system.stored("exports") == []


async def test_an_export_is_requested_while_redis_is_empty_and_not_while_postgres_is_down(
    timed: tuple[System, ForwardClock], postgres: Postgres
) -> None:
    system, _ = timed
    alice = system.person("alice")
    await alice.id()
    async with stopped(postgres, system.state.postgres):
        assert await alice.errors(REQUEST) == [("UNAVAILABLE", ["exportUser"])]
        body = (await alice.send(LAST)).json()
        assert body["data"]["viewer"]["export"] is None
        assert [one["field"] for one in body["extensions"]["degraded"]] == ["Viewer.export"]
    await system.empty_redis()

    assert await requested(alice)
