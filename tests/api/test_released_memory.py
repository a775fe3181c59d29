"""Requests free their memory without the garbage collector: after a response, no reference cycle is left."""

import gc
from collections import Counter

import pytest

from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

OPERATIONS = {
    "like": 'mutation { like(input: {targetId: "Entity:video:v1"}) { target { likeCount } userErrors { code } } }',
    "entities": '{ entities(business: "video", keys: ["v1", "v2"]) { id title likeCount viewerReaction } }',
    "home": "{ viewer { home { nodes { id likeCount author { handle } } pageInfo { endCursor } } } }",
    "square": "{ square { nodes { id viewerReaction author { handle viewerRelation } } } }",
}
_OURS = ("api.", "context", "execution.", "loaders.", "schema.", "store.", "state")


@pytest.mark.parametrize("name", OPERATIONS)
async def test_an_operation_leaves_no_object_to_the_garbage_collector(system: System, name: str) -> None:
    await system.videos("v1", "v2")
    alice = system.person("alice")
    for _ in range(5):
        await alice.ask(OPERATIONS[name])
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        await alice.ask(OPERATIONS[name])
        gc.collect()
        left = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()

    assert {kind: count for kind, count in left.items() if kind.startswith(_OURS)} == {}
