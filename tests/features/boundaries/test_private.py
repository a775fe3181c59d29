"""Checks that only followers of a private account read its posts, its likes and its lists of users."""

import pytest

from settings import Settings
from tests.support.follows import unfollow
from tests.support.private_accounts import make_private
from tests.support.social_scene import check_closed, made, read
from tests.support.stores import standalone
from tests.support.system import running


@standalone
@pytest.mark.timeout(180)
async def test_only_followers_see_posts_likes_and_lists_of_a_private_user(
    generous: Settings,
) -> None:
    async with running(generous) as system:
        scene = await made(system)
        await unfollow(scene.alice, scene.bob_id)
        await system.drain()
        before, _ = await read(scene, scene.carol)
        own, _ = await read(scene, scene.bob)
        await make_private(scene.bob)
        for _ in ("cached", "from rows", "from the filled cache"):
            await check_closed(scene, scene.alice)
            await check_closed(scene, system.person(None))
            assert (await read(scene, scene.carol))[0] == before
            assert (await read(scene, scene.bob))[0] == own
            await system.empty_redis()
