"""Likes and follows of users without cached state while Postgres is down (D1).

The API acknowledges them at once. The counts are exact when Postgres is back.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

import pytest

from store import keys
from tests.support.degraded_answers import StoppableSystem, a_video, ask
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.journal_entries import ref_of
from tests.support.outages import Away, both_ways, hanging, stopped
from tests.support.reaction_model import NAMES, OUTCOMES
from tests.support.stores import standalone
from tests.support.system import REACT as MUTATION
from tests.support.system import SEEN, Person
from tests.support.workers import leases_run_out, ready
from workers.reconcile.run import ReconcileRun

pytestmark = [standalone, pytest.mark.parametrize("plans", [True])]

hanging_in_proofs = pytest.mark.parametrize("away", [stopped, pytest.param(hanging, marks=pytest.mark.prove)])
BEFORE = {None: 0, "like": 1, "dislike": 2}
COUNTED = """query ($id: ID!) { node(id: $id) { ... on Entity {
  likeCount dislikeCount viewerReaction owner { likesReceivedCount } } } }"""
USER = """query ($id: ID!) { node(id: $id) { ... on User {
  followerCount followingCount friendCount viewerRelation } } }"""
CHANGE = (
    "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } user { followerCount viewerRelation } } }"
)
FOLLOWED = """SELECT follows FROM follow_log l JOIN users USING (user_id) WHERE handle = 'alice' ORDER BY l.version"""
RELATIONS = [["NONE", "FOLLOWED_BY"], ["FOLLOWING", "FRIENDS"]]
LOG = "SELECT verb FROM like_log l JOIN users USING (user_id) WHERE handle = 'alice' ORDER BY l.version"


async def cold(stoppable: StoppableSystem, verb: str | None) -> tuple[Person, Person, str]:
    """Returns alice, whose reactions are not cached, an anonymous client, and a video.

    Alice has reacted to the video with `verb`. The anonymous client has just read the video.
    """
    system = stoppable.system
    video = await a_video(system, "v1")
    alice, anonymous = system.person("alice"), system.person(None)
    user_id = number(await alice.id())
    await alice.ask("{ viewer { blocks { nodes { id } } } }")  # caches her boundaries
    if verb:
        await alice.react(verb, video)
        await system.drain()
    ref = await ref_of(system, video)
    await system.state.redis("DEL", system.state.keys.own_set("react", user_id, ref.business_id), write=True)
    await anonymous.ask(COUNTED, id=video)
    await alice.ask("query ($id: ID!) { node(id: $id) { id } }", id=video)
    return alice, anonymous, video


async def cold_followers(stoppable: StoppableSystem, *, before: bool, mutual: bool) -> tuple[Person, str, str, str]:
    """Returns alice and the ids of alice, bob and carol. Alice's follows are not cached.

    Alice follows bob if `before`, and bob follows alice if `mutual`. An anonymous client has just read all three users.
    """
    system = stoppable.system
    alice, bob = system.person("alice"), system.person("bob")
    ids = alices, bobs, _ = await alice.id(), await bob.id(), await system.person("carol").id()
    if before:
        await follow(alice, bobs)
    if mutual:
        await follow(bob, alices)
    await system.drain()
    await alice.ask(USER, id=bobs)
    await system.state.redis("DEL", system.state.own_sets.key("follow", number(alices)), write=True)
    for one in ids:
        await system.person(None).ask(USER, id=one)
    return alice, *ids


def number(user: str) -> int:
    return int(user.removeprefix("User:"))


def logged(before: str | None, steps: Sequence[tuple[str, bool]]) -> list[str]:
    """Returns the verbs that the log must have: the first change, with unknown effect, and later effective changes."""
    made = [verb for at, (verb, changes) in enumerate(steps) if changes or at == 0]
    return [before, *made] if before else made


@hanging_in_proofs
@pytest.mark.parametrize("before", [None, "like", "dislike"])
@pytest.mark.parametrize("verbs", [("like",), ("dislike",), ("like", "unlike"), ("dislike", "undislike", "like")])
async def test_a_reaction_without_cached_state_counts_once(
    stoppable: StoppableSystem, away: Away, before: str | None, verbs: tuple[str, ...]
) -> None:
    alice, anonymous, video = await cold(stoppable, before)
    steps = [BEFORE[before]]
    async with stoppable.without_postgres(away):
        for verb in verbs:
            steps.append(OUTCOMES[verb][steps[-1]])
            done = await ask(alice, MUTATION % verb, id=video, key=None, source=None)
            assert done.errors == []
            assert done.data[verb]["userErrors"] == []
            assert done.data[verb]["target"]["viewerReaction"] == NAMES[steps[-1]]
            # The earlier reaction is unknown, so the count that includes this change is unknown too.
            assert done.data[verb]["target"]["likeCount"] is None
            assert {(path.rpartition(".")[2], why) for path, _, _, why in done.missing} == {
                ("likeCount", "POSTGRES_DOWN"),
                ("dislikeCount", "POSTGRES_DOWN"),
            }
        others = await ask(anonymous, COUNTED, id=video)
        assert others.data["node"]["likeCount"] == 1 + (steps[0] == 1)
    await stoppable.system.drain()

    now = steps[-1]
    likes, dislikes = 1 + (now == 1), int(now == 2)
    expected: dict[str, Any] = {"likeCount": likes, "dislikeCount": dislikes, "owner": {"likesReceivedCount": likes}}
    assert (await alice.ask(COUNTED, id=video))["node"] == {**expected, "viewerReaction": NAMES[now]}
    assert (await anonymous.ask(COUNTED, id=video))["node"] == {**expected, "viewerReaction": None}
    changing = [one != other for one, other in pairwise(steps)]
    verbs_logged = [verb for (verb,) in await stoppable.system.rows(LOG)]
    assert verbs_logged == logged(before, list(zip(verbs, changing, strict=True)))
    assert {
        kind: total.drifting
        for kind, total in (await ReconcileRun().execute(stoppable.system.state)).items()
        if total.drifting
    } == {}


@both_ways
@pytest.mark.parametrize("verb", ["unlike", "undislike"])
async def test_withdrawing_a_reaction_without_cached_state_is_refused(
    stoppable: StoppableSystem, away: Away, verb: str
) -> None:
    alice, _, video = await cold(stoppable, "like")

    async with stoppable.without_postgres(away):
        refused = (await alice.send(MUTATION % verb, id=video)).json()
        assert [error["extensions"]["code"] for error in refused["errors"]] == ["UNAVAILABLE"]

    assert (await alice.ask(SEEN, id=video))["node"]["viewerReaction"] == "LIKE"
    assert await stoppable.system.rows(LOG) == [("like",)]


@both_ways
async def test_counts_are_null_for_the_author_alone_until_the_reaction_is_stored(
    stoppable: StoppableSystem, away: Away
) -> None:
    alice, anonymous, video = await cold(stoppable, None)
    async with stoppable.without_postgres(away):
        await alice.send(MUTATION % "like", id=video)

    seen = await ask(alice, COUNTED, id=video)
    assert seen.data["node"]["viewerReaction"] == "LIKE"
    assert seen.data["node"]["likeCount"] is None
    assert seen.data["node"]["owner"]["likesReceivedCount"] == 1, "it lacks the change of every viewer"
    assert (await anonymous.ask(COUNTED, id=video))["node"]["likeCount"] == 1

    await leases_run_out(stoppable.system)
    assert await (await ready(stoppable.system)).step() == 1  # stored and published, not swept
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
async def test_a_direct_reaction_is_counted_together_with_a_reaction_that_is_still_in_the_journal(
    stoppable: StoppableSystem, away: Away, before: str | None, directly_: str
) -> None:
    """Stops Redis before the first reaction is stored."""
    system = stoppable.system
    alice, anonymous, video = await cold(stoppable, before)
    async with stoppable.without_postgres(away):
        await alice.send(MUTATION % "like", id=video)
    async with directly(system):
        await alice.react(directly_, video)

    now = OUTCOMES[directly_][1]
    seen = (await anonymous.ask(COUNTED, id=video))["node"]
    assert (seen["likeCount"], seen["dislikeCount"]) == (1 + (now == 1), int(now == 2))
    assert (await alice.ask(SEEN, id=video))["node"]["viewerReaction"] == NAMES[now]
    verbs = [verb for (verb,) in await system.rows(LOG)]
    asked = [verb for verb in (before, "like", directly_) if verb]
    assert verbs == [verb for verb, _ in groupby(asked)], "the log has no entry that repeats the one before"
    assert not any(total.drifting for total in (await ReconcileRun().execute(system.state)).values())


@hanging_in_proofs
@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("verbs", [("follow",), ("unfollow",), ("follow", "unfollow"), ("unfollow", "follow")])
async def test_a_follow_without_cached_state_counts_once(
    stoppable: StoppableSystem, away: Away, before: bool, mutual: bool, verbs: tuple[str, ...]
) -> None:
    system = stoppable.system
    alice, *ids = await cold_followers(stoppable, before=before, mutual=mutual)
    alices, bobs, carols = ids
    async with stoppable.without_postgres(away):
        for verb in verbs:
            done = await ask(alice, CHANGE % verb, id=bobs)
            assert done.errors == []
            relation = RELATIONS[verb == "follow"][mutual]
            assert done.data[verb] == {"userErrors": [], "user": {"followerCount": None, "viewerRelation": relation}}
            assert done.missing == [(f"{verb}.user.followerCount", "User.followerCount", 1, "POSTGRES_DOWN")]
        await system.state.cache.redis("DEL", keys.followed_by(number(alices)), write=True)
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
    changing = [one != other for one, other in pairwise(steps)]
    found = ["follow" if follows else "unfollow" for (follows,) in await system.rows(FOLLOWED)]
    assert found == logged("follow" if before else None, list(zip(verbs, changing, strict=True)))
    assert not any(total.drifting for total in (await ReconcileRun().execute(system.state)).values())


async def test_a_request_to_follow_without_cached_state_is_refused(stoppable: StoppableSystem) -> None:
    system = stoppable.system
    alice, alices, bobs, _ = await cold_followers(stoppable, before=True, mutual=False)
    await system.person("bob").ask("mutation { updateProfile(input: {isPrivate: true}) { userErrors { code } } }")
    await alice.ask(USER, id=bobs)
    await system.state.redis("DEL", system.state.own_sets.key("follow", number(alices)), write=True)
    async with stoppable.without_postgres(stopped):
        refused = await ask(alice, CHANGE % "follow", id=bobs)
        assert refused.data == {"follow": None}
    await system.drain()
    assert (await alice.ask(USER, id=bobs))["node"]["viewerRelation"] == "FOLLOWING"
    assert await ReconcileRun(repair=False).execute(system.state) is not None
