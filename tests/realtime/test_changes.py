"""reactableChanged: who watches a thing sees its counts move."""

from tests.realtime.clients import Live


async def test_the_first_value_is_the_present_one_and_then_come_the_changes(live: Live) -> None:
    (video,) = await live.videos("v1")
    alice = live.person("alice")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        first = await watcher.value()
        await alice.like(video)
        await live.drain()
        second = await watcher.value()

    assert first == {"id": video, "likeCount": 0, "viewerReaction": None}
    assert second == {"id": video, "likeCount": 1, "viewerReaction": None}
