"""Values for the arguments of operations that are generated from the schema."""

from tests.support.posts import publish
from tests.support.priced_operations import Values
from tests.support.social_scene import made
from tests.support.system import Person, System

_SCOPES = "admin", "moderate", "users:read", "users:write", "entities:write", "lists:read"
_VIEWER = "{ viewer { notifications(first: 1) { edges { cursor node { id } } } collections { nodes { id } } } }"


async def made_values(system: System) -> tuple[Person, Values]:
    """Makes users, posts, comments and entities. Returns a viewer, and the values of arguments by name. `#` stands for
    the number of the repetition.
    """
    scene = await made(system)
    for number in range(60):
        author = (scene.bob, scene.carol)[number % 2]
        await publish(author, f"post {number}", "cats")
    videos = await system.videos(*(f"v{number}" for number in range(20)), owner="alice")
    await system.drain()
    for video in videos:
        await scene.bob.like(video)
    await system.drain()
    alice = system.person("alice", *_SCOPES)
    posts = [post["id"] for post in (await alice.ask("{ square { nodes { id } } }"))["square"]["nodes"]]
    own = (await publish(alice, "own"))["post"]["id"]
    viewer = (await alice.ask(_VIEWER))["viewer"]
    since = (await alice.ask("{ viewer { home(first: 1) { pageInfo { endCursor } } } }"))["viewer"]["home"]["pageInfo"]
    edge, collection = viewer["notifications"]["edges"][0], viewer["collections"]["nodes"][0]["id"]
    return alice, {
        "handle": "alice", "externalIds": ["alice"] * 20, "business": "video", "name": "cats", "action": "plays",
        "key": "v0", "keys": [f"v{number}" for number in range(20)], "id": posts[0], "ids": posts, "videos": videos,
        "targetId": videos[0], "targetIds": videos[:1], "userId": scene.bob_id, "postId": own, "subjectId": posts[0],
        "commentId": scene.root, "collectionId": collection, "query": "post", "upTo": edge["cursor"],
        "notificationId": edge["node"]["id"], "statementId": f"Statement:{scene.bob_id.removeprefix('User:')}.1",
        "since": since["endCursor"],
        "topicId": "Topic:cats", "entityId": videos[0], "externalId": "bob#",
        "text": "Hello #", "reason": "spam", "explanation": "It is #", "law": "law", "number": "A" * 29,
        "unnamed": True, "goodFaith": True, "kind": "like", "mimeType": "image/png", "byteSize": 9,
        "labels": ["adult"], "label": "adult",
        "prefix": "c", "language": None, "idempotencyKey": "key-#", "enabled": True, "discoverable": False,
        "from": "22:00", "to": "07:00", "timeZone": "UTC",
        "url": "https://hooks.example.com/", "words": ["casino"], "client": "ios", "clientVersions": ["1.0"],
        "operations": [{"id": "op#", "text": "query Q# { __typename }"}],
        "transparency()": {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"},
        "Post": {"id": posts[0]}, "Comment": {"id": scene.root}, "Entity": {"id": videos[0]},
        "User": {"id": scene.bob_id}, "Topic": {"id": "Topic:cats"}, "Notification": {"id": edge["node"]["id"]},
        "Collection": {"id": collection},
    }  # fmt: skip
