"""`Notification.comment`, and `commentId` and `excerpt` of `notification.created`: the newest comment of a notification
that its recipient may see.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

import orjson
import pytest

from store.keys import notifications as cache_key
from store.notifications.grouping import KEPT
from tests.support import outgoing
from tests.support.boundaries import mute, mute_thread
from tests.support.comments import added, decide, delete, edit, number
from tests.support.follows import follow
from tests.support.hiding import hide
from tests.support.notifications import people, post_of
from tests.support.posts import delete as delete_post
from tests.support.reconciliation import drift, execute
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually
from tests.support.system import Person, System

pytestmark = [standalone]

COMMENTS = "{ viewer { notifications(first: 50) { nodes { id kind comment { id text author { handle } } } } } }"
RECEIVE = "subscription { notificationReceived { edge { node { comment { text author { handle } } } } } }"


class Scene(NamedTuple):
    """Alice has a post, and a comment on olga's video. First carol and then bob comment on the post, reply to the
    comment, and mention alice.
    """

    alice: Person
    bob: Person
    carol: Person
    post: str
    comment: str
    by_bob: list[str]
    by_carol: list[str]


async def scene(system: System) -> Scene:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    (video,) = await system.videos("v1", owner="olga")
    post, comment = await post_of(system, alice), await added(alice, video, "mine")
    await system.drain()
    said: list[list[str]] = []
    for person in (carol, bob):
        name = person.handle
        ids = [await added(person, post, f"{name} comments")]
        ids.append(await added(person, video, f"{name} replies", comment))
        ids.append(await added(person, video, f"{name} mentions @alice"))
        await system.drain()
        said.append(ids)
    return Scene(alice, bob, carol, post, comment, *reversed(said))


async def read(person: Person) -> list[Any]:
    nodes: list[Any] = (await person.ask(COMMENTS))["viewer"]["notifications"]["nodes"]
    return nodes


async def shown(person: Person) -> list[tuple[str, str]]:
    """Returns the kind of each notification, and the text of its comment, `-` without one."""
    return sorted((node["kind"], node["comment"]["text"] if node["comment"] else "-") for node in await read(person))


async def newest_events(system: System) -> dict[str, Any]:
    """Returns the data of the newest event of each notification, by the id of the notification."""
    return {event["data"]["id"]: event["data"] for event in await outgoing.received(system)}


async def check_events(system: System, person: Person) -> None:
    """Sends the outgoing events. Expects that they name the comments that the person sees."""
    events, user_id = await newest_events(system), await person.id()
    assert {id_: data["commentId"] for id_, data in events.items() if data["userId"] == user_id} == {
        node["id"]: node["comment"] and node["comment"]["id"] for node in await read(person)
    }


async def forget(system: System, person: Person) -> None:
    await system.state.cache.drop([cache_key(int((await person.id()).removeprefix("User:")))])


async def hide_bob(how: str, system: System, _: Scene) -> None:
    await hide(system, how)


async def mute_bob(_: System, at: Scene) -> None:
    await mute(at.alice, await at.bob.id())


async def delete_all(_: System, at: Scene) -> None:
    for id_ in at.by_bob:
        await delete(at.bob, id_)


async def reject_all(system: System, at: Scene) -> None:
    for id_ in at.by_bob:
        await decide(system.person("mia", "moderate"), id_, "REJECT")


async def mute_threads(_: System, at: Scene) -> None:
    """Mutes the threads of bob's root comments. His reply is in the thread of alice."""
    for id_ in (at.by_bob[0], at.by_bob[2]):
        await mute_thread(at.alice, id_)


WAYS: dict[str, Callable[[System, Scene], Awaitable[None]]] = {
    **{how: partial(hide_bob, how) for how in ("alice blocks", "bob blocks", "HIDDEN", "SHADOW")},
    "alice mutes": mute_bob,
    "bob deletes": delete_all,
    "rejected": reject_all,
    "alice mutes the threads": mute_threads,
}
"""The ways of hiding bob's comments from alice."""


async def test_a_notification_has_the_newest_comment_that_caused_it(system: System) -> None:
    at = await scene(system)
    await post_of(system, at.bob, "hello @alice")
    await at.bob.like(at.by_carol[0])
    await follow(at.bob, await at.alice.id())
    await system.drain()

    assert await shown(at.alice) == [
        ("COMMENT", "bob comments"),
        ("FOLLOW", "-"),
        ("MENTION", "-"),
        ("MENTION", "bob mentions @alice"),
        ("MENTION", "carol mentions @alice"),
        ("REPLY", "bob replies"),
    ]
    assert {node["comment"]["id"] for node in await read(at.alice) if node["comment"]} == {
        *at.by_bob,
        at.by_carol[2],
    }
    assert await shown(at.carol) == [("LIKE", "-")]


@pytest.mark.parametrize("way", WAYS)
async def test_a_hidden_comment_makes_room_for_the_newest_one_that_is_shown(system: System, way: str) -> None:
    await outgoing.to_stream(system, "notification.created")
    at = await scene(system)
    await WAYS[way](system, at)
    await system.drain()

    reply = "bob replies" if way == "alice mutes the threads" else "carol replies"
    expected = [("COMMENT", "carol comments"), ("MENTION", "carol mentions @alice"), ("REPLY", reply)]
    assert await shown(at.alice) == expected
    await system.empty_redis()
    assert await shown(at.alice) == expected
    await check_events(system, at.alice)


async def test_comments_on_a_deleted_post_and_answers_to_a_deleted_comment_are_hidden_from_their_author(
    system: System,
) -> None:
    await outgoing.to_stream(system, "notification.created")
    at = await scene(system)
    await delete(at.alice, at.comment)
    await delete_post(at.alice, at.post)
    await system.drain()

    assert await shown(at.alice) == [
        ("COMMENT", "-"),
        ("MENTION", "bob mentions @alice"),
        ("MENTION", "carol mentions @alice"),
    ]
    await check_events(system, at.alice)


async def test_a_notification_whose_comments_are_all_hidden_has_none(system: System) -> None:
    await outgoing.to_stream(system, "notification.created")
    at = await scene(system)
    for author, ids in ((at.bob, at.by_bob), (at.carol, at.by_carol)):
        for id_ in ids:
            await delete(author, id_)
    await system.drain()

    assert await shown(at.alice) == [("COMMENT", "-"), ("REPLY", "-")]
    events, user_id = await newest_events(system), await at.alice.id()
    assert [(data["commentId"], data["excerpt"]) for data in events.values() if data["userId"] == user_id] == [
        (None, None)
    ] * 2


async def test_the_newest_five_comments_are_stored_and_hidden_ones_of_them_leave_room_for_no_older_one(
    system: System,
) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    post = await post_of(system, alice)
    ids = [await added(carol, post, "older")]
    await system.drain()
    for count in (1, KEPT):
        ids += [await added(bob, post, f"{len(ids)}-{n}") for n in range(count)]
        await system.drain()

    assert await system.rows("SELECT comments FROM notifications") == [
        ([number(id_) for id_ in ids[: -KEPT - 1 : -1]],)
    ]
    for id_ in reversed(ids[2:]):
        assert [node["comment"]["id"] for node in await read(alice)] == [id_]
        await delete(bob, id_)
        await system.drain()
    assert await shown(alice) == [("COMMENT", "-")]
    assert await drift(system, "notifications") == {}


async def test_an_edit_changes_the_comment_of_the_notification(system: System) -> None:
    at = await scene(system)
    for id_ in at.by_bob:
        await edit(at.bob, id_, text=f"@alice, edited {id_}")
    await system.drain()

    assert {node["comment"]["text"] for node in await read(at.alice)} == {
        "carol mentions @alice",
        *(f"@alice, edited {id_}" for id_ in at.by_bob),
    }


async def test_a_notification_of_an_earlier_version_gets_a_comment_with_the_next_one(system: System) -> None:
    at = await scene(system)
    await execute(system, "UPDATE notifications SET comments = NULL")
    await forget(system, at.alice)
    mentions = [("MENTION", "bob mentions @alice"), ("MENTION", "carol mentions @alice")]
    assert await shown(at.alice) == [("COMMENT", "-"), *mentions, ("REPLY", "-")]
    await added(at.bob, at.post, "again")
    await system.drain()

    assert await shown(at.alice) == [("COMMENT", "again"), *mentions, ("REPLY", "-")]


async def test_an_event_of_an_earlier_version_has_no_comment(system: System) -> None:
    await outgoing.to_stream(system, "notification.created")
    at = await scene(system)
    for position, data in await system.rows("SELECT position, data FROM outgoing_events"):
        old = {name: value for name, value in orjson.loads(data).items() if name != "comments"}
        await execute(
            system, "UPDATE outgoing_events SET data = :data WHERE position = :at", data=orjson.dumps(old), at=position
        )

    kinds = {(data["kind"], data["excerpt"]) for data in (await newest_events(system)).values()}
    assert kinds >= {("COMMENT", None), ("REPLY", None), ("MENTION", "bob mentions @alice")}
    assert await shown(at.alice)


async def test_events_have_the_beginning_of_the_newest_text(system: System) -> None:
    await outgoing.to_stream(system, "notification.created")
    alice, bob = await people(system, "alice", "bob")
    post = await post_of(system, alice)
    comment = await added(bob, post, "x" * 200)
    await bob.like(post)
    await system.drain()
    await post_of(system, bob, "hello @alice")

    events = {data["kind"]: data for data in (await newest_events(system)).values()}

    assert {kind: (data["commentId"], data["excerpt"]) for kind, data in events.items()} == {
        "COMMENT": (comment, "x" * 139 + "…"),
        "LIKE": (None, None),
        "MENTION": (None, "hello @alice"),
    }


async def test_a_subscriber_receives_each_new_comment(live: Live) -> None:
    alice, bob, carol = await people(live, "alice", "bob", "carol")
    post = await post_of(live, alice)
    before = live.state.events.channels
    async with live.socket("alice") as socket:
        await socket.send(id="1", type="subscribe", payload={"query": RECEIVE})
        await eventually(lambda: live.state.events.channels > before)
        events = []
        for person in (bob, carol):
            await added(person, post, f"by {person.handle}")
            await live.drain()
            events.append((await socket.receive())["payload"]["data"]["notificationReceived"]["edge"]["node"])

    assert events == [
        {"comment": {"text": f"by {handle}", "author": {"handle": handle}}} for handle in ("bob", "carol")
    ]
