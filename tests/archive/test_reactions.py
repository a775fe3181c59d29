"""Entities, reactions, collections and saves of an archive."""

from pathlib import Path
from typing import Any

from domain import texts
from tests.archive.archives import LONG_AGO, at, comment, entity, load, post, reaction, save, users, video
from tests.support.collections import own
from tests.support.erasing import erase, finish
from tests.support.own_sets import configure
from tests.support.reconciliation import drift
from tests.support.registration import registrar
from tests.support.saves import SEEN, saved
from tests.support.stores import standalone
from tests.support.system import System

VIDEO = """query ($key: String!) { entity(business: "video", key: $key) {
  id title commentsClosed owner { handle likesReceivedCount } likeCount dislikeCount saveCount
  viewerReaction likers { nodes { handle } } } }"""
LIKES = '{ viewer { user { likes(business: "video") { edges { node { ... on Entity { key } } } } } } }'


async def seen(system: System, key: str, viewer: str = "reader") -> Any:
    return (await system.person(viewer).ask(VIDEO, key=key))["entity"]


async def test_an_entity_is_imported_with_its_owner(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        entity("v1", title="Sourdough", owner="ann", commentsClosed=True),
        entity("v2", removed=True),
        entity("v3", owner="nobody"),
        {"kind": "entity", "business": "unknown", "key": "x"},
        *users("ann"),
    )

    one = await seen(system, "v1")
    assert (one["title"], one["owner"]["handle"], one["commentsClosed"]) == ("Sourdough", "ann", True)
    assert await seen(system, "v2") is None
    assert imported.rejects == [
        (3, "There is no user nobody of the issuer https://plaudit.local.", False),
        (
            4,
            texts.no_business("unknown"),
            False,
        ),
    ]


async def test_a_registered_entity_stays_as_it_is(system: System, tmp_path: Path) -> None:
    await system.videos("v1")

    await load(system, tmp_path, entity("v1", title="other"))

    assert (await seen(system, "v1"))["title"] == "v1"


@standalone
async def test_nothing_is_imported_below_an_entity_that_is_being_erased(system: System, tmp_path: Path) -> None:
    (erased,) = await system.videos("v1")
    await load(system, tmp_path, comment("c1", "ann", video("v1")), *users("ann"))
    await erase(registrar(system), erased)

    imported = await load(
        system,
        tmp_path,
        entity("v1"),
        reaction("ann", video("v1")),
        reaction("ann", {"comment": "c1"}),
        save("ann", video("v1")),
        comment("c2", "ann", video("v1")),
        comment("c3", "ann", video("v1"), parent="c1"),
    )

    erased_now = "The entity video:v1 is being erased."
    assert imported.reasons == [erased_now, erased_now, "There is no comment c1.", *[erased_now] * 3]
    for table, rows in ("reactions", 0), ("saves", 0), ("comments", 1):
        assert len(await system.rows(f"SELECT 1 FROM {table}")) == rows  # noqa: S608 - constants
    await finish(system)
    again = await load(system, tmp_path, entity("v1"), reaction("ann", video("v1")), comment("c1", "ann", video("v1")))
    assert (again.rejects, await system.rows("SELECT count(*) FROM comments")) == ([], [(1,)])
    assert (await seen(system, "v1"))["likeCount"] == 1


async def test_reactions_have_their_times_and_exact_counters(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        *(reaction(f"u{i}", video("v1"), createdAt=at(i)) for i in range(5)),
        reaction("u5", video("v1"), reaction="DISLIKE"),
        reaction("u0", {"post": "p1"}, createdAt=at(3)),
        post("p1", "ann"),
        entity("v1", owner="ann"),
        *users("ann", *(f"u{i}" for i in range(6))),
    )

    assert imported.rejects == []
    one = await seen(system, "v1", "u5")
    assert (one["likeCount"], one["dislikeCount"], one["viewerReaction"]) == (5, 1, "DISLIKE")
    assert [liker["handle"] for liker in one["likers"]["nodes"]] == ["u4", "u3", "u2", "u1", "u0"]
    assert one["owner"] == {"handle": "ann", "likesReceivedCount": 6}
    assert await system.rows("SELECT count(*) FROM like_log") == [(0,)]
    assert await drift(system) == {}


async def test_the_same_archive_again_changes_no_row(system: System, tmp_path: Path) -> None:
    records = (
        *users("ann", "bob"),
        entity("v1", owner="bob"),
        post("p1", "ann"),
        reaction("ann", video("v1")),
        {"kind": "collection", "id": "c1", "user": "ann", "name": "Bread", "createdAt": LONG_AGO},
        save("ann", {"post": "p1"}, collection="c1"),
    )
    await load(system, tmp_path, *records)
    tables = "users", "entities", "posts", "reactions", "collections", "saves", "counters", "imports", "topic_posts"
    before = [await system.stored(table) for table in tables]

    assert (await load(system, tmp_path, *records)).rejects == []

    assert [await system.stored(table) for table in tables] == before


async def test_of_two_reactions_to_one_target_the_newer_one_counts(system: System, tmp_path: Path) -> None:
    await load(
        system,
        tmp_path,
        *users("ann"),
        entity("v1"),
        reaction("ann", video("v1"), createdAt=at(5)),
        reaction("ann", video("v1"), createdAt=at(1), reaction="DISLIKE"),
    )

    one = await seen(system, "v1", "ann")
    assert (one["likeCount"], one["dislikeCount"], one["viewerReaction"]) == (1, 0, "LIKE")


async def test_what_users_did_since_then_wins(system: System, tmp_path: Path) -> None:
    (likes, dislikes) = await system.videos("v1", "v2")
    ann = system.person("ann")
    await ann.like(likes)
    await ann.unlike(likes)
    await ann.react("dislike", dislikes)
    await system.drain()

    await load(system, tmp_path, reaction("ann", video("v1")), reaction("ann", video("v2")))

    assert (await seen(system, "v1", "ann"))["viewerReaction"] is None
    assert (await seen(system, "v2", "ann"))["viewerReaction"] == "DISLIKE"
    assert await drift(system) == {}


async def test_a_change_that_waits_in_the_journal_wins_over_an_import(system: System, tmp_path: Path) -> None:
    (target,) = await system.videos("v1")
    ann = system.person("ann")
    await ann.like(target)
    await ann.unlike(target)  # no worker runs

    await load(system, tmp_path, reaction("ann", video("v1")))
    await system.drain()

    assert (await seen(system, "v1"))["likeCount"] == 0
    assert (await seen(system, "v1", "ann"))["viewerReaction"] is None
    assert await drift(system) == {}


async def test_cached_counters_lists_and_reactions_are_corrected(system: System, tmp_path: Path) -> None:
    await system.videos("v1", "v2")
    await load(system, tmp_path, *users("ann"))
    await system.person("ann").like((await seen(system, "v2"))["id"])
    await system.drain()
    for viewer in ("ann", "reader"):
        assert (await seen(system, "v1", viewer))["likeCount"] == 0
        assert (await seen(system, "v1", viewer))["likers"]["nodes"] == []
    await system.person("ann").ask(LIKES)

    await load(system, tmp_path, reaction("ann", video("v1")))

    for viewer, own_reaction in (("ann", "LIKE"), ("reader", None)):
        one = await seen(system, "v1", viewer)
        assert (one["likeCount"], one["viewerReaction"]) == (1, own_reaction)
        assert [liker["handle"] for liker in one["likers"]["nodes"]] == ["ann"]
    edges = (await system.person("ann").ask(LIKES))["viewer"]["user"]["likes"]["edges"]
    assert [edge["node"]["key"] for edge in edges] == ["v2", "v1"]


async def test_references_that_do_not_exist_are_rejected(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        *users("ann"),
        entity("v1"),
        reaction("bob", video("v1")),
        reaction("ann", video("v9")),
        reaction("ann", {"post": "p9"}),
        reaction("ann", {"comment": "c9"}),
        reaction("ann", {"business": "article", "key": "a"}, reaction="DISLIKE"),
        reaction("ann", video("v1"), createdAt="2090-01-01T00:00:00Z"),
        save("ann", video("v1"), collection="mine"),
    )

    assert imported.reasons == [
        "There is no user bob of the issuer https://plaudit.local.",
        "There is no entity video:v9.",
        "There is no post p9.",
        "There is no comment c9.",
        "There is no entity article:a.",
        "The time is in the future.",
        "The user has no collection mine.",
    ]


async def test_saves_and_collections_are_imported(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        save("ann", video("v1"), collection="c1", createdAt=at(1)),
        save("ann", {"post": "p1"}, createdAt=at(2)),
        {"kind": "collection", "id": "c1", "user": "ann", "name": "Bread", "isPublic": True, "createdAt": LONG_AGO},
        {"kind": "collection", "id": "c2", "user": "bob", "name": "Other", "createdAt": LONG_AGO},
        post("p1", "bob"),
        entity("v1"),
        *users("ann", "bob"),
    )

    assert imported.rejects == []
    assert [(name, is_public) for _, name, is_public in await own(system.person("ann"))] == [("Bread", True)]
    assert len(await saved(system.person("ann"))) == 2
    assert (await seen(system, "v1"))["saveCount"] == 1
    assert await drift(system) == {}


async def test_saves_that_are_older_than_the_cached_ones_are_found(system: System, tmp_path: Path) -> None:
    configure(system.state.own_sets, saves=3)
    videos = [f"v{i}" for i in range(8)]
    saves = [save("ann", video(key), createdAt=at(i)) for i, key in enumerate(videos)]
    await load(system, tmp_path, *users("ann"), *map(entity, videos), *saves)
    ann = system.person("ann")

    states = [(await ann.ask(SEEN, id=f"Entity:video:{key}"))["node"]["viewerSaved"] for key in videos]
    states += [(await ann.ask(SEEN, id=f"Entity:video:{key}"))["node"]["viewerSaved"] for key in videos]

    assert states == [True] * 16
