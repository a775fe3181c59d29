"""setNotificationPreferences: users get no notifications of kinds that they have switched off, or want only from users
whom they follow.
"""

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
  viewer { notificationPreferences { kind enabled onlyFollowed } } userErrors { code field } } }"""
READ = """{ viewer { notificationPreferences { kind enabled onlyFollowed } notifications { nodes { kind } }
  unreadNotificationCount } }"""


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


async def only_followed(person: Person) -> set[str]:
    found = (await person.ask(READ))["viewer"]["notificationPreferences"]
    return {one["kind"] for one in found if one["onlyFollowed"]}


async def set_only(person: Person, **kinds: bool | None) -> Any:
    wanted = [{"kind": kind, "enabled": True, "onlyFollowed": only} for kind, only in kinds.items()]
    return (await person.ask(SET, p=wanted))["setNotificationPreferences"]


async def test_kinds_can_be_wanted_only_from_followed_users(system: System) -> None:
    await to_stream(system, "notification.created")
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    (post,) = await posts.published(alice, "hello")
    assert await only_followed(alice) == set()
    await set_only(alice, COMMENT=True, LIKE=True, MENTION=False)
    assert await only_followed(alice) == {"COMMENT", "LIKE"}
    await follow(alice, await id_of(bob))
    await system.drain()

    for person in (bob, carol):
        await person.like(post)
        await added(person, post, f"a comment of {person.handle}")
        await posts.published(person, "@alice hello")
    events = await received(system)

    assert await kinds_of(alice) == ["COMMENT", "LIKE", "MENTION", "MENTION"]
    alice_id, bob_id, carol_id = await id_of(alice), await id_of(bob), await id_of(carol)
    actors = {(one["kind"], *one["actorIds"]) for event in events if (one := event["data"])["userId"] == alice_id}
    assert actors == {("COMMENT", bob_id), ("LIKE", bob_id), ("MENTION", bob_id), ("MENTION", carol_id)}

    await follow(alice, carol_id)
    await set_only(alice, LIKE=None)
    assert await only_followed(alice) == {"COMMENT", "LIKE"}
    await system.drain()
    await added(carol, post, "another comment")
    await system.drain()
    (*_, last) = [one for event in await received(system) if (one := event["data"])["userId"] == alice_id]
    assert (last["kind"], last["actorIds"]) == ("COMMENT", [carol_id, bob_id])


async def test_decisions_are_not_of_followed_users(system: System) -> None:
    alice = system.person("alice")
    for kind in ("MODERATION", "REPORT"):
        payload = await set_only(alice, LIKE=True, **{kind: True})
        assert payload == {"viewer": None, "userErrors": [{"code": "INVALID", "field": ["preferences"]}]}
        assert (await set_only(alice, **{kind: False}))["userErrors"] == []
    assert await only_followed(alice) == set()


@pytest.mark.parametrize("person", ["alice", None])
async def test_bad_requests_change_nothing(system: System, person: str | None) -> None:
    await system.person("alice").id()
    twice = [{"kind": "LIKE", "enabled": False}, {"kind": "LIKE", "enabled": True}]
    errors = await system.person(person).errors(SET, p=twice)

    assert [code for code, _ in errors] == ["BAD_INPUT" if person else "UNAUTHENTICATED"]
    assert await system.rows("SELECT * FROM notification_preferences") == []
