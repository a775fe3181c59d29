"""A token that is restricted to businesses reads, outside its businesses, what an anonymous client reads. So does the
token of a moderator who is restricted. The queries have every field of the schema, and every kind of object.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pytest

from identity import auth
from settings import Settings
from tests.features.visibility.every_field import of_node, of_root
from tests.features.visibility.private_scene import PrivateScene, private_scene
from tests.support.stores import standalone
from tests.support.system import Person, running

ROOTS = {
    "user": 'handle: "pat"',
    "entity": 'business: "article", key: "open"',
    "entities": 'business: "article", keys: ["open", "closed"]',
    "topic": 'name: "cats"',
    "noticeStatus": 'number: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAA"',
    "node": 'id: "Entity:article:open"',
    "searchPosts": 'query: "after:2000-01-01"',
    "searchComments": 'subjectId: "Entity:article:open", query: "after:2000-01-01"',
    "searchUsers": 'query: "bob"',
    "suggestHandles": 'prefix: "b"',
    "searchTopics": 'query: "cats"',
    "topics": 'prefix: "c"',
    "searchEntities": 'business: "article", query: "after:2000-01-01"',
}
"""The arguments of root fields, except the ids of `nodes`."""
INSIDE = {
    ("video",): frozenset[str](),
    ("comment",): frozenset({"Comment"}),
    ("post",): frozenset({"Post", "Comment", "Topic", "Collection"}),
    ("post", "comment", "article"): frozenset({"Post", "Comment", "Topic", "Collection", "Entity"}),
}
"""The types that a token may read differently, by its businesses: those of its businesses, and of posts also
topics, collections with posts, and comments, which are hidden with their posts.
"""
GAINED = {
    "User.followers", "User.following", "User.friends", "User.posts", "User.likes", "User.pinnedPosts",
    "User.collections", "User.followerCount", "Post.likers", "Post.dislikeCount", "Post.pinnedComment",
    "Comment.text", "Comment.replies", "Entity.comments", "Entity.likeCount", "Entity.likers",
    "Topic.posts", "Query.node", "Query.nodes", "Query.square", "Query.searchPosts", "Query.leaderboard",
}  # fmt: skip
"""Fields that an unrestricted token of vera or of a moderator must read differently, or this test would find nothing.
"""


def queries(scene: PrivateScene, hidden: frozenset[str]) -> list[str]:
    """Returns queries of every field, and of every object whose type is not hidden."""
    ids = [id_ for id_ in scene.all_ids if id_.partition(":")[0] not in hidden]
    roots = {**ROOTS, "nodes": f"ids: {orjson.dumps(ids).decode()}"}
    return [*of_root(roots, hidden), *(of_node(id_, hidden) for id_ in ids)]


def token(scene: PrivateScene, handle: str, businesses: tuple[str, ...] | None, *scopes: str) -> Person:
    """Returns a person with a token; None for an unrestricted one."""
    sent = auth.mint(scene.system.settings, handle, scopes=scopes, businesses=businesses or ())
    return Person(scene.system.http, handle, {"authorization": f"Bearer {sent}"})


async def read(reader: Person, query: str) -> Any:
    """Returns the data of a whole answer without errors. Reads again if a store was too slow, on a busy machine."""
    tries = 5
    while True:
        body = orjson.loads((await reader.send(query)).content)
        assert "errors" not in body, (query, body["errors"])
        if not body["extensions"].get("degraded"):
            return body["data"]
        tries -= 1
        assert tries, body["extensions"]
        await asyncio.sleep(0.5)


def differing(one: Any, other: Any, field: str = "") -> Iterator[str]:
    """Yields the fields, as `Type.field`, in which two answers differ, with the field above for items of lists."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key, value in one.items():
            type_, _, rest = key.partition("_")
            name = f"{type_}.{rest.rpartition('_')[0]}"
            is_own = rest and not type_.endswith(("Connection", "Edge")) and type_ != "PageInfo"
            yield from differing(value, other[key], name if is_own else field)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            yield from differing(left, right, field)
    elif one != other:
        yield field


async def differences(
    scene: PrivateScene, businesses: tuple[str, ...] | None, hidden: frozenset[str]
) -> list[set[str]]:
    """Returns the fields that vera's token for these businesses does not read like an anonymous client, without and
    with the scope to moderate.
    """
    readers = [token(scene, "vera", businesses), token(scene, "vera", businesses, "moderate")]
    found = [set[str]() for _ in readers]
    for query in queries(scene, hidden):
        expected = await read(scene.system.person(None), query)
        for reader, fields in zip(readers, found, strict=True):
            fields.update(differing(expected, await read(reader, query)))
    return found


async def check(scene: PrivateScene, inside_of: Mapping[tuple[str, ...], frozenset[str]]) -> None:
    for businesses, inside in inside_of.items():
        assert await differences(scene, businesses, inside) == [set(), set()], businesses


@standalone
@pytest.mark.timeout(600)
async def test_a_restricted_token_reads_outside_its_businesses_like_an_anonymous_client(lenient: Settings) -> None:
    async with running(lenient) as system:
        scene = await private_scene(system)
        gained = set[str]().union(*await differences(scene, None, frozenset()))
        assert gained >= GAINED, GAINED - gained

        await check(scene, INSIDE)  # with changes that are not stored
        await system.drain()
        await check(scene, {("video",): INSIDE["video",]})
