"""Journal entries that workers read late, twice or in another order, and lost replies of Redis."""

import pytest

from loaders.shared import SharedLoaders
from models.counters import EntityRef
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.content.comments import mirrored
from store.scripts import WRITE
from store.write_log import dead_letters
from tests.support.comments import add, added, counts, decide, delete, floors, number, seen, text_of
from tests.support.outages import LosingReplies
from tests.support.refused_rows import letters, refusing
from tests.support.stores import standalone
from tests.support.system import System
from workers.replay_dead_letters import apply_again


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_comment_is_stored_once_if_the_reply_of_redis_is_lost(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comments = []
    for lost in (1, 2):
        monkeypatch.setattr(system.state.redis, "run", LosingReplies(system.state.redis, WRITE, lost))
        comments.append((await add(alice, video, f"lost {lost}"))["comment"]["id"])
        monkeypatch.undo()
    monkeypatch.setattr(system.state.redis, "run", LosingReplies(system.state.redis, WRITE, 1))
    assert (await delete(alice, comments[1]))["userErrors"] == []
    monkeypatch.undo()

    await system.drain()

    assert await counts(alice, video) == (1, 1)
    assert await system.rows("SELECT count(*) FROM comment_contents") == [(2,)]


@standalone
async def test_a_batch_that_another_worker_repeats_changes_nothing(system: System) -> None:
    """The first worker commits and does not publish. Two other workers read all entries again."""
    (video,) = await system.videos("v1")
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    root = await added(alice, video, "root")
    worker = system.worker()
    await worker.ownership.renew()
    await worker.step()
    reply = await added(bob, video, "reply", to=root)
    await decide(mia, root, "REJECT")
    owned = dict(worker.owned)
    batch = await worker.read(owned)
    await worker._persist(owned, batch)
    before = await system.rows("SELECT * FROM comment_contents ORDER BY comment_id")
    await worker.ownership.leave()

    for _ in range(2):
        other = system.worker()
        await other.ownership.renew()
        while await other.step():
            pass
        await other.ownership.leave()

    assert await system.rows("SELECT * FROM comment_contents ORDER BY comment_id") == before
    assert [await text_of(bob, id_) for id_ in (root, reply)] == ["-", "reply"]
    assert await counts(bob, video) == (1, 0)
    assert await floors(system, root, reply) == [1, 1]


@standalone
async def test_later_changes_of_a_dead_letter_become_dead_letters_too(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    async with refusing(system, "comment_contents", "text <> 'oops'"):
        kept, gone = await added(alice, video, "hello"), await added(alice, video, "oops")
        await delete(alice, gone)
        await system.drain()
    assert (await seen(bob, kept))["text"] == "hello"
    waiting = await dead_letters.read(system.state.postgres)
    assert len(waiting) == 2

    for letter in waiting:
        await apply_again(system.state, letter)

    assert await letters(system) == []
    assert await system.rows("SELECT text, deleted FROM comment_contents ORDER BY comment_id") == [
        ("hello", False),
        ("oops", True),
    ]
    assert await counts(bob, video) == (1, 1)


@standalone
async def test_a_reply_can_be_stored_before_its_root(system: System) -> None:
    """A failover can lose the commit of the root. The reply is listed below the root after the root is stored again."""
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    async with refusing(system, "comment_contents", "text <> 'root'"):
        root = await added(alice, video, "root")
        reply = await added(alice, video, "reply", to=root)
        await system.drain()
    assert await text_of(bob, reply) == "reply"
    (letter,) = await dead_letters.read(system.state.postgres)

    await apply_again(system.state, letter)

    assert (await seen(bob, root))["replyCount"] == 1
    assert await system.rows("SELECT answered FROM comment_contents WHERE root_id IS NULL") == [(True,)]


@standalone
async def test_a_batch_adds_to_existing_cached_lists_and_creates_none(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    ((business, entity),) = await system.rows("SELECT business_id, entity_id FROM entities")
    ref, cache = EntityRef(business, entity), system.state.cache
    first = await added(alice, video, "first")
    await system.drain()
    assert await cache.redis("EXISTS", keys.comments(ref)) == 0

    for key in keys.comments(ref), keys.oldest_comments(ref), keys.replies(number(first)):
        token = await cache.lease_of(key)
        assert token
        await lists.fill(cache, key, [], token=token, cap=800)
    ids = [first, *[await added(alice, video, text) for text in ("second", "third")]]
    replies = [await added(alice, video, f"reply {n}", to=first) for n in range(3)]
    await system.drain()
    await decide(mia, ids[2], "REJECT")
    await delete(alice, replies[1])
    await delete(alice, ids[1])
    await system.drain()

    moments = dict(await system.rows("SELECT comment_id, moment FROM comments"))
    newest = [Item(moments[number(id_)], number(id_)) for id_ in reversed(ids)]
    assert await _cached(system, keys.comments(ref)) == newest  # readers filter hidden comments
    oldest = [Item(mirrored(moments[number(id_)]), number(id_)) for id_ in ids]
    assert await _cached(system, keys.oldest_comments(ref)) == oldest
    left = [Item(mirrored(moments[number(id_)]), number(id_)) for id_ in (replies[0], replies[2])]
    assert await _cached(system, keys.replies(number(first))) == left


async def _cached(system: System, key: str) -> list[Item]:
    (page,) = await lists.read(system.state.cache.redis, [key], [None], [100])
    assert page
    return page.items


@standalone
async def test_the_cached_set_of_an_authors_hidden_comments_follows_every_decision(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    comment, other = await added(alice, video, "hello"), await added(alice, video, "other")
    await system.drain()
    ((author,),) = await system.rows("SELECT DISTINCT author_id FROM comment_contents")

    async def hidden() -> list[int]:
        (comments,) = await SharedLoaders(system.state).hidden_comments.get_many([author])
        return [comment.comment_id for comment in comments]

    assert await hidden() == []
    await decide(mia, comment, "REJECT")
    await system.drain()
    assert await hidden() == [number(comment)]
    await decide(mia, other, "REJECT")
    await decide(mia, comment, "APPROVE")
    await system.drain()
    assert await hidden() == [number(other)]
    await delete(alice, other)
    await system.drain()
    assert await hidden() == []
