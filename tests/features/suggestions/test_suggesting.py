"""Viewer.suggestedUsers: the reasons, their order, what is left out, and when lists are computed again."""

from tests.support.follows import follow
from tests.support.suggestions import compute, suggested
from tests.support.system import System


async def test_users_whom_followed_users_follow_are_suggested(system: System) -> None:
    alice, bob, carol, dave, erin = map(system.person, ("alice", "bob", "carol", "dave", "erin"))
    b, c, d, e = [await person.id() for person in (bob, carol, dave, erin)]
    await follow(alice, b, c)
    await follow(bob, d, e)
    await follow(carol, d)
    assert await suggested(alice) == []
    await compute(system, alice)

    found = await suggested(alice)
    scores = [one.pop("score") for one in found]
    reason = {"reason": "FOLLOWED_BY_FOLLOWED", "topic": None}
    assert found == [
        {"user": "dave", "followedBy": ["carol", "bob"], "followedByCount": 2, **reason},
        {"user": "erin", "followedBy": ["bob"], "followedByCount": 1, **reason},
    ]
    assert scores == sorted(scores, reverse=True)
