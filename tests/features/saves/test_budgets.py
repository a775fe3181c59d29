"""The cost of saves: round trips to Redis and queries to Postgres."""

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import TextClause

from loaders.collections import UserCollections
from store.postgres.client import Postgres
from store.reactions import saves
from store.reactions.saves import Which
from tests.support.collections import created, save_into
from tests.support.comments import added
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.own_sets import configure
from tests.support.posts import published
from tests.support.saves import SAVE, SAVED, save, unsave
from tests.support.stores import standalone
from tests.support.system import Person, System

PAGE = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) {
  id title likeCount viewerReaction %s } }"""
ITEMS = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Collection {
  items(first: 3) { nodes { targetId } } videos: items(first: 2, kind: ENTITY) { nodes { targetId } } } } }"""
SHORT_AND_LONG = """query ($short: ID!, $long: ID!) {
  short: node(id: $short) { ... on Collection { items(first: 1) { nodes { targetId } } } }
  long: node(id: $long) { ... on Collection { items(first: 20) { nodes { targetId } } } } }"""
KEYS = [f"k{i}" for i in range(50)]
_SHOWN = "nodes { id text likeCount viewerReaction author { handle } %s }"
LISTS = {
    "square": f"{{ square(first: 20) {{ {_SHOWN} }} }}",
    "home": f"{{ viewer {{ home(first: 20) {{ {_SHOWN} }} }} }}",
    "comments": f"query ($id: ID!) {{ node(id: $id) {{ ... on Post {{ comments(first: 20) {{ {_SHOWN} }} }} }} }}",
}
WITHOUT, WITH = PAGE % "", PAGE % "saveCount viewerSaved"


async def community(system: System) -> tuple[Person, list[str]]:
    """Returns a user who has saved half of fifty videos, and the ids of the videos."""
    alice, videos = system.person("alice"), await system.videos(*KEYS)
    await save(alice, *videos[::2])
    await system.drain()
    for query in (WITHOUT, WITH):
        await alice.ask(query, keys=KEYS)
    return alice, videos


async def test_a_page_with_saves_costs_as_many_round_trips_as_without(system: System) -> None:
    alice, videos = await community(system)
    for _ in ("stored", "pending"):
        assert await cost(alice, WITHOUT, keys=KEYS) == await cost(alice, WITH, keys=KEYS) == (2, 0)
        await unsave(alice, videos[0], videos[2])
        await save(alice, videos[1], videos[3])


@pytest.mark.parametrize("name", LISTS)
async def test_a_list_with_saves_costs_as_many_round_trips_as_without(system: System, name: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(alice, await bob.id())
    posts = await published(bob, *(f"post {n}" for n in range(20)))
    await system.drain()
    comments = [await added(bob, posts[0], f"comment {n}") for n in range(20)]
    await system.drain()
    await save(alice, *posts[::2], *comments[::2])
    await system.drain()
    without, with_saves = LISTS[name] % "", LISTS[name] % "saveCount viewerSaved"
    variables = {"id": posts[0]} if name == "comments" else {}
    for query in (without, with_saves):
        await alice.ask(query, **variables)
    for _ in ("stored", "pending"):
        trips, queries = await cost(alice, without, **variables)
        assert await cost(alice, with_saves, **variables) == (trips, queries)
        assert queries == 0
        await unsave(alice, posts[0], comments[0])
        await save(alice, posts[1], comments[1])


@standalone
async def test_saves_add_one_command_to_a_page_and_none_to_a_page_without_them(system: System) -> None:
    alice, _ = await community(system)
    calls = []
    for query in (WITHOUT, WITH):
        await system.state.redis("CONFIG", "RESETSTAT")
        await alice.ask(query, keys=KEYS)
        stats = await system.state.redis.client.info("commandstats")
        calls.append(Counter({name[8:]: one["calls"] for name, one in stats.items() if name.startswith("cmdstat_")}))
    added = {name: calls[1][name] - calls[0][name] for name in ("zmscore", "hmget", "hgetall", "zrange")}
    assert added == {"zmscore": 1, "hmget": 0, "hgetall": 0, "zrange": 0}


async def test_a_cold_page_costs_one_more_query_for_whether_and_one_for_the_newest(system: System) -> None:
    alice, _ = await community(system)
    await system.empty_redis()
    _, without = await cost(alice, WITHOUT, keys=KEYS)
    await system.empty_redis()
    assert (await cost(alice, WITH, keys=KEYS))[1] == without + 2
    assert await cost(alice, WITH, keys=KEYS) == (2, 0)


async def test_a_warm_save_with_its_payload_costs_two_round_trips_and_no_query(system: System) -> None:
    """The trips read the entity; run the script, and read the counters."""
    alice, videos = await community(system)
    await save(alice, videos[1])
    for n, verb in enumerate(("save", "unsave", "unsave", "save")):
        assert await cost(alice, SAVE % verb, id=videos[3]) == (2, 0)
        assert await cost(alice, SAVE % verb, id=videos[3], key=f"k{n}") == (2, 0)


@pytest.mark.parametrize("first", [1, 20])
async def test_the_warm_list_costs_three_round_trips_and_no_query(system: System, first: int) -> None:
    """The trips read the saves, the targets, and their counters."""
    alice, _ = await community(system)
    await alice.ask(SAVED, first=first)
    assert await cost(alice, SAVED, first=first) == (3, 0)


async def test_the_list_below_the_cached_saves_costs_one_query(system: System) -> None:
    configure(system.state.own_sets, saves=10)
    alice, _ = await community(system)
    await system.empty_redis()
    for _ in range(2):
        await alice.ask(SAVED, first=20)
    assert (await cost(alice, SAVED, first=20))[1] == 1
    assert (await cost(alice, SAVED, first=9))[1] == 1  # whether a next page follows
    assert (await cost(alice, SAVED, first=8))[1] == 0


async def test_a_page_of_another_user_costs_one_query_and_no_cached_saves(system: System) -> None:
    """Pages of a hundred users must not read a hundred thousand cached saves."""
    alice, bob = system.person("alice"), system.person("bob")
    one, videos = await created(alice, "one", public=True), await system.videos(*KEYS[:5])
    await save_into(alice, one, *videos)
    await system.drain()
    await system.empty_redis()
    for _ in range(2):
        (node,) = (await bob.ask(ITEMS, ids=[one]))["nodes"]
        assert [item["targetId"] for item in node["items"]["nodes"]] == videos[:1:-1]
    assert await cost(bob, ITEMS, ids=[one]) == (3, 1)
    owner_id = int(one.partition(":")[2].partition(".")[0])
    assert not await system.state.redis("EXISTS", system.state.keys.own_set("save", owner_id))
    await alice.ask(ITEMS, ids=[one])
    assert await cost(alice, ITEMS, ids=[one]) == (3, 0)


@standalone
async def test_the_pages_of_any_number_of_collections_below_the_cached_saves_cost_one_query(system: System) -> None:
    configure(system.state.own_sets, saves=2)
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    videos = await system.videos(*KEYS[:18])
    ids = []
    for at, owner in enumerate((alice, alice, alice, bob, bob, bob)):
        ids.append(await created(owner, f"c{at}", public=True))
        await save_into(owner, ids[at], *videos[3 * at : 3 * at + 3])
    await system.drain()
    await system.empty_redis()
    for owner, at in ((alice, 0), (bob, 9)):  # the newest, oldest and middle collection change, and are not stored yet
        await save_into(owner, None, videos[at])
        await save_into(owner, ids[at // 3 + 1], videos[at + 1])
    expected = [
        [videos[2]],
        [videos[1], videos[5], videos[4], videos[3]],
        [videos[8], videos[7], videos[6]],
        [videos[11]],
        [videos[10], videos[14], videos[13], videos[12]],
        [videos[17], videos[16], videos[15]],
    ]

    for count in (1, 2, 6):
        for _ in ("pending", "stored"):
            await alice.ask(ITEMS, ids=ids[:count])
            for reader in (alice, bob, carol):
                nodes = (await reader.ask(ITEMS, ids=ids[:count]))["nodes"]
                for name, first in (("items", 3), ("videos", 2)):
                    found = [[item["targetId"] for item in node[name]["nodes"]] for node in nodes]
                    assert found == [one[:first] for one in expected[:count]]
                own_and_others = count == 6 and reader is not carol
                assert (await cost(reader, ITEMS, ids=ids[:count]))[1] == (2 if own_and_others else 1)
            await system.drain()
    async with directly(system):
        two, six = [(await cost(alice, ITEMS, ids=some))[1] for some in (ids[2:4], ids)]
        assert six <= two + 1  # lookups that wait for Redis in vain may end in two turns, and then read rows twice


async def test_a_short_page_beside_a_long_one_reads_few_rows(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    videos = await system.videos(*KEYS[:13])
    short, long = [await created(alice, name, public=True) for name in ("short", "long")]
    await save_into(alice, short, *videos[:10])
    await save_into(alice, long, *videos[10:])
    await system.drain()
    rows_of_pages: list[int] = []
    read = Postgres.read

    async def counted(self: Postgres, statement: TextClause, **parameters: Any) -> Any:
        rows = await read(self, statement, **parameters)
        if statement is saves._PAGES:
            rows_of_pages.append(len(rows))
        return rows

    monkeypatch.setattr(Postgres, "read", counted)
    pages = await bob.ask(SHORT_AND_LONG, short=short, long=long)
    found = [[item["targetId"] for item in pages[name]["items"]["nodes"]] for name in ("short", "long")]
    assert found == [[videos[9]], videos[:9:-1]]
    assert rows_of_pages == [2 + 3]  # one more than the page, which shows whether another page follows


async def test_pages_of_own_collections_look_at_each_cached_save_once(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, videos = system.person("alice"), await system.videos(*KEYS[:12])
    ids = [await created(alice, f"c{at}") for at in range(6)]
    for at, id_ in enumerate(ids):
        await save_into(alice, id_, *videos[2 * at : 2 * at + 2])
    await system.drain()
    await alice.ask(ITEMS, ids=ids)
    looked: list[str] = []
    has, shown = Which.has, UserCollections.shown

    def counted_has(*given: Any) -> bool:
        looked.append("save")
        return has(*given)

    def counted_shown(*given: Any) -> Any:
        looked.append("collections")
        return shown(*given)

    monkeypatch.setattr(Which, "has", counted_has)
    monkeypatch.setattr(UserCollections, "shown", counted_shown)
    nodes = (await alice.ask(ITEMS, ids=ids))["nodes"]
    for name in ("items", "videos"):
        expected = [videos[2 * at : 2 * at + 2][::-1] for at in range(6)]
        assert [[item["targetId"] for item in node[name]["nodes"]] for node in nodes] == expected
    assert sorted(set(looked)) == ["collections", "save"]
    assert looked.count("collections") == 1
    assert looked.count("save") == 2 * len(videos)  # of two fields
