"""The mutations of a user who may be suspended."""

from collections.abc import Iterator
from typing import Any

from tests.support.collections import created
from tests.support.comments import added
from tests.support.posts import publish
from tests.support.system import Person, System

REFUSED = {
    "like": "targetId: $video",
    "dislike": "targetId: $video",
    "react": 'targetId: $video, kind: "like"',
    "save": "targetId: $video",
    "follow": "userId: $alice",
    "followTopic": 'topicId: "Topic:cats"',
    "followEntity": "entityId: $video",
    "createCollection": 'name: "new", idempotencyKey: $key',
    "updateCollection": 'collectionId: $collection, name: "new"',
    "publishPost": 'text: "new", idempotencyKey: $key',
    "editPost": 'postId: $post, text: "edited", idempotencyKey: $key',
    "pinPost": "postId: $post",
    "repost": "postId: $post",
    "addComment": 'subjectId: $post, text: "new", idempotencyKey: $key',
    "editComment": 'commentId: $comment, text: "edited", idempotencyKey: $key',
    "pinComment": "commentId: $comment",
    "updateProfile": 'bio: "new"',
}
ACCEPTED = {
    "unlike": "targetId: $post",
    "undislike": "targetId: $post",
    "unreact": "targetId: $post",
    "unsave": "targetId: $post",
    "deleteCollection": "collectionId: $collection",
    "unfollow": "userId: $carol",
    "rejectFollow": "userId: $alice",
    "unfollowTopic": 'topicId: "Topic:cats"',
    "unfollowEntity": "entityId: $video",
    "setTopicsInHome": "enabled: true",
    "setDiscoverable": "discoverable: false",
    "setLabelPreferences": "preferences: []",
    "setLanguage": 'language: "zh"',
    "setQuietHours": "quietHours: null",
    "block": "userId: $alice",
    "unblock": "userId: $alice",
    "mute": "userId: $alice",
    "unmute": "userId: $alice",
    "setPostNotifications": "userId: $alice, enabled: true",
    "removeFollower": "userId: $alice",
    "muteThread": "targetId: $video",
    "unrepost": "postId: $post",
    "setQuotePolicy": "policy: NOBODY",
    "muteReposts": "userId: $alice",
    "unmuteReposts": "userId: $alice",
    "dismissSuggestion": "userId: $alice",
    "unmuteThread": "targetId: $video",
    "hidePost": "postId: $theirs",
    "showLess": "postId: $theirs",
    "unhidePost": "postId: $post",
    "muteWords": 'words: [{text: "spoiler"}]',
    "unmuteWords": 'texts: ["spoiler"]',
    "recordViews": "targetIds: [$video]",
    "setCommentPolicy": "subjectId: $post, policy: NOBODY",
    "unpinComment": "commentId: $comment",
    "deleteComment": "commentId: $comment",
    "unpinPost": "postId: $post",
    "deletePost": "postId: $post",
}


async def scene(system: System) -> tuple[Person, dict[str, str]]:
    """Returns bob and the ids in the mutations: others, a video, carol's post, and bob's own post and comment. Bob
    likes his post.
    """
    bob = system.person("bob")
    ids = {"alice": await system.person("alice").id(), "carol": await system.person("carol").id()}
    ids |= {"bob": await bob.id(), "post": (await publish(bob, "old", "cats"))["post"]["id"]}
    (ids["video"],) = await system.videos("v1")
    ids["theirs"] = (await publish(system.person("carol"), "carol's"))["post"]["id"]
    await system.drain()
    await bob.like(ids["post"])
    ids["collection"] = await created(bob, "old")
    ids["comment"] = await added(bob, ids["post"], "old comment")
    await system.drain()
    return bob, ids


async def write(person: Person, ids: dict[str, str], inputs: dict[str, str], key: str) -> dict[str, Any]:
    """Sends each mutation in a request of its own. Returns the user errors by mutation."""
    return {
        name: (await person.ask(query, **given))[name]["userErrors"]
        for name, query, given in _requests(ids, inputs, key)
    }


async def failures(person: Person, ids: dict[str, str], inputs: dict[str, str], key: str) -> dict[str, list[str]]:
    """Sends each mutation in a request of its own. Returns the codes in `errors` by mutation."""
    return {
        name: [code for code, _ in await person.errors(query, **given)]
        for name, query, given in _requests(ids, inputs, key)
    }


def _requests(ids: dict[str, str], inputs: dict[str, str], key: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yields the name, the document and the variables of each mutation."""
    for name, values in inputs.items():
        given = {one: id_ for one, id_ in {**ids, "key": key}.items() if f"${one}" in values}
        declared = ", ".join(f"${one}: {'String!' if one == 'key' else 'ID!'}" for one in given)
        body = f"{name}(input: {{ {values} }}) {{ userErrors {{ code message }} }}"
        yield name, f"mutation {f'({declared})' if declared else ''} {{ {body} }}", given
