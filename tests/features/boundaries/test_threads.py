"""muteThread and unmuteThread: which notifications a muted thread silences."""

import pytest

from tests.support.boundaries import mute_thread, mutes_thread, unmute_thread
from tests.support.comments import added, decide
from tests.support.notifications import kinds_and_subjects, only, page, post_of, unread
from tests.support.stores import standalone
from tests.support.system import Person, System

at_once_and_persisted = pytest.mark.parametrize("drained", [False, True], ids=["at once", "persisted"])


class Thread:
    """A post of alice with two comments of bob. Carol has replied to the first, and has liked all three. All of
    it is persisted.
    """

    post: str
    root: str
    other: str
    reply: str

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob, self.carol = map(system.person, ("alice", "bob", "carol"))

    async def begin(self) -> "Thread":
        await self.alice.id()
        self.post = await post_of(self.system, self.alice)
        self.root = await added(self.bob, self.post, "first")
        self.other = await added(self.bob, self.post, "second")
        await self.system.drain()
        self.reply = await self.answer("an answer")
        for liked in (self.post, self.root, self.other):
            await self.carol.like(liked)
        await self.system.drain()
        return self

    async def answer(self, text: str) -> str:
        """Lets carol reply to the first comment."""
        return await added(self.carol, self.post, text, self.root)


async def seen(person: Person) -> tuple[set[tuple[str, str | None]], int]:
    """Returns kind and subject of a person's notifications, and how many are unread."""
    return set(await kinds_and_subjects(person)), await unread(person)


@at_once_and_persisted
async def test_a_muted_post_silences_everything_about_it(system: System, drained: bool) -> None:
    (video,) = await system.videos("v1", owner="alice")
    of = await Thread(system).begin()
    await of.carol.like(video)
    await system.drain()
    assert (await seen(of.alice))[0] == {("COMMENT", of.post), ("LIKE", of.post), ("LIKE", video)}
    bobs = await seen(of.bob)

    await mute_thread(of.alice, of.post)
    if drained:
        await system.drain()

    assert await seen(of.alice) == ({("LIKE", video)}, 1)
    assert await seen(of.bob) == bobs
    await of.answer("more for @alice")
    await system.person("dave").like(of.post)
    await system.drain()
    assert await seen(of.alice) == ({("LIKE", video)}, 1)

    await unmute_thread(of.alice, of.post)
    if drained:
        await system.drain()
    assert (await seen(of.alice))[0] == {("COMMENT", of.post), ("LIKE", of.post), ("LIKE", video)}
    assert [node["actorCount"] for node in (await page(of.alice)).nodes if node["kind"] == "LIKE"] == [1, 1]


@at_once_and_persisted
async def test_a_muted_comment_silences_its_replies_and_nothing_else(system: System, drained: bool) -> None:
    of = await Thread(system).begin()
    assert (await seen(of.bob))[0] == {("REPLY", of.root), ("LIKE", of.root), ("LIKE", of.other)}

    await mute_thread(of.bob, of.root)
    if drained:
        await system.drain()
    await of.answer("and @bob")
    await added(of.carol, of.post, "about the other", of.other)
    await system.drain()

    assert await seen(of.bob) == ({("REPLY", of.other), ("LIKE", of.other)}, 2)
    assert ("COMMENT", of.post) in (await seen(of.alice))[0]


@at_once_and_persisted
async def test_a_user_who_mutes_a_post_hears_nothing_of_their_comments_on_it(system: System, drained: bool) -> None:
    of = await Thread(system).begin()
    await mute_thread(of.bob, of.post)
    if drained:
        await system.drain()
    await of.answer("and @bob")
    await system.person("dave").like(of.root)
    await system.drain()

    assert await seen(of.bob) == (set(), 0)
    assert await mutes_thread(of.bob, of.root) is False


@standalone
async def test_events_in_a_muted_thread_are_not_stored(system: System) -> None:
    of = await Thread(system).begin()
    await mute_thread(of.bob, of.post)
    await mute_thread(of.alice, of.root)
    await system.drain()
    stored = await system.rows("SELECT * FROM notifications ORDER BY user_id, notification_id")

    await of.answer("for @alice and @bob")
    await system.person("erin").like(of.root)
    await system.drain()

    assert await system.rows("SELECT * FROM notifications ORDER BY user_id, notification_id") == stored
    assert await system.rows("SELECT * FROM untold") == []


@standalone
async def test_the_owner_of_a_post_can_mute_one_comment_thread(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    post = await post_of(system, alice)
    root, other = await added(bob, post, "first"), await added(bob, post, "second")
    await system.drain()
    await mute_thread(alice, root)
    await system.drain()

    await added(carol, post, "to the first", root)
    await system.drain()
    assert [user["handle"] for user in (await only(alice))["actors"]] == ["bob"]

    await added(carol, post, "to the second", other)
    await system.drain()
    assert [user["handle"] for user in (await only(alice))["actors"]] == ["carol", "bob"]


@standalone
async def test_a_muted_entity_silences_its_likes_and_comments(system: System) -> None:
    first, second = await system.videos("v1", "v2", owner="alice")
    alice, bob = system.person("alice"), system.person("bob")
    await mute_thread(alice, first)
    for video in (first, second):
        await bob.like(video)
        await added(bob, video, f"on {video}")
    await system.drain()

    assert await seen(alice) == ({("LIKE", second), ("COMMENT", second)}, 2)
    assert (await mutes_thread(alice, first), await mutes_thread(alice, second)) == (True, False)


@standalone
async def test_a_rejection_is_notified_in_a_muted_thread_too(system: System) -> None:
    of = await Thread(system).begin()
    await mute_thread(of.bob, of.root)
    await decide(system.person("mia", "moderate"), of.root, "REJECT", "rude")
    await system.drain()

    assert await seen(of.bob) == ({("MODERATION", of.root), ("LIKE", of.other)}, 2)


@standalone
async def test_a_mute_is_read_from_cold_caches(system: System) -> None:
    of = await Thread(system).begin()
    await mute_thread(of.bob, of.root)
    await system.drain()
    for _ in ("from rows", "from the filled cache"):
        await system.empty_redis()
        for _ in range(2):
            assert await seen(of.bob) == ({("LIKE", of.other)}, 1)
            assert await mutes_thread(of.bob, of.reply) is True
        await unmute_thread(of.bob, of.reply)  # into the filled sets
        assert await mutes_thread(of.bob, of.root) is False
        await mute_thread(of.bob, of.root)
        await system.drain()
