"""After a deletion, nothing is left of the user but what the mode keeps, and all counters and lists are right."""

import pytest

from store.notifications.grouping import KEPT
from tests.support.boundaries import block, mute
from tests.support.collections import created, save_into
from tests.support.comments import added
from tests.support.deletions import delete, finish
from tests.support.personal_data import SEEN, TRACES, act, stored
from tests.support.pinned_posts import pin_post
from tests.support.posts import publish
from tests.support.reconciliation import drift, execute
from tests.support.reports import reported
from tests.support.saves import save
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import Person, System


async def live(system: System) -> tuple[Person, Person, str, str]:
    """Lets alice do everything that leaves data about her. Returns alice, bob, the video and her post."""
    alice, bob = system.person("alice", device_id="alices-phone"), system.person("bob")
    video, post = await act(system, alice, bob)
    carol, dora = system.person("carol"), system.person("dora")
    await block(alice, await carol.id())
    await mute(alice, await dora.id())
    await block(dora, await alice.id())
    await pin_post(alice, post)
    collection = await created(alice, "secret things")
    await save_into(alice, collection, video)
    await save(bob, post)
    await reported(alice, (await publish(carol, "buy this"))["post"]["id"])
    await system.drain()
    return alice, bob, video, post


@standalone
@pytest.mark.parametrize("mode", ["ANONYMIZE", "ERASE"])
async def test_nothing_about_a_deleted_person_is_left(system: System, mode: str) -> None:
    alice, bob, video, post = await live(system)
    before = await stored(system)
    assert all(trace in before for trace in TRACES)

    await delete(alice, mode)
    await finish(system)
    await system.drain()

    assert await drift(system) == {}
    reserved = await system.rows("SELECT handle, user_id FROM handles WHERE freed_at IS NOT NULL")
    assert reserved == [("alice", 0)]
    await execute(system, "DELETE FROM handles WHERE freed_at IS NOT NULL")
    after = await stored(system)
    left = [trace for trace in TRACES if trace in after]
    assert left == ([] if mode == "ERASE" else ["secret"])
    seen = await bob.ask(SEEN, video=video, post=post)
    entity, me = seen["node"], seen["viewer"]["user"]
    assert seen["user"] is None
    assert [entity[name] for name in ("likeCount", "viewCount", "shareCount")] == [0, 1, 1]
    assert (entity["owner"], entity["likers"]["nodes"]) == (None, [])
    assert [me[name] for name in ("followerCount", "followingCount", "likesReceivedCount")] == [0, 0, 0]
    assert all("alice" not in str(one) for one in seen["viewer"]["notifications"]["nodes"])
    if mode == "ERASE":
        assert seen["post"] is None
        assert entity["commentCount"] == 1
        assert entity["comments"]["nodes"] == [{"text": None, "deleted": True, "author": None, "replyCount": 1}]
    else:
        assert seen["post"] == {"id": post}
        assert [(one["text"], one["author"]["handle"][:8]) for one in entity["comments"]["nodes"]] == [
            ("a secret remark", "deleted_")
        ]


@standalone
async def test_a_deleted_person_is_not_counted_where_newer_actors_are_named(system: System) -> None:
    alice, writer = system.person("alice"), system.person("writer")
    post = (await publish(writer, "hello"))["post"]["id"]
    await system.drain()
    await added(alice, post, "first")
    await system.drain()
    for number in range(KEPT):
        await added(system.person(f"later{number}"), post, "hello")
        await system.drain()
    assert await system.rows("SELECT actor_count FROM notifications") == [(KEPT + 1,)]

    await delete(alice, "ERASE")
    await finish(system)
    await system.drain()

    assert await system.rows("SELECT actor_count FROM notifications") == [(KEPT,)]
    assert await drift(system) == {}


async def test_a_deleted_author_gets_no_notifications(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, "hello"))["post"]["id"]
    await system.drain()
    await delete(alice, "ANONYMIZE")
    await finish(system)

    assert (await bob.like(post))["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT user_id FROM notifications") == []
    assert await drift(system) == {}


async def test_a_deleted_author_gets_no_decisions_of_moderators(system: System) -> None:
    alice, mia = system.person("alice"), moderator(system)
    post = (await publish(alice, "hello"))["post"]["id"]
    await system.drain()
    await delete(alice, "ANONYMIZE")
    await finish(system)

    rejection = 'targetId: $id, decision: REJECT, reason: "x"'
    reject = f"mutation ($id: ID!) {{ moderate(input: {{{rejection}}}) {{ userErrors {{ code }} }} }}"
    assert (await mia.ask(reject, id=post))["moderate"]["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT user_id FROM notifications") == []
