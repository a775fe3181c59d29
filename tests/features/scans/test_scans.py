"""allFollowers and allLikers: services read full lists from rows."""

from typing import Any

import pytest

from tests.support import comments, posts
from tests.support.boundaries import block
from tests.support.costs import cost
from tests.support.follows import follow, unfollow
from tests.support.private_accounts import make_private
from tests.support.stores import standalone
from tests.support.suspensions import suspend
from tests.support.system import Person, System

FOLLOWERS = """query ($id: ID!, $first: Int! = 100, $after: String) {
  page: allFollowers(userId: $id, first: $first, after: $after) {
    nodes { handle } edges { createdAt } pageInfo { hasNextPage endCursor } } }"""
LIKERS = FOLLOWERS.replace("allFollowers(userId", "allLikers(targetId")
REMOVE = "mutation ($id: ID!) { removeEntities(ids: [$id]) { userErrors { code } } }"
PEOPLE = [f"p{n}" for n in range(7)]


def service(system: System) -> Person:
    return system.person("service", "lists:read")


async def scan(person: Person, query: str, id_: str, first: int = 3) -> list[list[str]]:
    """Returns the handles of each page of a list."""
    pages, after = [], None
    while True:
        page = (await person.ask(query, id=id_, first=first, after=after))["page"]
        pages.append([node["handle"] for node in page["nodes"]])
        assert len(page["edges"]) == len(page["nodes"])
        if not page["pageInfo"]["hasNextPage"]:
            return pages
        after = page["pageInfo"]["endCursor"]


async def crowd(system: System) -> tuple[str, str]:
    """Returns alice and a video. Seven people follow alice and like the video, in order."""
    (video,) = await system.videos("v1")
    alice = await system.person("alice").id()
    for name in PEOPLE:
        await follow(system.person(name), alice)
        await system.person(name).like(video)
    await system.drain()
    return alice, video


async def test_pages_have_every_user_once_newest_first(system: System) -> None:
    alice, video = await crowd(system)
    newest = PEOPLE[::-1]

    for query, id_ in ((FOLLOWERS, alice), (LIKERS, video)):
        assert await scan(service(system), query, id_) == [newest[:3], newest[3:6], newest[6:]]
        assert await scan(service(system), query, id_, first=7) == [newest]
        assert await scan(service(system), query, id_, first=1000) == [newest]


async def test_changes_during_a_scan_repeat_nobody_and_leave_nobody_out(system: System) -> None:
    alice, _ = await crowd(system)
    first = (await service(system).ask(FOLLOWERS, id=alice, first=3))["page"]

    await follow(system.person("late"), alice)
    await unfollow(system.person("p6"), alice)
    await unfollow(system.person("p2"), alice)
    await system.drain()

    rest = (await service(system).ask(FOLLOWERS, id=alice, after=first["pageInfo"]["endCursor"]))["page"]
    assert [node["handle"] for node in rest["nodes"]] == ["p3", "p1", "p0"]


async def test_blocks_suspensions_and_private_accounts_hide_nobody(system: System) -> None:
    alice, video = await crowd(system)
    mia = system.person("mia", "moderate")
    await block(system.person("p1"), await service(system).id())
    await suspend(mia, await system.person("p2").id(), "HIDDEN")
    for name in ("alice", "p3"):
        await system.person(name).ask("mutation { updateProfile(input: {isPrivate: true}) { userErrors { code } } }")
    await system.drain()

    for query, id_ in ((FOLLOWERS, alice), (LIKERS, video)):
        assert await scan(service(system), query, id_, first=1000) == [PEOPLE[::-1]]


@pytest.mark.parametrize("way", ["private", "suspended", "blocking", "rejected"])
async def test_likers_of_hidden_posts_and_comments_are_listed(system: System, way: str) -> None:
    alice, bob, reader = system.person("alice"), system.person("bob"), service(system)
    post, said = await posted(system)

    await hide(system, way, post)
    await system.drain()

    for id_ in (post, said):
        assert (await reader.ask("query ($id: ID!) { node(id: $id) { id } }", id=id_))["node"] is None
        assert await scan(reader, LIKERS, id_) == [[bob.handle, alice.handle]]


async def test_deleted_posts_and_comments_and_removed_entities_have_no_list(system: System) -> None:
    (video,) = await system.videos("v1")
    post, said = await posted(system)
    await system.person("bob").like(video)
    await system.drain()
    assert (await scan(service(system), LIKERS, video)) == [["bob"]]

    await comments.delete(system.person("bob"), said)
    await posts.delete(system.person("alice"), post)
    await system.person("registrar", "entities:write").ask(REMOVE, id=video)
    await system.drain()

    for id_ in (post, said, video):
        assert (await service(system).ask(LIKERS, id=id_))["page"] is None


async def posted(system: System) -> tuple[str, str]:
    """Returns a post of alice and a comment of bob on it. Both people like both."""
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await posts.published(alice, "Glaciers")
    await system.drain()
    said = await comments.added(bob, post, "Nice")
    await system.drain()
    for person in (alice, bob):
        for id_ in (post, said):
            await person.like(id_)
    await system.drain()
    return post, said


async def hide(system: System, way: str, post: str) -> None:
    """Hides a post of alice, with its comments, from the service's user."""
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    match way:
        case "private":
            await make_private(alice)
        case "suspended":
            await suspend(mia, await alice.id())
        case "blocking":
            await block(alice, await service(system).id())
        case "rejected":
            await posts.decide(mia, post, "REJECT")


async def test_only_tokens_with_the_scope_scan(system: System) -> None:
    alice, video = await crowd(system)
    others = [system.person("alice"), system.person("mia", "moderate", "users:read", "users:write", "entities:write")]

    for query, id_ in ((FOLLOWERS, alice), (LIKERS, video)):
        for person in others:
            assert await person.errors(query, id=id_) == [("FORBIDDEN", ["page"])]
        assert await system.person(None).errors(query, id=id_) == [("UNAUTHENTICATED", ["page"])]


@pytest.mark.parametrize("wrong", [{"first": 0}, {"first": 1001}, {"first": -1}, {"id": "nonsense"}], ids=repr)
async def test_arguments_out_of_range_are_refused(system: System, wrong: dict[str, Any]) -> None:
    alice, video = await crowd(system)

    for query, id_ in ((FOLLOWERS, alice), (LIKERS, video)):
        assert await service(system).errors(query, **({"id": id_} | wrong)) == [("BAD_INPUT", ["page"])]


async def test_ids_of_other_types_have_no_list_and_cursors_of_other_lists_are_refused(system: System) -> None:
    alice, video = await crowd(system)
    person = service(system)

    for query, id_ in ((FOLLOWERS, video), (FOLLOWERS, "User:7"), (LIKERS, alice), (LIKERS, "Entity:video:v9")):
        assert (await person.ask(query, id=id_))["page"] is None
    cursor = (await person.ask(LIKERS, id=video, first=1))["page"]["pageInfo"]["endCursor"]
    for after in (cursor, "nonsense", cursor[:-2]):
        assert await person.errors(FOLLOWERS, id=alice, after=after) == [("BAD_CURSOR", ["page"])]


@standalone
async def test_every_page_costs_two_round_trips_and_one_query(system: System) -> None:
    """The trips read the user or the object; the users of the page. The query reads a page of rows."""
    alice, video = await crowd(system)
    person = service(system)

    for query, id_ in ((FOLLOWERS, alice), (LIKERS, video)):
        page = (await person.ask(query, id=id_, first=3))["page"]
        await scan(person, query, id_)
        for after in (None, page["pageInfo"]["endCursor"]):
            assert await cost(person, query, id=id_, first=3, after=after) == (2, 1)


async def test_a_page_is_priced_by_its_length(system: System) -> None:
    alice, _ = await crowd(system)

    small, large = [
        (await service(system).send(FOLLOWERS, id=alice, first=first)).json()["extensions"]["cost"]
        for first in (10, 1000)
    ]

    assert small < 100
    assert large > 1000
