"""The partitions of a destination do not delay each other."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

import pytest
import pytest_asyncio

from models.outgoing import DestinationState
from settings import EventSettings, Settings
from store.outgoing import destinations
from store.outgoing.events.likes import REACTION_CHANGED
from tests.support.external_reviewer import Server, plain
from tests.support.outgoing import EVERY, fail_for_too_long, send_all
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running
from tests.support.webhooks import events_of, received, to_webhook
from workers.outgoing import pauses, upkeep
from workers.outgoing.delivery import Delivery

pytestmark = standalone

REACTIONS = (REACTION_CHANGED.number,)
SETTINGS = EventSettings(private_addresses=True, timeout=2.0, batch=3, longest_pause=0.01, concurrency=1)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, events=SETTINGS)) as one:
        yield one


class Liker(NamedTuple):
    """A user whose reactions a webhook gets."""

    system: System
    handle: str
    id: str

    @property
    def partition(self) -> int:
        return self.system.state.keys.partition_of(int(self.id.partition(":")[2]))

    async def like(self, count: int) -> None:
        for video in await self.system.videos(*(f"{self.handle}-{n}" for n in range(count))):
            await self.system.person(self.handle).like(video)
        await self.system.drain()


Pair = tuple[Liker, Liker]


@pytest_asyncio.fixture
async def pair(system: System, server: Server) -> Pair:
    """Adds a webhook, and returns two users whose events are in different partitions."""
    await to_webhook(system, server, kinds=REACTIONS)
    first, *others = [Liker(system, name, await system.person(name).id()) for name in map("user{}".format, range(20))]
    return first, next(one for one in others if one.partition != first.partition)


def refuse(server: Server, refused: str) -> None:
    """Lets a server answer 400 to requests that contain a text."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        is_refused = refused.encode() in server.requests[-1].body
        await plain(b"", "400 Bad Request" if is_refused else "200 OK")(writer)

    server.answer = answer


def users(server: Server) -> list[str]:
    """Returns whose events each request has."""
    return [events_of(request)[0]["data"]["userId"] for request in server.requests]


async def test_events_that_a_destination_always_refuses_pause_it_although_other_partitions_succeed(
    system: System, server: Server, pair: Pair
) -> None:
    alice, bob = pair
    refuse(server, alice.id)
    await alice.like(1)
    await send_all(system)
    await bob.like(1)
    others = [bob.partition]
    worker = Delivery(system.state, lambda: others)
    await worker.step()
    await worker.finish()
    await worker.close()
    assert users(server) == [alice.id, bob.id]

    await fail_for_too_long(system)

    found = (await destinations.read(system.state.postgres))["hook"]
    assert found.state is DestinationState.PAUSED
    assert "status: 400" in (found.reason or "")


async def test_a_partition_that_waits_after_failures_does_not_delay_another(
    system: System, server: Server, pair: Pair
) -> None:
    alice, bob = pair
    longest = system.settings.model_copy(update={"events": SETTINGS.model_copy(update={"longest_pause": 1000})})
    object.__setattr__(system.state, "settings", longest)
    refuse(server, alice.id)
    await alice.like(1)
    delivery = Delivery(system.state, lambda: EVERY)
    async with asyncio.timeout(30):
        while len(server.requests) < 6:  # the pause is then longer than a second
            await delivery.step()
            await delivery.finish()
            await asyncio.sleep(0.01)
    await bob.like(1)

    await delivery.step()
    await delivery.finish()
    await delivery.close()

    assert users(server)[6:] == [bob.id]


async def test_if_attempts_fail_in_many_partitions_the_others_wait_until_one_succeeds(
    system: System, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pauses, "_MANY", 2)
    monkeypatch.setattr(pauses, "pause", lambda *_: 3.0)
    await to_webhook(system, server, kinds=REACTIONS)
    likers = [Liker(system, name, await system.person(name).id()) for name in map("user{}".format, range(20))]
    for one in likers:
        await one.like(1)
    assert len({one.partition for one in likers}) == 4
    server.answer = plain(b"", "500 Internal Server Error")
    delivery = Delivery(system.state, lambda: EVERY)
    for _ in range(3):
        await delivery.step()
        await delivery.finish()
    assert len(server.requests) == 2, "the other two partitions wait for the end of the pause"
    server.answer, server.requests[:] = plain(b""), []

    async with asyncio.timeout(30):
        while {event["data"]["userId"] for event in received(server)} < {one.id for one in likers}:
            await delivery.step()
            await delivery.finish()
            await asyncio.sleep(0.02)
    await delivery.close()


async def test_a_backlog_of_one_partition_does_not_delay_another(system: System, server: Server, pair: Pair) -> None:
    alice, bob = pair
    await alice.like(15)
    delivery = Delivery(system.state, lambda: EVERY)

    async def answer(writer: asyncio.StreamWriter) -> None:
        if len(server.requests) == 1:
            await bob.like(1)
            await delivery.step()
        await plain(b"")(writer)

    server.answer = answer
    await delivery.step()
    await delivery.finish()
    await delivery.step()
    await delivery.finish()
    await delivery.close()

    assert users(server).index(bob.id) <= 2
    assert len(received(server)) == 16


async def test_a_worker_that_loses_a_partition_while_it_waits_for_its_turn_sends_none_of_its_events(
    system: System, server: Server, pair: Pair
) -> None:
    alice, bob = pair
    await alice.like(1)
    await bob.like(1)
    owned = list(EVERY)
    delivery = Delivery(system.state, lambda: owned)

    async def answer(writer: asyncio.StreamWriter) -> None:
        owned.clear()
        await plain(b"")(writer)

    server.answer = answer
    await delivery.step()
    await delivery.finish()
    await delivery.close()

    assert len(server.requests) == 1


@pytest.mark.parametrize("busy", [1, 3])
async def test_the_limit_of_bytes_holds_for_all_partitions_together(system: System, pair: Pair, busy: int) -> None:
    """The partition of a user who causes more events than another may keep more of them."""
    await pair[0].like(10)
    await pair[1].like(10 * busy)
    before = await kept(system)
    total, one = sum(size for _, size in before), before[0][1] // 10
    assert [count for count, _ in before] == [10, 10 * busy]

    await sweep(system, total)
    assert await kept(system) == before

    await sweep(system, total // 2)
    after = await kept(system)
    assert sum(size for _, size in after) <= total // 2 + 2 * one  # each partition may exceed it by an event
    assert [count >= 5 * share for (count, _), share in zip(after, (1, busy), strict=True)] == [True, True]


async def kept(system: System) -> list[tuple[int, int]]:
    """Returns the number and the bytes of the events of each partition that has any, the fewest first."""
    sql = "SELECT count(*), sum(octet_length(data) + 100)::bigint FROM outgoing_events GROUP BY p ORDER BY count(*)"
    return [(count, size) for count, size in await system.rows(sql)]


async def sweep(system: System, keep_bytes: int) -> None:
    events = system.settings.events.model_copy(update={"keep_bytes": keep_bytes})
    object.__setattr__(system.state, "settings", system.settings.model_copy(update={"events": events}))
    await upkeep.sweep(system.state, EVERY)
