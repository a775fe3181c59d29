"""Editing and deleting own posts. The author sees a change at once, others see the change after moderation."""

from typing import Any

import pytest

from identity import auth
from tests.support.posts import (
    DELETE,
    EDIT,
    MODERATE,
    PUBLISH,
    delete,
    edit,
    on_profile,
    on_square,
    publish,
    published,
    seen,
    under_topic,
)
from tests.support.system import Person, System


async def test_an_edit_changes_only_the_given_fields(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post_id = (await publish(alice, "old", "cats"))["post"]["id"]
    await system.drain()

    edited = (await edit(alice, post_id, text="new"))["post"]
    assert (edited["text"], [topic["name"] for topic in edited["topics"]]) == ("new", ["cats"])
    assert edited["editedAt"] is not None
    assert (await seen(bob, post_id))["text"] == "old"
    await edit(alice, post_id, topics=["dogs"])
    assert (await seen(alice, post_id))["text"] == "new"
    await system.drain()

    post = await seen(bob, post_id)
    assert (post["text"], [topic["name"] for topic in post["topics"]]) == ("new", ["dogs"])
    assert post["editedAt"] is not None
    assert (await under_topic(bob, "cats"), await under_topic(bob, "dogs")) == ([], ["new"])
    assert await system.rows("SELECT count(*) FROM topic_posts WHERE topic_id <> 0") == [(1,)]


async def test_an_edit_without_a_difference_changes_no_version(system: System) -> None:
    alice = system.person("alice")
    post_id = (await publish(alice, "said", "cats"))["post"]["id"]
    await system.drain()
    before = await system.rows("SELECT content_version, edited_ms FROM posts")

    payload = await edit(alice, post_id, text="said", topics=["cats"])
    assert (payload["userErrors"], payload["post"]["editedAt"]) == ([], None)
    await system.drain()

    assert await system.rows("SELECT content_version, edited_ms FROM posts") == before


async def test_an_author_can_edit_and_delete_a_post_before_it_is_public(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    first, second = await published(alice, "first", "second")
    await edit(alice, first, text="changed")
    await delete(alice, second)
    assert await on_profile(alice, "alice") == ["changed"]

    await system.drain()

    assert await on_profile(alice, "alice") == await on_profile(bob, "alice") == ["changed"]
    assert await seen(alice, second) is None


async def test_a_deleted_post_disappears_at_once_and_stays_deleted(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post_id,) = await published(alice, "oops")
    await system.drain()
    assert await on_square(bob) == ["oops"]

    assert await delete(alice, post_id) == {"deletedId": post_id, "userErrors": []}
    assert await seen(alice, post_id) is None
    assert await on_square(alice) == []
    assert (await delete(alice, post_id))["deletedId"] == post_id
    await system.drain()

    assert await seen(bob, post_id) is None
    assert await on_square(bob) == await on_profile(bob, "alice") == []
    assert [error["code"] for error in (await edit(alice, post_id, text="back"))["userErrors"]] == ["TARGET_DELETED"]
    assert (await delete(alice, post_id))["deletedId"] == post_id


@pytest.mark.parametrize("verb", [edit, delete])
async def test_a_user_cannot_change_the_post_of_another_user(system: System, verb: Any) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post_id,) = await published(alice, "mine")
    pending = await verb(bob, post_id)
    await system.drain()
    approved = await verb(bob, post_id)

    assert [error["code"] for error in pending["userErrors"]] == ["TARGET_NOT_FOUND"]
    assert [error["code"] for error in approved["userErrors"]] == ["NOT_ALLOWED"]
    await system.drain()
    assert (await seen(alice, post_id))["text"] == "mine"


async def test_a_token_for_other_businesses_cannot_write_posts(system: System) -> None:
    alice = system.person("alice")
    (post_id,) = await published(alice, "mine")
    await system.drain()
    token = auth.mint(system.settings, "alice", scopes=["moderate"], businesses=["video"])
    elsewhere = Person(system.http, "alice", {"authorization": f"Bearer {token}"})

    assert await elsewhere.errors(PUBLISH, text="x", key="k") == [("FORBIDDEN", None)]
    assert await elsewhere.errors(EDIT, input={"postId": post_id, "text": "x"}) == [("FORBIDDEN", None)]
    assert await elsewhere.errors(DELETE, id=post_id) == [("FORBIDDEN", None)]
    refused = await elsewhere.errors(MODERATE, id=post_id, decision="REJECT", reason="x")
    assert refused == [("FORBIDDEN", ["moderate"])]


async def test_counts_include_public_posts_only(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    first, second = [(await publish(alice, text, "cats"))["post"]["id"] for text in ("one", "two")]
    await system.drain()
    counts = '{ user(handle: "alice") { postCount } topic(name: "cats") { postCount } }'
    assert await bob.ask(counts) == {"user": {"postCount": 2}, "topic": {"postCount": 2}}

    await delete(alice, first)
    await edit(alice, second, topics=[])
    await system.drain()

    assert await bob.ask(counts) == {"user": {"postCount": 1}, "topic": None}
