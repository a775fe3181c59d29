"""The number of posts of a topic: posts of private accounts and of users whom a suspension hides do not count."""

import asyncio
from typing import Any

import pytest

from store.content import topic_recounts, topics
from store.people import users
from tests.support.interrupting import run_after
from tests.support.locks import waiting_for_locks
from tests.support.posts import decide, delete, edit, publish
from tests.support.private_accounts import make_private, make_public
from tests.support.reconciliation import dismiss, drift, execute
from tests.support.stores import standalone
from tests.support.suspensions import AFTER_FAR_MS, FAR, moderator, reinstate, suspend
from tests.support.system import Person, System
from tests.support.workers import until, working
from workers import suspensions
from workers import topic_recounts as recounting
from workers.topic_recounts import recount_topics

pytestmark = standalone
COUNT = "query ($name: String!) { topic(name: $name) { postCount } }"
UPSERT = """mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }"""
COUNTED = "SELECT counted, count(*) FROM topic_posts WHERE topic_id <> 0 GROUP BY counted ORDER BY counted"
REQUESTS = "SELECT count(*) FROM topic_recounts"
FIRST, MANY = 1_000_000, 1201
MANY_POSTS = """
    INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                       audit_version, version)
    SELECT :first + n, :author, n, 'many', '[]', '{cats}', 1, false, n, 0, n FROM generate_series(1, :many) n
"""
MANY_PLACES = """
    INSERT INTO topic_posts (topic_id, post_id, moment, score)
    SELECT topic_id, :first + n, n, n FROM generate_series(1, :many) n, (SELECT topic_id FROM topics UNION SELECT 0) t
"""
MANY_IN_OUTBOX = """
    INSERT INTO outboxes (author_id, post_id, moment, state, pushed)
    SELECT :author, :first + n, n, 1, false FROM generate_series(1, :many) n
"""


async def step(system: System) -> int:
    """Does one step of the recounts."""
    return await recount_topics(system.state, lambda: True)


async def finish(system: System) -> None:
    """Does steps until no recount is left."""
    async with asyncio.timeout(30):
        while await system.rows(REQUESTS) != [(0,)]:
            await step(system)


async def count(system: System, name: str = "cats") -> int | None:
    """Returns the number of posts of a topic, as an anonymous reader sees it. The reader must see one of the posts."""
    topic = (await system.person(None).ask(COUNT, name=name))["topic"]
    return topic and int(topic["postCount"])


async def scene(system: System, alices: int = 2) -> tuple[Person, list[str]]:
    """Lets alice publish posts about cats, and bob one, so that the topic stays visible. Returns alice and the ids of
    her posts.
    """
    alice = system.person("alice")
    ids = [(await publish(alice, f"post {n}", "cats"))["post"]["id"] for n in range(alices)]
    await publish(system.person("bob"), "bob's", "cats")
    await system.drain()
    assert await count(system) == alices + 1
    return alice, ids


async def assert_exact(system: System, expected: int) -> None:
    """Checks the number that readers see, and all rows and cached copies."""
    assert await count(system) == expected
    assert await drift(system) == {}


async def test_posts_of_a_private_account_do_not_count(system: System) -> None:
    alice, _ = await scene(system)

    await make_private(alice)
    await finish(system)
    await assert_exact(system, 1)

    await publish(alice, "for followers", "cats", "dogs")
    await system.drain()
    await assert_exact(system, 1)
    assert (await alice.ask(COUNT, name="dogs"))["topic"] == {"postCount": 0}

    await make_public(alice)
    await finish(system)
    await assert_exact(system, 4)
    assert await count(system, "dogs") == 1


@pytest.mark.parametrize("mode", ["HIDDEN", "SHADOW"])
async def test_posts_of_a_hidden_user_do_not_count(system: System, mode: str) -> None:
    alice, _ = await scene(system)

    await suspend(moderator(system), await alice.id(), mode)
    await finish(system)
    await assert_exact(system, 1)
    if mode == "SHADOW":
        await publish(alice, "unheard", "cats")
    await system.drain()
    await assert_exact(system, 1)

    await reinstate(moderator(system), await alice.id())
    await finish(system)
    await system.drain()
    await assert_exact(system, 4 if mode == "SHADOW" else 3)


async def test_posts_of_a_user_who_may_only_read_count(system: System) -> None:
    alice, _ = await scene(system)

    await suspend(moderator(system), await alice.id(), "READ_ONLY")
    assert await system.rows(REQUESTS) == [(0,)]
    await suspend(moderator(system), await alice.id(), "HIDDEN")
    await finish(system)
    assert await count(system) == 1

    await suspend(moderator(system), await alice.id(), "READ_ONLY")
    await finish(system)
    await assert_exact(system, 3)


async def test_posts_count_again_when_a_suspension_has_ended(system: System) -> None:
    alice, _ = await scene(system)
    await suspend(moderator(system), await alice.id(), until=FAR)
    await finish(system)
    assert await count(system) == 1

    object.__setattr__(system.state, "now_ms", lambda: AFTER_FAR_MS)
    await suspensions.sweep(system.state, lambda: True)
    await finish(system)

    assert await count(system) == 3


async def test_posts_of_a_private_account_do_not_count_when_its_suspension_ends(system: System) -> None:
    alice, _ = await scene(system)
    await suspend(moderator(system), await alice.id())
    await finish(system)
    await system.person("service", "users:write").ask(UPSERT, u=[{"externalId": "alice", "isPrivate": True}])
    await reinstate(moderator(system), await alice.id())

    assert await system.rows(REQUESTS) == [(0,)]
    await assert_exact(system, 1)


async def test_an_upsert_that_makes_accounts_private_or_public_changes_the_count(system: System) -> None:
    await scene(system)
    service = system.person("service", "users:write")

    for is_private, expected in ((True, 1), (False, 3)):
        await service.ask(UPSERT, u=[{"externalId": "alice", "isPrivate": is_private}])
        await finish(system)
        await assert_exact(system, expected)

    await service.ask(UPSERT, u=[{"externalId": "alice", "bio": "hello"}])
    assert await system.rows(REQUESTS) == [(0,)]


async def test_posts_that_are_deleted_or_edited_while_the_account_is_private_are_subtracted_once(
    system: System,
) -> None:
    alice, (deleted, moved, kept) = await scene(system, 3)
    await make_private(alice)
    await finish(system)

    await delete(alice, deleted)
    await edit(alice, moved, topics=["dogs"])
    await edit(alice, kept, topics=["cats", "birds"])
    await system.drain()
    await assert_exact(system, 1)

    await make_public(alice)
    await finish(system)
    await assert_exact(system, 2)
    assert [await count(system, name) for name in ("dogs", "birds")] == [1, 1]


async def test_changes_between_a_request_and_its_recount_are_counted_once(system: System) -> None:
    alice, (deleted, moved, _) = await scene(system, 3)
    await make_private(alice)

    await delete(alice, deleted)
    await edit(alice, moved, topics=["dogs"])
    await publish(alice, "new", "cats")
    await system.drain()
    assert await count(system) == 2  # bob's, and the one that waits for the recount
    await finish(system)

    await assert_exact(system, 1)


@pytest.mark.parametrize("place", [0, 4])
async def test_a_post_that_is_approved_in_the_middle_of_a_recount_counts_once(
    system: System, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    """The recount has passed the post, or not."""
    monkeypatch.setattr(recounting, "_AT_ONCE", 2)
    alice, ids = await scene(system, 5)
    await decide(moderator(system), ids[place], "REJECT")
    await system.drain()
    await make_private(alice)
    await finish(system)
    await make_public(alice)

    assert await step(system) == 2
    await decide(moderator(system), ids[place], "APPROVE")
    await system.drain()
    assert await count(system) == 1 + 2 + 1
    await finish(system)

    await assert_exact(system, 6)


async def test_an_account_that_changes_in_the_middle_of_a_recount_is_recounted_from_the_start(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "_AT_ONCE", 2)
    alice, _ = await scene(system, 5)

    await make_private(alice)
    assert await step(system) == 2
    await make_public(alice)
    assert await step(system) == 2
    await make_private(alice)
    await make_public(alice)
    await finish(system)

    await assert_exact(system, 6)


@pytest.mark.parametrize("posts", [2, 5])
async def test_a_request_between_a_step_and_its_end_stays(
    system: System, monkeypatch: pytest.MonkeyPatch, posts: int
) -> None:
    """Another worker has done a step for it, too. The first step is the last one, or not."""
    alice, _ = await scene(system, posts)
    await make_private(alice)

    async def another() -> None:
        await make_public(alice)
        monkeypatch.setattr(recounting, "_AT_ONCE", 3)
        assert await step(system) == min(posts, 3)
        await make_private(alice)

    monkeypatch.setattr(recounting, "_AT_ONCE", 3)
    run_after(monkeypatch, recounting, "publish_counts", another)
    await step(system)
    assert await system.rows("SELECT reached FROM topic_recounts") == [(0,)]
    await finish(system)

    await assert_exact(system, 1)


async def test_concurrent_changes_of_an_account_and_steps_end_with_the_right_count(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "_AT_ONCE", 2)
    alice, ids = await scene(system, 5)
    mia, user = moderator(system), await alice.id()

    for n in range(3):
        changes = [make_private(alice), suspend(mia, user, "SHADOW"), make_public(alice), reinstate(mia, user)]
        steps = [step(system) for _ in range(4)]
        published = publish(alice, f"new {n}", "cats")
        await asyncio.gather(*changes, edit(alice, ids[0], topics=["cats", "dogs"]), published, system.drain(), *steps)
    await reinstate(mia, user)
    await make_public(alice)
    await system.drain()
    await finish(system)

    ((posts,),) = await system.rows("SELECT count(*) FROM posts WHERE NOT deleted AND status = 1")
    await assert_exact(system, posts)


@pytest.mark.parametrize("crash", ["publish_counts", "advance"])
async def test_a_step_that_a_crash_interrupts_is_repeated(
    system: System, monkeypatch: pytest.MonkeyPatch, crash: str
) -> None:
    alice, _ = await scene(system)
    await make_private(alice)

    async def crashed(*_: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(topic_recounts if crash == "advance" else recounting, crash, crashed)
        with pytest.raises(ZeroDivisionError):
            await step(system)
    assert await count(system) == (1 if crash == "advance" else 3)  # the cached one

    assert await step(system) == 2
    assert await system.rows(REQUESTS) == [(0,)]
    await assert_exact(system, 1)


async def test_an_account_cannot_change_while_its_post_is_being_stored(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the recount could be over before the post, which it does not see, is committed with the old state."""
    alice, _ = await scene(system)
    await publish(alice, "new", "cats")
    changes: list[asyncio.Task[None]] = []

    async def change() -> None:
        await make_private(alice)
        await finish(system)

    async def begin() -> None:
        changes.append(asyncio.create_task(change()))
        waiting = asyncio.create_task(waiting_for_locks(system, 1))
        await asyncio.wait([waiting, changes[0]], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    run_after(monkeypatch, topics, "write", begin)
    await system.drain()
    await changes[0]

    await assert_exact(system, 1)
    assert await system.rows(COUNTED) == [(False, 3), (True, 1)]


async def test_an_account_cannot_change_while_a_step_counts(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, _ = await scene(system)
    await make_private(alice)
    changes: list[asyncio.Task[None]] = []

    async def begin() -> None:
        changes.append(asyncio.create_task(make_public(alice)))
        waiting = asyncio.create_task(waiting_for_locks(system, 1))
        await asyncio.wait([waiting, changes[0]], return_when=asyncio.FIRST_COMPLETED)
        assert not changes[0].done()
        waiting.cancel()

    run_after(monkeypatch, topic_recounts, "next_posts", begin)
    await step(system)
    await changes[0]
    await finish(system)

    await assert_exact(system, 3)


async def test_two_batches_that_store_posts_and_suspend_their_authors_do_not_deadlock(system: System) -> None:
    one, two = [int((await system.person(handle).id())[5:]) for handle in ("alice", "bob")]
    other: list[asyncio.Task[None]] = []

    async def batch(author: int, suspended: int) -> None:
        async with system.state.postgres.transaction() as transaction:
            await users.uncounted_among(transaction, {author}, changing={suspended})
            if not other:
                other.append(asyncio.create_task(batch(suspended, author)))
                await waiting_for_locks(system, 1)
            await users.lock(transaction, suspended)

    await batch(one, two)
    await other[0]


async def test_reconciliation_finds_and_repairs_posts_that_count_wrongly(system: System) -> None:
    alice, _ = await scene(system)
    await make_private(alice)
    assert await drift(system) == {}  # a recount is due

    await execute(system, "DELETE FROM topic_recounts")
    assert await drift(system) == {"outboxes_and_topics": 2}
    assert await drift(system, repair=True) == {"outboxes_and_topics": 2, "posts": 1}
    await assert_exact(system, 1)
    await make_public(alice)
    await execute(system, "DELETE FROM topic_recounts")
    assert await drift(system, repair=True) == {"outboxes_and_topics": 2, "posts": 1}
    await assert_exact(system, 3)

    await execute(system, "UPDATE counters SET value = value + 3 WHERE (business_id, kind) = (3, 9)")
    assert await drift(system, repair=True) == {"posts": 1}
    await assert_exact(system, 3)


async def test_a_large_account_is_recounted_in_steps_and_holds_up_no_other(system: System) -> None:
    alice, _ = await scene(system, 1)
    author = int((await alice.id())[5:])
    await execute(system, MANY_POSTS, author=author, first=FIRST, many=MANY)
    await execute(system, MANY_IN_OUTBOX, author=author, first=FIRST, many=MANY)
    await execute(system, MANY_PLACES, first=FIRST, many=MANY)
    assert (await drift(system, "posts", "counters", repair=True))["posts"] == 2
    assert await count(system) == MANY + 2

    await make_private(alice)
    assert await step(system) == 500
    assert await count(system) == MANY + 2 - 500
    carol = system.person("carol")
    await publish(carol, "carol's", "cats")
    await system.drain()
    await make_private(carol)
    assert await step(system) == 501
    assert await count(system) == MANY + 2 - 1000
    assert await step(system) == MANY + 1 - 1000
    assert (await count(system), await step(system)) == (1, 0)
    assert await system.rows(REQUESTS) == [(0,)]
    assert await drift(system, "posts", "counters") == {}


async def test_a_recount_of_few_posts_comes_first(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recounting, "_AUTHORS", 1)
    monkeypatch.setattr(recounting, "_AT_ONCE", 2)
    alice, _ = await scene(system, 5)
    await make_private(alice)
    assert await step(system) == 2
    await make_private(system.person("bob"))

    assert await step(system) == 1
    assert await step(system) == 2


async def test_only_the_leader_recounts_and_only_while_redis_is_up(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _ = await scene(system)
    await make_private(alice)

    assert await recount_topics(system.state, lambda: False) == 0
    with monkeypatch.context() as patch:
        patch.setattr(type(system.state.redis), "is_unavailable", True)
        assert await step(system) == 0
    assert await step(system) == 2


async def is_recounted(system: System) -> bool:
    """Returns whether no recount is left: the counters of all are published."""
    return await system.rows(REQUESTS) == [(0,)]


async def test_a_running_worker_recounts(system: System) -> None:
    alice, _ = await scene(system)
    await dismiss(system)

    async with working(system.worker()):
        await make_private(alice)
        await until(lambda: is_recounted(system))

    assert await count(system) == 1
