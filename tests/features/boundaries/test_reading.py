"""Checks that every field of the schema that leads to users and content obeys blocks and mutes."""

import re
from typing import Any

import pytest

from settings import Settings
from tests.support.boundaries import block, mute, unblock
from tests.support.follows import follow
from tests.support.key_table import FIELDS_BY_KEY, list_keys_with
from tests.support.schema_paths import leading_fields
from tests.support.social_scene import LISTS, Scene, check_hidden, made, read
from tests.support.stores import standalone
from tests.support.system import System, running

THINGS = frozenset({"Post", "Comment", "User"})
ELSEWHERE = {
    "Query.users", "Query.allFollowers", "Query.allLikers",  # need a scope of services
    "Query.moderationQueue", "ModerationConnection.edges", "ModerationConnection.nodes", "ModerationEdge.node",
    "ModerationEdge.case", "ModerationCase.author", "ModerationCase.assignee", "ModerationCase.newestReports",
    "Report.reporter",
    "Query.moderationLog", "ModerationLogConnection.edges", "ModerationLogConnection.nodes", "ModerationLogEdge.node",
    "ModerationLogEntry.actor", "ModerationLogEntry.target", "ModerationLogEntry.user",
    "Statement.target",  # tests/features/statements
    "Viewer.blocks", "Viewer.mutes", "MuteConnection.edges", "MuteConnection.nodes", "MuteEdge.node",  # test_api.py
    "Viewer.hiddenPosts",  # tests/features/hiding/test_hidden_posts.py
    "Viewer.followRequests",  # tests/features/follows/test_requests.py
    "SuggestedUser.user",  # tests/features/suggestions/test_hiding.py
    "Viewer.user",
    "Query.viewer",
}  # fmt: skip
"""Fields that do not lead to content of other users, or that other tests read."""


FILLED_ELSEWHERE = {
    "{board:<biz>:<window>:<kind>}",  # lists entities, of which bob owns none here
    "{reposts:<user>}", "{reposted:<user>}",  # their members stand for reposts: tests/features/reposts
}  # fmt: skip
"""Cached lists without bob or his content."""
PAGE_TWO = """query ($id: ID!, $after: String) { node(id: $id) { ... on Post {
  comments(sort: HOT, first: 1, after: $after) { nodes { id author { handle } } pageInfo { endCursor } } } } }"""


async def fill_caches(scene: Scene) -> str:
    """Fills all cached lists with bob and his content. Returns the cursor of a page of hot comments after the first."""
    await read(scene, scene.bob)
    page = (await scene.alice.ask(PAGE_TWO, id=scene.carols))["node"]["comments"]
    after = str(page["pageInfo"]["endCursor"])
    await scene.alice.ask(PAGE_TWO, id=scene.carols, after=after)
    return after


async def check_cached_lists(scene: Scene, after: str) -> None:
    """Checks that all cached lists still hold bob or his content, so that it is the readers who leave them out."""
    held = await list_keys_with(scene.system, [int(re.findall(r"\d+", id_)[-1]) for id_ in (scene.bob_id, *scene.bobs)])
    assert held == FIELDS_BY_KEY.keys() - FILLED_ELSEWHERE, FIELDS_BY_KEY.keys() - held
    page = (await scene.alice.ask(PAGE_TWO, id=scene.carols, after=after))["node"]["comments"]
    assert not [node for node in page["nodes"] if node["author"] == {"handle": "bob"}]


async def separated(scene: Scene, by: str) -> None:
    """Makes alice block bob, or bob block alice."""
    if by == "alice":
        await block(scene.alice, scene.bob_id)
    else:
        await block(scene.bob, await scene.alice.id())


@standalone
@pytest.mark.timeout(180)
@pytest.mark.parametrize("by", ["alice", "bob"])
async def test_a_block_hides_a_user_and_their_content_in_every_field(generous: Settings, by: str) -> None:
    async with running(generous) as system:
        scene = await made(system)
        before, _ = await read(scene, scene.alice)
        missing = leading_fields("Query", THINGS).keys() - before.keys() - ELSEWHERE
        assert not missing, sorted(missing)
        public, others = await read(scene, system.person(None)), await read(scene, scene.carol)

        after = await fill_caches(scene)
        await separated(scene, by)
        await check_hidden(scene, scene.alice)
        await check_cached_lists(scene, after)
        await system.drain()
        await check_hidden(scene, scene.alice)
        await system.empty_redis()
        await check_hidden(scene, scene.alice)  # from rows
        await check_hidden(scene, scene.alice)  # from the filled cache
        assert (await read(scene, system.person(None)))[0].keys() == public[0].keys()
        assert (await read(scene, scene.carol))[0].keys() == others[0].keys()


@standalone
async def test_a_page_is_filled_up_after_a_block(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    b, c, d = await bob.id(), await carol.id(), await system.person("dave").id()
    await follow(system.person("dave"), c)
    await follow(bob, c)
    await follow(alice, c)
    await system.drain()
    await block(alice, b)

    query = "query ($id: ID!) { node(id: $id) { ... on User { followers(first: 2) { nodes { handle } %s } } } }"
    page = (await alice.ask(query % "pageInfo { hasNextPage }", id=c))["node"]["followers"]
    assert page == {"nodes": [{"handle": "alice"}, {"handle": "dave"}], "pageInfo": {"hasNextPage": False}}
    assert d


@standalone
@pytest.mark.timeout(180)
async def test_a_mute_hides_a_user_in_lists_of_many_authors_and_nowhere_else(generous: Settings) -> None:
    async with running(generous) as system:
        scene = await made(system)
        before, _ = await read(scene, scene.alice)
        theirs = await read(scene, scene.bob)
        await mute(scene.alice, scene.bob_id)
        for _ in ("at once", "stored"):
            after, bodies = await read(scene, scene.alice)
            lists = "".join(bodies[: len(LISTS)])
            assert not any(f'"{id_}"' in lists for id_ in scene.bobs if id_ != scene.answered)
            assert "bob's" not in lists
            for coordinate in ("Query.node", "Query.nodes", "Query.user", "User.posts"):
                assert after[coordinate], coordinate
            assert not after["Viewer.home"] | after["Viewer.recommended"] | after["Viewer.notifications"]
            await system.drain()
        assert (await read(scene, scene.bob))[0].keys() == theirs[0].keys()  # bob cannot tell
        assert before["Viewer.home"]


@standalone
async def test_a_mute_ends_by_itself(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    b = await bob.id()
    await alice.ask(
        """mutation ($id: ID!, $until: DateTime!) { mute(input: {userId: $id, until: $until}) {
        userErrors { code } } }""",
        id=b,
        until="2098-01-01T00:00:00Z",
    )
    query = "query ($id: ID!) { node(id: $id) { ... on User { viewerMutes } } viewer { mutes { nodes { handle } } } }"
    assert (await alice.ask(query, id=b))["node"]["viewerMutes"] is True
    object.__setattr__(system.state, "now_ms", lambda: 4_102_444_800_000)
    after = await alice.ask(query, id=b)
    assert (after["node"]["viewerMutes"], after["viewer"]["mutes"]["nodes"]) == (False, [])


@standalone
async def test_a_block_reaches_an_open_subscription_and_a_new_event(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a = await alice.id()
    await follow(bob, a)
    await system.drain()
    await block(alice, await bob.id())
    await unblock(alice, await bob.id())
    await system.drain()
    unread: Any = await alice.ask("{ viewer { unreadNotificationCount notifications { nodes { kind } } } }")
    assert unread["viewer"] == {"unreadNotificationCount": 1, "notifications": {"nodes": [{"kind": "FOLLOW"}]}}
    await block(alice, await bob.id())
    hidden: Any = await alice.ask("{ viewer { unreadNotificationCount notifications { nodes { kind } } } }")
    assert hidden["viewer"] == {"unreadNotificationCount": 0, "notifications": {"nodes": []}}
