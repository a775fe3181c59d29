"""Clients that write more than people do, from many devices, users and addresses: quotas hold (S1)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from settings import (
    AddressSettings,
    AnonymousSettings,
    Business,
    DeviceSettings,
    LimitSettings,
    Rate,
    RoleSettings,
    Settings,
)
from tests.api.limits.headers import headers
from tests.support.costs import cost
from tests.support.stored_state import unchanged
from tests.support.system import Person, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
FOLLOW = "mutation ($id: ID!) { follow(input: {userId: $id}) { userErrors { code } } }"
VIEW = "mutation ($ids: [ID!]!) { recordViews(input: {targetIds: $ids}) { userErrors { code } } }"
LIKE = "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"
PUBLISH = 'mutation ($k: String!) { publishPost(input: {text: "hi", idempotencyKey: $k}) { userErrors { code } } }'


def few(burst: int) -> dict[Any, Rate]:
    """Returns a rate with this burst and a negligible refill for every kind of the tests."""
    return dict.fromkeys(["reactions", "follows", "posts", "actions"], Rate(burst=burst, per_minute=0.1))


LIMITS = LimitSettings(
    user=RoleSettings(writes=few(20)),
    anonymous=AnonymousSettings(writes=few(60)),
    device=DeviceSettings(writes=few(40)),
    ip=AddressSettings(writes=few(100)),
)


@asynccontextmanager
async def guarded(make_settings: Make, **changes: Any) -> AsyncIterator[System]:
    async with running(make_settings(limits=LIMITS, **changes)) as system:
        yield system


async def refusers(sending: list[Any]) -> Counter[str]:
    """Sends requests. Returns the number of refusals by budget, and of executed requests under ""."""
    found: Counter[str] = Counter()
    for response in [await one for one in sending]:
        body = response.json()
        assert response.status_code == (429 if "errors" in body else 200), body
        found[body["errors"][0]["extensions"]["budget"] if "errors" in body else ""] += 1
    return found


async def test_one_user_with_many_devices_has_one_quota(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        people = [system.person("mallory", device_id=f"d{i}") for i in range(30)]

        assert await refusers([one.send(FOLLOW, id="User:7") for one in people]) == {"": 20, "user.follows": 10}


async def test_one_device_with_many_users_has_a_quota(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        people = [system.person(f"mallory{i % 10}", device_id="farm") for i in range(60)]

        assert await refusers([one.send(FOLLOW, id="User:7") for one in people]) == {"": 40, "device.follows": 20}
        assert await refusers([system.person("bob", device_id="phone").send(FOLLOW, id="User:7")]) == {"": 1}


async def test_one_address_with_many_users_and_devices_has_a_quota(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        people = [system.person(f"mallory{i % 20}", device_id=f"d{i}") for i in range(130)]

        assert await refusers([one.send(FOLLOW, id="User:7") for one in people]) == {"": 100, "ip.follows": 30}


async def test_invented_devices_cannot_raise_a_view_count(make_settings: Make) -> None:
    """Otherwise each device would add a view."""
    async with guarded(make_settings) as system:
        (video,) = await system.videos("v1")
        nobodies = [system.person(None, device_id=f"d{i}") for i in range(80)]

        assert await refusers([one.send(VIEW, ids=[video]) for one in nobodies]) == {"": 60, "anonymous.actions": 20}
        await system.drain()
        seen = await system.person("alice").ask('{ entity(business: "video", key: "v1") { viewCount } }')

    assert seen == {"entity": {"viewCount": 60}}


async def test_a_document_of_ten_likes_counts_as_ten_writes_and_runs_completely_or_not_at_all(
    make_settings: Make,
) -> None:
    async with guarded(make_settings) as system:
        ids = await system.videos(*[f"v{i}" for i in range(11)])
        alice = system.person("alice")
        likes = [f'a{i}: like(input: {{targetId: "{id_}"}}) {{ userErrors {{ code }} }}' for i, id_ in enumerate(ids)]
        text = f"mutation {{ {' '.join(likes)} }}"

        assert (await alice.send(text)).status_code == 200
        async with unchanged(system):
            refused = await alice.send(text)

    assert refused.status_code == 429
    (error,) = refused.json()["errors"]
    assert error["extensions"]["code"] == "RATE_LIMITED"
    assert error["extensions"]["budget"] == refused.headers["x-ratelimit-budget"] == "user.reactions"
    assert error["extensions"]["retryAfter"] == int(refused.headers["retry-after"])
    assert 1190 < error["extensions"]["retryAfter"] <= 1200  # two, one in 600 seconds
    assert headers(refused) | {"reset": 0} == {"limit": 20, "remaining": 9, "reset": 0, "budget": "user.reactions"}


async def test_a_document_with_more_writes_than_a_quota_can_hold_is_bad_input(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        (video,) = await system.videos("v1")

        assert await system.person("alice").errors(VIEW, ids=[video] * 21) == [("BAD_INPUT", None)]


async def test_other_kinds_other_businesses_and_reads_are_not_refused(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
        alice = system.person("alice")
        likes = [alice.send(LIKE, id=video) for _ in range(21)]

        assert await refusers(likes) == {"": 20, "user.reactions": 1}
        assert await refusers([alice.send(LIKE, id=article), alice.send(FOLLOW, id="User:7")]) == {"": 2}
        assert (await alice.send("{ viewer { id } }")).status_code == 200


async def test_a_business_has_its_own_quotas(make_settings: Make, tmp_path: Any) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(
        '[[business]]\nid = 100\nname = "video"\nwrites.user.reactions = {burst = 3, per_minute = 0.1}\n'
        '[[business]]\nid = 101\nname = "article"\n'
    )
    async with guarded(make_settings, businesses_file=file) as system:
        assert isinstance(system.state.businesses["video"], Business)
        (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
        alice = system.person("alice")

        assert await refusers([alice.send(LIKE, id=video) for _ in range(5)]) == {"": 3, "user.reactions": 2}
        assert await refusers([alice.send(LIKE, id=article) for _ in range(5)]) == {"": 5}


async def test_a_retry_counts_as_a_write(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        alice = system.person("alice")

        assert await refusers([alice.send(PUBLISH, k="same") for _ in range(21)]) == {"": 20, "user.posts": 1}
        assert await system.rows("SELECT count(*) FROM posts") == [(0,)]
        await system.drain()
        assert await system.rows("SELECT count(*) FROM posts") == [(1,)]


async def test_two_processes_share_a_quota_except_their_reservations(make_settings: Make) -> None:
    async with guarded(make_settings) as one, guarded(make_settings) as another:
        alices = [one.person("alice"), another.person("alice")]
        done = (await refusers([alices[i % 2].send(FOLLOW, id="User:7") for i in range(40)]))[""]

    assert 20 <= done <= 20 + 2 * 2


async def test_concurrent_writes_in_two_processes_stay_within_the_quota(make_settings: Make) -> None:
    async with guarded(make_settings) as one, guarded(make_settings) as another:
        alices = [one.person("alice"), another.person("alice")]
        responses = await asyncio.gather(*[alices[i % 2].send(FOLLOW, id="User:7") for i in range(60)])

    assert 18 <= sum(response.status_code == 200 for response in responses) <= 20 + 2 * 2


async def test_an_occasional_write_costs_no_round_trip_for_its_quota(make_settings: Make) -> None:
    """A process reserves a tenth of each quota: with the default limits the first twenty likes."""
    async with running(make_settings(limits=LimitSettings())) as system:
        videos = await system.videos(*[f"v{i}" for i in range(22)])
        alice = system.person("alice", device_id="phone")
        await alice.ask(LIKE, id=videos[0])

        assert {await cost(alice, LIKE, id=video) for video in videos[1:20]} == {(2, 0)}
        assert [await cost(alice, LIKE, id=video) for video in videos[20:]] == [(3, 0), (2, 0)]


async def send(person: Person, text: str, **variables: Any) -> httpx.Response:
    response = await person.send(text, **variables)
    assert response.status_code == 200, response.text
    return response


async def test_the_headers_of_a_write_name_the_budget_that_will_refuse_first(make_settings: Make) -> None:
    async with running(make_settings(limits=LimitSettings())) as system:
        response = await send(system.person("alice"), FOLLOW, id="User:7")

        assert headers(response)["budget"] == "user.follows"
        assert (headers(response)["limit"], headers(response)["remaining"]) == (100, 99)
        query = await send(system.person("alice"), "{ rateLimit { cost limit remaining } }")

    assert headers(query)["budget"] == "user"
    assert query.json()["data"]["rateLimit"]["limit"] == 100_000
