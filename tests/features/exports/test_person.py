"""An export of one person has everything that is kept about the person, and nothing about others."""

import re
from typing import Any

from archive.personal import PERSONAL_KINDS
from archive.records import KINDS
from tests.support.account_scene import SECRET, made
from tests.support.collections import created
from tests.support.exports import downloaded, of_kind, records_in
from tests.support.reports import reported, resolve
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone

TIME = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def without_times(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns records without `createdAt`, `updatedAt` and `deletedAt`, which must be times."""
    names = {"createdAt", "updatedAt", "deletedAt", "pinnedAt", "editedAt"}
    for record in records:
        assert all(TIME.fullmatch(record[name]) for name in names & record.keys()), record
    return [{name: value for name, value in record.items() if name not in names} for record in records]


async def test_everything_about_a_person_is_exported(system: System) -> None:
    scene = await made(system)
    records = records_in((await downloaded(scene.alice)).content)
    shown = without_times(records)
    others, theirs, posts = scene.others, scene.theirs, scene.posts
    client = {"ip": "203.0.113.7", "device": "device-of-alice", "client": "ios"}

    def found(kind: str, *left_out: str) -> list[dict[str, Any]]:
        return of_kind(shown, kind, *left_out)

    assert {record["kind"] for record in records} == {*KINDS, *PERSONAL_KINDS} - {"entity", "end"}
    assert found("account") == [
        {
            "user": scene.user,
            "identities": [{"issuer": "https://plaudit.local", "externalId": "alice"}],
            "unwantedNotifications": ["LIKE"],
            "notificationsOnlyOfFollowed": ["COMMENT"],
            "quietHours": "22:00 to 07:00 Asia/Shanghai",
            "topicsInHome": True,
            "discoverable": False,
            "savedQueues": [{"name": "old spam", "filters": {"status": "OPEN", "source": "REPORTS", "sort": "OLDEST"}}],
        }
    ]
    (profile,) = found("user")
    assert profile == {
        "externalId": "alice",
        "issuer": "https://plaudit.local",
        "handle": "alice",
        "displayName": "alice",
        "language": "zh-Hans",
    }
    assert found("follow") == [
        {"follower": scene.user, "followee": others["bobby"]},
        {"follower": scene.user, "followee": others["greta"]},
        {"follower": scene.user, "followee": others["erin"], "state": "REQUESTED"},
    ]
    assert found("contentFollow", "user") == [
        {"target": {"topic": "cats"}},
        {"target": {"business": "video", "key": "v1"}},
    ]
    assert found("block") == [{"user": scene.user, "blocked": others["dave"]}]
    assert found("mute") == [{"user": scene.user, "muted": others["frank"], "until": "2090-01-01T00:00:00.000Z"}]
    assert found("postNotifications") == [{"author": others["bobby"]}]
    assert found("mutedThread") == [{"target": {"post": posts[0]}}]
    assert found("mutedReposts") == [{"user": others["bobby"]}]
    assert found("dismissedSuggestion") == [{"user": others["greta"]}]
    assert found("hiddenPost") == [{"target": {"post": theirs["bobby"]}, "less": True}]
    assert found("mutedWord") == [
        {
            "text": "spoiler",
            "targets": ["TEXT", "TOPICS"],
            "wholeWord": True,
            "exceptFollowed": False,
            "until": "2090-01-01T00:00:00.000Z",
        }
    ]
    assert found("repost", "user") == [{"target": {"post": theirs["bobby"]}}]
    assert {(one["user"], one["handle"], one["displayName"]) for one in found("contact")} == {
        (others[name], name, name.title()) for name in ("bobby", "erin", "dave", "frank")
    }
    assert found("collection") == [{"id": scene.collection, "user": scene.user, "name": "my favourites"}]
    entity = {"business": "video", "key": "v1"}
    assert found("save", "user") == [
        {"target": {"post": theirs["bobby"]}, "collection": scene.collection},
        {"target": entity},
    ]
    liked = [one["target"] for one in found("reaction")]
    assert liked == [{"post": theirs[name]} for name in theirs if name not in ("henry", "erin")] + [entity]
    assert found("post", "author") == [
        {"id": posts[0], "text": "my pinned post"},
        {"id": posts[1], "text": "my rejected post", "status": "REJECTED", "reason": "because"},
        {"id": posts[2], "text": "my deleted post"},
    ]
    assert ["pinnedAt" in one for one in of_kind(records, "post")] == [True, False, False]
    assert ["deletedAt" in one for one in of_kind(records, "post")] == [False, False, True]
    assert found("edit") == [{"target": {"post": posts[0]}, "text": "my first words"}]
    subject = {"author": scene.user, "subject": {"post": theirs["bobby"]}}
    assert found("comment") == [
        {**subject, "id": scene.comments[0], "text": "my comment"},
        {**subject, "id": scene.comments[1], "text": "my reply", "parent": scene.comments[0]},
        {**subject, "id": scene.comments[2], "text": "my comment that bob deletes", "deletedAs": "owner"},
    ]
    assert sorted((one["event"], one.get("times", 0), one.get("message")) for one in found("notification")) == sorted(
        [
            ("FOLLOW", 1, None),
            ("MENTION", 1, None),
            *(("MODERATION", 0, text) for text in await messages(system, 6)),
            ("REPORT", 0, "Your report was dismissed: decided"),
        ]
    )
    assert found("report") == [
        {
            "target": {"post": theirs["henry"]},
            "reason": "HARASSMENT",
            "note": "my note",
            "status": "DISMISSED",
            "network": "203.0.113.7",
        }
    ]
    assert found("appeal") == [{"target": {"post": posts[1]}, "text": "my appeal", "status": "DENIED"}]
    decisions = [(one["action"], one["role"], *one["target"].values(), one.get("reason")) for one in found("decision")]
    assert sorted(decisions, key=str) == [
        ("APPEAL_DENIED", "MODERATOR", posts[1], "because"),
        ("DELETED", "OWNER", scene.comments[2], None),
        ("REJECTED", "MODERATOR", posts[1], "because"),
        ("REJECTED", "MODERATOR", posts[1], "off topic"),
        ("SUSPENDED", "MODERATOR", scene.user, "flooding"),
        ("WARNED", "MODERATOR", scene.user, "be kind"),
    ]
    activity = found("activity")
    assert [one["action"] for one in activity if "post" in one["target"] and one["action"] in ("post", "unlike")] == [
        *["post"] * 3,
        "unlike",
    ]
    assert [one["action"] for one in activity].count("like") == 7
    assert [one["action"] for one in activity].count("follow") == 2
    assert [one["target"] for one in activity if one["action"] == "comment"] == [
        {"comment": comment} for comment in scene.comments
    ]
    assert [one["target"] for one in activity if one["action"] == "view"] == [entity]
    assert all(one | client == one for one in activity if one["action"] != "view")


async def messages(system: System, kind: int) -> list[str]:
    """Returns the messages of alice's notifications of a kind, oldest first."""
    rows = await system.rows(
        "SELECT message FROM notifications JOIN users USING (user_id) WHERE kind = :kind AND handle = 'alice'",
        kind=kind,
    )
    return [message for (message,) in rows]


async def test_nothing_of_others_leaks_into_an_export(system: System) -> None:
    scene = await made(system)

    content = (await downloaded(scene.alice)).text

    assert SECRET not in content
    for name in ("carol", "greta", "henry", "mia", "max", "Carol", "Greta", "Henry", "Moderator"):
        assert f'"{name}"' not in content, name
    for name in ("carol", "mia", "henry"):
        assert f'"{scene.others[name]}"' not in content, name
    assert "SHADOW" not in content
    assert '"REPORTS_' not in content


async def test_exports_of_the_same_data_are_equal(system: System) -> None:
    scene = await made(system)

    first, second = await downloaded(scene.alice), await downloaded(scene.alice)

    assert first.content == second.content


async def test_everything_about_a_reported_collection_names_its_owner(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    collection = await created(bob, "rude cats", public=True)
    await system.drain()
    await reported(alice, collection)
    await system.drain()
    assert (await resolve(system.person("mia", "moderate"), collection, "DISMISS"))["userErrors"] == []
    await system.drain()

    records = records_in((await downloaded(alice)).content)

    target = {"collection": collection}
    for kind in ("report", "statement", "notification"):
        assert [one["target"] for one in of_kind(records, kind)] == [target], kind
