"""Which earlier versions are stored, and what removes them."""

import pytest

from domain.ids import UserId, parse_id
from models.edits import MOST_EDITS
from settings import COMMENTS, POSTS
from tests.support import comments, deletions, erasing, posts
from tests.support.aging import later, sweep
from tests.support.edit_history import IMAGES, edited, versions
from tests.support.fallback_mode import begin, end
from tests.support.stores import standalone
from tests.support.system import System

STORED = "SELECT business_id, text, shown FROM edits ORDER BY business_id, entity_id, version"


async def test_edits_of_one_batch_are_all_stored(system: System) -> None:
    alice = system.person("alice")
    post = (await posts.publish(alice, "one"))["post"]["id"]
    for text in ("two", "three"):
        await posts.edit(alice, post, text=text)
    await posts.edit(alice, post, text="three")
    await system.drain()

    assert await system.rows(STORED) == [(POSTS, "one", True), (POSTS, "two", True)]


async def test_a_repeated_edit_is_stored_once(system: System) -> None:
    alice = system.person("alice")
    post = await edited(system, alice, "one")
    for _ in range(2):
        await posts.edit(alice, post, text="two", idempotencyKey="k")
        await system.drain()

    assert await system.rows(STORED) == [(POSTS, "one", True)]


async def test_the_newest_versions_are_kept(system: System) -> None:
    alice = system.person("alice")
    post = await edited(system, alice, "start")
    for number in range(MOST_EDITS + 3):
        await posts.edit(alice, post, text=f"text {number}")
        if number > MOST_EDITS:
            await system.drain()
    await system.drain()

    stored = [text for _, text, _ in await system.rows(STORED)]
    assert stored == [f"text {number}" for number in range(2, MOST_EDITS + 2)]


@standalone
async def test_an_edit_while_redis_is_down_stores_the_earlier_version(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = await edited(system, alice, "one")
    await begin(system)
    assert (await posts.edit(alice, post, text="two"))["post"]["text"] == "two"
    assert await versions(mia, post) == ["one"]
    await end(system)
    await system.drain()

    assert await system.rows(STORED) == [(POSTS, "one", True)]


async def test_an_earlier_version_goes_with_the_text_of_a_removed_post(system: System) -> None:
    alice = system.person("alice")
    kept, gone = await edited(system, alice, "one", "two"), await edited(system, alice, "three", "four")
    await posts.delete(alice, gone)
    await system.drain()

    await sweep(later(system.state, 179, client_days=0, idempotency_days=0))
    assert len(await system.rows(STORED)) == 2
    await sweep(later(system.state, 181, client_days=0, idempotency_days=0))
    assert await system.rows(STORED) == [(POSTS, "one", True)]
    assert await versions(alice, kept) == ["one"]


async def test_a_rejected_version_is_removed_some_time_after_the_edit(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = await edited(system, alice, "one", "two")
    await posts.decide(mia, post, "REJECT")
    await system.drain()
    await posts.edit(alice, post, text="three")
    await system.drain()
    assert await system.rows(STORED) == [(POSTS, "one", True), (POSTS, "two", False)]

    assert await sweep(later(system.state, 181, client_days=0, idempotency_days=0)) == {"edits": 1}
    assert await system.rows(STORED) == [(POSTS, "one", True)]


async def test_a_legal_hold_keeps_a_rejected_version(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = await edited(system, alice, "one")
    await posts.decide(mia, post, "REJECT")
    await system.drain()
    await posts.edit(alice, post, text="two")
    await system.drain()
    parsed = parse_id(await alice.id())
    assert isinstance(parsed, UserId)
    await deletions.hold(system, parsed.id)

    assert await sweep(later(system.state, 181, client_days=0, idempotency_days=0)) == {}
    assert await system.rows(STORED) == [(POSTS, "one", False)]


@pytest.mark.parametrize("mode", ["ERASE", "ANONYMIZE"])
async def test_the_deletion_of_an_account_removes_the_earlier_versions(system: System, mode: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await edited(system, alice, "one", "two", images=IMAGES)
    await edited(system, bob, "three", "four")

    await deletions.delete(alice, mode)
    await deletions.finish(system)

    assert await system.rows(STORED) == [(POSTS, "three", True)]


async def test_the_erasure_of_an_entity_removes_the_earlier_versions_of_its_comments(system: System) -> None:
    alice, registrar = system.person("alice"), system.person("registrar", "entities:write")
    video, other = await system.videos("v1", "v2")
    for subject in (video, other):
        comment = await comments.added(alice, subject, f"one {subject}")
        await comments.edit(alice, comment, text="two")
    await system.drain()
    assert len(await system.rows(STORED)) == 2

    await erasing.erase(registrar, video)
    await erasing.finish(system)

    assert await system.rows(STORED) == [(COMMENTS, f"one {other}", True)]
