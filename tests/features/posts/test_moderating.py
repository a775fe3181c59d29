"""Moderation of posts: the queue, decisions of moderators, and notifications of authors."""

from collections.abc import Callable

from identity import auth
from settings import ModerationSettings, Settings
from tests.support.follows import follow_people
from tests.support.posts import (
    MODERATE,
    MODERATION_MESSAGES,
    QUEUE,
    decide,
    edit,
    home,
    on_square,
    publish,
    published,
    seen,
    waiting,
)
from tests.support.system import Person, System, running


async def test_followers_get_a_post_after_a_moderator_approves_it(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=ModerationSettings(), local_cache_seconds=0)) as system:
        alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
        await follow_people(bob, alice)
        await system.drain()
        assert await home(bob) == []
        (post_id,) = await published(alice, "look at https://example.com/1")
        await system.drain()
        assert await waiting(mia) == [("look at https://example.com/1", "links of a new account")]
        assert (await seen(alice, post_id))["auditStatus"] == "PENDING"
        assert await on_square(alice) == ["look at https://example.com/1"]
        assert await seen(bob, post_id) is None
        assert (await seen(mia, post_id))["auditStatus"] == "PENDING"

        await decide(mia, post_id, "APPROVE")
        await system.drain()

        assert await waiting(mia) == []
        assert await home(bob) == ["look at https://example.com/1"]
        assert await system.rows(MODERATION_MESSAGES) == []


async def test_only_the_author_sees_a_rejected_post_and_is_notified_of_the_reason(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post_id,) = await published(alice, "hello")
    await system.drain()

    await decide(mia, post_id, "REJECT", "off topic")
    await system.drain()

    assert (await seen(alice, post_id))["auditStatus"] == "REJECTED"
    assert await seen(bob, post_id) is None
    assert await on_square(bob) == []
    assert await system.rows(MODERATION_MESSAGES) == [("Your post was rejected: off topic",)]

    await decide(mia, post_id, "APPROVE")
    await system.drain()
    assert await on_square(bob) == ["hello"]


async def test_an_edit_is_moderated_again(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    await decide(mia, post_id, "REJECT")
    await edit(alice, post_id, text="hello again")
    await system.drain()

    assert (await seen(bob, post_id))["text"] == "hello again"


async def test_a_decision_about_an_older_version_has_no_effect(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    await edit(alice, post_id, text="hello again")
    await decide(mia, post_id, "REJECT")

    await system.drain()

    assert (await seen(bob, post_id))["text"] == "hello again"


async def test_an_edit_without_a_difference_does_not_lift_a_rejection(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    await decide(mia, post_id, "REJECT")
    await system.drain()
    await edit(alice, post_id)
    await edit(alice, post_id, text="hello", topics=[])
    await system.drain()

    assert (await seen(alice, post_id))["auditStatus"] == "REJECTED"
    assert await seen(bob, post_id) is None


async def test_only_moderators_can_moderate(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post_id = (await publish(alice, "hello"))["post"]["id"]
    await system.drain()

    assert await bob.errors(QUEUE, first=1) == [("FORBIDDEN", ["moderationQueue"])]
    assert await bob.errors(MODERATE, id=post_id, decision="REJECT", reason="x") == [("FORBIDDEN", ["moderate"])]
    assert await system.person(None).errors(QUEUE, first=1) == [("UNAUTHENTICATED", ["moderationQueue"])]


async def test_moderators_of_other_businesses_do_not_see_pending_posts(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=ModerationSettings(new_posts_per_hour=0))) as system:
        (post_id,) = await published(system.person("alice"), "hello")
        await system.drain()
        token = auth.mint(system.settings, "mia", scopes=["moderate"], businesses=["video"])
        elsewhere = Person(system.http, "mia", {"authorization": f"Bearer {token}"})

        assert await seen(system.person("mia", "moderate"), post_id) is not None
        assert await seen(elsewhere, post_id) is None
        assert await elsewhere.errors(QUEUE, first=1) == [("FORBIDDEN", ["moderationQueue"])]


async def test_the_moderation_queue_is_paged_oldest_first(make_settings: Callable[..., Settings]) -> None:
    rules = ModerationSettings(new_posts_per_hour=0)
    async with running(make_settings(moderation=rules)) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        await published(alice, *(f"post {n}" for n in range(5)))
        await system.drain()
        texts, after, more = [], None, True
        for _ in range(3):
            page = (await mia.ask(QUEUE, first=2, after=after))["moderationQueue"]
            texts += [edge["node"]["text"] for edge in page["edges"]]
            after = page["pageInfo"]["endCursor"]

            more = page["pageInfo"]["hasNextPage"]

        assert texts == [f"post {n}" for n in range(5)]
        assert not more
