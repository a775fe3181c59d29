"""Notifications while Postgres is down: a user who may be hidden is left out and named, and never shown."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.ids import UserId, parse_id
from runner.postgres import Postgres
from settings import Settings
from store.people.users import cache_key
from store.redis.subscriber import Subscriber
from tests.support.notifications import PAGE, RECEIVE
from tests.support.outages import Away, both_ways, stopped
from tests.support.stores import standalone
from tests.support.subscriptions import Socket, eventually, serving
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System

NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Notification { message actors { handle } } } }"
LISTED = "Viewer.notifications", "Viewer.unreadNotificationCount"


async def notified(system: System) -> tuple[Person, str]:
    """Returns alice and the id of bob. Bob and carol like a first video of alice, only bob likes a second one."""
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id()
    first, second = await system.videos("v1", "v2", owner="alice")
    for liker, video in ((bob, first), (system.person("carol"), first), (bob, second)):
        await liker.like(video)
        await system.drain()
    return alice, await bob.id()


async def forget_profile(system: System, user_id: str) -> None:
    parsed = parse_id(user_id)
    assert isinstance(parsed, UserId)
    await system.state.cache.redis.client.delete(cache_key(parsed.id))


async def answer(person: Person, query: str, **variables: Any) -> tuple[Any, list[tuple[str, str]]]:
    """Returns data, and the fields and effects in `extensions.degraded`."""
    body = (await person.send(query, **variables)).json()
    assert "errors" not in body, body
    return body["data"], [(one["field"], one["effect"]) for one in body["extensions"].get("degraded", [])]


@standalone
@both_ways
@pytest.mark.parametrize("is_hidden", [True, False])
async def test_users_whose_profile_cannot_be_read_are_left_out_and_named(
    system: System, postgres: Postgres, away: Away, is_hidden: bool
) -> None:
    alice, b = await notified(system)
    before, _ = await answer(alice, PAGE, first=20)
    ids = [edge["node"]["id"] for edge in before["viewer"]["notifications"]["edges"]]
    assert len(ids) == 2
    if is_hidden:
        await suspend(moderator(system), b)

    async with away(postgres, system.state.postgres):
        await forget_profile(system, b)
        data, degraded = await answer(alice, PAGE, first=20)
        nodes, missing = await answer(alice, NODES, ids=ids)

    (edge,) = data["viewer"]["notifications"]["edges"]
    assert (edge["node"]["message"], edge["node"]["actorCount"]) == ("carol liked your video.", 1)
    assert data["viewer"]["unreadNotificationCount"] == 1
    assert degraded == [(field, "INCOMPLETE") for field in LISTED]
    assert nodes["nodes"] == [None, {"message": "carol liked your video.", "actors": [{"handle": "carol"}]}]
    assert missing == [("Query.nodes", "MISSING"), ("Notification.actors", "INCOMPLETE")]
    after, degraded = await answer(alice, PAGE, first=20)
    assert (len(after["viewer"]["notifications"]["edges"]), degraded) == (1 if is_hidden else 2, [])


@standalone
async def test_a_block_needs_no_profile(system: System, postgres: Postgres) -> None:
    alice, b = await notified(system)
    await alice.ask("mutation ($id: ID!) { block(input: {userId: $id}) { userErrors { code } } }", id=b)
    await alice.ask(PAGE, first=20)

    async with stopped(postgres, system.state.postgres):
        await forget_profile(system, b)
        data, degraded = await answer(alice, PAGE, first=20)

    assert (data["viewer"]["unreadNotificationCount"], degraded) == (1, [])


async def event(socket: Socket) -> tuple[str, list[str]]:
    """Returns the message of the next notification, and the fields in `extensions.degraded`."""
    payload = (await socket.receive())["payload"]
    message = payload["data"]["notificationReceived"]["edge"]["node"]["message"]
    return message, [one["field"] for one in payload["extensions"].get("degraded", [])]


@standalone
async def test_a_subscription_sends_a_notification_when_the_profile_can_be_read_again(
    make_settings: Callable[..., Settings], postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(make_settings(port=0, local_cache_seconds=0)) as live:
        await live.person("alice").id()
        async with live.socket("alice") as alice:
            await alice.send(id="1", type="subscribe", payload={"query": RECEIVE})
            await eventually(lambda: live.state.events.channels > 0 and not live.state.events.unconfirmed)
            monkeypatch.setattr(Subscriber, "_receive", lambda *_: None)  # no other message may cause a read
            person, b = await notified(live)
            await person.ask(PAGE, first=20)  # caches what the event needs
            async with stopped(postgres, live.state.postgres):
                await forget_profile(live, b)
                live.state.events.mark_all()
                fields = ["Subscription.notificationReceived", "Viewer.unreadNotificationCount"]
                assert await event(alice) == ("carol liked your video.", fields)
            assert await event(alice) == ("bob liked your video.", [])
