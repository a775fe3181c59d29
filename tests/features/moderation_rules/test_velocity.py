"""Submissions beyond the hourly limit of a network or device wait for a moderator, also those of other authors."""

from collections.abc import Callable
from typing import Any

from settings import ModerationSettings, Settings
from tests.features.moderation_rules.judging import judged, statements_of_batch, unread_events
from tests.support.comments import added
from tests.support.posts import edit, publish, seen, waiting
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, from_address, running

OFFICE, HOME = "198.51.100.9", "198.51.100.10"
PHONE = "0f8fad5b-d9cb-469f-a165-70867728950e"
SOURCES = "SELECT network, device FROM traces ORDER BY at_ms"


def limited(**changes: Any) -> ModerationSettings:
    return LENIENT.model_copy(update=changes)


async def said(person: Person, *texts: str) -> list[str]:
    return [(await publish(person, text))["post"]["id"] for text in texts]


async def statuses(system: System) -> list[tuple[str, str, str | None]]:
    """Returns text, status and reason of all posts and comments, in order."""
    mia = system.person("mia", "moderate")
    held = dict(await waiting(mia, first=100))
    rows = await system.rows("SELECT text FROM posts ORDER BY moment")
    return [(text, "PENDING" if text in held else "APPROVED", held.get(text)) for (text,) in rows]


@standalone
async def test_too_many_submissions_from_one_network_wait(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=limited(network_posts_per_hour=3))) as system:
        alice, bob = from_address(system, "alice", OFFICE), from_address(system, "bob", OFFICE)
        carol = from_address(system, "carol", HOME)
        (video,) = await system.videos("v1")
        await said(alice, "1")
        await added(bob, video, "2")
        await system.drain()
        await said(bob, "3", "4")
        await said(carol, "5")
        await system.drain()
        await said(alice, "6")
        await system.drain()

        assert await statuses(system) == [
            ("1", "APPROVED", None),
            ("3", "APPROVED", None),
            ("4", "PENDING", "4 posts from one network within an hour"),
            ("5", "APPROVED", None),
            ("6", "PENDING", "5 posts from one network within an hour"),
        ]
        assert await system.rows("SELECT DISTINCT network, device FROM traces ORDER BY 1") == [
            (HOME, None),
            (OFFICE, None),
        ]


@standalone
async def test_ipv6_addresses_of_one_household_are_one_network(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=limited(network_posts_per_hour=1))) as system:
        for number, ip in enumerate(["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:2::1"]):
            await said(from_address(system, f"user{number}", ip), f"{number}")
        await system.drain()

        assert [status for _, status, _ in await statuses(system)] == ["APPROVED", "PENDING", "APPROVED"]


@standalone
async def test_too_many_submissions_of_one_device_wait(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=limited(device_posts_per_hour=2))) as system:
        alice = from_address(system, "alice", OFFICE, device_id=PHONE)
        bob = from_address(system, "bob", HOME, device_id=PHONE)
        without = from_address(system, "carol", HOME)
        await said(alice, "1", "2")
        await said(bob, "3")
        await said(without, "4", "5", "6")
        await system.drain()

        assert [status for _, status, _ in await statuses(system)] == [*["APPROVED"] * 2, "PENDING", *["APPROVED"] * 3]
        assert (await waiting(system.person("mia", "moderate"))) == [("3", "3 posts from one device within an hour")]
        rows = await system.rows(SOURCES)
        assert rows == [(None, PHONE)] * 3 + [(None, None)] * 3


@standalone
async def test_an_edit_counts_once_and_submissions_of_the_hour_before_do_not(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=limited(network_posts_per_hour=2))) as system:
        alice, mia = from_address(system, "alice", OFFICE), system.person("mia", "moderate")
        (first,) = await said(alice, "1")
        await system.drain()
        for number in range(3):
            await edit(alice, first, text=f"changed {number}")
            await system.drain()
        await said(alice, "2")
        await system.drain()
        assert await waiting(mia) == []
        await edit(alice, first, text="changed again")
        await said(alice, "3")
        await system.drain()
        assert await waiting(mia) == [("3", "3 posts from one network within an hour")]

        await execute(system, "UPDATE traces SET at_ms = at_ms - 3600000")
        (last,) = await said(alice, "4")
        await system.drain()
        assert (await seen(system.person("bob"), last))["text"] == "4"


@standalone
async def test_a_batch_that_is_judged_again_gets_the_same_verdicts(make_settings: Callable[..., Settings]) -> None:
    rules = limited(network_posts_per_hour=4, device_posts_per_hour=3, rejections=1)
    async with running(make_settings(moderation=rules)) as system:
        people = [from_address(system, f"user{n}", OFFICE, device_id=f"phone-{n % 2}") for n in range(4)]
        for person in people[:2]:
            await said(person, "before")
        await system.drain()
        for number in range(3):
            for person in people:
                await said(person, f"{number}")
        events = await unread_events(system)

        before = await judged(system, events)
        assert await judged(system, events) == before
        assert {status for status, _ in before} == {"APPROVED", "PENDING"}
        await system.drain()
        assert await judged(system, events) == before  # after they are stored, too

        stored = dict(await system.rows("SELECT post_id, reason FROM posts WHERE text <> 'before'"))
        ids = [event.ref.entity_id for event in events]
        assert [stored[id_] for id_ in ids] == [reason for _, reason in before]


@standalone
async def test_each_rule_costs_one_query_for_a_batch_and_none_if_it_is_off(
    make_settings: Callable[..., Settings],
) -> None:
    off = LENIENT
    each = [limited(network_posts_per_hour=9), limited(device_posts_per_hour=9), limited(rejections=9)]
    everything = limited(network_posts_per_hour=9, device_posts_per_hour=9, rejections=9)
    counts = []
    async with running(make_settings(moderation=off)) as system:
        for person in [from_address(system, f"user{n}", f"198.51.100.{n}", device_id=f"d{n}") for n in range(5)]:
            await said(person, "1", "2")
        events = await unread_events(system)
    for rules in (off, *each, everything):
        async with running(make_settings(moderation=rules)) as system:
            counts.append(await statements_of_batch(system, events))
            assert await statements_of_batch(system, events[:2]) == counts[-1]

    assert [count - counts[0] for count in counts] == [0, 1, 1, 1, 3]


@standalone
async def test_network_and_device_are_not_stored_if_no_rule_counts_them(system: System) -> None:
    await said(from_address(system, "alice", OFFICE, device_id=PHONE), "1")
    await system.drain()

    assert await system.rows(SOURCES) == [(None, None)]


@standalone
async def test_comments_without_moderation_and_clients_without_device_do_not_count(
    make_settings: Callable[..., Settings],
) -> None:
    rules = limited(network_posts_per_hour=1, device_posts_per_hour=1)
    async with running(make_settings(moderation=rules)) as system:
        alice, mia = from_address(system, "alice", OFFICE), system.person("mia", "moderate")
        (chat,) = await system.videos("c1", business="chat")
        for number in range(3):
            await added(alice, chat, f"chat {number}")
        await said(alice, "a post")
        await added(alice, chat, "chat again")
        await system.drain()
        assert await waiting(mia) == []
        assert await system.rows(SOURCES) == [(OFFICE, None)]
