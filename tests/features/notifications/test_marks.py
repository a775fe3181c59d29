"""Checks what users have seen and what they have read: the counts agree with the list, before and after the marks are
stored, and a new event makes a notification unread and unseen again.
"""

import random
from typing import Any

import pytest

from store.notifications import notifications
from tests.support import outgoing
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.notifications import liked_posts, mark, page, people
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually
from tests.support.system import Person, System

LIST = """query ($first: Int!, $after: String) { viewer { unreadNotificationCount unseenNotificationCount
  notifications(first: $first, after: $after) { nodes { id read isSeen } pageInfo { endCursor hasNextPage } } } }"""
SEE = """mutation ($upTo: String!) { markNotificationsSeen(input: {upTo: $upTo}) {
  viewer { unreadNotificationCount unseenNotificationCount } userErrors { code } } }"""
READ_ONE = """mutation ($id: ID!) { markNotificationRead(input: {notificationId: $id}) { notification { id read isSeen }
  viewer { unreadNotificationCount unseenNotificationCount } userErrors { code field } } }"""
MARKED = "subscription { notificationsRead { viewer { unreadNotificationCount unseenNotificationCount } } }"


async def see(person: Person, cursor: str) -> Any:
    return (await person.ask(SEE, upTo=cursor))["markNotificationsSeen"]


async def read_one(person: Person, id_: str) -> Any:
    return (await person.ask(READ_ONE, id=id_))["markNotificationRead"]


async def listed(person: Person) -> list[Any]:
    """Returns all notifications of a person. Checks that both counts agree with them."""
    nodes, after, more, counts = list[Any](), None, True, (0, 0)
    while more:
        viewer = (await person.ask(LIST, first=20, after=after))["viewer"]
        nodes += viewer["notifications"]["nodes"]
        after, more = (
            viewer["notifications"]["pageInfo"]["endCursor"],
            viewer["notifications"]["pageInfo"]["hasNextPage"],
        )
        counts = viewer["unreadNotificationCount"], viewer["unseenNotificationCount"]
    assert counts == (sum(not node["read"] for node in nodes), sum(not node["isSeen"] for node in nodes))
    return nodes


def states(nodes: list[Any]) -> list[tuple[bool, bool]]:
    """Returns for each notification whether it is read, and whether it is seen."""
    return [(node["read"], node["isSeen"]) for node in nodes]


async def test_seen_notifications_stay_unread_and_read_ones_are_seen(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 3)
    cursors = (await page(alice)).cursors

    seen = await see(alice, cursors[1])
    assert seen == {"viewer": {"unreadNotificationCount": 3, "unseenNotificationCount": 1}, "userErrors": []}
    for _ in range(2):
        assert states(await listed(alice)) == [(False, False), (False, True), (False, True)]
        await system.drain()
    await mark(alice, cursors[2])
    for _ in range(2):
        assert states(await listed(alice)) == [(False, False), (False, True), (True, True)]
        await system.drain()
    await mark(alice, cursors[0])
    for _ in range(2):
        assert states(await listed(alice)) == [(True, True)] * 3
        await system.drain()
    await system.empty_redis()
    assert states(await listed(alice)) == [(True, True)] * 3


async def test_one_notification_is_read_without_those_below_until_it_gets_a_new_event(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    posts = await liked_posts(system, alice, bob, 3)
    middle = (await page(alice)).nodes[1]["id"]

    answer = await read_one(alice, middle)
    assert answer["notification"] == {"id": middle, "read": True, "isSeen": True}
    assert answer["viewer"] == {"unreadNotificationCount": 2, "unseenNotificationCount": 2}
    for _ in range(2):
        assert states(await listed(alice)) == [(False, False), (True, True), (False, False)]
        assert (await read_one(alice, middle))["viewer"]["unreadNotificationCount"] == 2
        await system.drain()
    await system.empty_redis()
    assert states(await listed(alice)) == [(False, False), (True, True), (False, False)]

    await carol.like(posts[1])
    await system.drain()
    nodes = await listed(alice)
    assert nodes[0]["id"] == middle
    assert states(nodes) == [(False, False)] * 3


async def test_only_the_recipient_marks_a_notification(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    (post,) = await liked_posts(system, alice, bob, 1)
    (node,) = (await page(alice)).nodes

    for id_ in (node["id"], "Notification:1", post):
        answer = await read_one(bob, id_)
        assert answer["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["notificationId"]}]
        assert (answer["notification"], answer["viewer"]) == (None, None)
    assert await bob.errors(READ_ONE, id="nonsense") == [("BAD_INPUT", ["markNotificationRead"])]
    cursor = (await page(alice)).cursors[0]
    assert await bob.errors(SEE, upTo=cursor) == [("BAD_CURSOR", ["markNotificationsSeen"])]
    nobody = system.person(None)
    assert await nobody.errors(READ_ONE, id=node["id"]) == [("UNAUTHENTICATED", ["markNotificationRead"])]
    assert await nobody.errors(SEE, upTo=cursor) == [("UNAUTHENTICATED", ["markNotificationsSeen"])]
    await system.drain()
    assert states(await listed(alice)) == [(False, False)]


@standalone
@pytest.mark.parametrize("seed", range(3))
async def test_both_counts_agree_with_a_list_deeper_than_the_cache(system: System, seed: int) -> None:
    """Marks are above, in and below the cached part of the list. Compares before and after they are stored."""
    chosen = random.Random(seed)
    alice, bob = await people(system, "alice", "bob")
    keys = [f"v{n}" for n in range(notifications.CACHED + 12)]
    for video in await system.videos(*keys, owner="alice"):
        await bob.like(video)
    await system.drain()
    ids = [node["id"] for node in await listed(alice)]
    shown = (await page(alice, 100)).cursors
    read, seen, alone = len(ids), len(ids), set[int]()
    for step in range(9):
        at = chosen.randrange(len(ids))
        match step % 3:
            case 0:
                await read_one(alice, ids[at])
                alone.add(at)
            case 1:
                await see(alice, shown[at])
                seen = min(seen, at)
            case _:
                at = chosen.randrange(len(ids) - 20, len(ids))
                await mark(alice, shown[at])
                read = min(read, at)
        expected = [(n >= read or n in alone, n >= min(read, seen) or n in alone) for n in range(len(ids))]
        for _ in range(2):
            assert states(await listed(alice)) == expected
            if chosen.random() < 0.5:
                await system.drain()


@standalone
async def test_marks_are_made_while_redis_is_down(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 3)
    shown = await page(alice)

    async with directly(system):
        await see(alice, shown.cursors[1])
        await read_one(alice, shown.nodes[2]["id"])
        assert states(await listed(alice)) == [(False, False), (False, True), (True, True)]
    await system.drain()
    assert states(await listed(alice)) == [(False, False), (False, True), (True, True)]


@standalone
async def test_the_badge_costs_no_round_trip_more_than_the_list(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 3)
    await read_one(alice, (await page(alice)).nodes[1]["id"])
    await see(alice, (await page(alice)).cursors[1])
    plain = "{ viewer { notifications { nodes { id read } } } }"
    both = "{ viewer { unreadNotificationCount unseenNotificationCount notifications { nodes { id read isSeen } } } }"
    await system.drain()
    for query in (plain, both):
        await alice.ask(query)
    assert await cost(alice, both) == await cost(alice, plain)


@standalone
async def test_marks_reach_the_other_devices_and_the_systems_of_the_operator(live: Live) -> None:
    await outgoing.to_stream(live, "notification.created", "notification.read")
    alice, bob = await people(live, "alice", "bob")
    await liked_posts(live, alice, bob, 2)
    shown, before = await page(alice), live.state.events.channels
    async with live.socket("alice") as socket:
        await socket.send(id="1", type="subscribe", payload={"query": MARKED})
        await eventually(lambda: live.state.events.channels > before)
        received = []
        for marking in (see(alice, shown.cursors[1]), read_one(alice, shown.nodes[0]["id"])):
            await marking
            await live.drain()
            received.append((await socket.receive())["payload"]["data"]["notificationsRead"]["viewer"])
    assert received == [
        {"unreadNotificationCount": 2, "unseenNotificationCount": 1},
        {"unreadNotificationCount": 1, "unseenNotificationCount": 0},
    ]
    *_, second, read = await outgoing.received(live)
    assert read["data"] == {
        "userId": await alice.id(),
        "readThrough": "0",
        "notificationId": shown.nodes[0]["id"],
    }
    assert read["version"] == second["version"]
