"""Checks that no field of the schema shows hidden users or their content to others."""

import pytest

from settings import Settings
from tests.support.boundaries import block, mute
from tests.support.follows import follow
from tests.support.social_scene import check_hidden, made, read
from tests.support.stores import standalone
from tests.support.suggestions import compute
from tests.support.suspensions import AFTER_FAR_MS, FAR, moderator, reinstate, suspend
from tests.support.system import System, running

NOTIFICATIONS = """{ viewer { unreadNotificationCount notifications {
  nodes { kind message actors { handle } actorCount } } } }"""
CHANGE = "mutation ($id: ID!) { %s(input: {userId: $id}) { user { handle } userErrors { code } } }"


@standalone
@pytest.mark.timeout(180)
@pytest.mark.parametrize("mode", ["HIDDEN", pytest.param("SHADOW", marks=pytest.mark.prove)])
async def test_a_suspension_hides_a_user_and_their_content_in_every_field(generous: Settings, mode: str) -> None:
    async with running(generous) as system:
        scene, mia = await made(system), moderator(system)
        readers = [scene.alice, scene.carol, system.person(None)]
        before = [(await read(scene, reader))[0].keys() for reader in readers]
        own, moderated = await read(scene, scene.bob), await read(scene, mia)

        await suspend(mia, scene.bob_id, mode, until=FAR)
        for _ in ("warm", "from rows", "from the filled cache"):
            for reader in readers:
                await check_hidden(scene, reader)
            if _ == "warm":
                await system.empty_redis()
        assert (await read(scene, scene.bob))[0].keys() == own[0].keys()
        assert (await read(scene, mia))[0].keys() == moderated[0].keys()

        await reinstate(mia, scene.bob_id)
        await compute(system, scene.alice, scene.carol)
        assert [(await read(scene, reader))[0].keys() for reader in readers] == before
        await suspend(mia, scene.bob_id, mode, until=FAR)
        await check_hidden(scene, scene.alice)
        object.__setattr__(system.state, "now_ms", lambda: AFTER_FAR_MS)
        for reader in readers:
            node = await reader.ask("query ($id: ID!) { node(id: $id) { ... on User { handle } } }", id=scene.bob_id)
            assert node["node"] == {"handle": "bob"}


@standalone
@pytest.mark.parametrize("mode", ["HIDDEN", "SHADOW"])
async def test_notifications_of_a_hidden_user_are_left_out(system: System, mode: str) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    a, b = await alice.id(), await bob.id()
    await carol.id()
    (video,) = await system.videos("v1", owner="alice")
    await follow(bob, a)
    for person in (bob, carol):
        await person.like(video)
    await system.drain()
    assert (await alice.ask(NOTIFICATIONS))["viewer"]["unreadNotificationCount"] == 2

    await suspend(moderator(system), b, mode)

    for _ in range(2):
        assert (await alice.ask(NOTIFICATIONS))["viewer"] == {
            "unreadNotificationCount": 1,
            "notifications": {
                "nodes": [
                    {
                        "kind": "LIKE",
                        "message": "carol liked your video.",
                        "actors": [{"handle": "carol"}],
                        "actorCount": 1,
                    }
                ]
            },
        }
    await reinstate(moderator(system), b)
    assert (await alice.ask(NOTIFICATIONS))["viewer"]["unreadNotificationCount"] == 2


@standalone
async def test_blocks_and_mutes_do_not_show_hidden_users(system: System) -> None:
    alice, carol, bob = (system.person(name) for name in ("alice", "carol", "bob"))
    b, mia = await bob.id(), moderator(system)
    lists = "{ viewer { blocks { nodes { handle } } mutes { nodes { handle } } } }"
    await block(alice, b)
    await mute(carol, b)
    shown = [await person.ask(lists) for person in (alice, carol)]
    await suspend(mia, b)

    for person in (alice, carol):
        assert (await person.ask(lists))["viewer"] == {"blocks": {"nodes": []}, "mutes": {"nodes": []}}
    for verb in ("block", "unblock", "mute", "unmute", "removeFollower"):
        changed = await system.person("dave").ask(CHANGE % verb, id=b)
        assert changed[verb] == {"user": None, "userErrors": []}
    await reinstate(mia, b)
    assert [await person.ask(lists) for person in (alice, carol)] == shown
