"""Publishing: the author sees it at once everywhere, others once it is approved; and it is published once."""

from tests.posts.world import DELETE, on_profile, on_square, publish, published, seen, under_topic
from tests.system import System


async def test_the_author_sees_a_new_post_at_once_everywhere(system: System) -> None:
    alice = system.person("alice")

    payload = await publish(alice, "Hello, world", "#Cats", "狗")

    assert payload["userErrors"] == []
    post = payload["post"]
    assert (post["text"], post["author"]["handle"]) == ("Hello, world", "alice")
    assert [topic["name"] for topic in post["topics"]] == ["cats", "狗"]
    assert (post["auditStatus"], post["editedAt"], post["images"]) == ("PENDING", None, [])
    assert (await seen(alice, post["id"]))["text"] == "Hello, world"
    assert await on_square(alice) == ["Hello, world"]
    assert await on_profile(alice, "alice") == ["Hello, world"]


async def test_others_see_it_once_it_is_approved(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, "Hello", "cats"))["post"]
    assert await seen(bob, post["id"]) is None
    assert await on_square(bob) == []
    assert await on_profile(bob, "alice") == []

    await system.drain()

    for viewer in (alice, bob, system.person(None)):
        assert (await seen(viewer, post["id"]))["auditStatus"] == "APPROVED"
        assert await on_square(viewer) == ["Hello"]
        assert await on_profile(viewer, "alice") == ["Hello"]
        assert await under_topic(viewer, "Cats") == ["Hello"]


async def test_the_same_key_publishes_once(system: System) -> None:
    alice = system.person("alice")

    first = await publish(alice, "Hello", key="k1")
    again = await publish(alice, "Hello", key="k1")
    other = await publish(alice, "Hullo", key="k1")
    await system.drain()
    await system.empty_redis()
    much_later = await publish(alice, "Hello", key="k1")
    other_later = await publish(alice, "Hullo", key="k1")
    await system.drain()

    assert first["post"]["id"] == again["post"]["id"] == much_later["post"]["id"]
    for refused in (other, other_later):
        assert [error["code"] for error in refused["userErrors"]] == ["IDEMPOTENCY_MISMATCH"]
    assert await system.rows("SELECT text FROM posts") == [("Hello",)]


async def test_lists_are_newest_first_whoever_wrote(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(alice, "1")
    await published(bob, "2")
    await system.drain()
    await published(alice, "3")

    assert await on_square(alice) == ["3", "2", "1"]
    assert await on_square(bob) == ["2", "1"]
    await system.drain()
    assert await on_square(bob) == ["3", "2", "1"]


async def test_a_post_that_was_deleted_is_not_published_again_by_its_key(system: System) -> None:
    alice = system.person("alice")
    post_id = (await publish(alice, "Hello", key="k1"))["post"]["id"]
    await system.drain()
    await alice.ask(DELETE, id=post_id)

    again = await publish(alice, "Hello", key="k1")
    await system.drain()

    assert again["post"] is None
    assert [error["code"] for error in again["userErrors"]] == ["TARGET_DELETED"]
    assert await on_square(alice) == []
