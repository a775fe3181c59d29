"""Reposts: the verbs, the counter, the reposters, notifications and events."""

from models.reposts import REPOST as KIND
from runner.postgres import Postgres
from tests.support.boundaries import block
from tests.support.fallback_mode import directly
from tests.support.notifications import page as notifications
from tests.support.outages import Away, both_ways
from tests.support.outgoing import received, short, to_stream
from tests.support.posts import DELETE, published
from tests.support.private_accounts import make_private
from tests.support.reconciliation import drift, execute
from tests.support.reposts import REPOST, change, repost, seen, unrepost
from tests.support.system import System


async def test_a_repost_is_seen_at_once_and_counted_once(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    for _ in range(2):
        payload = await change(bob, post, key="a")
        assert payload == {"post": {"id": post, "repostCount": 1, "viewerHasReposted": True}, "userErrors": []}
        assert await seen(bob, post) == (1, True, ["bob"])
    await system.drain()
    assert (await seen(bob, post), await seen(alice, post)) == ((1, True, ["bob"]), (1, False, ["bob"]))
    await repost(alice, post)
    await system.drain()
    assert await seen(bob, post) == (2, True, ["alice", "bob"])
    await unrepost(bob, post)
    assert await seen(bob, post) == (1, False, ["alice"])
    await system.drain()
    assert await seen(alice, post) == (1, True, ["alice"])
    assert await system.rows("SELECT stands, owner_id IS NOT NULL FROM reposts ORDER BY 1") == [
        (False, True),
        (True, True),
    ]


async def test_refusals_change_nothing(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    first, second = await published(alice, "one", "two")
    assert (await change(alice, "Post:7"))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
    (video,) = await system.videos("v1")
    assert (await change(alice, video))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
    assert (await change(alice, video, "unrepost"))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
    assert await system.person(None).errors(REPOST % "repost", id=first) == [("UNAUTHENTICATED", ["repost"])]
    await system.drain()
    await repost(bob, first)
    await change(bob, first, key="a")
    assert (await change(bob, second, key="a"))["userErrors"] == [
        {"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}
    ]
    await block(alice, await bob.id())
    assert (await change(bob, second))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
    assert await change(bob, first, "unrepost") == {"post": None, "userErrors": []}
    await system.drain()
    assert await system.rows("SELECT stands FROM reposts") == [(False,)]
    assert (await seen(alice, first))[0] == 0


async def test_a_deleted_post_cannot_be_reposted_and_the_repost_of_one_can_be_removed(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    first, second = await published(alice, "one", "two")
    await system.drain()
    await repost(bob, first)
    for post in (first, second):
        await alice.ask(DELETE, id=post)
    await system.drain()
    assert (await change(bob, second))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
    assert await change(bob, first, "unrepost") == {"post": None, "userErrors": []}


async def test_private_reposters_are_listed_only_for_their_followers(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    await repost(bob, post)
    await make_private(bob)
    await system.drain()
    assert await seen(alice, post) == (1, False, [])
    assert await seen(bob, post) == (1, True, ["bob"])


async def test_the_author_is_notified_of_the_first_repost(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    for verb in ("repost", "unrepost", "repost"):
        await change(bob, post, verb)
        await system.drain()
    await repost(alice, post)
    await system.drain()

    shown = await notifications(alice)

    assert [(one["kind"], one["message"], one["subject"]["id"]) for one in shown.nodes] == [
        ("REPOST", "bob reposted your post.", post)
    ]


async def test_destinations_are_told_once_for_each_change_of_a_batch(system: System) -> None:
    await to_stream(system, "repost.changed")
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    await repost(bob, post)
    await system.drain()
    await unrepost(bob, post)
    await repost(bob, post)
    await unrepost(bob, post)

    events = await received(system)

    assert [short(event, "userId", "postId", "isReposted") for event in events] == [
        ("repost.changed", await bob.id(), post, True),
        ("repost.changed", await bob.id(), post, False),
    ]


async def test_reposts_are_written_directly_while_redis_is_replaced(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    one, two = await published(alice, "one", "two")
    await system.drain()
    await repost(bob, one)
    await system.drain()
    async with directly(system):
        for _ in range(2):
            await change(bob, one, "unrepost", key="a")
            await change(bob, two, key="b")
            assert [(await seen(bob, id_))[:2] for id_ in (one, two)] == [(0, False), (1, True)]
    await system.drain()
    assert [(await seen(bob, id_))[:2] for id_ in (one, two)] == [(0, False), (1, True)]


@both_ways
async def test_reposts_hold_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    one, two = await published(alice, "one", "two")
    await system.drain()
    await repost(bob, one)
    await repost(bob, two)
    await unrepost(bob, two)
    assert [(await seen(bob, id_))[:2] for id_ in (one, two)] == [(1, True), (0, False)]
    async with away(postgres, system.state.postgres):
        await unrepost(bob, one)
        await repost(bob, two)
        assert [(await seen(bob, id_))[:2] for id_ in (one, two)] == [(0, False), (1, True)]
    await system.drain()
    assert await system.rows("SELECT stands FROM reposts ORDER BY 1") == [(False,), (True,)]


async def test_reconcile_mends_counters_and_cached_reposts(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    await repost(bob, post)
    await system.drain()
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'bob'")
    assert await drift(system) == {}
    await execute(system, "UPDATE counters SET value = 5, version = version + 1 WHERE kind = 14")
    await system.state.redis("ZADD", system.state.own_sets.key(KIND, user), 5000, "7", write=True)

    assert await drift(system, "counters", "sets", repair=True) == {"reposts": 1, "cached_repost": 1}
    assert await drift(system, "counters", "sets") == {}
    assert (await seen(bob, post))[:2] == (1, True)
