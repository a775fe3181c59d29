"""setPostNotifications: followers are notified of the new posts of authors whom they chose."""

from typing import Any

import pytest

from projections.entries import notifications
from store.redis.client import RedisDown
from tests.support.boundaries import block
from tests.support.deletions import delete as delete_account
from tests.support.deletions import finish as finish_deletion
from tests.support.follows import follow, unfollow
from tests.support.posts import MODERATE, delete, publish, published
from tests.support.reconciliation import drift
from tests.support.stored_state import unchanged
from tests.support.system import Person, System
from workers import bells
from workers.bells import ring

SET = """mutation ($id: ID!, $on: Boolean!, $key: String) {
  setPostNotifications(input: {userId: $id, enabled: $on, idempotencyKey: $key}) {
    user { handle viewerGetsPostNotifications } userErrors { code field } } }"""
STATE = '{ user(handle: "ann") { viewerGetsPostNotifications } }'
TOLD = "{ viewer { notifications(first: 50) { nodes { kind message subject { id } actors { handle } read } } } }"


async def choose(person: Person, user_id: str, on: bool = True, key: str | None = None) -> Any:
    return (await person.ask(SET, id=user_id, on=on, key=key))["setPostNotifications"]


async def told(person: Person) -> list[tuple[str, str]]:
    """Returns the messages and subjects of a person's notifications of new posts, newest first."""
    nodes = (await person.ask(TOLD))["viewer"]["notifications"]["nodes"]
    return [(one["message"], one["subject"]["id"]) for one in nodes if one["kind"] == "NEW_POST"]


async def finish(system: System) -> None:
    """Lets the workers store everything and notify everybody."""
    await system.drain()
    while await ring(system.state, lambda: True):
        await system.drain()


async def pair(system: System) -> tuple[Person, Person, str]:
    """Returns ann, and fay who follows ann and has chosen to be notified; and ann's id."""
    ann, fay = system.person("ann"), system.person("fay")
    id_ = await ann.id()
    await follow(fay, id_)
    assert await choose(fay, id_) == {"user": {"handle": "ann", "viewerGetsPostNotifications": True}, "userErrors": []}
    await finish(system)
    return ann, fay, id_


async def test_a_follower_is_notified_of_the_new_posts_of_a_chosen_author(system: System) -> None:
    ann, fay, _ = await pair(system)
    gus = system.person("gus")
    await follow(gus, await ann.id())
    (post,) = await published(ann, "hello")
    await finish(system)
    assert await told(fay) == [("ann published a new post.", post)]
    assert await told(gus) == await told(ann) == []
    assert await drift(system) == {}


async def test_the_choice_is_seen_at_once_and_taken_back(system: System) -> None:
    ann, fay, id_ = await pair(system)
    assert (await fay.ask(STATE))["user"] == {"viewerGetsPostNotifications": True}
    assert (await system.person(None).ask(STATE))["user"] == {"viewerGetsPostNotifications": None}
    assert (await choose(fay, id_, False))["user"]["viewerGetsPostNotifications"] is False
    await published(ann, "hello")
    await finish(system)
    await system.empty_redis()
    assert (await fay.ask(STATE))["user"] == {"viewerGetsPostNotifications": False}
    assert await told(fay) == []
    assert await system.rows("SELECT stands FROM bells") == [(False,)]


async def test_nobody_is_notified_who_does_not_follow_or_is_blocked(system: System) -> None:
    ann, fay, id_ = await pair(system)
    gus = system.person("gus")
    await follow(gus, id_)
    await choose(gus, id_)
    await system.drain()
    await unfollow(fay, id_)
    await block(ann, await gus.id())
    await published(ann, "hello")
    await finish(system)
    assert await told(fay) == await told(gus) == []
    await follow(fay, id_)
    await system.drain()
    (post,) = await published(ann, "again")
    await finish(system)
    assert await told(fay) == [("ann published a new post.", post)]


async def test_a_notification_disappears_with_its_post(system: System) -> None:
    ann, fay, _ = await pair(system)
    (post,) = await published(ann, "hello")
    await finish(system)
    await delete(ann, post)
    await finish(system)
    assert await told(fay) == []


async def test_a_post_that_is_approved_again_notifies_nobody_again(system: System) -> None:
    ann, fay, _ = await pair(system)
    mia = system.person("mia", "moderate")
    (post,) = await published(ann, "hello")
    await finish(system)
    for decision in ("REJECT", "APPROVE"):
        await mia.ask(MODERATE, id=post, decision=decision, reason="because")
        await finish(system)
    assert await told(fay) == [("ann published a new post.", post)]
    assert await system.rows("SELECT actor_count FROM notifications WHERE kind = 12") == [(1,)]


async def test_users_are_notified_in_steps_and_once(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bells, "_USERS_AT_ONCE", 2)
    ann, fay, id_ = await pair(system)
    readers = [system.person(f"r{n}") for n in range(4)]
    for reader in readers:
        await follow(reader, id_)
        await choose(reader, id_)
    await system.drain()
    (post,) = await published(ann, "hello")
    await system.drain()
    assert await ring(system.state, lambda: False) == 0
    steps = 0
    while await ring(system.state, lambda: True):
        steps += 1
    assert steps == 3
    for reader in (fay, *readers):
        assert await told(reader) == [("ann published a new post.", post)]
    assert await system.rows("SELECT * FROM rings") == []


async def test_what_cannot_be_chosen_is_refused(system: System) -> None:
    alice = system.person("alice")
    own = await alice.id()
    async with unchanged(system):
        assert (await choose(alice, own))["userErrors"] == [{"code": "INVALID", "field": ["userId"]}]
        assert (await choose(alice, "User:99"))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["userId"]}]
        assert await choose(alice, "User:99", False) == {"user": None, "userErrors": []}
        assert await alice.errors(SET, id="nothing", on=True) == [("BAD_INPUT", ["setPostNotifications"])]


async def test_a_repeated_request_changes_nothing(system: System) -> None:
    _, fay, id_ = await pair(system)
    await choose(fay, id_, False, "one")
    await choose(fay, id_, True)
    assert (await choose(fay, id_, False, "one"))["user"]["viewerGetsPostNotifications"] is True
    assert (await choose(fay, id_, True, "one"))["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"


async def test_bells_leave_with_the_account(system: System) -> None:
    ann, fay, id_ = await pair(system)
    await publish(ann, "hello")
    await system.drain()
    await delete_account(fay)
    await finish_deletion(system)
    await finish(system)
    assert await system.rows("SELECT * FROM bells") == []
    await choose(system.person("gus"), id_)
    await delete_account(ann)
    await finish_deletion(system)
    await finish(system)
    assert await system.rows("SELECT * FROM rings") == []


async def test_a_step_that_fails_is_repeated_and_notifies_nobody_twice(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise RedisDown

    ann, fay, _ = await pair(system)
    await told(fay)  # caches the notifications
    (post,) = await published(ann, "hello")
    await system.drain()
    with monkeypatch.context() as patched:
        patched.setattr(notifications, "publish", fail)
        for _ in range(2):
            with pytest.raises(RedisDown):
                await ring(system.state, lambda: True)
    await finish(system)
    assert await told(fay) == [("ann published a new post.", post)]
    assert await system.rows("SELECT actor_count FROM notifications WHERE kind = 12") == [(1,)]
