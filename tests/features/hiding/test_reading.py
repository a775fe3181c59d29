"""Muted words and hidden posts apply to every list of the schema in which content of several authors appears."""

import pytest

from settings import Settings
from tests.support.hiding_words import hide, mute_words, unmute_words
from tests.support.social_scene import LISTS, Scene, made, read
from tests.support.stores import standalone
from tests.support.system import running


async def lists_of(scene: Scene) -> str:
    """Returns what alice reads in all lists, except those of bob. Single objects are still shown."""
    after, bodies = await read(scene, scene.alice)
    for coordinate in ("Query.node", "Query.nodes", "Query.user", "User.posts"):
        assert after[coordinate], coordinate
    return "".join(bodies[: len(LISTS)])


@standalone
@pytest.mark.timeout(180)
async def test_muted_words_and_hidden_posts_apply_to_every_list(generous: Settings) -> None:
    async with running(generous) as system:
        scene = await made(system)
        before = await read(scene, scene.bob)
        bobs = [id_ for id_ in scene.bobs if id_ != scene.answered]  # which stays as a tombstone
        assert f'"{bobs[0]}"' in await lists_of(scene)
        await mute_words(scene.alice, "@bob")
        for _ in ("at once", "stored"):
            shown = await lists_of(scene)
            assert not [id_ for id_ in bobs if f'"{id_}"' in shown]
            await system.drain()
        assert (await read(scene, scene.bob))[0].keys() == before[0].keys()  # bob cannot tell
        await unmute_words(scene.alice, "@bob")
        assert f'"{bobs[0]}"' in await lists_of(scene)
        await hide(scene.alice, bobs[0])
        assert f'"{bobs[0]}"' not in await lists_of(scene)
