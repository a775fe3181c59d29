"""Statements of reasons about labels that moderators set, and appeals against them."""

from typing import Any

from tests.support.appeals import appeal
from tests.support.labels import named, seen, set_labels, write_post
from tests.support.posts import delete
from tests.support.reports import NOTIFIED
from tests.support.statements import decide, statements, told
from tests.support.system import Person, System


async def test_labels_of_a_moderator_are_told_and_removed_by_a_granted_appeal(system: System) -> None:
    alice = system.person("alice")
    mia, noa = (system.person(name, "moderate") for name in ("mia", "noa"))
    post = (await write_post(alice, "post", "spoiler"))["post"]["id"]
    await system.drain()
    assert (await set_labels(mia, post, "violence"))["userErrors"] == []
    await system.drain()
    (one,) = await statements(alice)
    assert (one["restriction"], one["facts"], one["target"]["id"]) == ("LABELED", "as reported", post)
    assert (one["foundBy"], one["endedAt"]) == ("OWN_INITIATIVE", None)

    assert (await appeal(alice, one["id"]))["userErrors"] == []
    await system.drain()
    assert await decide(mia, one["id"], "GRANT") == [{"code": "NOT_ALLOWED", "field": ["statementId"]}]
    assert await decide(noa, one["id"], "GRANT") == []
    await system.drain()

    assert named(await seen(alice, post)) == [("spoiler", "AUTHOR")]
    (one,) = await statements(alice)
    assert one["appeal"]["status"] == "GRANTED"
    assert one["endedAt"]


async def test_other_labels_replace_the_statement_and_their_removal_is_none(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = (await write_post(alice, "post"))["post"]["id"]
    await system.drain()
    for labels in (["violence"], ["adult"], []):
        await set_labels(mia, post, *labels)
        await system.drain()

    assert [one for one, _ in await told(alice)] == ["LABELED", "LABELED"]
    assert all(one["endedAt"] for one in await statements(alice))


async def test_the_same_labels_again_tell_nobody_and_a_deletion_ends_the_statement(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = (await write_post(alice, "post"))["post"]["id"]
    await system.drain()
    for _ in range(2):
        assert (await set_labels(mia, post, "violence"))["userErrors"] == []
        await system.drain()

    assert [one for one, _ in await told(alice)] == ["LABELED"]
    assert len([one for one in await notified(alice) if one["kind"] == "MODERATION"]) == 1
    assert (await statements(alice))[0]["endedAt"] is None

    await delete(alice, post)
    await system.drain()
    assert (await statements(alice))[0]["endedAt"]


async def test_the_first_of_two_decisions_about_an_appeal_counts(system: System) -> None:
    alice = system.person("alice")
    mia, noa, oli = (system.person(name, "moderate") for name in ("mia", "noa", "oli"))
    post = (await write_post(alice, "post"))["post"]["id"]
    await system.drain()
    await set_labels(mia, post, "violence")
    await system.drain()
    (one,) = await statements(alice)
    await appeal(alice, one["id"])
    await system.drain()

    assert await decide(noa, one["id"], "DENY") == await decide(oli, one["id"], "GRANT") == []
    await system.drain()

    (one,) = await statements(alice)
    assert (one["appeal"]["status"], one["endedAt"]) == ("DENIED", None)
    assert named(await seen(alice, post)) == [("violence", "MODERATOR")]


async def notified(person: Person) -> Any:
    return (await person.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
