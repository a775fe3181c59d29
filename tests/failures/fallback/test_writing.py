"""Every direct write: its response equals that of a journalled write, and its effect stays when Redis is back."""

import asyncio
from collections.abc import Callable
from typing import Any

from settings import Settings
from tests.support import boundaries, comments, notifications, posts, reports
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.metrics import metric
from tests.support.posts import delete, edit
from tests.support.reconciliation import drift
from tests.support.system import REACT, Person, System, running

SEEN = """query ($id: ID!) { node(id: $id) { ... on Reactable {
  likeCount dislikeCount viewerReaction likers { nodes { handle } } } } }"""
FOLLOW = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { followerCount viewerRelation } userErrors { code } } }"""
USER = """query ($h: String!) { user(handle: $h) { id followerCount followingCount viewerRelation
  followers { nodes { handle } } likes(business: "video") { nodes { id } } } }"""
RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation viewerMutes } } }"
VIEWS = "mutation ($ids: [ID!]!) { recordViews(input: {targetIds: $ids}) { targets { id } userErrors { code } } }"
VIEWED = "query ($id: ID!) { node(id: $id) { ... on Entity { viewCount } } }"


def commands() -> float:
    return metric("redis_commands_total")


async def seen(person: Person, target: str) -> Any:
    return (await person.ask(SEEN, id=target))["node"]


async def test_reactions_can_be_written_directly(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")
    await bob.like(video)
    await system.drain()

    async with directly(system):
        before = commands()
        answer = await alice.like(video)
        assert answer["target"] == {"id": video, "likeCount": 2, "dislikeCount": 0, "viewerReaction": "LIKE"}
        assert (await alice.like(video))["target"]["likeCount"] == 2
        assert (await bob.react("dislike", video))["target"] == {
            "id": video,
            "likeCount": 1,
            "dislikeCount": 1,
            "viewerReaction": "DISLIKE",
        }
        assert (await bob.unlike(video))["target"]["viewerReaction"] == "DISLIKE"
        during = await seen(alice, video)
        assert commands() == before

    assert (await seen(alice, video)) == during
    assert [liker["handle"] for liker in during["likers"]["nodes"]] == ["alice"]
    logged = await system.rows("SELECT verb FROM like_log ORDER BY version")
    assert logged == [("like",), ("like",), ("dislike",), ("unlike",)]
    await alice.unlike(video)
    await system.drain()
    assert (await seen(bob, video))["likeCount"] == 0


async def test_follows_can_be_written_directly(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    bobs, alices = await bob.id(), await alice.id()
    async with directly(system):
        for _ in range(2):
            answer = (await alice.ask(FOLLOW % "follow", id=bobs))["follow"]
            assert answer == {"user": {"followerCount": 1, "viewerRelation": "FOLLOWING"}, "userErrors": []}
        answer = (await bob.ask(FOLLOW % "follow", id=alices))["follow"]
        assert answer["user"]["viewerRelation"] == "FRIENDS"
        await bob.ask(FOLLOW % "unfollow", id=alices)
        during = (await alice.ask(USER, h="bob"))["user"]

    assert (await alice.ask(USER, h="bob"))["user"] == during
    assert during["viewerRelation"] == "FOLLOWING"
    assert [one["handle"] for one in during["followers"]["nodes"]] == ["alice"]
    logged = await system.rows("SELECT follows FROM follow_log ORDER BY version")
    assert logged == [(True,), (True,), (False,)]


async def test_blocks_and_mutes_can_be_written_directly(system: System) -> None:
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    a, b, c = await alice.id(), await bob.id(), await carol.id()
    await follow(alice, b, c)
    await follow(bob, a)
    await follow(carol, a)
    await system.drain()

    async def relations() -> list[Any]:
        pairs = (alice, b), (bob, a), (alice, c), (carol, a)
        nodes = [(await person.ask(RELATION, id=id_))["node"] for person, id_ in pairs]
        return [node and (node["viewerRelation"], node["viewerMutes"]) for node in nodes]

    async with directly(system):
        for _ in range(2):
            assert (await boundaries.change(alice, "block", b))["userErrors"] == []
        assert (await bob.ask(FOLLOW % "follow", id=a))["follow"]["userErrors"] == [{"code": "TARGET_NOT_FOUND"}]
        assert (await boundaries.mute(alice, c))["userErrors"] == []
        assert (await boundaries.change(alice, "removeFollower", c))["userErrors"] == []
        during = await relations()
        assert during == [None, None, ("FOLLOWING", True), ("FOLLOWED_BY", False)]
        counts = await system.rows("SELECT count(*) FROM following")
        assert counts == [(1,)]

    assert await relations() == during
    await boundaries.change(alice, "unblock", b)
    await boundaries.change(alice, "unmute", c)
    await system.drain()
    assert await relations() == [
        *(("NONE", False), ("NONE", False)),
        *(("FOLLOWING", False), ("FOLLOWED_BY", False)),
    ]


async def test_a_removal_that_was_written_directly_is_not_repeated(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(bob, a)
    await system.drain()
    async with directly(system):
        await boundaries.change(alice, "removeFollower", b, key="k")
    await follow(bob, a)

    assert (await boundaries.change(alice, "removeFollower", b, key="k"))["userErrors"] == []
    await system.drain()

    assert (await bob.ask(RELATION, id=a))["node"]["viewerRelation"] == "FOLLOWING"


async def test_two_users_who_block_each_other_directly_wait_for_each_other(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    async with directly(system):
        for _ in range(5):
            both = await asyncio.gather(boundaries.change(alice, "block", b), boundaries.change(bob, "block", a))
            assert [payload["userErrors"] for payload in both] == [[], []]
            await asyncio.gather(boundaries.change(alice, "unblock", b), boundaries.change(bob, "unblock", a))


async def test_the_limit_of_follows_holds_for_direct_writes(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(people={"follow_limit": 1})) as system:
        alice = system.person("alice")
        ids = [await system.person(h).id() for h in ("bob", "carl")]
        async with directly(system):
            assert (await alice.ask(FOLLOW % "follow", id=ids[0]))["follow"]["userErrors"] == []
            for _ in range(2):
                refused = (await alice.ask(FOLLOW % "follow", id=ids[1], key="k"))["follow"]
                assert refused["userErrors"] == [{"code": "FOLLOW_LIMIT_REACHED"}]
            assert (await alice.ask(FOLLOW % "follow", id=ids[0]))["follow"]["userErrors"] == []


async def test_an_idempotency_key_names_one_write_during_and_after_direct_writes(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    async with directly(system):
        await alice.like(video, key="k1")
        await alice.unlike(video)
        await alice.like(video, key="k1")
        assert (await seen(alice, video))["viewerReaction"] is None
        post = await posts.publish(alice, "once", key="p1")
        assert (await posts.publish(alice, "once", key="p1"))["post"]["id"] == post["post"]["id"]
    await alice.unlike(video)
    await alice.like(video, key="k1")
    assert (await seen(alice, video))["viewerReaction"] is None
    assert (await alice.like("Entity:video:none", key="k1"))["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"
    assert (await posts.publish(alice, "once", key="p1"))["post"]["id"] == post["post"]["id"]
    refused = await posts.publish(alice, "twice", key="p1")
    assert refused["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"


async def test_posts_and_comments_can_be_written_directly(system: System) -> None:
    alice, bob, mod = system.person("alice"), system.person("bob"), system.person("mod", "moderate")
    async with directly(system):
        kept, gone = await posts.published(alice, "kept", "gone")
        assert (await edit(alice, kept, text="edited"))["post"]["text"] == "edited"
        assert (await delete(alice, gone))["deletedId"] == gone
        root = await comments.added(bob, kept, "root")
        reply = await comments.added(alice, kept, "reply", root)
        bad = await comments.added(bob, kept, "bad")
        await comments.decide(mod, bad, "REJECT")
        assert await posts.on_square(bob) == ["edited"]
        assert await comments.counts(bob, kept) == (2, 1)
        assert (await comments.seen(alice, reply))["floor"] == 1

    assert await posts.on_square(bob) == ["edited"]
    assert await comments.counts(bob, kept) == (2, 1)
    assert await comments.text_of(alice, root) == "root"
    assert await comments.text_of(alice, bad) is None


async def test_an_object_that_may_be_in_a_journal_is_not_reported_as_missing(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, mod = system.person("alice"), system.person("bob"), system.person("mod", "moderate")
    (post,) = await posts.published(alice, "waits")
    comment = await comments.added(alice, video, "waits too")

    async with directly(system):
        for query, variables in (
            (REACT % "like", {"id": post, "key": "like"}),
            (REACT % "like", {"id": comment}),
            (posts.EDIT, {"input": {"postId": post, "text": "edited"}}),
            (posts.DELETE, {"id": post}),
            (comments.DELETE, {"id": comment}),
            (comments.ADD, {"subject": post, "text": "about it", "key": "about"}),
            (comments.ADD, {"subject": video, "to": comment, "text": "to it", "key": "to"}),
            (posts.MODERATE, {"id": post, "decision": "REJECT", "reason": "because"}),
        ):
            for person in (mod,) if query == posts.MODERATE else (alice, bob):
                assert [code for code, _ in await person.errors(query, **variables)] == ["UNAVAILABLE"]
        for id_ in (post, comment):
            assert [code for code, _ in await system.person(None).errors(posts.NODE, id=id_)] == ["UNAVAILABLE"]

    assert (await bob.like(post, key="like"))["target"]["likeCount"] == 1
    assert (await comments.add(bob, post, "about it", key="about"))["userErrors"] == []
    assert (await comments.seen(bob, comment))["text"] == "waits too"
    assert (await bob.like("Post:1"))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"


async def test_notifications_of_direct_writes_are_delivered(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, owen = system.person("alice"), system.person("owen")
    async with directly(system):
        await alice.like(video)
    page = await notifications.page(owen)
    assert (len(page.nodes), page.unread) == (1, 1)

    async with directly(system):
        await owen.ask(notifications.MARK, upTo=page.cursors[0])
        assert (await notifications.page(owen)).unread == 0
    assert (await notifications.page(owen)).unread == 0


async def test_direct_views_count_once_an_hour(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.ask(VIEWS, ids=[video])
    await system.drain()
    async with directly(system):
        await alice.ask(VIEWS, ids=[video])
        await system.person("bob").ask(VIEWS, ids=[video, video])
        assert (await alice.ask(VIEWED, id=video))["node"]["viewCount"] == 2
    assert (await alice.ask(VIEWED, id=video))["node"]["viewCount"] == 2


async def test_users_and_entities_can_be_registered_directly(system: System) -> None:
    async with directly(system):
        (video,) = await system.videos("v1", owner="owen")
        name = await system.person("owen").ask(
            'mutation { updateProfile(input: {displayName: "Owen"}) { user { displayName } userErrors { code } } }'
        )
        assert name["updateProfile"]["user"]["displayName"] == "Owen"
        assert (await seen(system.person("zoe"), video))["likeCount"] == 0
    shown = await system.person("zoe").ask('{ user(handle: "owen") { displayName } }')
    assert shown["user"]["displayName"] == "Owen"


async def test_home_has_posts_that_were_published_directly(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    alices = await alice.id()
    await bob.ask(FOLLOW % "follow", id=alices)
    await posts.publish(alice, "before")
    await system.drain()
    assert await at_home(bob) == ["before"]

    async with directly(system):
        await posts.publish(alice, "during")
        assert await at_home(bob) == ["during", "before"]

    assert await at_home(bob) == ["during", "before"]
    await posts.publish(alice, "after")
    await system.drain()
    assert await at_home(bob) == ["after", "during", "before"]
    assert await system.rows("SELECT count(*) FROM fanouts") == [(0,)]


async def at_home(person: Person) -> list[str]:
    home = (await person.ask("{ viewer { home(first: 10) { nodes { text } } } }"))["viewer"]["home"]
    return [post["text"] for post in home["nodes"]]


async def test_requests_to_follow_can_be_written_and_answered_directly(system: System) -> None:
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    a, b, c = await alice.id(), await bob.id(), await carol.id()
    await bob.ask("mutation { updateProfile(input: {isPrivate: true}) { userErrors { code } } }")
    await alice.ask(FOLLOW % "follow", id=b)
    await system.drain()

    async with directly(system):
        assert (await carol.ask(FOLLOW % "follow", id=b))["follow"]["user"]["viewerRelation"] == "REQUESTED"
        for verb, user, relation in (("acceptFollow", a, "FOLLOWED_BY"), ("rejectFollow", c, "NONE")):
            for _ in range(2):
                payload = (await bob.ask(FOLLOW % verb, id=user))[verb]
                assert (payload["user"]["viewerRelation"], payload["userErrors"]) == (relation, [])
        again = (await bob.ask(FOLLOW % "acceptFollow", id=c))["acceptFollow"]
        assert again["userErrors"] == [{"code": "REQUEST_NOT_FOUND"}]
        assert (await alice.ask(FOLLOW % "follow", id=b))["follow"]["user"]["viewerRelation"] == "FOLLOWING"

    await system.drain()
    assert (await alice.ask(RELATION, id=b))["node"]["viewerRelation"] == "FOLLOWING"
    assert (await carol.ask(RELATION, id=b))["node"]["viewerRelation"] == "NONE"


async def test_a_direct_rejection_ends_a_request_that_only_a_journal_has(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await bob.ask("mutation { updateProfile(input: {isPrivate: true}) { userErrors { code } } }")
    await alice.ask(FOLLOW % "follow", id=b)
    async with directly(system):
        assert (await bob.ask(FOLLOW % "rejectFollow", id=a))["rejectFollow"]["userErrors"] == []
    await system.drain()
    assert (await alice.ask(RELATION, id=b))["node"]["viewerRelation"] == "NONE"


async def test_reports_can_be_written_and_decided_directly(system: System) -> None:
    alice, bob, moderator = system.person("alice"), system.person("bob"), system.person("mod", "moderate")
    first, second = await posts.published(alice, "one", "two")
    await system.drain()

    async with directly(system):
        for target in (first, second):
            for _ in range(2):
                assert (await reports.report(bob, target, key=target))["userErrors"] == []
        assert await reports.queued(moderator) == {first: 1, second: 1}
        assert (await reports.resolve(moderator, first, "REMOVE"))["userErrors"] == []
        assert await reports.queued(moderator) == {second: 1}

    await system.drain()
    assert await reports.queued(moderator) == {second: 1}
    assert await posts.seen(bob, first) is None
    assert await drift(system, "cases") == {}


async def test_a_report_in_a_journal_stays_open_after_a_direct_decision(system: System) -> None:
    alice, bob, moderator = system.person("alice"), system.person("bob"), system.person("mod", "moderate")
    (post,) = await posts.published(alice, "one")
    await system.drain()
    await reports.reported(bob, post)
    async with directly(system):
        assert (await reports.resolve(moderator, post, "DISMISS"))["userErrors"] == []
    await system.drain()
    assert await reports.queued(moderator) == {post: 1}
    assert await drift(system, "cases") == {}
