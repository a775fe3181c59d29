"""Publishing: the author sees a post at once in all lists, others after its approval. One key publishes one post."""

import pytest

from domain.digests import digest
from domain.ids import UserId, parse_id
from store import keys
from tests.support.posts import DELETE, TOPIC, on_profile, on_square, publish, published, seen, under_topic
from tests.support.system import System


async def test_the_author_sees_a_new_post_at_once_in_all_lists(system: System) -> None:
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
    assert await under_topic(alice, "cats") == ["Hello, world"]
    topic = '{ node(id: "Topic:狗") { ... on Topic { posts(sort: HOT) { nodes { text } } } } }'
    assert (await alice.ask(topic))["node"]["posts"]["nodes"] == [{"text": "Hello, world"}]
    assert (await system.person("bob").ask(topic))["node"] is None


async def test_others_see_a_post_after_its_approval(system: System) -> None:
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


async def test_one_key_publishes_one_post(system: System) -> None:
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


async def test_another_input_does_not_take_an_expired_key_from_its_post(system: System) -> None:
    alice = system.person("alice")
    first = await publish(alice, "Hello", key="k1")
    await system.drain()
    await system.empty_redis()

    other = await publish(alice, "Hullo", key="k1")
    again = await publish(alice, "Hello", key="k1")

    assert [error["code"] for error in other["userErrors"]] == ["IDEMPOTENCY_MISMATCH"]
    assert again == first | {"post": first["post"] | {"auditStatus": "APPROVED"}}


@pytest.mark.parametrize("texts", [("Hello", "Hullo"), ("Hullo", "Hello")])
async def test_the_first_of_two_posts_with_one_expired_key_is_kept(system: System, texts: tuple[str, str]) -> None:
    alice = system.person("alice")
    user_id = parse_id(await alice.id())
    assert isinstance(user_id, UserId)
    for text in texts:
        assert (await publish(alice, text, key="k1"))["userErrors"] == []
        await system.state.redis(
            "DEL", system.state.keys.operation(user_id.id, digest("publishPost", "k1")), write=True
        )

    await system.drain()

    assert await system.rows("SELECT text FROM posts") == [(texts[0],)]


async def test_lists_are_newest_first_across_authors(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await published(alice, "1")
    await published(bob, "2")
    await system.drain()
    await published(alice, "3")

    assert await on_square(alice) == ["3", "2", "1"]
    assert await on_square(bob) == ["2", "1"]
    await system.drain()
    assert await on_square(bob) == ["3", "2", "1"]


async def test_the_key_of_a_deleted_post_does_not_publish_it_again(system: System) -> None:
    alice = system.person("alice")
    post_id = (await publish(alice, "Hello", key="k1"))["post"]["id"]
    await system.drain()
    await alice.ask(DELETE, id=post_id)

    again = await publish(alice, "Hello", key="k1")
    await system.drain()

    assert again["post"] is None
    assert [error["code"] for error in again["userErrors"]] == ["TARGET_DELETED"]
    assert await on_square(alice) == []


async def test_a_topic_is_complete_for_an_author_of_many_posts_on_other_topics(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await publish(bob, "meow", "cats")
    for at in range(0, 60, 20):
        for n in range(at, at + 20):
            await publish(alice, f"woof {n}", "dogs")
        await system.drain()

    page = (await alice.ask(TOPIC, name="cats", first=1))["topic"]["posts"]

    assert [post["text"] for post in page["nodes"]] == ["meow"]
    assert not page["pageInfo"]["hasNextPage"]


async def test_a_like_is_accepted_although_the_cache_says_that_the_post_does_not_exist(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "there")
    key = keys.post(int(post.partition(":")[2]))
    assert await seen(bob, post) is None
    (absent,) = await system.state.cache.redis.get_many([key])
    await system.drain()
    await system.state.cache.redis("SET", key, absent, "PX", 30_000, write=True)  # as after an outage of the cache
    system.state.cache.local.drop([key])
    assert await seen(bob, post) is None

    assert (await bob.like(post, key="k"))["userErrors"] == []
    assert (await seen(bob, post))["text"] == "there"
