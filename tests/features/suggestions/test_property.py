"""Random communities: every suggestion is within what the requests of the users allow, and its reason is true."""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.boundaries import block, mute, unblock
from tests.support.follows import follow, unfollow
from tests.support.private_accounts import make_private
from tests.support.stores import standalone
from tests.support.suggestions import compute, dismiss, suggested
from tests.support.system import Person, System
from workers.suggestions import refresh_suggestions

SUSPEND = """mutation ($id: ID!) { suspendUser(input: {userId: $id, mode: HIDDEN, reason: "spam"}) {
  userErrors { code } } }"""
STEPS, PEOPLE = 60, 9
PRIVATE, SUSPENDED = "user8", "user7"
ACTS = (*["follow"] * 6, "unfollow", "block", "unblock", "mute", "dismiss")
SEND: dict[str, Any] = {"unfollow": unfollow, "block": block, "unblock": unblock, "mute": mute, "dismiss": dismiss}
LEFT_OUT = ("follow", "asked", "block", "mute", "dismiss")


@dataclass
class Community:
    """People, and their relations as their requests made them: pairs of handles by kind. No store is read."""

    people: dict[str, Person]
    ids: dict[str, str]
    held: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    hidden: set[str] = field(default_factory=set)

    async def act(self, verb: str, one: str, other: str) -> None:
        """Sends a request of `one` about `other`, unless it would be refused."""
        held, pair = self.held, (one, other)
        if "follow" in verb and ({pair, pair[::-1]} & held["block"] or {one, other} & self.hidden):
            return
        await SEND.get(verb, follow)(self.people[one], self.ids[other])
        if verb in ("block", "unfollow"):
            for relation in ("follow", "asked"):
                held[relation] -= {pair, pair[::-1]} if verb == "block" else {pair}
        if verb == "unblock":
            held["block"].discard(pair)
        elif verb != "unfollow":
            held["asked" if verb == "follow" and other == PRIVATE else verb].add(pair)

    def check(self, viewer: str, found: dict[str, Any]) -> None:
        """Checks a suggestion for a viewer."""
        user, names = found["user"], found["followedBy"]
        assert user != viewer
        assert not self.hidden & {user, *names}
        assert not [kind for kind in LEFT_OUT if (viewer, user) in self.held[kind]]
        assert (user, viewer) not in self.held["block"]
        assert {(viewer, name) for name in names} <= self.held["follow"] - self.held["mute"]
        assert (found["followedByCount"] > 0) == (found["reason"] == "FOLLOWED_BY_FOLLOWED")


@standalone
@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", range(3))
async def test_suggestions_are_within_what_is_allowed(system: System, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"user{number}" for number in range(PEOPLE)]
    people = {name: system.person(name) for name in names}
    community = Community(people, {name: await person.id() for name, person in people.items()})
    await make_private(people[PRIVATE])
    shown = 0

    for step in range(STEPS):
        await community.act(chance.choice(ACTS), *chance.sample(names, 2))
        if step == STEPS // 2:
            await system.person("mod", "moderate").ask(SUSPEND, id=community.ids[SUSPENDED])
            community.hidden.add(SUSPENDED)
        if step % 4 == 0:
            await system.drain()
            await refresh_suggestions(system.state)
        if step % 15 == 14:
            await compute(system, *people.values())
        viewer = chance.choice([name for name in names if name not in community.hidden])
        for found in await suggested(people[viewer], 50):
            community.check(viewer, found)
            shown += 1
    assert shown
