"""`--events`: outgoing events about what is imported."""

from collections import Counter
from pathlib import Path

from tests.archive.archives import (
    Record,
    at,
    comment,
    entity,
    follow,
    load,
    post,
    reaction,
    save,
    users,
    video,
)
from tests.support.outgoing import received, short, to_stream
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone

RECORDS: list[Record] = [
    *users("ann", "bob"),
    *users("eve", suspension={"mode": "READ_ONLY", "reason": "spam"}),
    entity("v1", owner="ann", title="Loaf"),
    entity("v2", removed=True),
    follow("ann", "bob"),
    follow("bob", "ann", state="REQUESTED"),
    post("p1", "ann", createdAt=at(1)),
    post("p2", "ann", status="REJECTED", createdAt=at(2)),
    comment("c1", "bob", {"post": "p1"}, createdAt=at(3), editedAt=at(4)),
    reaction("ann", video("v1")),
    reaction("bob", {"comment": "c1"}),
    save("ann", {"post": "p1"}),
]


async def test_an_import_sends_events_about_everything_that_it_changes(system: System, tmp_path: Path) -> None:
    await to_stream(system)

    assert (await load(system, tmp_path, *RECORDS, events=True)).rejects == []

    events = await received(system)
    assert Counter(event["kind"] for event in events) == {
        "user.created": 3,
        "user.suspended": 1,
        "entity.updated": 1,
        "entity.removed": 1,
        "follow.changed": 2,
        "post.created": 1,
        "post.deleted": 1,
        "comment.created": 1,
        "reaction.changed": 2,
        "save.changed": 1,
    }
    ids = {event["data"]["handle"]: event["data"]["id"] for event in events if event["kind"] == "user.created"}
    by_kind = {event["kind"]: event for event in events}
    assert short(by_kind["user.suspended"], "id", "mode", "reason")[1:] == (ids["eve"], "READ_ONLY", "spam")
    follows = [short(event, "followerId", "before", "after")[1:] for event in events if "follow" in event["kind"]]
    assert sorted(follows) == sorted([(ids["ann"], "NONE", "FOLLOWS"), (ids["bob"], "NONE", "REQUESTED")])
    assert short(by_kind["post.created"], "text", "createdAt")[1:] == ("text of p1", "2021-03-01T12:01:00Z")
    assert short(by_kind["comment.created"], "createdAt", "editedAt")[1:] == (
        "2021-03-01T12:03:00Z",
        "2021-03-01T12:04:00Z",
    )
    assert by_kind["save.changed"]["data"]["isSaved"]
    likes = {event["data"]["targetId"]: event for event in events if event["kind"] == "reaction.changed"}
    like = likes["Entity:video:v1"]
    assert short(like, "userId", "ownerId", "before", "after")[1:] == (ids["ann"], ids["ann"], "NONE", "LIKE")
    assert int(like["version"]) >> 20 == 1_614_600_000_000, "the version has the time of the archive"


async def test_a_second_import_sends_events_only_about_what_is_new(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *RECORDS)
    await to_stream(system)

    await load(system, tmp_path, *RECORDS, events=True)
    await load(system, tmp_path, *RECORDS, reaction("bob", {"post": "p1"}, createdAt=at(9)), events=True)

    assert [short(event, "after") for event in await received(system)] == [("reaction.changed", "LIKE")]


async def test_a_destination_gets_nothing_of_an_import_without_the_option(system: System, tmp_path: Path) -> None:
    await to_stream(system)

    await load(system, tmp_path, *RECORDS)

    assert await received(system) == []


async def test_a_check_sends_no_events(system: System, tmp_path: Path) -> None:
    await to_stream(system)

    await load(system, tmp_path, *RECORDS, check=True, events=True)

    assert await received(system) == []


async def test_a_newer_change_in_plaudit_is_not_contradicted(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users("ann"), entity("v1"))
    ann = system.person("ann")
    await ann.like("Entity:video:v1")
    await system.drain()
    await to_stream(system)

    await load(system, tmp_path, reaction("ann", video("v1"), reaction="DISLIKE"), events=True)

    assert await received(system) == []
