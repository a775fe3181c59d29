"""An export of everything has all users, content and relations, in one order, and can be read again."""

from collections.abc import Sequence
from typing import Any

import orjson
import pytest

from archive.everything import Everything
from archive.lines import decoded, joined
from archive.records import KINDS
from archive.references import NO_IDENTITY
from store.archive import everything as sources
from store.archive.pages import Source
from tests.support.account_scene import SECRET, made
from tests.support.comment_policies import set_policy
from tests.support.comments import added
from tests.support.exports import of_kind
from tests.support.pinned_comments import pin
from tests.support.posts import edit, publish
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import System

pytestmark = standalone

ISSUER = "https://plaudit.local"


async def exported(system: System, issuer: str = ISSUER) -> bytes:
    """Returns the lines of an export of everything."""
    return b"".join([joined(records) async for records in Everything(system.state, issuer).pages()])


async def records_of(system: System, issuer: str = ISSUER) -> list[dict[str, Any]]:
    """Returns the records of an export of everything."""
    return [orjson.loads(line) for line in (await exported(system, issuer)).splitlines()]


def one(records: Sequence[dict[str, Any]], kind: str, **wanted: Any) -> dict[str, Any]:
    """Returns the only record of a kind with these values."""
    (found,) = [record for record in of_kind(records, kind) if record | wanted == record]
    return found


async def test_all_kinds_are_exported_in_order_and_every_line_is_valid(system: System) -> None:
    await made(system)

    lines = (await exported(system)).splitlines()

    kinds = [orjson.loads(line)["kind"] for line in lines]
    of_users = ["user", "entity", "follow", "contentFollow", "reaction", "repost", "collection", "save"]
    order = [*of_users, "post", "comment", "block", "mute"]
    assert list(dict.fromkeys(kinds)) == order
    assert set(order) == KINDS.keys()
    assert kinds == sorted(kinds, key=order.index)
    for line in lines:
        assert joined([decoded(orjson.loads(line)["kind"], line)]) == line + b"\n"
    assert (await exported(system)).splitlines() == lines


async def test_users_are_named_by_their_identities(system: System) -> None:
    scene = await made(system)
    await system.rows("DELETE FROM identities WHERE subject = :subject RETURNING 1", subject=f"{SECRET}_frank")

    records, others = await records_of(system), await records_of(system, "https://another.test")

    alice = one(records, "user", externalId="alice")
    assert (alice["handle"], "issuer" in alice) == ("alice", False)
    assert one(records, "user", handle="frank") | {
        "externalId": scene.others["frank"],
        "issuer": NO_IDENTITY,
    } == one(records, "user", handle="frank")
    assert one(records, "user", handle="bobby")["formerHandles"][0]["handle"] == f"{SECRET}_bobby"
    assert one(records, "follow", followee=f"{SECRET}_erin")["state"] == "REQUESTED"
    assert one(records, "block", blocked=f"{SECRET}_dave")["user"] == "alice"
    assert one(others, "user", externalId="alice")["issuer"] == ISSUER
    assert one(others, "block", blocked={"externalId": f"{SECRET}_dave", "issuer": ISSUER})["user"] == {
        "externalId": "alice",
        "issuer": ISSUER,
    }


async def test_only_what_stands_is_exported(system: System) -> None:
    scene = await made(system)

    records = await records_of(system)

    reactions = [record["target"] for record in of_kind(records, "reaction") if record["user"] == "alice"]
    assert {"post": scene.theirs["henry"]} not in reactions
    assert len(reactions) == 6
    deleted = one(records, "post", id=scene.posts[2])
    assert ("deletedAt" in deleted, "text" in deleted) == (True, False)
    comment = one(records, "comment", id=scene.comments[2])
    assert (comment["deletedAs"], "deletedAt" in comment, "text" in comment) == ("owner", True, False)
    assert "my deleted post" not in str(records)


async def test_settings_pins_edits_and_suspensions_are_exported(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1", owner="alice")
    text = "about glaciers"
    image = {"url": "https://images.example.com/a.png", "alt": "ice"}
    post = (await publish(alice, text, "ice", "snow", images=[image]))["post"]["id"]
    await system.drain()
    await edit(alice, post, text="about ice")
    root = await added(bob, video, "first")
    await system.drain()
    await added(alice, video, "second", root)
    await pin(alice, root)
    await set_policy(alice, post, "NOBODY")
    await set_policy(alice, video, "FOLLOWED")
    await suspend(moderator(system), await bob.id(), "HIDDEN", "2090-01-01T00:00:00Z", "spam")
    await system.drain()

    records = await records_of(system)

    entity = one(records, "entity", business="video", key="v1")
    assert (entity["owner"], entity["title"], entity["commentPolicy"]) == ("alice", "v1", "FOLLOWED")
    shown = one(records, "post", id=post)
    assert (shown["text"], shown["topics"], shown["images"], shown["commentPolicy"]) == (
        "about ice",
        ["ice", "snow"],
        [image],
        "NOBODY",
    )
    assert "editedAt" in shown
    assert "pinnedAt" in one(records, "comment", text="first", author="bob")
    reply = one(records, "comment", text="second")
    assert (reply["parent"], reply["subject"]) == (root, {"business": "video", "key": "v1"})
    assert one(records, "user", handle="bob")["suspension"] == {
        "mode": "HIDDEN",
        "reason": "spam",
        "until": "2090-01-01T00:00:00.000Z",
    }


async def test_pages_join_without_gaps(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    await made(system)
    whole = await exported(system)
    for name, source in vars(sources).copy().items():
        if isinstance(source, Source):
            monkeypatch.setattr(sources, name, source._replace(size=2))

    assert await exported(system) == whole
