"""What others read of a user whose account is private: posts, likes and lists of users are for followers only."""

import pytest

from settings import Settings
from tests.support.follows import unfollow
from tests.support.private_accounts import make_private
from tests.support.social_scene import Scene, made, read
from tests.support.stores import standalone
from tests.support.system import Person, running

PROFILE = """{ user(handle: "bob") { posts { nodes { id } } likes { nodes { __typename } } followers { nodes { id } }
  following { nodes { id } } friends { nodes { id } } } }"""


def post_of(scene: Scene) -> str:
    return scene.bobs[0]


async def check_closed(scene: Scene, reader: Person) -> None:
    """Checks that a reader sees the profile and the comments of bob, and nothing of his posts, likes and lists."""
    found, bodies = await read(scene, reader)
    assert not any(post_of(scene) in ids for ids in found.values())
    assert "bob's post" not in "".join(bodies)
    assert scene.bob_id in found["Query.user"]
    comments = set(scene.bobs[1:])
    assert found["Query.nodes"] == {scene.bob_id, *comments}
    assert not [
        name for name in found if name.endswith((".likers", ".likedByFollowed")) and scene.bob_id in found[name]
    ]
    lists = (await reader.ask(PROFILE))["user"]
    assert not [name for name, page in lists.items() if page["nodes"]]


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
        await make_private(system, scene.bob_id)
        for _ in ("cached", "from rows", "from the filled cache"):
            await check_closed(scene, scene.alice)
            await check_closed(scene, system.person(None))
            assert (await read(scene, scene.carol))[0] == before
            assert (await read(scene, scene.bob))[0] == own
            await system.empty_redis()
