"""An export that is imported into an empty system is exported there with the same lines, in any order."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from archive.everything import Everything
from archive.lines import joined
from runner.valkey import Valkey
from settings import Settings
from tests.archive.archives import load
from tests.support.account_scene import made
from tests.support.comment_policies import set_policy
from tests.support.labels import set_labels, with_labels, write_comment, write_post
from tests.support.pinned_comments import pin
from tests.support.posts import edit, publish
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running

pytestmark = standalone

SERVICE = """mutation ($video: ID!, $custom: JSON = {plan: "gold", badges: [1, 2.5, null]}) {
  upsertUsers(users: [{externalId: "alice", custom: $custom, bio: "ice\\nand snow", language: "zh", isPrivate: true,
    ageBand: "teen"}]) {
    userErrors { code } }
  registerEntities(entities: [{business: "article", key: "a1", url: "https://example.com/a1", commentsClosed: true,
    owner: {externalId: "alice"}, custom: $custom, labels: ["violence"]}]) { userErrors { code } }
  removeEntities(ids: [$video]) { userErrors { code } } }"""


ABOUT = """mutation ($video: ID!) { publishPost(input: {text: "see", entityId: $video, idempotencyKey: "see"}) {
  userErrors { code } } }"""


async def exported(system: System) -> list[str]:
    """Returns the lines of an export of everything, sorted."""
    pages = Everything(system.state, system.settings.issuer).pages()
    return sorted(b"".join([joined(records) async for records in pages]).decode().splitlines())


async def varied(system: System) -> None:
    """Makes content of each kind, with custom data, pins, policies, edits, deletions, suspensions and private users."""
    scene = await made(system)
    bob = system.person("tulip_bobby")
    await set_policy(bob, scene.theirs["bobby"], "FOLLOWED")
    await pin(bob, scene.comments[0])
    image = {"url": "https://images.example.com/a.png", "alt": "ice"}
    post = (await publish(bob, "about glaciers", "ice", "snow", images=[image]))["post"]["id"]
    await system.drain()
    await edit(bob, post, text="about ice")
    warned = (await write_post(bob, "careful", "spoiler", contentWarning="Ice"))["post"]["id"]
    await write_comment(bob, post, "careful, too", "spoiler", "violence", contentWarning="Snow")
    await system.drain()
    await bob.ask(ABOUT, video=scene.video)
    await system.person("desk", "users:write", "entities:write").ask(SERVICE, video=scene.video)
    for target in (warned, "Entity:article:a1"):
        assert (await set_labels(system.person("mia", "moderate"), target, "disputed"))["userErrors"] == []
    await system.drain()


async def community(system: System) -> None:
    """Makes the demo data."""
    await system.seed()
    await system.drain()


@pytest.mark.parametrize(("fill", "least"), [(varied, 40), pytest.param(community, 10_000, marks=pytest.mark.prove)])
async def test_an_imported_export_is_exported_again(
    fill: Callable[[System], Awaitable[None]],
    least: int,
    make_settings: Callable[..., Settings],
    empty_database: Callable[[], Awaitable[None]],
    valkey: Valkey,
    tmp_path: Path,
) -> None:
    chosen: dict[str, Any] = {"moderation": LENIENT, "local_cache_seconds": 0, "database_timeout": 20.0}
    settings = make_settings(**chosen, businesses_file=with_labels(tmp_path))
    async with running(settings) as system:
        await fill(system)
        before = await exported(system)
    await empty_database()
    valkey.command("FLUSHALL")

    async with running(settings) as system:
        imported = await load(system, tmp_path, *before)
        after = await exported(system)

    assert imported.rejects == []
    assert after == before
    assert len(before) > least
