"""Requests that are refused before their user is known: their address pays."""

from collections.abc import Callable
from typing import Any

import pytest

from settings import AddressSettings, AnonymousSettings, LimitSettings, Rate, RoleSettings, Settings
from tests.support.costs import cost
from tests.support.system import running
from tests.support.tokens import bearing

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
FEW = LimitSettings(
    anonymous=AnonymousSettings(points=1000, points_per_second=0.001, cost=1000),
    user=RoleSettings(
        points=1000, points_per_second=0.001, cost=1000, writes={"follows": Rate(burst=2, per_minute=0.1)}
    ),
    ip=AddressSettings(points=1000, points_per_second=0.001),
    device=None,
)
FOLLOWS = (
    "mutation { " + "".join(f'f{i}: follow(input: {{userId: "User:7"}}) {{ __typename }} ' for i in range(3)) + "}"
)


async def statuses(send: Callable[[], Any]) -> list[int]:
    """Returns the statuses of more requests than an address can pay for at 50 points each."""
    return [(await send()).status_code for _ in range(24)]


async def test_requests_with_bad_tokens_are_charged(make_settings: Make) -> None:
    async with running(make_settings(limits=FEW)) as system:
        found = await statuses(lambda: bearing(system, "Bearer nonsense").send("{ __typename }"))

    assert found == [401] * 20 + [429] * 4


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(
    ("method", "content", "status"),
    [("POST", b"{", 400), ("POST", b"[]", 422), ("GET", None, 422)],
    ids=["no JSON", "a list", "no query"],
)
async def test_invalid_requests_are_charged(
    make_settings: Make, method: str, content: bytes | None, status: int, accept: str
) -> None:
    headers = {"content-type": "application/json", "accept": accept}
    async with running(make_settings(limits=FEW)) as system:
        found = await statuses(lambda: system.http.request(method, "/graphql", content=content, headers=headers))

    assert found == [status] * 20 + [429] * 4


async def test_a_request_above_every_budget_is_charged(make_settings: Make) -> None:
    async with running(make_settings(limits=FEW)) as system:
        alice = system.person("alice")
        await alice.ask("{ __typename }")
        found = await statuses(lambda: alice.send(FOLLOWS))

    assert {*found[:17]} == {422}
    assert found[-4:] == [429] * 4


async def test_new_users_are_charged_and_a_refused_request_creates_no_user(make_settings: Make) -> None:
    async with running(make_settings(limits=FEW)) as system:
        found = [(await system.person(f"new{i}").send("{ __typename }")).status_code for i in range(24)]
        (made,) = (await system.rows("SELECT count(*) FROM users"))[0]

    assert found[:15] == [200] * 15
    assert found[-4:] == [429] * 4
    assert made <= 20


async def test_a_known_user_costs_no_round_trip(make_settings: Make) -> None:
    async with running(make_settings()) as system:
        alice = system.person("alice")
        await alice.ask("{ viewer { id } }")

        assert await cost(alice, "{ viewer { id } }") == (0, 0)
