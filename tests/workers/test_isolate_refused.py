"""Dead letters: an entry that the database refuses is set aside, and other entries are stored."""

from typing import Any

import httpx
import pytest

from store.write_log import dead_letters
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced
from tests.support.journal_entries import append, count_seen, head, like_of, neighbours, ref_of, someone, states
from tests.support.refused_rows import letters, refusing_radio
from tests.support.stores import standalone
from tests.support.system import Person, System
from tests.support.workers import ready

TOO_LONG = 1 << 63

# Defects of the data and of the fields around it.
POISON: dict[str, dict[str, Any]] = {
    "an invalid address": {"ip": "not-an-ip"},
    "an address with a zone": {"ip": "fe80::1%eth0"},
    "a zero byte": {"source": "a\0b"},
    "a source that is no text": {"source": 5},
    "a device that is a list": {"device": ["d"]},
    "an owner out of range": {"owner": TOO_LONG},
    "an owner without bounds": {"owner": 1e300},
    "an owner that is no number": {"owner": "owen"},
    "an actor out of range": {"actor": TOO_LONG},
    "an entity out of range": {"entity": TOO_LONG},
    "a business out of range": {"business": 40_000},
    "a state out of range": {"state": 40_000},
    "an unknown state": {"state": 7},
    "an unknown former state": {"was": -1},
    "an unknown kind": {"kind": "applaud"},
    "a kind that is no text": {"kind": b"\xff"},
}
MALFORMED: dict[str, dict[str, Any]] = {
    "no JSON": {"kind": "react", "state": 1, "was": 0, "data": b"{"},
    "JSON of something else": {"kind": "react", "state": 1, "was": 0, "data": b"[1]"},
    "JSON without its parts": {"kind": "react", "state": 1, "was": 0, "data": b"{}"},
    "a lone surrogate": {"kind": "react", "state": 1, "was": 0, "data": b'{"actor": 1, "source": "\\ud800"}'},
    "no data": {"kind": "react", "state": 1, "was": 0},
    "no state": {"kind": "react", "was": 0, "data": b"{}"},
    "unknown fields": {"hello": "world"},
}


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("wrong", [*POISON, *MALFORMED])
async def test_a_refused_entry_is_set_aside_and_does_not_delay_others(system: System, wrong: str) -> None:
    (video,) = await system.videos("v1", owner="owen")
    people = await neighbours(system, 3)
    ref = await ref_of(system, video)
    partition = people[0].partition

    await people[0].person.like(video)
    fields = MALFORMED[wrong] if wrong in MALFORMED else like_of(people[1], ref, **POISON[wrong])
    bad = await append(system, partition, fields)
    await people[2].person.like(video)
    await (await someone(system, "zoe")).person.like(video)
    await system.drain()

    assert await letters(system) == [(partition, bad)]
    assert people[1].user_id not in await states(system)
    assert (await states(system))[people[0].user_id] == 1
    assert (await states(system))[people[2].user_id] == 1
    assert await head(system, partition) > bad
    assert await count_seen(system.person(None), video) == 3
    # The dead letter holds the whole entry.
    (letter,) = await dead_letters.read(system.state.postgres)
    assert letter.entry == Entry(partition, bad, {name.encode(): as_stored(value) for name, value in fields.items()})


def as_stored(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@standalone
async def test_all_refused_entries_of_a_batch_are_found(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    ref = await ref_of(system, video)
    refused: list[int] = []
    kept: list[int] = []
    for number in range(20):
        bad = number % 3 == 0
        entry = like_of(alice, ref, actor=1000 + number, ip="bad" if bad else "10.0.0.1")
        (refused if bad else kept).append(await append(system, alice.partition, entry))

    await system.drain()

    assert await letters(system) == [(alice.partition, version) for version in refused]
    assert await system.rows("SELECT version FROM like_log ORDER BY version") == [(version,) for version in kept]
    assert await system.rows("SELECT value FROM counters WHERE kind = 1") == [(len(kept),)]
    assert await head(system, alice.partition) == max(refused + kept)


@standalone
async def test_entries_around_a_refused_entry_keep_their_order(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    await alice.person.like(video)
    await append(system, alice.partition, like_of(alice, await ref_of(system, video), ip="bad"))
    await alice.person.unlike(video)
    await alice.person.react("dislike", video)

    await system.drain()

    log = await system.rows("SELECT verb FROM like_log ORDER BY version")
    assert log == [("like",), ("unlike",), ("dislike",)]
    assert await states(system) == {alice.user_id: 2}


@standalone
async def test_a_dead_letter_is_written_in_the_transaction_that_moves_the_head(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    await append(system, alice.partition, like_of(alice, await ref_of(system, video), ip="bad"))
    worker = await ready(system)

    await worker.step()

    (letter,) = await system.rows("SELECT xmin::text FROM dead_letters")
    (moved,) = await system.rows("SELECT xmin::text FROM partitions WHERE p = :p", p=alice.partition)
    assert letter == moved


@standalone
async def test_a_worker_that_lost_its_partition_writes_no_dead_letter(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    await append(system, alice.partition, like_of(alice, await ref_of(system, video), ip="bad"))
    worker = await ready(system)
    await system.rows("UPDATE partitions SET epoch = epoch + 1 RETURNING p")

    with pytest.raises(Fenced):
        await worker.step()

    assert await letters(system) == []


@standalone
async def test_a_refused_like_is_not_in_the_list_of_likers(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, zoe = await someone(system, "alice"), system.person("zoe")
    query = "query ($id: ID!) { node(id: $id) { ... on Reactable { likers { nodes { id } } } } }"
    await zoe.ask(query, id=video)  # fills the cache with an empty list
    async with refusing_radio(system):
        await alice.person.react("like", video, source="radio")
        await system.drain()

    data = await zoe.ask(query, id=video)

    assert data["node"]["likers"]["nodes"] == []


@standalone
@pytest.mark.parametrize(
    ("address", "logged"),
    [("fe80::1%eth0", "fe80::1"), ("whatever a proxy's header says", None), ("", None), ("192.0.2.7", "192.0.2.7")],
)
async def test_an_unusual_address_does_not_make_a_like_a_dead_letter(
    system: System, address: str, logged: str | None
) -> None:
    (video,) = await system.videos("v1")
    transport = httpx.ASGITransport(app=system.app, client=(address, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://plaudit.test") as http:
        await Person(http, "alice", system.person("alice").headers).like(video)

    await system.drain()

    assert await letters(system) == []
    assert await system.rows("SELECT host(ip) FROM like_log") == [(logged,)]
