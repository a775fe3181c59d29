from collections.abc import Callable
from settings import Settings
from tests.system import System, running

COUNT = "query ($id: ID!) { node(id: $id) { ... on Reactable { likeCount viewerReaction } } }"


async def test_x(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(partitions=1)) as system:
        (video,) = await system.videos("v", owner="owen")
        alice, bob = system.person("alice"), system.person("bob")
        await alice.like(video)
        await bob.like(video)
        await alice.unlike(video)
        worker = system.worker()
        await worker.ownership.renew()
        await worker.step()
        assert await alice.ask(COUNT, id=video) == {"node": {"likeCount": 1, "viewerReaction": None}}
