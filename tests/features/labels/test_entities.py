"""Moderators set labels of entities."""

from tests.support.appeals import appeal
from tests.support.fallback_mode import directly
from tests.support.labels import aged, named, seen, set_labels, write_comment
from tests.support.reports import NOTIFIED
from tests.support.statements import decide, statements
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone
REGISTER = """mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) {
  entities { id labels { name source } } userErrors { code field } } }"""
VIDEO = "Entity:video:v"


async def registered(system: System, *labels: str, owner: str | None = "olga") -> None:
    """Registers a video with these labels."""
    person = owner and await system.person(owner).id()
    of = {"owner": {"id": person}} if person else {}
    video = {"business": "video", "key": "v", "title": "Video", "labels": list(labels), **of}
    found = await system.person("registrar", "entities:write").ask(REGISTER, e=[video])
    assert found["registerEntities"]["userErrors"] == []


async def test_a_moderator_labels_an_entity_and_its_owner_is_told(system: System) -> None:
    await registered(system, "spoiler")
    mia, olga = system.person("mia", "moderate"), system.person("olga")
    both = [{"name": "adult", "source": "MODERATOR"}, {"name": "spoiler", "source": "SERVICE"}]
    payload = await set_labels(mia, VIDEO, "adult", reason="Nudity.")
    assert payload == {"target": {"id": VIDEO, "labels": both}, "userErrors": []}
    await system.drain()
    adult, child = aged(system, "bob", "adult"), aged(system, "carol", "child")
    assert named(await seen(adult, VIDEO)) == [("adult", "MODERATOR"), ("spoiler", "SERVICE")]
    assert await seen(child, VIDEO) is None
    await registered(system)  # the service cannot remove the label
    assert named(await seen(adult, VIDEO)) == [("adult", "MODERATOR")]
    (one,) = await statements(olga)
    assert (one["restriction"], one["facts"], one["target"]["id"]) == ("LABELED", "Nudity.", VIDEO)
    (note,) = (await olga.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    assert note["message"] == "A moderator set the labels of your video to Adult content: Nudity."

    assert (await appeal(olga, one["id"]))["userErrors"] == []
    await system.drain()
    assert await decide(system.person("noa", "moderate"), one["id"], "GRANT") == []
    await system.drain()
    assert named(await seen(child, VIDEO)) == []
    assert (await statements(olga))[0]["endedAt"]


async def test_comments_on_an_entity_are_hidden_with_it(system: System) -> None:
    await registered(system, owner=None)
    comment = (await write_comment(system.person("alice"), VIDEO, "a comment"))["comment"]["id"]
    await system.drain()
    child = aged(system, "carol", "child")
    assert await seen(child, comment)
    assert (await set_labels(system.person("mia", "moderate"), VIDEO, "adult"))["userErrors"] == []
    await system.drain()
    assert await seen(child, comment) is None


async def test_labels_of_an_entity_are_set_while_redis_is_down(system: System) -> None:
    await registered(system)
    async with directly(system):
        assert (await set_labels(system.person("mia", "moderate"), VIDEO, "adult"))["userErrors"] == []
    await system.drain()
    assert named(await seen(aged(system, "bob", "adult"), VIDEO)) == [("adult", "MODERATOR")]


async def test_the_owner_of_an_entity_cannot_set_its_labels_as_a_moderator(system: System) -> None:
    await registered(system, owner="mia")
    mia = system.person("mia", "moderate")
    assert (await set_labels(mia, VIDEO, "adult"))["userErrors"][0]["code"] == "NOT_ALLOWED"
    assert (await set_labels(mia, "Entity:video:none", "adult"))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
