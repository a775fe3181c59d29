"""Users, follows, blocks and mutes of an archive."""

from pathlib import Path
from typing import Any

from tests.archive.archives import LONG_AGO, Record, at, follow, load, post, users, video
from tests.support.boundaries import block
from tests.support.content_follows import change_entity, followed
from tests.support.deletions import delete, finish
from tests.support.follows import unfollow
from tests.support.reconciliation import drift
from tests.support.system import System

PROFILE = """query ($h: String!) { user(handle: $h) {
  id handle displayName bio isPrivate createdAt custom followerCount followers { nodes { handle } }
  friends { nodes { handle } } } }"""
COUNTS = "{ viewer { user { followingCount followerCount friendCount following { nodes { handle } } } } }"


async def profile(system: System, handle: str) -> Any:
    return (await system.person("reader").ask(PROFILE, h=handle))["user"]


async def test_a_user_is_imported_with_the_profile_and_the_time_of_joining(system: System, tmp_path: Path) -> None:
    more = {
        "displayName": "Ann Lee",
        "bio": "Glaciers",
        "isPrivate": True,
        "custom": {"tier": 2},
        "language": "zh-hans",
    }

    assert (await load(system, tmp_path, *users("ann", **more))).rejects == []

    ann = await profile(system, "ann")
    assert (ann["displayName"], ann["bio"], ann["isPrivate"], ann["custom"]) == (
        "Ann Lee",
        "Glaciers",
        True,
        {"tier": 2},
    )
    assert ann["createdAt"] == LONG_AGO
    assert (await system.person("ann").ask("{ viewer { language } }"))["viewer"] == {"language": "zh-Hans"}
    assert await system.person("ann").id() == ann["id"]  # signs in with the external id
    assert await drift(system) == {}


async def test_many_users_of_one_second_get_different_ids_and_keep_their_times(system: System, tmp_path: Path) -> None:
    names = [f"user{i}" for i in range(300)]
    old = users(*names[:150], createdAt="2007-06-05T04:03:02.000Z")

    await load(system, tmp_path, *old, *users(*names[150:]))

    rows = await system.rows("SELECT handle, user_id FROM users WHERE handle LIKE 'user%'")
    assert {handle for handle, _ in rows} == set(names)
    assert len({id_ for _, id_ in rows}) == 300
    assert (await profile(system, "user0"))["createdAt"].startswith("2007-06-05T04:03:02.")
    assert (await profile(system, "user299"))["createdAt"].startswith("2021-03-01T12:00:00.0")


async def test_a_handle_that_is_taken_or_not_allowed_is_replaced_and_reported(system: System, tmp_path: Path) -> None:
    await system.person("ann").id()

    imported = await load(
        system,
        tmp_path,
        {"kind": "user", "externalId": "1", "handle": "ann"},
        {"kind": "user", "externalId": "2", "handle": "Bob Lee"},
        {"kind": "user", "externalId": "3", "displayName": "Carl"},
    )

    assert [(line, imported) for line, _, imported in imported.rejects] == [(1, True), (2, True)]
    names: dict[int, str] = dict(await system.rows("SELECT user_id, handle FROM users"))
    rows = await system.rows("SELECT subject, user_id FROM identities")
    handles = {subject: names[user_id] for subject, user_id in rows}
    assert handles["1"].startswith("ann")
    assert handles["1"] != "ann"
    assert (handles["2"], handles["3"]) == ("bob_lee", "carl")


async def test_a_user_who_exists_stays_as_they_are(system: System, tmp_path: Path) -> None:
    await system.person("ann").id()

    before = await system.stored("users")

    assert (await load(system, tmp_path, *users("ann", bio="other"))).rejects == []

    assert await system.stored("users") == before


async def test_a_suspension_is_imported(system: System, tmp_path: Path) -> None:
    hidden = {"mode": "HIDDEN", "reason": "spam"}

    await load(system, tmp_path, *users("bad", suspension=hidden))

    assert await profile(system, "bad") is None


async def test_follows_requests_and_friends_have_their_times_and_counters(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        follow("ann", "bob", createdAt=at(1)),
        follow("bob", "ann", createdAt=at(2)),
        follow("carl", "ann", createdAt=at(3)),
        follow("ann", "dora", state="REQUESTED"),
        *users("ann", "bob", "carl"),
        *users("dora", isPrivate=True),
    )

    assert imported.rejects == []
    ann = await profile(system, "ann")
    assert [one["handle"] for one in ann["followers"]["nodes"]] == ["carl", "bob"]
    assert [one["handle"] for one in ann["friends"]["nodes"]] == ["bob"]
    own = (await system.person("ann").ask(COUNTS))["viewer"]["user"]
    assert (own["followingCount"], own["followerCount"], own["friendCount"]) == (1, 2, 1)
    relation = '{ user(handle: "dora") { viewerRelation } }'
    assert (await system.person("ann").ask(relation))["user"]["viewerRelation"] == "REQUESTED"
    assert await system.rows("SELECT count(*) FROM follow_log") == [(0,)]
    assert await drift(system) == {}


async def test_an_unfollow_since_then_wins(system: System, tmp_path: Path) -> None:
    records = *users("ann", "bob"), follow("ann", "bob")
    await load(system, tmp_path, *records)
    ann, bobs = system.person("ann"), await system.person("bob").id()
    await unfollow(ann, bobs)
    await system.drain()

    await load(system, tmp_path, *records)

    assert (await ann.ask(COUNTS))["viewer"]["user"]["following"]["nodes"] == []
    assert await drift(system) == {}


async def test_a_user_cannot_get_more_follows_than_the_limit(system: System, tmp_path: Path) -> None:
    people = system.settings.people.model_copy(update={"follow_limit": 2})
    system.settings = system.settings.model_copy(update={"people": people})
    records = [*users("ann", "b1", "b2", "b3"), *(follow("ann", name) for name in ("b1", "b2", "b3"))]

    imported = await load(system, tmp_path, *records)
    again = await load(system, tmp_path, *records)

    assert imported.reasons == again.reasons == ["A user may have at most 2 records of this kind."]
    assert (await system.person("ann").ask(COUNTS))["viewer"]["user"]["followingCount"] == 2
    assert await drift(system) == {}


async def test_blocks_and_mutes_are_imported(system: System, tmp_path: Path) -> None:
    records = (
        *users("ann", "bob", "carl"),
        {"kind": "block", "user": "ann", "blocked": "bob", "createdAt": LONG_AGO},
        {"kind": "mute", "user": "ann", "muted": "carl", "createdAt": LONG_AGO, "until": "2090-01-01T00:00:00Z"},
        {"kind": "mute", "user": "bob", "muted": "carl", "createdAt": LONG_AGO},
    )

    assert (await load(system, tmp_path, *records)).rejects == []

    ann, bob = system.person("ann"), system.person("bob")
    lists = "{ viewer { blocks { nodes { handle } } mutes { edges { node { handle } until } } } }"
    viewer = (await ann.ask(lists))["viewer"]
    assert [one["handle"] for one in viewer["blocks"]["nodes"]] == ["bob"]
    assert viewer["mutes"]["edges"] == [{"node": {"handle": "carl"}, "until": "2090-01-01T00:00:00.000Z"}]
    assert (await bob.ask(lists))["viewer"]["mutes"]["edges"][0]["until"] is None
    assert (await bob.ask('{ user(handle: "ann") { id } }'))["user"] is None
    assert await drift(system) == {}


async def test_an_import_corrects_what_was_cached_of_blocks_and_follows(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users("ann", "bob", "carl"))
    ann, carls = system.person("ann"), await system.person("carl").id()
    await block(ann, carls)
    await system.drain()
    assert (await ann.ask(COUNTS))["viewer"]["user"]["following"]["nodes"] == []

    await load(
        system,
        tmp_path,
        follow("ann", "bob"),
        {
            "kind": "block",
            "user": "bob",
            "blocked": "carl",
            "createdAt": LONG_AGO,
        },
    )

    assert [one["handle"] for one in (await ann.ask(COUNTS))["viewer"]["user"]["following"]["nodes"]] == ["bob"]
    assert (await system.person("carl").ask('{ user(handle: "bob") { id } }'))["user"] is None
    assert await drift(system) == {}


async def test_a_deleted_user_is_not_imported_again(system: System, tmp_path: Path) -> None:
    archive = *users("ann", "ben"), follow("ann", "ben"), post("p1", "ann")
    await load(system, tmp_path, *archive)
    await delete(system.person("ann"))
    await finish(system)

    again = await load(system, tmp_path, *archive)
    assert again.reasons[0] == "This user was deleted."
    assert len(again.reasons) >= 2
    assert await profile(system, "ann") is None
    assert (await profile(system, "ben"))["followerCount"] == 0
    assert await drift(system) == {}


async def test_follows_of_topics_and_entities_are_imported(system: System, tmp_path: Path) -> None:
    def followed_by(user: str, target: Record, minutes: int = 0) -> Record:
        return {"kind": "contentFollow", "user": user, "target": target, "createdAt": at(minutes)}

    (v1,) = await system.videos("v1")
    people = system.settings.people.model_copy(update={"content_follow_limit": 2})
    system.settings = system.settings.model_copy(update={"people": people})
    records = [
        *users("ann", "bob"),
        *(followed_by("ann", {"topic": name}) for name in ("#Straße", "STRASSE", "two words")),
        followed_by("ann", video("v1"), 1),
        followed_by("ann", {"topic": "third"}, 2),
        followed_by("bob", video("none")),
    ]
    ann = system.person("ann")
    for _ in range(2):
        imported = await load(system, tmp_path, *records)
        assert len(imported.rejects) == 3
        assert await followed(ann) == (["straße"], [v1])
        assert await drift(system) == {}
    assert (await change_entity(ann, v1, "unfollowEntity"))["entity"]["followerCount"] == 0
    await system.drain()
    await load(system, tmp_path, *records)
    assert (await followed(ann))[1] == []
    assert await drift(system) == {}
