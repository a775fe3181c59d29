"""The operations of an old app run against the present schema.

`manifests/ios-2026-11-24.json` was made from schema.graphql at commit 1312f30b, before blocks, suspensions, reports,
edits of comments, favourites and pins existed. Its texts are as Apollo iOS writes them. Do not change it: apps that are
installed do not change either.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from settings import Settings
from tests.support.persisted_imports import imported
from tests.support.persisted_operations import post
from tests.support.subscriptions import Live, eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

FILE = Path(__file__).parent / "manifests" / "ios-2026-11-24.json"
IDS = {one["name"]: one["id"] for one in json.loads(FILE.read_text())["operations"]}


class App:
    """An installed app, which runs the operations of its manifest by their ids."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.ran: set[str] = set()

    async def run(self, name: str, handle: str = "alice", /, **variables: Any) -> Any:
        """Returns the root field of a response, which must have no errors and no user errors."""
        self.ran.add(name)
        body = (await post(self.live, handle, documentId=IDS[name], variables=variables)).json()
        assert "errors" not in body, (name, body)
        assert "degraded" not in body["extensions"], (name, body)
        root = next(iter(body["data"].values()))
        assert root, (name, body)
        if isinstance(root, dict):
            assert not root.get("userErrors"), (name, root)
        return root

    async def first_event(self, name: str, handle: str, cause: Callable[[], Any], **variables: Any) -> Any:
        """Subscribes, causes an event and returns the root field of the first event."""
        self.ran.add(name)
        async with self.live.socket(handle) as socket:
            payload = {"documentId": IDS[name], "variables": variables}
            await socket.send(id="1", type="subscribe", payload=payload)
            await eventually(lambda: self.live.state.events.channels > 0 == self.live.state.events.unconfirmed)
            await cause()
            message = await socket.receive()
        await eventually(lambda: self.live.state.events.channels == 0)
        assert message["type"] == "next", message
        assert "errors" not in message["payload"], message
        return next(iter(message["payload"]["data"].values()))


async def test_each_operation_of_an_old_manifest_runs(make_settings: Callable[..., Settings]) -> None:
    settings = make_settings(port=0, persisted_only=True)
    output = await imported(settings, FILE, client="com.example.app-apollo-ios", versions=["1.0+7"])
    assert output == f"New: {len(IDS)}. Already imported: 0."
    open_settings = make_settings(port=0)
    async with serving(open_settings) as registrar:
        await registrar.videos("v1", "v2", owner="bob")
    async with serving(settings) as live:
        app = App(live)
        bob = (await app.run("Me", "bob"))["user"]
        alice = (await app.run("Me"))["user"]
        await _social(app, bob["id"])
        await _posts(app)
        await _reactions(app)
        assert (await app.run("UpdateProfile", input={"bio": "Hi."}))["user"]["bio"] == "Hi."
        assert (await app.run("Profile", handle=alice["handle"]))["bio"] == "Hi."

    assert app.ran == set(IDS)


async def _social(app: App, bob: str) -> None:
    """Alice follows, unfollows and follows Bob, who is notified."""
    assert (await app.run("Follow", input={"userId": bob}))["user"]["viewerRelation"] == "FOLLOWING"
    assert (await app.run("Unfollow", input={"userId": bob}))["user"]["viewerRelation"] == "NONE"
    await app.run("Follow", input={"userId": bob})
    await app.live.drain()
    notifications = (await app.run("Notifications", "bob"))["notifications"]["edges"]
    assert [one["node"]["kind"] for one in notifications] == ["FOLLOW"]
    assert (await app.run("MarkRead", "bob", upTo=notifications[0]["cursor"]))["viewer"]["unreadNotificationCount"] == 0


async def _posts(app: App) -> None:
    """Bob publishes, edits and deletes posts, and Alice comments."""
    first = (await app.run("Publish", "bob", input=_post("Hello #tea", "1")))["post"]["id"]
    second = (await app.run("Publish", "bob", input=_post("Bye", "2")))["post"]["id"]
    edited = (await app.run("EditPost", "bob", input={"postId": first, "text": "Hello!", "topics": ["tea"]}))["post"]
    assert edited["text"] == "Hello!"
    assert (await app.run("DeletePost", "bob", id=second))["deletedId"] == second
    await app.live.drain()
    for name, place in [("Home", "home"), ("Recommended", "recommended")]:
        assert place in await app.run(name)
    assert [one["id"] for one in (await app.run("Square"))["nodes"]] == [first]
    assert (await app.run("TopicPage", name="tea", sort="LATEST"))["posts"]["nodes"][0]["id"] == first
    nice = {"subjectId": first, "text": "Nice", "idempotencyKey": "c1"}
    comment = (await app.run("AddComment", input=nice))["comment"]
    await app.live.drain()
    reply = {"subjectId": first, "replyToId": comment["id"], "text": "Thanks", "idempotencyKey": "c2"}
    answer = (await app.run("AddComment", "bob", input=reply))["comment"]
    assert (answer["parent"]["id"], answer["subject"]["id"]) == (comment["id"], first)
    await app.live.drain()
    shown = (await app.run("PostPage", id=first))["comments"]["edges"]
    assert [one["node"]["text"] for one in shown] == ["Nice"]
    assert (await app.run("CommentPage", id=answer["id"]))["root"]["id"] == comment["id"]
    assert (await app.run("DeleteComment", id=comment["id"]))["comment"]["deleted"]


def _post(text: str, key: str) -> dict[str, Any]:
    return {"text": text, "images": [], "topics": ["tea"], "idempotencyKey": key}


async def _reactions(app: App) -> None:
    """Alice reacts to a video and watches it."""
    video = "Entity:video:v1"
    for name, reaction in [("Like", "LIKE"), ("Unlike", None), ("Dislike", "DISLIKE"), ("Undislike", None)]:
        assert (await app.run(name, id=video))["target"]["viewerReaction"] == reaction
    await app.run("RecordViews", input={"targetIds": [video]})
    await app.run("RecordShares", input={"targetIds": [video]})
    event = await app.first_event("Watch", "bob", lambda: app.run("Like", id=video), ids=[video])
    assert event["id"] == video
    await app.live.drain()
    assert (await app.run("VideoPage", key="v1"))["likeCount"] == 1
    assert [one["title"] for one in await app.run("Videos", keys=["v1", "v2"])] == ["v1", "v2"]
    assert (await app.run("Nodes", ids=[video]))[0]["viewerReaction"] == "LIKE"
    assert (await app.run("Leaders"))[0]["node"]["id"] == video

    async def publish() -> None:
        await app.run("Publish", "bob", input=_post("News", "3"))
        await app.live.drain()

    async def comment() -> None:
        target = (await app.run("Square"))["nodes"][0]["id"]
        await app.run("AddComment", input={"subjectId": target, "text": "New", "idempotencyKey": "c3"})
        await app.live.drain()

    assert (await app.first_event("HomeAdded", "alice", publish))["node"]["text"] == "News"
    assert (await app.first_event("Notified", "bob", comment))["edge"]["node"]["kind"] == "COMMENT"
