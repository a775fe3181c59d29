"""Reads while Postgres is down: cached values are returned, and all others are null and listed as missing (D1, D3)."""

from typing import Any

from store import keys
from tests.support.comment_policies import POLICY
from tests.support.comments import added, number
from tests.support.degraded_answers import StoppableSystem, a_post, a_video, ask, ways
from tests.support.outages import Away
from tests.support.stores import standalone
from tests.support.suspensions import suspend

pytestmark = [standalone, ways]

DOWN = "POSTGRES_DOWN"
NAMES = 'query ($keys: [String!]!) { entities(business: "video", keys: $keys) { key } }'
PAGE = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) {
  key title likes: likeCount commentsClosed viewerReaction owner { handle likesReceivedCount }
  likers(first: 2) { nodes { handle } } comments(sort: NEWEST, first: 2) { nodes { text author { handle } } } } }"""
POSTS = """{ square { nodes { text likeCount author { handle } comments { nodes { text } } } } }"""
NOTIFIED = "{ viewer { notifications { nodes { subject { id } comment { text } } } } }"
NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"


async def test_a_page_in_no_cache_keeps_the_values_that_come_with_its_entities(
    stoppable: StoppableSystem, away: Away
) -> None:
    for key in ("v1", "v2", "v3"):
        await a_video(stoppable.system, key)
    alice, keys = stoppable.system.person("alice"), ["v1", "v2", "v3"]
    await alice.ask("{ viewer { id } }")
    stoppable.forget_all()
    await alice.ask(NAMES, keys=keys)

    async with stoppable.without_postgres(away):
        page = await ask(alice, PAGE, keys=keys)
    again = await ask(alice, PAGE, keys=keys)

    lost = dict.fromkeys(["likes", "viewerReaction", "owner", "likers", "comments"])
    assert page.data["entities"] == [{"key": k, "title": k, "commentsClosed": False, **lost} for k in keys]
    assert page.errors == []
    assert page.missing == [
        ("entities.comments", "Entity.comments", 3, DOWN),
        ("entities.likers", "Entity.likers", 3, DOWN),
        ("entities.likes", "Entity.likeCount", 3, DOWN),
        ("entities.owner", "Entity.owner", 3, DOWN),
        ("entities.viewerReaction", "Entity.viewerReaction", 3, DOWN),
    ]
    assert (again.errors, again.missing) == ([], [])
    assert [one["likes"] for one in again.data["entities"]] == [1, 1, 1]


async def test_a_cached_page_is_complete(stoppable: StoppableSystem, away: Away) -> None:
    await a_video(stoppable.system, "v1")
    anonymous = stoppable.system.person(None)
    before = await ask(anonymous, PAGE, keys=["v1"])

    async with stoppable.without_postgres(away):
        during = await ask(anonymous, PAGE, keys=["v1"])

    assert during == before
    assert (during.missing, during.data["entities"][0]["likes"]) == ([], 1)


async def test_missing_values_of_one_entity_leave_other_entities_complete(
    stoppable: StoppableSystem, away: Away
) -> None:
    for key in ("v1", "v2", "v3"):
        await a_video(stoppable.system, key)
    anonymous, keys = stoppable.system.person(None), ["v1", "v2", "v3"]
    stoppable.forget_all()
    await anonymous.ask(NAMES, keys=["v2"])
    warm = (await anonymous.ask(PAGE, keys=["v1"]))["entities"]

    async with stoppable.without_postgres(away):
        page = await ask(anonymous, PAGE, keys=keys)

    lost = dict.fromkeys(["likes", "likers", "comments"])
    assert page.data["entities"] == [warm[0], {**warm[0], "key": "v2", "title": "v2", **lost}, None]
    assert page.errors == []
    assert page.missing == [
        ("entities", "Query.entities", 1, DOWN),
        ("entities.comments", "Entity.comments", 1, DOWN),
        ("entities.likers", "Entity.likers", 1, DOWN),
        ("entities.likes", "Entity.likeCount", 1, DOWN),
    ]


async def test_a_root_field_without_cached_value_returns_an_error(stoppable: StoppableSystem, away: Away) -> None:
    video = await a_video(stoppable.system, "v1")
    anonymous, query = (
        stoppable.system.person(None),
        'query ($id: ID!) { node(id: $id) { id } user(handle: "olga") { id } }',
    )
    stoppable.forget_all()

    async with stoppable.without_postgres(away):
        unknown = await ask(anonymous, query, id=video)
        board = await ask(anonymous, "{ leaderboard { rank } square { nodes { id } } }")
        both = await ask(anonymous, NODES, ids=[video, "User:7"])
    missing = await anonymous.ask(NODES, ids=["Post:8", "User:8"])
    async with stoppable.without_postgres(away):
        known = await ask(anonymous, NODES, ids=["Post:8", video, "User:8"])

    assert (unknown.data, unknown.missing) == ({"node": None, "user": None}, [])
    assert sorted(unknown.errors) == [("UNAVAILABLE", ["node"]), ("UNAVAILABLE", ["user"])]
    assert sorted(board.errors) == [("UNAVAILABLE", ["leaderboard"]), ("UNAVAILABLE", ["square"])]
    assert both.errors == [("UNAVAILABLE", ["nodes"])]
    assert missing["nodes"] == [None, None]
    assert (known.data, known.errors) == ({"nodes": [None, None, None]}, [])
    assert known.missing == [("nodes", "Query.nodes", 1, DOWN)]


async def test_posts_and_authors_return_their_cached_fields(stoppable: StoppableSystem, away: Away) -> None:
    alice = stoppable.system.person("alice")
    for text in ("one", "two"):
        await a_post(alice, text)
    await stoppable.system.drain()
    bob = stoppable.system.person("bob")
    stoppable.forget_all()
    await bob.ask("{ square { nodes { text } } }")

    async with stoppable.without_postgres(away):
        page = await ask(bob, POSTS)

    cached = {"author": {"handle": "alice"}, "likeCount": None, "comments": None}
    assert page.data["square"]["nodes"] == [{"text": text, **cached} for text in ("two", "one")]
    assert [(what, count) for what, _, count, _ in page.missing] == [
        ("square.nodes.comments", 2),
        ("square.nodes.likeCount", 2),
    ]


async def test_users_return_their_cached_fields(stoppable: StoppableSystem, away: Away) -> None:
    alice, bob = stoppable.system.person("alice"), stoppable.system.person("bob")
    ids = [await person.id() for person in (alice, bob)]
    query = """query ($ids: [ID!]!) { viewer { user { handle } home { nodes { id } } } nodes(ids: $ids) { id
      ... on User { followerCount viewerRelation followers { nodes { id } } posts { nodes { id } } } } }"""
    stoppable.forget_all()
    await bob.ask(NODES, ids=ids)

    async with stoppable.without_postgres(away):
        page = await ask(bob, query, ids=ids)

    lost = dict.fromkeys(["followerCount", "viewerRelation", "followers", "posts"])
    assert page.data["nodes"] == [{"id": id_, **lost} for id_ in ids]
    assert page.data["viewer"] == {"user": {"handle": "bob"}, "home": None}
    assert page.errors == []
    assert {(field, count) for _, field, count, _ in page.missing} == {
        *((f"User.{field}", 2) for field in lost),
        ("Viewer.home", 1),
    }


async def test_a_hundred_missing_values_of_one_field_are_one_degraded_entry(
    stoppable: StoppableSystem, away: Away
) -> None:
    keys = [f"v{i}" for i in range(100)]
    await stoppable.system.videos(*keys)
    anonymous = stoppable.system.person(None)
    await anonymous.ask(NAMES, keys=keys)
    query = NAMES.replace("{ key }", "{ a: likeCount b: likeCount viewCount }")

    async with stoppable.without_postgres(away):
        page = await ask(anonymous, query, keys=keys)

    assert page.missing == [
        ("entities.a", "Entity.likeCount", 100, DOWN),
        ("entities.b", "Entity.likeCount", 100, DOWN),
        ("entities.viewCount", "Entity.viewCount", 100, DOWN),
    ]


async def test_a_comment_in_no_cache_is_missing_in_its_notification_only(
    stoppable: StoppableSystem, away: Away
) -> None:
    system = stoppable.system
    alice, bob = system.person("alice"), system.person("bob")
    posts = [await a_post(alice, text) for text in ("first", "second")]
    await system.drain()
    comments = [await added(bob, post, f"on {post}") for post in posts]
    await system.drain()
    await alice.ask(NOTIFIED)
    await system.state.cache.drop([keys.comment(number(comments[0]))])

    async with stoppable.without_postgres(away):
        page = await ask(alice, NOTIFIED)
    again = await ask(alice, NOTIFIED)

    def shown(comment: str | None) -> Any:
        newer = {"subject": {"id": posts[1]}, "comment": {"text": f"on {posts[1]}"}}
        older = {"subject": {"id": posts[0]}, "comment": comment and {"text": comment}}
        return {"viewer": {"notifications": {"nodes": [newer, older]}}}

    assert (page.data, page.errors) == (shown(None), [])
    assert page.missing == [("viewer.notifications.nodes.comment", "Notification.comment", 1, DOWN)]
    assert (again.data, again.missing) == (shown(f"on {posts[0]}"), [])


async def test_whether_a_suspended_viewer_can_comment_is_unknown_without_the_profile(
    stoppable: StoppableSystem, away: Away
) -> None:
    system = stoppable.system
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    video = await a_video(system, "v1")
    await suspend(mia, await alice.id(), "READ_ONLY")
    assert (await alice.ask(POLICY, id=video))["node"]["viewerCanComment"] is False
    await system.state.cache.redis("DEL", keys.user(int((await alice.id()).removeprefix("User:"))), write=True)

    async with stoppable.without_postgres(away):
        answer = await ask(alice, POLICY, id=video)

    assert answer.data["node"]["viewerCanComment"] is None
    assert answer.missing == [("node.viewerCanComment", "Entity.viewerCanComment", 1, DOWN)]
