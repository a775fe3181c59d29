"""The lifetime of cached documents and counters is a setting of their business."""

from collections.abc import Callable
from pathlib import Path

from settings import Settings
from tests.support.comments import added, number, seen
from tests.support.posts import published
from tests.support.posts import seen as seen_post
from tests.support.stores import standalone
from tests.support.system import SEEN, running

DAY_MS = 86_400_000


@standalone
async def test_each_business_has_its_own_cache_lifetimes(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(
        "[post]\ncontent_days = 2\ncounts_days = 12\n[comment]\ncontent_days = 3\ncounts_days = 13\n"
        '[[business]]\nid = 100\nname = "video"\ncontent_days = 4\ncounts_days = 14\n'
    )
    async with running(make_settings(businesses_file=file)) as system:
        (video,) = await system.videos("v1")
        alice, bob = system.person("alice"), system.person("bob")
        (post,) = await published(alice, "hello")
        comment = await added(alice, video, "hello")
        await system.drain()
        for thing in (video, post, comment):
            await alice.like(thing)
        await system.drain()

        async def lifetimes() -> dict[str, float]:
            """Returns the remaining days of each key, by the key without its last part."""
            redis = system.state.redis.client
            post_id, comment_id = post.partition(":")[2], number(comment)
            names = ["entity:100:v1", f"post:{post_id}", f"comment:{comment_id}"]
            names += [f"counts:2:{post_id}", f"counts:4:{comment_id}"]
            return {name.rpartition(":")[0]: round(await redis.pttl(f"{{{name}}}") / DAY_MS, 2) for name in names}

        for _ in range(2):  # published by a worker, then read and filled by the API
            await bob.ask('{ entity(business: "video", key: "v1") { title likeCount } }')
            await seen_post(bob, post)
            await seen(bob, comment)
            for thing in (post, comment):
                await bob.ask(SEEN, id=thing)
            found = await lifetimes()
            assert found == {"entity:100": 4, "post": 2, "comment": 3, "counts:2": 12, "counts:4": 13}
            await system.empty_redis()
