"""setQuietHours: notifications still come, and outgoing events say when the quiet hours end."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.quiet_hours import text_of
from settings import Settings
from tests.support.notifications import liked_posts, people, unread
from tests.support.outgoing import received, to_stream
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone

SET = """mutation ($hours: QuietHoursInput) { setQuietHours(input: {quietHours: $hours}) {
  viewer { quietHours { from to timeZone } } userErrors { code field } } }"""
READ = "{ viewer { quietHours { from to timeZone } } }"
NIGHT = {"from": "22:00", "to": "07:00", "timeZone": "Asia/Shanghai"}


async def set_hours(person: Person, hours: dict[str, str] | None) -> Any:
    return (await person.ask(SET, hours=hours))["setQuietHours"]


async def hours_of(person: Person) -> Any:
    return (await person.ask(READ))["viewer"]["quietHours"]


async def test_quiet_hours_are_set_replaced_and_ended(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    assert await hours_of(alice) is None
    other = {**NIGHT, "to": "08:30", "timeZone": "Europe/Berlin"}
    for hours in (NIGHT, NIGHT, other, None, None):
        assert await set_hours(alice, hours) == {"viewer": {"quietHours": hours}, "userErrors": []}
        assert await hours_of(alice) == hours
        assert await hours_of(bob) is None


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"from": "24:00"}, "from"),
        ({"from": "9:00"}, "from"),
        ({"to": "07:00\u0000"}, "to"),
        ({"to": "22:00"}, "to"),
        ({"timeZone": "Asia/Atlantis"}, "timeZone"),
        ({"timeZone": "../../etc/passwd"}, "timeZone"),
        ({"timeZone": ""}, "timeZone"),
    ],
)
async def test_bad_hours_are_refused_and_change_nothing(system: System, bad: dict[str, str], field: str) -> None:
    (alice,) = await people(system, "alice")
    await set_hours(alice, NIGHT)
    async with unchanged(system):
        assert await set_hours(alice, {**NIGHT, **bad}) == {
            "viewer": None,
            "userErrors": [{"code": "INVALID", "field": ["quietHours", field]}],
        }
    assert await system.person(None).errors(SET, hours=NIGHT) == [("UNAUTHENTICATED", ["setQuietHours"])]


async def test_notifications_come_at_once_and_events_say_when_to_send_them(
    make_settings: Callable[..., Settings],
) -> None:
    now = datetime.now(UTC)
    minute = now.hour * 60 + now.minute
    begin, end = text_of((minute - 2) % 1440), text_of((minute + 120) % 1440)
    later = text_of((minute + 240) % 1440)
    async with running(make_settings(moderation=LENIENT)) as system:
        await to_stream(system, "notification.created")
        alice, bob, carol = await people(system, "alice", "bob", "carol")
        await set_hours(alice, {"from": begin, "to": end, "timeZone": "UTC"})
        (post,) = await liked_posts(system, alice, bob, 1)
        assert await unread(alice) == 1
        (quiet,) = await received(system)
        await set_hours(alice, {"from": end, "to": later, "timeZone": "UTC"})
        await carol.like(post)
        _, loud = await received(system)

    until = now.replace(second=0, microsecond=0) + timedelta(minutes=120)
    assert datetime.fromisoformat(quiet["data"]["quietUntil"]) == until
    assert loud["data"]["quietUntil"] is None
