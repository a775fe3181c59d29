"""Labels hide content in every field of the schema, from readers of the age bands for which they hide it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio

from loaders.labels import ViewerLabels
from settings import Settings
from tests.features.visibility.every_field import of_node, of_root
from tests.features.visibility.hidden_users import check_notifications
from tests.support.external_reviewer import Server, json_response, listening, review_all
from tests.support.labels import CLAIMS, aged, choose, edit_comment, edit_post, set_labels, with_labels
from tests.support.social_scene import Scene, made, read
from tests.support.stores import standalone
from tests.support.system import Person, System, running

pytestmark = [standalone, pytest.mark.timeout(180)]
ROOTS = {
    "user": 'handle: "bob"',
    "entity": 'business: "video", key: "bobs"',
    "entities": 'business: "video", keys: ["bobs", "open"]',
    "topic": 'name: "cats"',
    "node": 'id: "Entity:video:bobs"',
    "searchPosts": 'query: "after:2000-01-01"',
    "searchComments": 'subjectId: "Entity:video:open", query: "after:2000-01-01"',
    "searchEntities": 'business: "video", query: "bobs"',
    "searchUsers": 'query: "bob"',
    "suggestHandles": 'prefix: "b"',
    "searchTopics": 'query: "cats"',
    "topics": 'prefix: "c"',
}
"""The arguments of root fields, except the ids of `nodes`."""
TEXT = "query ($id: ID!) { node(id: $id) { ... on Post { text } ... on Comment { said: text } } }"
VIDEO = "Entity:video:bobs"
_TEXTS = "bob's post", '"bob\'s comment"', "bob's answered comment", "bob's reply", "bob's comment on a video"
_SIGNS = (*_TEXTS, '"Entity:video:bobs"')


@pytest_asyncio.fixture
async def system(lenient: Settings, tmp_path: Path) -> AsyncIterator[System]:
    """The application with labels, whose tokens state age bands."""
    settings = lenient.model_copy(update={"businesses_file": with_labels(tmp_path), "jwt_claims": CLAIMS})
    async with running(settings) as one:
        yield one


def readers(system: System) -> dict[str, tuple[Person, bool]]:
    """Returns readers by name, each with whether the content of bob is hidden from them."""
    return {
        "alice, a child": (aged(system, "alice", "child"), True),
        "carol, a teen": (aged(system, "carol", "teen"), True),
        "alice, of unknown age": (system.person("alice"), True),
        "a stranger": (aged(system, "sam", "teen"), True),
        "an adult who hides the label": (aged(system, "erin", "adult"), True),
        "anonymous": (system.person(None), True),
        "alice, an adult": (aged(system, "alice", "adult"), False),
        "bob": (aged(system, "bob", "child"), False),
        "moderator": (system.person("mia", "moderate"), False),
    }


async def label_all(scene: Scene) -> None:
    """Makes a moderator label all content of bob: his post, his comments and his video."""
    mia = scene.system.person("mia", "moderate")
    for content in (*scene.bobs, VIDEO):
        assert (await set_labels(mia, content, "adult"))["userErrors"] == []
    await scene.system.drain()


async def label_by_rules_and_reviewer(scene: Scene, server: Server) -> None:
    """Makes bob edit all his content, so that the rules label his post, the external reviewer labels his comments, and
    a moderator labels his video.
    """
    system, bob = scene.system, scene.system.person("bob")
    server.answer = json_response({"decision": "approve", "labels": ["adult"]})
    for content in scene.bobs:
        (text,) = (await bob.ask(TEXT, id=content))["node"].values()
        if content.startswith("Post:"):
            server.answer = json_response({"decision": "approve"})
            assert (await edit_post(bob, content, text=f"{text} nsfw"))["userErrors"] == []
            await review_all(system)
            server.answer = json_response({"decision": "approve", "labels": ["adult"]})
        else:
            assert (await edit_comment(bob, content, text=f"{text} again"))["userErrors"] == []
    await review_all(system)
    assert (await set_labels(system.person("mia", "moderate"), VIDEO, "adult"))["userErrors"] == []
    await system.drain()


def content_in(scene: Scene, found: dict[str, set[str]]) -> dict[str, set[str]]:
    """Returns the fields that led to content of bob, with the ids found there."""
    some = {coordinate: ids & set(scene.bobs) for coordinate, ids in found.items()}
    return {coordinate: ids for coordinate, ids in some.items() if ids}


async def check(scene: Scene, before: dict[str, dict[str, set[str]]]) -> None:
    """Checks what each reader finds. `before` is what each found before the content had labels."""
    for name, (reader, is_hidden) in readers(scene.system).items():
        found, bodies = await read(scene, reader)
        if is_hidden:
            shown = set[str]().union(*content_in(scene, found).values())
            assert shown <= {scene.answered}, (name, content_in(scene, found))  # its tombstone
            ids = [id_ for id_ in [*scene.bobs, scene.on_bobs] if id_ != scene.answered]
            assert [sign for sign in (*_SIGNS, *ids) if any(sign in body for body in bodies)] == [], name
            await check_notifications(reader)
        else:
            missing = {path for path, ids in before[name].items() if not ids <= found.get(path, set())}
            assert missing == set(), name  # bob also has notifications about his labels


@pytest.mark.prove
async def test_labels_of_the_rules_and_the_reviewer_hide_as_those_of_moderators(
    lenient: Settings, tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("label adult: nsfw\n")
    settings = lenient.model_copy(update={"businesses_file": with_labels(tmp_path), "jwt_claims": CLAIMS})
    async with running(settings) as system:
        scene = await made(system)
        assert (await choose(aged(system, "erin", "adult"), adult="HIDE"))["userErrors"] == []
        await system.drain()
        before = {name: content_in(scene, (await read(scene, one))[0]) for name, (one, _) in readers(system).items()}
    async with listening() as server:
        moderation = settings.moderation.model_copy(update={"words_file": words, "reviewer": server.settings()})
        async with running(settings.model_copy(update={"moderation": moderation})) as system:
            scene.system = system
            await label_by_rules_and_reviewer(scene, server)
            sources = await system.rows("SELECT DISTINCT role FROM moderation_log WHERE action = 17 ORDER BY role")
            assert sources == [(1,), (3,), (4,)]
            await check(scene, before)


async def labeled(system: System) -> tuple[Scene, dict[str, dict[str, set[str]]]]:
    """Makes the scene, and labels the content of bob. Also returns what each reader found before."""
    scene = await made(system)
    assert (await choose(aged(system, "erin", "adult"), adult="HIDE"))["userErrors"] == []
    await system.drain()
    before = {name: content_in(scene, (await read(scene, one))[0]) for name, (one, _) in readers(system).items()}
    await label_all(scene)
    return scene, before


async def test_every_reader_finds_what_the_age_band_permits(system: System) -> None:
    scene, before = await labeled(system)
    assert all(len(found) > 20 for found in before.values())
    await check(scene, before)
    await system.empty_redis()
    await check(scene, before)  # from rows
    await check(scene, before)  # from the filled cache


Shown = Callable[[ViewerLabels, Sequence[Any]], Awaitable[Sequence[Any]]]


async def test_the_check_finds_content_that_is_not_hidden(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    scene, before = await labeled(system)
    original = ViewerLabels.shown
    left = {scene.bobs[0], scene.bobs[1]}

    for leaked in left:

        async def shown(self: ViewerLabels, rows: Sequence[Any], leaked: str = leaked) -> Sequence[Any]:
            hidden = await original(self, rows)
            return [
                row if getattr(row, "global_id", "") == leaked else seen for row, seen in zip(rows, hidden, strict=True)
            ]

        monkeypatch.setattr(ViewerLabels, "shown", shown)
        with pytest.raises(AssertionError):
            await check(scene, before)


async def test_no_field_shows_hidden_content(system: System) -> None:
    scene, _ = await labeled(system)
    ids = [scene.bob_id, *scene.bobs, scene.carols, scene.root, *scene.others, "Entity:video:bobs", "Topic:cats"]
    roots = {**ROOTS, "nodes": f"ids: {orjson.dumps(ids).decode()}"}
    queries = [*of_root(roots, frozenset()), *(of_node(id_, frozenset()) for id_ in ids)]
    signs = {*_SIGNS, *(f'"{id_}"' for id_ in [*scene.bobs, scene.on_bobs])}

    async def found_by(reader: Person) -> set[str]:
        answers = [(await reader.send(query)).text for query in queries]
        return {sign for sign in signs if any(sign in answer for answer in answers)}

    assert await found_by(aged(system, "alice", "adult")) == signs
    for reader in (aged(system, "alice", "child"), system.person("carol"), system.person(None)):
        own = {f'"{scene.on_bobs}"'} if reader.handle == "carol" else set()
        assert await found_by(reader) - own <= {f'"{scene.answered}"'}
