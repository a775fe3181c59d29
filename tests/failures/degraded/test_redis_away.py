"""Reads and writes while Redis is down, with and without Postgres (D2, D3, D4)."""

from typing import Any

from tests.support.degraded_answers import StoppableSystem, a_video, ask, read_body, ways
from tests.support.outages import Away
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import REACT, Person

pytestmark = [standalone, ways]

PAGE = """query ($id: ID!) { node(id: $id) { ... on Entity { title likeCount viewerReaction owner { handle }
  comments { nodes { text } } likers { nodes { handle } } } } }"""
LISTS = """{ user(handle: "bob") { following { nodes { handle } } likes(business: "video") { nodes { id } } } }"""
FOLLOW = "mutation ($id: ID!) { follow(input: {userId: $id}) { userErrors { code } } }"
PUBLISH = (
    """mutation { publishPost(input: {text: "hello", idempotencyKey: "k"}) { post { id } userErrors { code } } }"""
)
SHARE = "mutation ($id: ID!) { recordShares(input: {targetIds: [$id]}) { userErrors { code } } }"


async def refusal(person: Person, query: str, **variables: Any) -> Any:
    """Returns path and extensions of the error of a write. Checks that the response has nothing else."""
    body = (await person.send(query, **variables)).json()
    assert list(body["data"].values()) == [None]
    assert read_body(body).missing == []
    (error,) = body["errors"]
    return error["path"], error["extensions"]


async def test_without_redis_an_anonymous_page_is_complete(stoppable: StoppableSystem, away: Away) -> None:
    video = await a_video(stoppable.system, "v1")
    anonymous = stoppable.system.person(None)
    before = await ask(anonymous, PAGE, id=video)

    async with stoppable.without_redis(away):
        during = await ask(anonymous, PAGE, id=video)

    assert during == before
    assert (during.data["node"]["likeCount"], during.missing) == (1, [])


async def test_without_redis_values_that_the_viewer_may_have_changed_are_null(
    stoppable: StoppableSystem, away: Away
) -> None:
    video = await a_video(stoppable.system, "v1")
    bob = stoppable.system.person("bob")

    async with stoppable.without_redis(away):
        page = await ask(bob, PAGE, id=video)

    assert page.data["node"] == {
        "title": "v1",
        "owner": {"handle": "olga"},
        "likers": {"nodes": [{"handle": "bob"}]},
        **dict.fromkeys(["likeCount", "viewerReaction", "comments"]),
    }
    assert page.errors == []
    assert page.missing == [
        ("node.comments", "Entity.comments", 1, "REDIS_DOWN"),
        ("node.likeCount", "Entity.likeCount", 1, "REDIS_DOWN"),
        ("node.viewerReaction", "Entity.viewerReaction", 1, "REDIS_DOWN"),
    ]


async def test_without_redis_an_object_that_may_be_in_a_journal_is_unknown(
    stoppable: StoppableSystem, away: Away
) -> None:
    bob, anonymous = stoppable.system.person("bob"), stoppable.system.person(None)
    video = await a_video(stoppable.system, "v1")
    waiting = (await publish(bob, "hello", "news"))["post"]["id"]
    nodes = """query ($ids: [ID!]!) { nodes(ids: $ids) { id } topic(name: "news") { name } }"""

    async with stoppable.without_redis(away):
        await ask(bob, PAGE, id=video)  # a signed-in request notices for the whole process that Redis is down
        found = await ask(anonymous, nodes, ids=[video, waiting, "Topic:news"])

    assert found.data == {"nodes": [{"id": video}, None, None], "topic": None}
    assert found.errors == [("UNAVAILABLE", ["topic"])]
    assert found.missing == [("nodes", "Query.nodes", 2, "REDIS_DOWN")]


async def test_without_redis_lists_report_that_they_may_be_old(stoppable: StoppableSystem, away: Away) -> None:
    video = await a_video(stoppable.system, "v1")
    bob, anonymous = stoppable.system.person("bob"), stoppable.system.person(None)
    for handle in ("olga", "carol"):
        user = (await anonymous.ask("query ($h: String!) { user(handle: $h) { id } }", h=handle))["user"]["id"]
        assert (await bob.ask(FOLLOW, id=user))["follow"]["userErrors"] == []
        if handle == "olga":
            await stoppable.system.drain()
    before = await ask(anonymous, LISTS)

    async with stoppable.without_redis(away):
        during = await ask(anonymous, LISTS)

    assert before.data["user"]["following"] == {"nodes": [{"handle": "carol"}, {"handle": "olga"}]}
    assert (before.missing, before.incomplete) == ([], [])
    assert during.data["user"] == {"following": {"nodes": [{"handle": "olga"}]}, "likes": {"nodes": [{"id": video}]}}
    assert (during.errors, during.missing) == ([], [])
    assert during.incomplete == [("User.following", "REDIS_DOWN"), ("User.likes", "REDIS_DOWN")]


async def test_without_both_stores_writes_are_refused_and_reads_are_null(
    stoppable: StoppableSystem, away: Away
) -> None:
    video = await a_video(stoppable.system, "v1")
    bob, anonymous = stoppable.system.person("bob"), stoppable.system.person(None)
    viewer = "{ viewer { id unreadNotificationCount home { nodes { id } } notifications { nodes { id } } } }"
    writes = {REACT % "unlike": {"id": video}, FOLLOW: {"id": "User:7"}, PUBLISH: {}, SHARE: {"id": video}}
    await publish(bob, "first", key="first")
    home = "{ viewer { home { pageInfo { startCursor } } } }"
    since = (await bob.ask(home))["viewer"]["home"]["pageInfo"]["startCursor"]

    async with stoppable.without_redis(away), stoppable.without_postgres(away):
        refused = [await refusal(bob, query, **variables) for query, variables in writes.items()]
        page = await ask(anonymous, PAGE, id=video)
        own = await ask(bob, viewer)
        news = await ask(bob, "query ($since: String!) { viewer { homeNewCount(since: $since) } }", since=since)

    why = {"code": "UNAVAILABLE", "retryAfter": 1.0}
    assert refused == [([name], why) for name in ("unlike", "follow", "publishPost", "recordShares")]
    assert (page.data, page.errors, page.missing) == ({"node": None}, [("UNAVAILABLE", ["node"])], [])
    assert own.errors == []
    lost = ("home", "notifications", "unreadNotificationCount")
    assert {name: own.data["viewer"][name] for name in lost} == dict.fromkeys(lost)
    assert [(what, field) for what, field, _, _ in own.missing] == [(f"viewer.{f}", f"Viewer.{f}") for f in lost]
    assert (news.data, news.errors) == ({"viewer": {"homeNewCount": None}}, [])
    assert [(what, field) for what, field, _, _ in news.missing] == [("viewer.homeNewCount", "Viewer.homeNewCount")]
    assert (await bob.ask(PAGE, id=video))["node"]["viewerReaction"] == "LIKE"
    assert (await publish(bob, "hello", key="k"))["userErrors"] == []
