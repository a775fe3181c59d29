"""Viewers see content with labels as their age bands and their own choices say."""

from typing import Any

import pytest

from domain.errors import Unavailable
from loaders.boundaries import ViewerBoundaries
from tests.support.comments import add
from tests.support.content_follows import follow_entities
from tests.support.fallback_mode import directly
from tests.support.labels import (
    CHOOSE,
    aged,
    choices,
    choose,
    edit_post,
    named,
    seen,
    set_labels,
    write_comment,
    write_post,
)
from tests.support.posts import on_square, publish
from tests.support.quotes import quote
from tests.support.system import Person, System
from tests.support.tokens import bearing, token

UPSERT = """mutation ($users: [UserUpsertInput!]!) { upsertUsers(users: $users) {
  users { handle } userErrors { code field } } }"""
LABEL_VIDEO = """mutation { registerEntities(entities: [{business: "video", key: "v", labels: ["adult"]}]) {
  userErrors { code } } }"""
LIST = "query ($id: ID!) { node(id: $id) { ... on Commentable { comments { nodes { id text author { handle } } } } } }"


async def labeled(system: System, *labels: str) -> tuple[Person, str]:
    """Returns alice and a post of her with labels, which is stored."""
    alice = aged(system, "alice", "teen")
    post = (await write_post(alice, "labeled", *labels))["post"]["id"]
    await system.drain()
    return alice, post


async def visibility(person: Person, post: str) -> str | None:
    """Returns the visibility of the only label of a post; None if the person does not see the post."""
    found = await seen(person, post)
    return str(found["labels"][0]["visibility"]) if found else None


@pytest.mark.parametrize(
    ("label", "seen_by"),
    [
        ("adult", {None: None, "child": None, "teen": None, "adult": "WARN"}),
        ("violence", {None: None, "child": None, "teen": "WARN", "adult": "SHOW"}),
        ("spoiler", {None: "WARN", "child": "WARN", "teen": "WARN", "adult": "WARN"}),
    ],
)
async def test_the_age_band_of_the_token_decides(
    system: System, label: str, seen_by: dict[str | None, str | None]
) -> None:
    alice, post = await labeled(system, label)
    for band, expected in seen_by.items():
        reader = aged(system, f"reader{band}", band)
        assert await visibility(reader, post) == expected
        assert await on_square(reader) == ([] if expected is None else ["labeled"])
    anonymous = system.person(None)
    assert await visibility(anonymous, post) == seen_by["child"]
    assert await visibility(aged(system, "x", "elder"), post) == seen_by["child"]
    assert (await seen(alice, post))["text"] == "labeled"  # the author
    assert (await seen(system.person("mia", "moderate"), post))["text"] == "labeled"


async def test_a_viewer_chooses_what_to_see(system: System) -> None:
    _, post = await labeled(system, "spoiler")
    bob = aged(system, "bob", "adult")
    assert await choices(bob) == {
        "adult": ("WARN", True),
        "violence": ("SHOW", True),
        "spoiler": ("WARN", True),
        "disputed": ("WARN", True),
    }
    for wanted, expected in [("HIDE", None), ("SHOW", "SHOW"), ("WARN", "WARN"), ("HIDE", None), (None, "WARN")]:
        payload = await choose(bob, spoiler=wanted)
        assert payload["userErrors"] == []
        (shown,) = [one for one in payload["viewer"]["labelPreferences"] if one["label"]["name"] == "spoiler"]
        assert shown["visibility"] == (wanted or "WARN")
        assert await visibility(bob, post) == expected
        await system.drain()
        assert await visibility(bob, post) == expected
        assert await on_square(bob) == ([] if expected is None else ["labeled"])
    await choose(bob, spoiler="HIDE", violence="HIDE")
    await system.drain()
    await system.empty_redis()
    assert await choices(bob) == {
        "adult": ("WARN", True),
        "violence": ("HIDE", True),
        "spoiler": ("HIDE", True),
        "disputed": ("WARN", True),
    }
    assert await visibility(bob, post) is None
    assert await visibility(aged(system, "carol", "adult"), post) == "WARN"


async def test_an_age_band_may_permit_no_choice(system: System) -> None:
    _, post = await labeled(system, "adult")
    bob = aged(system, "bob", "child")
    assert (await choices(bob))["adult"] == ("HIDE", False)
    refused = [{"code": "NOT_ALLOWED", "field": ["preferences", "1"]}]
    assert (await choose(bob, spoiler="SHOW", adult="SHOW"))["userErrors"] == refused
    assert (await choices(bob))["spoiler"] == ("WARN", True)  # nothing is changed
    # A choice that a viewer has made in another age band does not count.
    await choose(aged(system, "bob", "adult"), adult="SHOW")
    assert await visibility(aged(system, "bob", "adult"), post) == "SHOW"
    assert await visibility(bob, post) is None


async def test_bad_choices_change_nothing(system: System) -> None:
    bob = aged(system, "bob", "adult")
    before = await choices(bob)
    assert (await choose(bob, nothing="HIDE"))["userErrors"] == [
        {"code": "INVALID", "field": ["preferences", "0", "label"]}
    ]
    twice = [{"label": "spoiler", "visibility": "HIDE"}, {"label": "spoiler", "visibility": "SHOW"}]
    payload = (await bob.ask(CHOOSE, preferences=twice))["setLabelPreferences"]
    assert payload["userErrors"] == [{"code": "INVALID", "field": ["preferences"]}]
    assert await system.person(None).errors(CHOOSE, preferences=twice[:1]) == [
        ("UNAUTHENTICATED", ["setLabelPreferences"])
    ]
    assert await choices(bob) == before


async def test_a_repeated_choice_changes_nothing(system: System) -> None:
    bob = aged(system, "bob", "adult")
    await choose(bob, key="one", spoiler="HIDE", disputed="SHOW")
    await choose(bob, key="two", spoiler="SHOW")
    assert (await choose(bob, key="one", spoiler="HIDE", disputed="SHOW"))["userErrors"] == []
    assert (await choices(bob))["spoiler"] == ("SHOW", True)
    assert (await choose(bob, key="one", spoiler="SHOW"))["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"


async def test_choices_are_made_while_redis_is_down(system: System) -> None:
    _, post = await labeled(system, "spoiler")
    bob = aged(system, "bob", "adult")
    async with directly(system):
        assert (await choose(bob, spoiler="HIDE"))["userErrors"] == []
        assert await visibility(bob, post) is None
    await system.drain()
    assert await visibility(bob, post) is None


async def test_a_service_states_the_age_band(system: System) -> None:
    _, post = await labeled(system, "adult")
    registrar = system.person("registrar", "users:write")

    async def state(band: str | None) -> Any:
        return (await registrar.ask(UPSERT, users=[{"externalId": "bob", "ageBand": band}]))["upsertUsers"]

    bob = system.person("bob")
    assert await visibility(bob, post) is None
    for band, expected in [("adult", "WARN"), ("child", None), ("adult", "WARN"), (None, None)]:
        assert (await state(band))["userErrors"] == []
        assert await visibility(bob, post) == expected
        assert (await bob.ask("{ viewer { ageBand } }"))["viewer"] == {"ageBand": band or "child"}
    assert (await state("elder"))["userErrors"] == [{"code": "INVALID", "field": ["users", "0", "ageBand"]}]
    await state("adult")
    assert await visibility(aged(system, "bob", "child"), post) is None  # the token counts
    mistyped = aged(system, "bob", "chlid")
    assert await visibility(mistyped, post) == "WARN"
    assert (await mistyped.ask("{ viewer { ageBand } }"))["viewer"] == {"ageBand": "adult"}
    await state(None)
    assert await visibility(mistyped, post) is None


async def test_pages_are_filled_up(system: System) -> None:
    alice = aged(system, "alice", "adult")
    for number in range(12):
        await write_post(alice, f"post {number}", *(["adult"] if number % 2 else []))
    await system.drain()
    expected = ["post 10", "post 8", "post 6", "post 4"]
    for reader in (system.person(None), aged(system, "bob", "teen")):
        assert await on_square(reader, 4) == expected
    assert len(await on_square(aged(system, "carol", "adult"), 4)) == 4


async def test_a_hidden_comment_with_replies_is_a_tombstone(system: System) -> None:
    alice, bob = aged(system, "alice", "adult"), aged(system, "bob", "child")
    (video,) = await system.videos("v")
    root = (await write_comment(alice, video, "root", "adult"))["comment"]["id"]
    lone = (await write_comment(alice, video, "lone", "adult"))["comment"]["id"]
    await system.drain()
    await add(bob, video, "reply")
    await add(aged(system, "carol", "adult"), video, "reply", root)
    await system.drain()
    nodes = (await bob.ask(LIST, id=video))["node"]["comments"]["nodes"]
    assert [node for node in nodes if node["id"] == root] == [{"id": root, "text": None, "author": None}]
    assert lone not in [node["id"] for node in nodes]
    tombstone = await seen(bob, root)
    assert (tombstone["labels"], tombstone["contentWarning"], tombstone["said"]) == ([], None, None)
    assert await seen(bob, lone) is None
    assert (await seen(aged(system, "dave", "adult"), lone))["said"] == "lone"


async def test_comments_on_hidden_content_are_hidden(system: System) -> None:
    alice, post = await labeled(system, "adult")
    comment = (await write_comment(alice, post, "comment"))["comment"]["id"]
    registrar = system.person("registrar", "entities:write")
    (video,) = await system.videos("v")
    on_video = (await write_comment(alice, video, "on the video"))["comment"]["id"]
    await system.drain()
    adult, child = aged(system, "bob", "adult"), aged(system, "carol", "child")
    assert (await seen(child, on_video))["said"] == "on the video"
    await registrar.ask(LABEL_VIDEO)
    for target in (comment, video, on_video):
        assert await seen(child, target) is None
        assert await seen(adult, target) is not None


async def test_a_quote_of_hidden_content_has_a_placeholder(system: System) -> None:
    _, post = await labeled(system, "adult")
    bob = aged(system, "bob", "adult")
    quoting = (await quote(bob, post, "look"))["post"]["id"]
    await system.drain()
    query = "query ($id: ID!) { node(id: $id) { ... on Post { text quote { missing post { id } } } } }"
    found = (await aged(system, "carol", "child").ask(query, id=quoting))["node"]
    assert (found["text"], found["quote"]) == ("look", {"missing": "NOT_VISIBLE", "post": None})
    found = (await bob.ask(query, id=quoting))["node"]
    assert found["quote"] == {"missing": None, "post": {"id": post}}


async def test_an_edit_and_a_moderator_hide_a_post_at_once(system: System) -> None:
    alice = aged(system, "alice", "adult")
    post = (await publish(alice, "post"))["post"]["id"]
    await system.drain()
    child = aged(system, "bob", "child")
    assert await seen(child, post) is not None
    await edit_post(alice, post, labels=["adult"])
    await system.drain()
    assert await seen(child, post) is None
    await edit_post(alice, post, labels=[])
    await set_labels(system.person("mia", "moderate"), post, "violence")
    await system.drain()
    assert await seen(child, post) is None
    assert named(await seen(alice, post)) == [("violence", "MODERATOR")]


async def test_mutations_do_not_find_hidden_content(system: System) -> None:
    _, post = await labeled(system, "adult")
    child = aged(system, "bob", "child")
    assert (await child.like(post))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    assert (await add(child, post, "comment"))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    assert (await quote(child, post, "quote"))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"


async def test_mutations_do_not_find_hidden_entities(system: System) -> None:
    (video,) = await system.videos("v")
    await system.person("registrar", "entities:write").ask(LABEL_VIDEO)
    adult, child = aged(system, "alice", "adult"), aged(system, "bob", "child")
    await follow_entities(adult, video)
    query = """mutation ($id: ID!) { followEntity(input: {entityId: $id}) { entity { id } userErrors { code } } }"""
    assert (await child.ask(query, id=video))["followEntity"]["userErrors"] == [{"code": "TARGET_NOT_FOUND"}]
    assert (await child.like(video))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    assert (await publish(child, "look", about=video))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    query = query.replace("followEntity", "unfollowEntity")
    assert (await child.ask(query, id=video))["unfollowEntity"] == {"entity": None, "userErrors": []}


async def test_content_is_left_out_if_the_choices_cannot_be_read(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await system.videos("v", "plain")
    await system.person("registrar", "entities:write").ask(LABEL_VIDEO)
    bob = aged(system, "bob", "adult")
    query = """{ viewer { ageBand labelPreferences { visibility } }
      v: entity(business: "video", key: "v") { key } plain: entity(business: "video", key: "plain") { key } }"""
    assert (await bob.ask(query))["v"] == {"key": "v"}

    async def unreadable(_: ViewerBoundaries) -> Any:
        raise Unavailable

    monkeypatch.setattr(ViewerBoundaries, "get", unreadable)
    body = (await bob.send(query)).json()
    assert (body["data"]["v"], body["data"]["plain"]) == (None, {"key": "plain"})
    assert body["data"]["viewer"] == {"ageBand": None, "labelPreferences": None}
    assert [error["extensions"]["code"] for error in body["errors"]] == ["UNAVAILABLE"]
    assert {one["field"] for one in body["extensions"]["degraded"]} == {"Viewer.ageBand", "Viewer.labelPreferences"}
    assert (await system.person(None).ask(query))["plain"] == {"key": "plain"}


async def test_a_restricted_token_has_the_age_band_only_for_its_businesses(system: System) -> None:
    labeled = """mutation { registerEntities(entities: [
      {business: "video", key: "v", labels: ["adult"]} {business: "article", key: "a", labels: ["adult"]}]) {
        entities { id } } }"""
    registered = (await system.person("registrar", "entities:write").ask(labeled))["registerEntities"]["entities"]
    video, article = (entity["id"] for entity in registered)
    restricted = bearing(system, f"Bearer {token(sub='bob', age_band='adult', businesses=['video'])}")
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"

    for ids in ([video, article], [article, video]):
        found = (await restricted.ask(query, ids=ids))["nodes"]
        assert found == [{"id": one} if one == video else None for one in ids]
