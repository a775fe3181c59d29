"""Likes and follows of people of whom nothing is cached, while Postgres is away: written at once, exact when it is back
(D1).
"""

from itertools import pairwise
from typing import Any

import pytest

from store import keys
from tests.conftest import standalone
from tests.degraded.world import World, a_video, ask
from tests.direct.turning import directly
from tests.follows.test_api import follow
from tests.likes.test_takeover import hired, leases_run_out
from tests.outages import Away, both_ways, stopped
from tests.system import REACT as MUTATION
from tests.system import SEEN, Person
from tests.workers.writing import ref_of
from workers.reconcile.run import Run

pytestmark = [standalone, pytest.mark.parametrize("plans", [True])]

STATES = {None: 0, "LIKE": 1, "DISLIKE": 2}
COUNTED = """query ($id: ID!) { node(id: $id) { ... on Entity {
  likeCount dislikeCount viewerReaction owner { likesReceivedCount } } } }"""
USER = """query ($id: ID!) { node(id: $id) { ... on User {
  followerCount followingCount friendCount viewerRelation } } }"""
CHANGE = (
    "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } user { followerCount viewerRelation } } }"
)
FOLLOWED = """SELECT follows FROM follow_log l JOIN users USING (user_id) WHERE handle = 'alice' ORDER BY l.version"""
RELATIONS = [["NONE", "FOLLOWED_BY"], ["FOLLOWING", "FRIENDS"]]
LOG = "SELECT was, state FROM like_log l JOIN users USING (user_id) WHERE handle = 'alice' ORDER BY l.version"


async def cold(world: World, verb: str | None) -> tuple[Person, Person, str]:
    """Alice, of whose reactions nothing is cached, one of which is to this video; and nobody, who has just seen it."""
    system = world.system
    video = await a_video(system, "v1")
    alice, nobody = system.person("alice"), system.person(None)
    user_id = int((await alice.id()).removeprefix("User:"))
    if verb:
        await alice.react(verb, video)
        await system.drain()
    ref = await ref_of(system, video)
    await system.state.redis("DEL", system.state.keys.reactions(user_id, ref.business_id), write=True)
    await nobody.ask(COUNTED, id=video)
    await alice.ask("query ($id: ID!) { node(id: $id) { id } }", id=video)
    return alice, nobody, video


def after(verb: str | None, was: str | None) -> str | None:
    """What somebody's reaction is once they have asked for this."""
    match verb:
        case "like" | "dislike":
            return verb.upper()
        case "unlike" | "undislike":
            return None if was == verb.removeprefix("un").upper() else was
    return was


@both_ways
@pytest.mark.parametrize("before", [None, "like", "dislike"])
@pytest.mark.parametrize("verbs", [("like",), ("dislike",), ("like", "unlike"), ("dislike", "undislike", "like")])
async def test_they_count_once(world: World, away: Away, before: str | None, verbs: tuple[str, ...]) -> None:
    alice, nobody, video = await cold(world, before)
    was = after(before, None)
    steps = [was]
    async with world.without_postgres(away):
        for verb in verbs:
            steps.append(after(verb, steps[-1]))
            done = await ask(alice, MUTATION % verb, id=video, key=None, source=None)
            assert done.errors == []
            assert done.data[verb]["userErrors"] == []
            assert done.data[verb]["target"]["viewerReaction"] == steps[-1]
            # Upon what it was done nobody knows, so neither how many there are with it.
            assert done.data[verb]["target"]["likeCount"] is None
            assert {(path.rpartition(".")[2], why) for path, _, _, why in done.missing} == {
                ("likeCount", "POSTGRES_DOWN"),
                ("dislikeCount", "POSTGRES_DOWN"),
            }
        others = await ask(nobody, COUNTED, id=video)
        assert others.data["node"]["likeCount"] == 1 + (was == "LIKE")
    await world.system.drain()

    now = steps[-1]
    likes, dislikes = 1 + (now == "LIKE"), int(now == "DISLIKE")
    expected: dict[str, Any] = {"likeCount": likes, "dislikeCount": dislikes, "owner": {"likesReceivedCount": likes}}
    assert (await alice.ask(COUNTED, id=video))["node"] == {**expected, "viewerReaction": now}
    assert (await nobody.ask(COUNTED, id=video))["node"] == {**expected, "viewerReaction": None}
    changes = [(STATES[one], STATES[other]) for one, other in pairwise(steps) if one != other]
    assert await world.system.rows(LOG) == ([(0, STATES[was])] if was else []) + changes
    assert {
        kind: total.drifting for kind, total in (await Run().over(world.system.state)).items() if total.drifting
    } == {}


@both_ways
@pytest.mark.parametrize("verb", ["unlike", "undislike"])
async def test_to_take_back_what_nobody_knows_is_refused(world: World, away: Away, verb: str) -> None:
    alice, _, video = await cold(world, "like")

    async with world.without_postgres(away):
        refused = (await alice.send(MUTATION % verb, id=video)).json()
        assert [error["extensions"]["code"] for error in refused["errors"]] == ["UNAVAILABLE"]

    assert (await alice.ask(SEEN, id=video))["node"]["viewerReaction"] == "LIKE"
    assert await world.system.rows(LOG) == [(0, 1)]


@both_ways
async def test_until_it_is_stored_their_own_counts_are_unknown_to_them_alone(world: World, away: Away) -> None:
    alice, nobody, video = await cold(world, None)
    async with world.without_postgres(away):
        await alice.send(MUTATION % "like", id=video)

    seen = await ask(alice, COUNTED, id=video)
    assert seen.data["node"]["viewerReaction"] == "LIKE"
    assert seen.data["node"]["likeCount"] is None
    assert seen.data["node"]["owner"]["likesReceivedCount"] is None
    assert (await nobody.ask(COUNTED, id=video))["node"]["likeCount"] == 1

    await leases_run_out(world.system)
    assert await (await hired(world.system)).step() == 1  # stored and published, not swept
    seen = await ask(alice, COUNTED, id=video)
    assert seen.missing == []
    assert seen.data["node"] == {
        "likeCount": 2,
        "dislikeCount": 0,
        "viewerReaction": "LIKE",
        "owner": {"likesReceivedCount": 2},
    }


@pytest.mark.parametrize("away", [stopped])
@pytest.mark.parametrize("before", [None, "like", "dislike"])
@pytest.mark.parametrize("directly_", ["like", "unlike", "dislike", "undislike"])
async def test_what_was_done_directly_meanwhile_is_done_upon_it(
    world: World, away: Away, before: str | None, directly_: str
) -> None:
    """Redis dies with it, before it is stored."""
    system = world.system
    alice, nobody, video = await cold(world, before)
    async with world.without_postgres(away):
        await alice.send(MUTATION % "like", id=video)
    async with directly(system):
        await alice.react(directly_, video)

    steps = [after(before, None), "LIKE", after(directly_, "LIKE")]
    likes, dislikes = 1 + (steps[-1] == "LIKE"), int(steps[-1] == "DISLIKE")
    seen = (await nobody.ask(COUNTED, id=video))["node"]
    assert (seen["likeCount"], seen["dislikeCount"]) == (likes, dislikes)
    assert (await alice.ask(SEEN, id=video))["node"]["viewerReaction"] == steps[-1]
    changes = [(STATES[one], STATES[other]) for one, other in pairwise([None, *steps]) if one != other]
    assert await system.rows(LOG) == changes
    assert not any(total.drifting for total in (await Run().over(system.state)).values())


@both_ways
@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("verbs", [("follow",), ("unfollow",), ("follow", "unfollow"), ("unfollow", "follow")])
async def test_whom_they_follow_counts_once(
    world: World, away: Away, before: bool, mutual: bool, verbs: tuple[str, ...]
) -> None:
    system = world.system
    alice, bob = system.person("alice"), system.person("bob")
    alices, bobs = await alice.id(), await bob.id()
    if before:
        await follow(alice, bobs)
    if mutual:
        await follow(bob, alices)
    await system.drain()
    user_id = int(alices.removeprefix("User:"))
    await alice.ask(USER, id=bobs)
    await system.state.redis("DEL", system.state.follows.key(user_id), write=True)
    carols = await system.person("carol").id()
    for one in (alices, bobs, carols):
        await system.person(None).ask(USER, id=one)

    async with world.without_postgres(away):
        for verb in verbs:
            done = await ask(alice, CHANGE % verb, id=bobs)
            assert done.errors == []
            relation = RELATIONS[verb == "follow"][mutual]
            assert done.data[verb] == {"userErrors": [], "user": {"followerCount": None, "viewerRelation": relation}}
            assert done.missing == [(f"{verb}.user.followerCount", "User.followerCount", 1, "POSTGRES_DOWN")]
        await system.state.cache.redis("DEL", keys.followed_by(user_id), write=True)
        others = await ask(alice, "query ($id: ID!) { node(id: $id) { ... on User { followerCount } } }", id=carols)
        assert others.data["node"] == {"followerCount": 0}
    await system.drain()

    now = verbs[-1] == "follow"
    friends = int(now and mutual)
    assert (await alice.ask(USER, id=bobs))["node"] == {
        "followerCount": int(now),
        "followingCount": int(mutual),
        "friendCount": friends,
        "viewerRelation": RELATIONS[now][mutual],
    }
    assert (await alice.ask(USER, id=alices))["node"] == {
        "followerCount": int(mutual),
        "followingCount": int(now),
        "friendCount": friends,
        "viewerRelation": "SELF",
    }
    steps = [before, *(verb == "follow" for verb in verbs)]
    changes = [other for one, other in pairwise(steps) if one != other]
    assert await system.rows(FOLLOWED) == [(one,) for one in ([True] if before else []) + changes]
    assert not any(total.drifting for total in (await Run().over(system.state)).values())
