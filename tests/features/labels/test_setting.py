"""Authors, moderators and services set labels and content warnings."""

from typing import Any

import pytest

from tests.support.fallback_mode import directly
from tests.support.labels import SET_LABELS, edit_comment, edit_post, named, seen, set_labels, write_comment, write_post
from tests.support.reports import NOTIFIED
from tests.support.system import Person, System

LOG = """query ($id: ID!) { moderationLog(targetId: $id) { nodes {
  action role actor { handle } before after reason } } }"""
REGISTER = """mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) {
  entities { id labels { name source } } userErrors { code field } } }"""


async def test_an_author_sets_and_changes_labels_and_the_warning_of_a_post(system: System) -> None:
    alice, bob = map(system.person, ("alice", "bob"))
    made = await write_post(alice, "post", "spoiler", contentWarning="The end of the book")
    expected = {"contentWarning": "The end of the book", "labels": [{"name": "spoiler", "source": "AUTHOR"}]}
    assert made["post"] == {"id": made["post"]["id"], **expected}
    post = made["post"]["id"]
    await system.drain()
    for reader in (alice, bob):
        found = await seen(reader, post)
        assert (found["contentWarning"], named(found)) == ("The end of the book", [("spoiler", "AUTHOR")])
    assert (await edit_post(alice, post, labels=["violence", "spoiler"]))["userErrors"] == []
    assert named(await seen(alice, post)) == [("violence", "AUTHOR"), ("spoiler", "AUTHOR")]
    await system.drain()
    found = await seen(alice, post)
    assert (found["contentWarning"], len(found["labels"]), found["text"]) == ("The end of the book", 2, "post")
    edited = await edit_post(alice, post, labels=[], contentWarning=None)
    assert edited["post"] == {"id": post, "contentWarning": None, "labels": []}
    await system.drain()
    found = await seen(bob, post)
    assert (found["contentWarning"], found["labels"]) == (None, [])


async def test_an_author_sets_and_changes_labels_and_the_warning_of_a_comment(system: System) -> None:
    alice, bob = map(system.person, ("alice", "bob"))
    (video,) = await system.videos("v")
    made = await write_comment(alice, video, "comment", "spoiler", contentWarning="The end")
    expected = {"contentWarning": "The end", "labels": [{"name": "spoiler", "source": "AUTHOR"}]}
    assert made["comment"] == {"id": made["comment"]["id"], **expected}
    comment = made["comment"]["id"]
    await system.drain()
    found = await seen(bob, comment)
    assert (found["contentWarning"], named(found)) == ("The end", [("spoiler", "AUTHOR")])
    edited = await edit_comment(alice, comment, labels=["violence"], contentWarning=None)
    assert edited["comment"] == {
        "id": comment,
        "contentWarning": None,
        "labels": [{"name": "violence", "source": "AUTHOR"}],
    }
    await system.drain()
    adult = await seen(alice, comment)
    assert (adult["contentWarning"], named(adult)) == (None, [("violence", "AUTHOR")])


async def test_a_repeated_request_with_labels_is_one_post(system: System) -> None:
    alice = system.person("alice")
    first = await write_post(alice, "post", "spoiler", "violence", contentWarning="Careful")
    again = await write_post(alice, "post", "violence", "spoiler", contentWarning="Careful")
    assert again["post"]["id"] == first["post"]["id"]
    other = await write_post(alice, "post", "spoiler", contentWarning="Careful")
    assert other["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"
    other = await write_post(alice, "post", "spoiler", "violence")
    assert other["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"


@pytest.mark.parametrize("label", ["nothing", "disputed", "Adult"])
async def test_authors_cannot_set_unknown_labels_and_those_of_moderators(system: System, label: str) -> None:
    alice = system.person("alice")
    post = (await write_post(alice, "mine"))["post"]["id"]
    await system.drain()
    comment = (await write_comment(alice, post, "my comment"))["comment"]["id"]
    await system.drain()
    refused = [{"code": "INVALID", "field": ["labels"]}]
    assert (await write_post(alice, "post", "spoiler", label))["userErrors"] == refused
    assert (await write_comment(alice, post, "comment", label))["userErrors"] == refused
    assert (await edit_post(alice, post, labels=[label]))["userErrors"] == refused
    assert (await edit_comment(alice, comment, labels=[label]))["userErrors"] == refused
    await system.drain()
    rows = [*await system.rows("SELECT labels FROM posts"), *await system.rows("SELECT labels FROM comment_contents")]
    assert rows == [(0,), (0,)]


async def test_a_warning_has_at_most_200_characters(system: System) -> None:
    alice = system.person("alice")
    assert (await write_post(alice, "long", contentWarning="é" * 200))["userErrors"] == []
    refused = [{"code": "TEXT_TOO_LONG", "field": ["contentWarning"]}]
    assert (await write_post(alice, "longer", contentWarning="é" * 201))["userErrors"] == refused


async def moderated(system: System) -> tuple[Person, Person, str]:
    """Returns alice, a moderator, and a post of alice with the label spoiler."""
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = (await write_post(alice, "post", "spoiler"))["post"]["id"]
    await system.drain()
    return alice, mia, post


async def log_of(mia: Person, target: str) -> Any:
    return (await mia.ask(LOG, id=target))["moderationLog"]["nodes"]


async def test_a_moderator_sets_labels_that_the_author_cannot_remove(system: System) -> None:
    alice, mia, post = await moderated(system)
    both = [{"name": "spoiler", "source": "MODERATOR"}, {"name": "disputed", "source": "MODERATOR"}]
    payload = await set_labels(mia, post, "disputed", "spoiler", reason="It is disputed.")
    assert payload == {"target": {"id": post, "labels": both}, "userErrors": []}
    await system.drain()
    assert (await edit_post(alice, post, labels=[]))["post"]["labels"] == both
    await system.drain()
    assert named(await seen(alice, post)) == [("spoiler", "MODERATOR"), ("disputed", "MODERATOR")]
    (note,) = (await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    told = "A moderator set the labels of your post to Spoilers, Disputed: It is disputed."
    assert (note["kind"], note["message"], note["subject"]["id"]) == ("MODERATION", told, post)
    await set_labels(mia, post, reason="A mistake.")
    await system.drain()
    assert (await seen(alice, post))["labels"] == []
    lines = await log_of(mia, post)
    by = {"action": "LABELED", "role": "MODERATOR", "actor": {"handle": "mia"}}
    before, after = '{"labels":[]}', '{"labels":["spoiler","disputed"]}'
    assert lines == [
        {**by, "before": after, "after": before, "reason": "A mistake."},
        {**by, "before": before, "after": after, "reason": "It is disputed."},
    ]


async def test_a_moderator_sets_labels_once_for_a_key(system: System) -> None:
    alice, mia, post = await moderated(system)
    for _ in range(2):
        assert (await set_labels(mia, post, "adult", key="one"))["userErrors"] == []
        await system.drain()
    assert len(await log_of(mia, post)) == 1
    refused = await set_labels(mia, post, "violence", key="one")
    assert refused["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"
    assert len((await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]) == 1


async def test_setting_labels_is_refused(system: System) -> None:
    alice, mia, post = await moderated(system)
    own = (await write_post(mia, "of mia"))["post"]["id"]
    await system.drain()
    assert (await set_labels(mia, post, "nothing"))["userErrors"] == [{"code": "INVALID", "field": ["labels"]}]
    assert (await set_labels(mia, post, "adult", reason=" "))["userErrors"][0]["field"] == ["reason"]
    assert (await set_labels(mia, own, "adult"))["userErrors"][0]["code"] == "NOT_ALLOWED"
    assert (await set_labels(mia, "Post:1", "adult"))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    told = {"id": post, "labels": ["adult"], "reason": "x"}
    assert await alice.errors(SET_LABELS, **told) == [("FORBIDDEN", ["setLabels"])]
    await system.drain()
    assert await system.rows("SELECT DISTINCT moderator_labels FROM posts") == [(0,)]


async def test_labels_are_set_while_redis_is_down(system: System) -> None:
    alice, mia, post = await moderated(system)
    async with directly(system):
        assert (await set_labels(mia, post, "disputed"))["userErrors"] == []
        assert (await edit_post(alice, post, labels=["violence"], contentWarning="Blood"))["userErrors"] == []
    await system.drain()
    found = await seen(alice, post)
    assert named(found) == [("violence", "AUTHOR"), ("disputed", "MODERATOR")]
    assert found["contentWarning"] == "Blood"


async def test_a_service_sets_labels_of_entities(system: System) -> None:
    registrar = system.person("registrar", "entities:write")
    video = {"business": "video", "key": "v", "title": "Video"}

    async def register(**more: Any) -> Any:
        return (await registrar.ask(REGISTER, e=[{**video, **more}]))["registerEntities"]

    disputed = [{"name": "disputed", "source": "SERVICE"}]
    assert (await register(labels=["disputed"]))["entities"][0]["labels"] == disputed
    assert (await register(title="Other"))["entities"][0]["labels"] == disputed
    assert (await register(labels=["nothing"]))["userErrors"] == [
        {"code": "INVALID", "field": ["entities", "0", "labels"]}
    ]
    assert (await register(labels=[]))["entities"][0]["labels"] == []
    assert (await register(labels=["adult"]))["entities"][0]["labels"] == [{"name": "adult", "source": "SERVICE"}]
    assert (await register(labels=None))["entities"][0]["labels"] == []


async def test_the_query_labels_has_the_configured_labels(system: System) -> None:
    found = (await system.person(None).ask("{ labels { name title setByAuthors } }"))["labels"]
    assert [label["name"] for label in found] == ["adult", "violence", "spoiler", "disputed"]
    assert found[-1] == {"name": "disputed", "title": "Disputed", "setByAuthors": False}
