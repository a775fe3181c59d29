"""setNotificationPreferences: users get no notifications of kinds that they have switched off."""

from typing import Any

import pytest

from models.notifications import NotificationKind
from tests.support import posts
from tests.support.comments import added
from tests.support.follows import follow, id_of
from tests.support.outgoing import received, to_stream
from tests.support.reports import reported, resolve
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import Person, System

pytestmark = standalone

SET = """mutation ($p: [NotificationPreferenceInput!]!) { setNotificationPreferences(input: {preferences: $p}) {
  viewer { notificationPreferences { kind enabled } } userErrors { code field } } }"""
READ = (
    "{ viewer { notificationPreferences { kind enabled } notifications { nodes { kind } } unreadNotificationCount } }"
)


async def set_kinds(person: Person, **kinds: bool) -> Any:
    wanted = [{"kind": kind, "enabled": enabled} for kind, enabled in kinds.items()]
    return (await person.ask(SET, p=wanted))["setNotificationPreferences"]


async def off(person: Person) -> set[str]:
    found = (await person.ask(READ))["viewer"]["notificationPreferences"]
    assert [one["kind"] for one in found] == [kind.name for kind in NotificationKind]
    return {one["kind"] for one in found if not one["enabled"]}


async def kinds_of(person: Person) -> list[str]:
    viewer = (await person.ask(READ))["viewer"]
    kinds = sorted(one["kind"] for one in viewer["notifications"]["nodes"])
    assert viewer["unreadNotificationCount"] == len(kinds)
    return kinds


async def test_all_kinds_are_on_until_a_user_switches_them_off(system: System) -> None:
    alice = system.person("alice")
    assert await off(alice) == set()
    payload = await set_kinds(alice, LIKE=False, FOLLOW=False)
    assert payload["userErrors"] == []
    assert {one["kind"] for one in payload["viewer"]["notificationPreferences"] if not one["enabled"]} == {
        "LIKE",
        "FOLLOW",
    }

    await set_kinds(alice, FOLLOW=True, MENTION=False, MODERATION=True)

    assert await off(alice) == {"LIKE", "MENTION"}
    assert await off(system.person("bob")) == set()


async def test_events_of_unwanted_kinds_cause_neither_notifications_nor_outgoing_events(system: System) -> None:
    await to_stream(system, "notification.created")
    (video,) = await system.videos("v1", owner="olga")
    olga, alice = system.person("olga"), system.person("alice")
    await set_kinds(olga, LIKE=False, REPORT=False)
    await alice.like(video)
    await follow(alice, await id_of(olga))
    await reported(olga, await id_of(alice))
    await system.drain()
    await resolve(moderator(system), await id_of(alice), "DISMISS")

    events = await received(system)

    assert await kinds_of(olga) == ["FOLLOW"]
    assert [event["data"]["kind"] for event in events] == ["FOLLOW"]


async def test_a_kind_that_is_switched_on_again_is_notified_from_then_on(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await posts.published(alice, "hello")
    await system.drain()
    await set_kinds(alice, COMMENT=False)
    await added(bob, post, "first")
    await system.drain()
    await set_kinds(alice, COMMENT=True)
    await added(bob, post, "second")
    await system.drain()

    assert await kinds_of(alice) == ["COMMENT"]


async def test_moderation_cannot_be_switched_off(system: System) -> None:
    alice = system.person("alice")
    payload = await set_kinds(alice, LIKE=False, MODERATION=False)

    assert payload == {"viewer": None, "userErrors": [{"code": "INVALID", "field": ["preferences"]}]}
    assert await off(alice) == set()


@pytest.mark.parametrize("person", ["alice", None])
async def test_bad_requests_change_nothing(system: System, person: str | None) -> None:
    await system.person("alice").id()
    twice = [{"kind": "LIKE", "enabled": False}, {"kind": "LIKE", "enabled": True}]
    errors = await system.person(person).errors(SET, p=twice)

    assert [code for code, _ in errors] == ["BAD_INPUT" if person else "UNAUTHENTICATED"]
    assert await system.rows("SELECT * FROM notification_preferences") == []
