"""Kinds of reactions over time: outages, direct writes, new configuration, accounts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from models.counters import CounterKind
from models.likes import counter_of
from runner.postgres import Postgres
from settings import Settings
from tests.support.deletions import delete, finish
from tests.support.erasing import erase, left
from tests.support.erasing import finish as finish_erasures
from tests.support.fallback_mode import directly
from tests.support.outages import stopped
from tests.support.reactions import counts, react, reactors, shown, unreact, written
from tests.support.reconciliation import dismiss, drift, execute
from tests.support.stores import standalone
from tests.support.system import System, running


@standalone
@pytest.mark.parametrize(
    ("business", "late", "direct", "expected"),
    [
        ("video", ["love"], ["sad"], ["sad"]),
        ("article", ["love"], ["sad"], ["love", "sad"]),
        ("article", ["love", "😂"], ["dislike"], ["dislike", "😂"]),
        ("article", ["sad", "like"], [None, "last"], ["last"]),
        ("article", ["dislike"], ["like", "unlike"], []),
    ],
)
async def test_a_direct_change_applies_after_a_late_entry(
    system: System, business: str, late: list[str], direct: list[str | None], expected: list[str]
) -> None:
    (target,) = await system.videos("t1", business=business)
    alice = system.person("alice")
    for kind in late:  # no worker stores these before Redis dies
        await react(alice, target, kind)

    async with directly(system):
        for change in direct:
            if change == "unlike":
                await alice.unlike(target)
            else:
                await (react(alice, target, change) if change else unreact(alice, target))
    await system.drain()

    seen = await shown(alice, target)
    assert seen["viewerReactions"] == expected
    assert counts(seen) == dict.fromkeys(expected, 1)
    await dismiss(system)
    assert await drift(system, "counters") == {}


@standalone
async def test_without_any_store_that_knows_the_state_only_a_single_kind_is_accepted(
    system: System, postgres: Postgres
) -> None:
    (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
    alice = system.person("alice")
    for target in (video, article):
        await react(alice, target, "sad")
        await shown(alice, target)
    await system.drain()
    redis = system.state.redis.client
    await redis.delete(*await redis.keys("*own:react*"), *await redis.keys("*states:react*"))
    mutation = 'mutation ($id: ID!) { react(input: {targetId: $id, kind: "love"}) { userErrors { code } } }'

    async with stopped(postgres, system.state.postgres):
        one, many = [(await alice.send(mutation, id=target)).json() for target in (video, article)]

    assert one["data"] == {"react": {"userErrors": []}}
    assert [error["extensions"]["code"] for error in many["errors"]] == ["UNAVAILABLE"]
    await system.drain()
    assert counts(await shown(alice, video)) == {"love": 1}
    assert counts(await shown(alice, article)) == {"sad": 1}


async def test_a_kind_can_be_added_renamed_and_removed(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    plain = '[[business]]\nid = 100\nname = "video"\n'
    added = f'{plain}reactions = [{{ id = 3, name = "love", is_like = true }}, {{ id = 4, name = "sad" }}]\n'
    changed = added.replace('"love"', '"🩷"').replace('"sad"', '"sad", removed = true')
    async with running(make_settings(businesses_file=written(tmp_path, plain))) as system:
        (video,) = await system.videos("v1")
        await system.person("alice").like(video)
        await system.drain()
        await dismiss(system)
    async with running(make_settings(businesses_file=written(tmp_path, added))) as system:
        for handle, kind in (("bob", "love"), ("carol", "sad")):
            await react(system.person(handle), video, kind)
        await system.drain()
        assert counts(await shown(system.person("alice"), video)) == {"like": 1, "love": 1, "sad": 1}
        await dismiss(system)
    async with running(make_settings(businesses_file=written(tmp_path, changed))) as system:
        bob, carol = system.person("bob"), system.person("carol")
        seen = await shown(carol, video)
        assert (counts(seen), seen["viewerReactions"], seen["likeCount"]) == ({"like": 1, "🩷": 1}, [], 2)
        assert (await shown(bob, video))["viewerReactions"] == ["🩷"]
        assert (await react(carol, video, "sad"))["userErrors"][0]["code"] == "REACTION_UNKNOWN"
        await unreact(carol, video)
        await system.drain()
        assert await system.rows("SELECT state, kinds FROM reactions WHERE kinds IS NOT NULL") == [(1, 4)]
        await dismiss(system)
    async with running(make_settings(businesses_file=written(tmp_path, plain))) as system:
        seen = await shown(system.person("bob"), video)
        assert (counts(seen), seen["viewerReaction"]) == ({"like": 1}, "LIKE")
        assert (await system.person("bob").unlike(video))["target"]["viewerReaction"] is None
        await system.drain()
        assert await system.rows("SELECT value FROM counters WHERE kind = 1") == [(1,)]


@standalone
async def test_a_deleted_account_leaves_no_kinds(system: System) -> None:
    video, other = await system.videos("v1", "v2", owner="owen")
    (article,) = await system.videos("a1", business="article")
    alice, bob = system.person("alice"), system.person("bob")
    await react(alice, video, "love")
    await react(alice, other, "sad")
    for kind in ("like", "last"):
        await react(alice, article, kind)
    await react(bob, video, "love")
    await system.drain()

    await delete(alice)
    await finish(system)

    assert [counts(await shown(bob, one)) for one in (video, other, article)] == [{"love": 1}, {}, {}]
    assert await reactors(bob, video, "love") == ["bob"]
    assert await system.rows("SELECT count(*) FROM reactions") == [(1,)]


@standalone
async def test_an_erased_entity_leaves_no_kinds(system: System) -> None:
    (article,) = await system.videos("a1", business="article", owner="owen")
    for handle, kind in (("alice", "love"), ("alice", "sad"), ("bob", "😂"), ("carol", "like")):
        await react(system.person(handle), article, kind)
    await system.drain()
    await reactors(system.person("bob"), article, "sad")
    ((number,),) = await system.rows("SELECT entity_id FROM entities")

    await erase(system.person("registrar", "entities:write"), article)
    await finish_erasures(system)

    assert await left(system, number) == []
    assert await system.rows("SELECT count(*) FROM reactions") == [(0,)]
    assert await system.rows("SELECT count(*) FROM daily_reactions") == [(0,)]


@standalone
async def test_reconciliation_finds_and_repairs_wrong_counters_and_lists_of_kinds(system: System) -> None:
    (article,) = await system.videos("a1", business="article")
    alice = system.person("alice")
    for kind in ("love", "sad"):
        await react(alice, article, kind)
    await system.drain()
    await reactors(alice, article, "sad")
    kinds = [counter_of(6), CounterKind.LIKES_BY_OTHER_KINDS]
    await execute(system, "UPDATE counters SET value = value + 5 WHERE kind = ANY(:kinds)", kinds=kinds)
    await dismiss(system)

    found = await drift(system, "counters", repair=True)
    assert found == {"reactions 6": 1, "likes_by_other_kinds": 1}
    assert await drift(system, "counters", "caches", "sets") == {}
    await execute(system, "UPDATE reactions SET kinds = 4")
    assert (await drift(system, "caches", "sets", repair=True)).keys() >= {"cached_reactors", "cached_react"}
    assert await reactors(alice, article, "sad") == []
