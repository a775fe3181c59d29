"""Which changes cause outgoing events, and what the events say."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support import comments, posts
from tests.support.fallback_mode import directly
from tests.support.follows import follow, id_of, unfollow
from tests.support.outgoing import received, short, to_stream
from tests.support.reports import reported, resolve
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import System

pytestmark = [standalone]

REACTED = "reaction.changed"
UPDATE = "mutation ($n: String!) { updateProfile(input: {displayName: $n}) { userErrors { message } } }"
WAITS = "get rich quick"
"""A text that a moderator must approve."""
PRIVATE = "mutation { updateProfile(input: {isPrivate: true}) { userErrors { message } } }"


async def test_each_change_of_a_reaction_is_an_event_with_the_state_before_and_after(system: System) -> None:
    await to_stream(system, REACTED)
    (video,) = await system.videos("v1", owner="olga")
    alice = system.person("alice")
    for verb in ("like", "dislike", "undislike", "undislike"):
        await alice.react(verb, video)
        await system.drain()

    events = await received(system)

    changes = [("NONE", "LIKE"), ("LIKE", "DISLIKE"), ("DISLIKE", "NONE")]
    assert [short(event, "before", "after") for event in events] == [(REACTED, *change) for change in changes]
    assert {event["data"]["userId"] for event in events} == {await alice.id()}
    assert {event["data"]["targetId"] for event in events} == {video}
    assert {event["data"]["ownerId"] for event in events} == {await system.person("olga").id()}
    assert {event["business"] for event in events} == {"video"}
    versions = [int(event["version"]) for event in events]
    assert versions == sorted(set(versions))
    assert len({event["id"] for event in events}) == 3


async def test_changes_of_one_batch_that_undo_each_other_are_one_event_with_the_last_version(system: System) -> None:
    """After a failover, the first change may have been sent alone before."""
    await to_stream(system, REACTED)
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.person("alice").unlike(video)

    (event,) = await received(system)

    assert short(event, "before", "after") == (REACTED, "NONE", "NONE")
    assert await system.rows("SELECT version FROM reactions") == [(int(event["version"]),)]


async def test_a_comment_and_a_post_have_their_own_ids_as_targets(system: System) -> None:
    await to_stream(system, REACTED)
    (video,) = await system.videos("v1")
    (post,) = await posts.published(system.person("bob"), "hello")
    comment = await comments.added(system.person("bob"), video, "nice")
    await system.drain()
    for target in (post, comment):
        await system.person("alice").like(target)

    events = await received(system)

    assert sorted(event["data"]["targetId"] for event in events) == sorted([post, comment])
    assert {event["business"] for event in events} == {"post", "comment"}


async def test_follows_and_requests_are_events_of_the_follower(system: System) -> None:
    await to_stream(system, "follow.changed")
    alice, bob = system.person("alice"), system.person("bob")
    ids = await id_of(alice), await id_of(bob)
    await bob.ask(PRIVATE)
    await follow(alice, ids[1])
    await system.drain()
    await unfollow(alice, ids[1])
    await system.drain()
    await follow(bob, ids[0])

    events = await received(system)

    assert {event["business"] for event in events} == {"user"}
    names = "followerId", "followeeId", "before", "after"
    assert sorted(short(event, *names)[1:] for event in events) == sorted(
        [(*ids, "NONE", "REQUESTED"), (*ids, "REQUESTED", "NONE"), (ids[1], ids[0], "NONE", "FOLLOWS")]
    )


async def test_posts_and_comments_have_events_while_they_are_public(system: System) -> None:
    await to_stream(system, *(f"{what}.{change}" for what in ("post", "comment") for change in ("created", "deleted")))
    await to_stream(system, "post.updated", name="edits")
    alice, judge = system.person("alice"), system.person("judge", "moderate")
    (post, hidden) = await posts.published(alice, "first", "second")
    await system.drain()
    comment = await comments.added(system.person("bob"), post, "nice")
    await system.drain()
    await posts.edit(alice, post, text="changed")
    await system.drain()
    await posts.decide(judge, hidden, "REJECT")
    await system.drain()
    await comments.delete(system.person("bob"), comment)
    await posts.delete(alice, post)

    events = await received(system)

    by_post = [short(event) for event in events if event["data"]["id"] == post]
    assert by_post == [("post.created",), ("post.deleted",)]
    assert [short(event) for event in events if event["data"]["id"] == comment] == [
        ("comment.created",),
        ("comment.deleted",),
    ]
    created, removed = [event for event in events if event["data"]["id"] == hidden]
    assert created["data"]["text"] == "second"
    assert removed["data"]["byModeration"]
    (about_comment,) = [event for event in events if event["kind"] == "comment.created"]
    assert (about_comment["data"]["subjectId"], about_comment["data"]["text"]) == (post, "nice")
    (edited,) = await received(system, "edits")
    assert (edited["data"]["text"], edited["data"]["id"]) == ("changed", post)


async def test_events_of_a_post_that_is_never_public_do_not_have_its_text(system: System) -> None:
    await to_stream(system, "post.created", "post.updated", "post.deleted")
    alice = system.person("alice")
    (post,) = await posts.published(alice, WAITS)
    await system.drain()
    await posts.edit(alice, post, text=WAITS + "!")
    await system.drain()
    await posts.delete(alice, post)

    events = await received(system)

    assert [short(event, "id", "byModeration") for event in events] == [
        ("post.deleted", post, True),
        ("post.deleted", post, True),
        ("post.deleted", post, False),
    ]
    assert {frozenset(event["data"]) for event in events} == {frozenset(["id", "authorId", "byModeration"])}
    assert await system.rows("SELECT status, deleted FROM posts") == [(0, True)]


async def test_a_post_that_is_published_and_deleted_in_one_batch_is_deleted(system: System) -> None:
    await to_stream(system, "post.created", "post.deleted")
    (post,) = await posts.published(system.person("alice"), "oops")
    await posts.delete(system.person("alice"), post)

    (event,) = await received(system)

    assert short(event, "id", "byModeration") == ("post.deleted", post, False)


async def test_notifications_are_events_for_their_users(system: System) -> None:
    await to_stream(system, "notification.created")
    (video,) = await system.videos("v1", owner="olga")
    for handle in ("alice", "bob"):
        await system.person(handle).like(video)
        await system.drain()

    first, second = await received(system)

    olga = await system.person("olga").id()
    assert first["data"]["id"] == second["data"]["id"]
    assert [event["data"]["actorCount"] for event in (first, second)] == [1, 2]
    assert {
        (event["data"]["userId"], event["data"]["kind"], event["data"]["subjectId"]) for event in (first, second)
    } == {(olga, "LIKE", video)}


async def test_reports_and_their_resolution_are_events(system: System) -> None:
    await to_stream(system, "report.created", "report.resolved")
    (video,) = await system.videos("v1")
    await reported(system.person("alice"), video, "SPAM", "an advertisement")
    await reported(system.person("bob"), video, "HATE")
    await system.drain()
    await resolve(moderator(system), video, "ACCEPT")

    *created, closed = await received(system)

    assert sorted(short(event, "targetId", "reason") for event in created) == [
        ("report.created", video, "HATE"),
        ("report.created", video, "SPAM"),
    ]
    assert short(closed, "targetId", "status", "count") == ("report.resolved", video, "ACCEPTED", 2)


async def test_direct_writes_have_events_too(system: System) -> None:
    await to_stream(system, REACTED)
    (video,) = await system.videos("v1")
    await system.person("alice").id()
    async with directly(system):
        await system.person("alice").like(video)
        await system.person("alice").like(video)

    (event,) = await received(system)

    assert short(event, "before", "after") == (REACTED, "NONE", "LIKE")


async def test_destinations_get_only_the_kinds_and_businesses_that_they_want(system: System) -> None:
    video_business = system.state.businesses["video"].id
    (video,) = await system.videos("v1")
    await to_stream(system, name="all")
    await to_stream(system, name="videos", businesses=[video_business])
    await to_stream(system, "post.created", name="posts")
    (post,) = await posts.published(system.person("alice"), "hello")
    await system.drain()
    for target in (video, post):
        await system.person("bob").like(target)

    everything = await received(system, "all")

    assert {event["kind"] for event in everything} >= {"user.created", "post.created", REACTED}
    assert [short(event, "targetId") for event in await received(system, "videos")] == [(REACTED, video)]
    assert [short(event, "id") for event in await received(system, "posts")] == [("post.created", post)]


async def test_what_no_destination_wants_is_not_stored(system: System) -> None:
    (video,) = await system.videos("v1")
    await to_stream(system, "post.created")
    await system.person("alice").like(video)
    await system.drain()

    assert await system.rows("SELECT 1 FROM outgoing_events") == []


async def test_a_new_destination_gets_events_from_now_on(system: System) -> None:
    await to_stream(system, REACTED, name="old")
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    await to_stream(system, REACTED, name="new")
    await system.person("bob").like(video)

    assert len(await received(system, "old")) == 2
    (event,) = await received(system, "new")
    assert event["data"]["userId"] == await system.person("bob").id()


async def test_times_are_those_of_the_commits(system: System) -> None:
    await to_stream(system, "user.created")
    await system.person("alice").id()

    (event,) = [one for one in await received(system) if one["data"]["handle"] == "alice"]

    assert abs(datetime.fromisoformat(event["time"]) - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize("kind", ["user.updated", REACTED])
async def test_the_head_of_a_partition_is_the_position_of_its_newest_event(system: System, kind: str) -> None:
    await to_stream(system, kind)
    (video,) = await system.videos("v1")
    for handle in ("alice", "bob", "carol"):
        await system.person(handle).ask(UPDATE, n="Someone")
        await system.person(handle).like(video)
    await system.drain()

    heads = await system.rows("SELECT p, position, bytes FROM outgoing_heads ORDER BY p")
    newest = await system.rows(
        "SELECT p, max(position), max(bytes_through), sum(octet_length(data) + 100) FROM outgoing_events "
        "GROUP BY p ORDER BY p"
    )
    assert [(p, position, size) for p, position, size, _ in newest] == heads
    assert [size for _, _, size, _ in newest] == [int(total) for *_, total in newest]
