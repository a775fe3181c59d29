"""What people are told, how it is grouped, and what they have read of it."""

from tests.notifications.world import everything, mark, page, told, unread
from tests.posts.test_home import follow
from tests.posts.world import published
from tests.system import System


async def test_a_like_is_told_to_the_owner(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await bob.like(post)
    await system.drain()

    (node,) = (await page(alice)).nodes

    assert node == node | {
        "kind": "LIKE",
        "message": "bob liked your post.",
        "actors": [{"handle": "bob"}],
        "actorCount": 1,
        "subject": {"id": post},
        "read": False,
    }
    assert await unread(alice) == 1
    assert await told(bob) == []
