"""Requests free their memory without the garbage collector: after a response, no reference cycle is left."""

import pytest

from tests.support.garbage import garbage
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

OPERATIONS = {
    "like": 'mutation { like(input: {targetId: "Entity:video:v1"}) { target { likeCount } userErrors { code } } }',
    "entities": '{ entities(business: "video", keys: ["v1", "v2"]) { id title likeCount viewerReaction } }',
    "home": "{ viewer { home { nodes { id likeCount author { handle } } pageInfo { endCursor } } } }",
    "square": "{ square { nodes { id viewerReaction author { handle viewerRelation } } } }",
}


@pytest.mark.parametrize("name", OPERATIONS)
async def test_an_operation_leaves_no_object_to_the_garbage_collector(system: System, name: str) -> None:
    await system.videos("v1", "v2")
    alice = system.person("alice")
    for _ in range(5):
        await alice.ask(OPERATIONS[name])

    with garbage() as left:
        await alice.ask(OPERATIONS[name])

    assert left == {}
