"""Random changes of reactions, compared with a model, while workers, caches and outages come and go."""

import random
from typing import Any

import pytest

from models.likes import counter_of
from tests.features.reactions.model import Model
from tests.support.fallback_mode import begin, end
from tests.support.reactions import OFFERED, counts, react, reactors, shown, unreact
from tests.support.reconciliation import dismiss, drift
from tests.support.system import Person, System

USERS = "alice", "bob", "carol"
STEPS = 40
CACHED = "own", "states", "counts", "likers", "reactors"


async def change(person: Person, target: str, verb: str, kind: str | None) -> Any:
    if verb == "react":
        assert kind
        return await react(person, target, kind)
    return await (person.unlike(target) if verb == "unlike" else unreact(person, target, kind))


def check(node: Any, model: Model, user: str, thing: str) -> None:
    """Checks what a user is shown of a thing, with all changes of all users."""
    kinds = model.given.get((user, thing), set())
    assert (set(node["viewerReactions"]), node["viewerReaction"]) == (kinds, model.reaction(user, thing))
    assert counts(node) == model.counts(thing)
    assert node["likeCount"] == len(model.likers(thing))
    assert node["dislikeCount"] == model.counts(thing)["dislike"]


async def disturb(chance: random.Random, system: System, *, direct: bool) -> bool:
    """Lets a worker store changes, or removes cached values after that, or begins or ends direct writes. Returns
    whether writes are direct now. Changes that no worker has stored before become late entries.
    """
    what = chance.random()
    if what < 0.08:
        await (end if direct else begin)(system)
        return not direct
    if not direct and what < 0.4:
        await system.drain()
        if what < 0.15:
            redis = system.state.redis.client
            await redis.delete("-", *[key for name in CACHED for key in await redis.keys(f"*{name}:*")])
    return direct


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("business", ["video", "article"])
@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.prove), pytest.param(3, marks=pytest.mark.prove)]
)
async def test_users_are_shown_all_kinds_that_they_have_given(system: System, business: str, seed: int) -> None:
    chance, model, direct = random.Random(seed), Model(many=business == "article"), False
    things = await system.videos("t1", "t2", owner="owen", business=business)
    people = {user: system.person(user) for user in USERS}

    for _ in range(STEPS):
        user, thing = chance.choice(USERS), chance.choice(things)
        verb = chance.choice(["react", "react", "react", "unreact", "unlike"])
        kind = chance.choice([*OFFERED, None]) if verb == "unreact" else chance.choice(OFFERED)
        payload = await change(people[user], thing, verb, kind)
        model.apply(user, thing, verb, kind)
        assert payload["userErrors"] == []
        if not direct:  # direct writes do not know what is in the journal
            node = await shown(people[user], thing)
            assert set(node["viewerReactions"]) == model.given[user, thing], (user, verb, kind)
            assert node["viewerReaction"] == model.reaction(user, thing)
        direct = await disturb(chance, system, direct=direct)
    if direct:
        await end(system)
    await system.drain()

    for thing in things:
        for user in USERS:
            check(await shown(people[user], thing), model, user, thing)
        for kind in OFFERED[2:]:
            listed = await reactors(people["bob"], thing, kind)
            assert (set(listed), len(listed)) == (
                {user for (user, one), kinds in model.given.items() if one == thing and kind in kinds},
                model.counts(thing)[kind],
            )
    received = sum(len(model.likers(thing)) for thing in things)
    assert (await shown(people["bob"], things[0]))["owner"]["likesReceivedCount"] == received
    stored = await system.rows("SELECT sum(value) FROM counters WHERE kind = :kind", kind=counter_of(4))
    assert (stored[0][0] or 0) == sum(model.counts(thing)["😂"] for thing in things)
    await dismiss(system)
    assert await drift(system, "counters", "caches", "sets") == {}
