"""Privacy: only the recipient reads a notification."""

from typing import Any

from tests.support.notifications import PAGE, liked_posts, messages, only, page, people, post_of
from tests.support.posts import decide, delete
from tests.support.system import Person, System

NODE = "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Notification { message kind read } } }"
VIEWER = "query ($id: ID!) { node(id: $id) { ... on Viewer { unreadNotificationCount } } }"


async def nodes(person: Person, *ids: str) -> list[Any]:
    found: list[Any] = (await person.ask(NODE, ids=ids))["nodes"]
    return found


async def test_only_the_recipient_can_read_a_notification(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 2)
    ids = [node["id"] for node in (await page(alice)).nodes]
    mine = (await alice.ask("{ viewer { id } }"))["viewer"]["id"]

    assert [node["id"] for node in await nodes(alice, *ids)] == ids
    assert (await nodes(alice, ids[0]))[0]["message"] == "bob liked your post."
    for stranger in (bob, system.person("mia", "moderate"), system.person(None)):
        assert await nodes(stranger, *ids) == [None, None]
        assert (await stranger.ask(VIEWER, id=mine))["node"] is None
    assert await messages(bob) == []
    assert (await system.person(None).ask(PAGE, first=1))["viewer"] is None


async def test_an_unknown_notification_is_null(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 1)

    assert await nodes(alice, "Notification:1") == [None]
    assert await alice.errors(NODE, ids=["Notification:0"]) == [("BAD_INPUT", ["nodes"])]


async def test_two_mentioned_users_have_different_notifications(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    await post_of(system, alice, "@bob @carol")

    assert (await only(bob))["id"] != (await only(carol))["id"]


async def test_a_mention_disappears_with_its_post_and_a_like_of_a_deleted_post_stays(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    mia = system.person("mia", "moderate")
    mentions = await post_of(system, alice, "hello @bob")
    (liked,) = await liked_posts(system, alice, bob, 1)
    await decide(mia, mentions, "REJECT")
    await delete(alice, liked)
    await system.drain()

    seen = await page(bob)
    assert (seen.nodes, seen.unread) == ([], 0)
    rejected, like = (await page(alice)).nodes
    assert rejected["subject"] == {"id": mentions}
    assert (like["subject"], like["actorCount"]) == (None, 1)
