"""A topic exists for those who may see one of its posts."""

import pytest

from tests.support.follows import follow
from tests.support.hiding import hide
from tests.support.posts import publish
from tests.support.system import Person, System

TOPIC = '{ topic(name: "secret") { postCount posts { nodes { text } } } node(id: "Topic:secret") { id } }'


async def knows(reader: Person) -> bool:
    """Returns whether a topic is found by its name and by its id, which must agree."""
    found = await reader.ask(TOPIC)
    assert (found["topic"] is None) == (found["node"] is None)
    return found["topic"] is not None


@pytest.mark.parametrize("how", ["bob blocks", "HIDDEN", "SHADOW", "PRIVATE"])
async def test_a_topic_exists_only_for_those_who_may_see_one_of_its_posts(system: System, how: str) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    await follow(carol, await bob.id())
    await publish(bob, "bob's post", "secret")
    await system.drain()
    readers = {"alice": alice, "bob": bob, "carol": carol, "anonymous": system.person(None)}
    assert all([await knows(reader) for reader in readers.values()])

    await hide(system, how)
    await system.drain()

    shown = {
        "bob blocks": {"bob", "carol", "anonymous"},
        "HIDDEN": {"bob"},
        "SHADOW": {"bob"},
        "PRIVATE": {"bob", "carol"},
    }
    assert {name for name, reader in readers.items() if await knows(reader)} == shown[how]
    await publish(carol, "carol's post", "secret")
    assert await knows(carol)  # before others may see the post
    await system.drain()
    assert all([await knows(reader) for reader in readers.values()])
