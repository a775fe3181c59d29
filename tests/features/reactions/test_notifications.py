"""Notifications of reactions: who is told, and of which kinds."""

import pytest

from store.notifications import grouping
from tests.support.notifications import people, post_of
from tests.support.reactions import react
from tests.support.system import System

NOTIFIED = "{ viewer { notifications { nodes { kind actorCount reactions message } } } }"


@pytest.fixture(autouse=True)
def single_half_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes half days so long that all events of a test are in the same one."""
    monkeypatch.setattr(grouping, "BUCKET_MS", 1 << 50)


async def test_a_notification_names_the_kinds_of_first_reactions(system: System) -> None:
    alice, bob, carol, dave, erin = await people(system, "alice", "bob", "carol", "dave", "erin")
    post = await post_of(system, alice)
    for person, kind in ((bob, "❤️"), (carol, "😂"), (dave, "dislike"), (erin, "like"), (bob, "sad")):
        await react(person, post, kind)
        await system.drain()

    (one,) = (await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    message = "erin and 2 others reacted 👍 😂 ❤️ to your post."
    assert one == {"kind": "LIKE", "actorCount": 3, "reactions": ["like", "😂", "❤️"], "message": message}


async def test_a_notification_of_likes_reads_as_without_kinds(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    post = await post_of(system, alice)
    await bob.like(post)
    await system.drain()

    (one,) = (await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    assert (one["reactions"], one["message"]) == (["like"], "bob liked your post.")
