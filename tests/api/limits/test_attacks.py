"""Somebody writes more than people do, from wherever and under whatever name: it comes to little (S1)."""

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
    """Of every kind a test has, refilled so slowly that the time it takes is worth nothing."""
    return dict.fromkeys(["reactions", "follows", "posts", "records"], Rate(burst=burst, per_minute=0.1))


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
    """Which budgets refused how many of these, and "" for those that were done."""
    found: Counter[str] = Counter()
    for response in [await one for one in sending]:
        body = response.json()
        assert response.status_code == (429 if "errors" in body else 200), body
        found[body["errors"][0]["extensions"]["budget"] if "errors" in body else ""] += 1
    return found


async def test_one_user_with_many_devices_has_no_more_than_with_one(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        people = [system.person("mallory", device_id=f"d{i}") for i in range(30)]

        assert await refusers([one.send(FOLLOW, id="User:7") for one in people]) == {"": 20, "user.follows": 10}


async def test_one_device_with_many_users_has_less_than_they(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        people = [system.person(f"mallory{i % 10}", device_id="farm") for i in range(60)]

        assert await refusers([one.send(FOLLOW, id="User:7") for one in people]) == {"": 40, "device.follows": 20}
        assert await refusers([system.person("bob", device_id="phone").send(FOLLOW, id="User:7")]) == {"": 1}


async def test_one_address_with_many_users_has_less_than_they_whatever_their_devices(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        people = [system.person(f"mallory{i % 20}", device_id=f"d{i}") for i in range(130)]

        assert await refusers([one.send(FOLLOW, id="User:7") for one in people]) == {"": 100, "ip.follows": 30}


async def test_inventing_devices_makes_no_more_views(make_settings: Make) -> None:
    """Each of them would count for one."""
    async with guarded(make_settings) as system:
        (video,) = await system.videos("v1")
        nobodies = [system.person(None, device_id=f"d{i}") for i in range(80)]

        assert await refusers([one.send(VIEW, ids=[video]) for one in nobodies]) == {"": 60, "anonymous.records": 20}
        await system.drain()
        seen = await system.person("alice").ask('{ entity(business: "video", key: "v1") { viewCount } }')

    assert seen == {"entity": {"viewCount": 60}}


async def test_a_document_of_ten_likes_is_ten_and_one_too_many_does_none(make_settings: Make) -> None:
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
    assert error["extensions"]["retryAfter"] == int(refused.headers["retry-after"]) == 1200  # two, one in 600 seconds
    assert headers(refused) | {"reset": 0} == {"limit": 20, "remaining": 9, "reset": 0, "budget": "user.reactions"}


async def test_what_no_quota_could_hold_is_bad_input(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        (video,) = await system.videos("v1")

        assert await system.person("alice").errors(VIEW, ids=[video] * 21) == [("BAD_INPUT", None)]


async def test_other_kinds_other_businesses_and_reading_go_on(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
        alice = system.person("alice")
        likes = [alice.send(LIKE, id=video) for _ in range(21)]

        assert await refusers(likes) == {"": 20, "user.reactions": 1}
        assert await refusers([alice.send(LIKE, id=article), alice.send(FOLLOW, id="User:7")]) == {"": 2}
        assert (await alice.send("{ viewer { id } }")).status_code == 200


async def test_a_business_has_the_quotas_it_says(make_settings: Make, tmp_path: Any) -> None:
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


async def test_a_retry_is_a_write_to_its_quota(make_settings: Make) -> None:
    async with guarded(make_settings) as system:
        alice = system.person("alice")

        assert await refusers([alice.send(PUBLISH, k="same") for _ in range(21)]) == {"": 20, "user.posts": 1}
        assert await system.rows("SELECT count(*) FROM posts") == [(0,)]
        await system.drain()
        assert await system.rows("SELECT count(*) FROM posts") == [(1,)]


async def test_two_processes_share_a_quota_but_for_what_each_lends(make_settings: Make) -> None:
    async with guarded(make_settings) as one, guarded(make_settings) as another:
        alices = [one.person("alice"), another.person("alice")]
        done = (await refusers([alices[i % 2].send(FOLLOW, id="User:7") for i in range(40)]))[""]

    assert 20 <= done <= 20 + 2 * 2


async def test_many_at_once_in_two_processes_are_granted_no_more(make_settings: Make) -> None:
    async with guarded(make_settings) as one, guarded(make_settings) as another:
        alices = [one.person("alice"), another.person("alice")]
        responses = await asyncio.gather(*[alices[i % 2].send(FOLLOW, id="User:7") for i in range(60)])

    assert 18 <= sum(response.status_code == 200 for response in responses) <= 20 + 2 * 2


async def test_now_and_then_a_write_costs_no_trip_of_its_own(make_settings: Make) -> None:
    """A tenth of each quota is lent; with the limits there are, the first twenty likes."""
    async with running(make_settings(limits=LimitSettings())) as system:
        videos = await system.videos(*[f"v{i}" for i in range(22)])
        alice = system.person("alice", device_id="phone")
        await alice.ask(LIKE, id=videos[0])

        assert {await cost(alice, LIKE, id=video) for video in videos[1:20]} == {(2, 0)}
        assert [await cost(alice, LIKE, id=video) for video in videos[20:]] == [(3, 0), (2, 0)]


async def told(person: Person, text: str, **variables: Any) -> httpx.Response:
    response = await person.send(text, **variables)
    assert response.status_code == 200, response.text
    return response


async def test_a_write_tells_of_the_budget_that_will_refuse_first(make_settings: Make) -> None:
    async with running(make_settings(limits=LimitSettings())) as system:
        response = await told(system.person("alice"), FOLLOW, id="User:7")

        assert headers(response)["budget"] == "user.follows"
        assert (headers(response)["limit"], headers(response)["remaining"]) == (100, 99)
        query = await told(system.person("alice"), "{ rateLimit { cost limit remaining } }")

    assert headers(query)["budget"] == "user"
    assert query.json()["data"]["rateLimit"]["limit"] == 100_000
