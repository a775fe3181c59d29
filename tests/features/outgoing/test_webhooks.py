"""Webhooks: what they get, which answers count, and which addresses are refused."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from models.outgoing import DestinationState
from settings import EventSettings, Settings
from store.outgoing import cursors, destinations
from store.outgoing.events.likes import REACTION_CHANGED
from tests.support.external_reviewer import Answer, Server, plain
from tests.support.outgoing import EVERY, fail_for_too_long, send_all
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running
from tests.support.webhooks import SECRET, events_of, received, receiver, to_webhook
from workers.outgoing import addresses
from workers.outgoing.delivery import Delivery
from workers.outgoing.failures import DeliveryFailed

pytestmark = standalone

REACTIONS = (REACTION_CHANGED.number,)
SETTINGS = EventSettings(private_addresses=True, timeout=2.0, batch=3, longest_pause=0.01)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, events=SETTINGS)) as one:
        yield one


async def like(system: System, count: int, handle: str = "alice") -> list[str]:
    """Lets a user like new videos. Returns their ids, in order."""
    videos = await system.videos(*(f"{handle}-{n}" for n in range(count)))
    for video in videos:
        await system.person(handle).like(video)
    await system.drain()
    return videos


async def state_of(system: System) -> tuple[DestinationState, str | None]:
    """Returns the state of the webhook, and why nothing is sent or why an attempt failed."""
    found = (await destinations.read(system.state.postgres))["hook"]
    failures = [one.failure for one in await cursors.every(system.state.postgres) if one.failure]
    return found.state, found.reason or (failures[0] if failures else None)


async def test_events_of_a_user_arrive_in_order_in_signed_requests_of_limited_size(
    system: System, server: Server
) -> None:
    await to_webhook(system, server, kinds=REACTIONS)
    videos = await like(system, 7)

    await send_all(system)

    assert [event["data"]["targetId"] for event in received(server)] == videos
    assert [len(events_of(request)) for request in server.requests] == [3, 3, 1]
    assert len({request.headers["webhook-id"] for request in server.requests}) == 3
    assert {request.headers["content-type"] for request in server.requests} == {"application/json"}
    await send_all(system)
    assert len(server.requests) == 3


async def hang(_: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def garbage(writer: asyncio.StreamWriter) -> None:
    writer.write(b"\x00\xff not HTTP\r\n\r\n")
    writer.close()


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-More: " + b"x" * 1000 + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (hang, "timeout"),
        (garbage, "unreachable"),
        (endless, "unreachable"),
        (plain(b"no", "500 Internal Server Error"), "status: 500"),
        (plain(b"", "404 Not Found"), "status: 404"),
        (plain(b"", "302 Found", "Location: http://127.0.0.1:1/"), "redirect: 302"),
    ],
)
async def test_other_answers_are_failures_and_the_events_come_again(
    system: System, server: Server, answer: Answer, reason: str
) -> None:
    await to_webhook(system, server, kinds=REACTIONS)
    (video,) = await like(system, 1)
    server.answer = answer

    await send_all(system)

    state, why = await state_of(system)
    assert (state, why and why.startswith(reason)) == (DestinationState.ACTIVE, True)
    assert len(server.requests) == 1
    server.answer = plain(b"")
    await send_all(system)
    assert [event["data"]["targetId"] for event in received(server)] == [video, video]
    assert len({event["id"] for event in received(server)}) == 1
    assert await state_of(system) == (DestinationState.ACTIVE, None)


async def test_after_a_failure_the_first_request_has_one_event(system: System, server: Server) -> None:
    await to_webhook(system, server, kinds=REACTIONS)
    videos = await like(system, 5)
    delivery = Delivery(system.state, lambda: EVERY)
    server.answer = plain(b"", "500 Internal Server Error")
    await delivery.step()
    await delivery.finish()
    server.answer, server.requests[:] = plain(b""), []

    async with asyncio.timeout(5):
        while not server.requests:  # the pause of at most 0.01 seconds must end
            await delivery.step()
            await delivery.finish()
    await delivery.close()

    assert [len(events_of(request)) for request in server.requests] == [1, 3, 1]
    assert [event["data"]["targetId"] for event in received(server)] == videos


async def test_an_event_that_cannot_be_made_counts_as_a_failure(system: System, server: Server) -> None:
    """A newer version may have stored an event of a kind that this version does not know."""
    await to_webhook(system, server)
    await like(system, 1)
    await execute(system, "UPDATE outgoing_events SET kind = 999")

    await send_all(system)

    _, why = await state_of(system)
    assert (why or "").startswith("unknown event")
    await fail_for_too_long(system)
    assert (await state_of(system))[0] is DestinationState.PAUSED
    assert server.requests == []


async def test_a_worker_with_a_backlog_of_changes_sends_all_events(system: System, server: Server) -> None:
    await to_webhook(system, server, kinds=REACTIONS)
    videos = await like(system, 7)
    delivery = Delivery(system.state, lambda: EVERY, lambda: True)

    await delivery.step()
    await delivery.finish()
    await delivery.close()

    assert [event["data"]["targetId"] for event in received(server)] == videos


async def test_a_body_of_any_length_counts_as_accepted_and_is_not_read(system: System, server: Server) -> None:
    async def long(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 10_000)
            await writer.drain()

    await to_webhook(system, server, kinds=REACTIONS)
    await like(system, 1)
    server.answer = long

    await send_all(system)
    await send_all(system)

    assert len(server.requests) == 1
    assert await state_of(system) == (DestinationState.ACTIVE, None)


async def test_attempts_wait_longer_after_each_failure(system: System, server: Server) -> None:
    settings = SETTINGS.model_copy(update={"longest_pause": 1000})
    state = system.state.settings.model_copy(update={"events": settings})
    object.__setattr__(system.state, "settings", state)
    await to_webhook(system, server, kinds=REACTIONS)
    await like(system, 1)
    server.answer = plain(b"", "500 Internal Server Error")
    delivery = Delivery(system.state, lambda: EVERY)
    pauses: list[float] = []
    loop = asyncio.get_running_loop()
    for expected in range(1, 5):
        while len(server.requests) < expected:
            await delivery.step()
            await delivery.finish()
            await asyncio.sleep(0.005)
        pauses.append(min(lane.resumes_at for lane in delivery._lines["hook"].lanes.values()) - loop.time())
    await delivery.close()

    assert all(
        low <= wait <= high for wait, low, high in zip(pauses, (0, 0.05, 0.1, 0.2), (0.1, 0.2, 0.4, 0.8), strict=True)
    )


async def test_a_destination_that_fails_for_too_long_is_paused_and_resumed_by_an_operator(
    system: System, server: Server
) -> None:
    await to_webhook(system, server, kinds=REACTIONS)
    (video,) = await like(system, 1)
    server.answer = plain(b"", "500 Internal Server Error")
    await send_all(system)
    assert (await state_of(system))[0] is DestinationState.ACTIVE
    await fail_for_too_long(system)
    assert (await state_of(system))[0] is DestinationState.PAUSED
    server.answer, server.requests[:] = plain(b""), []

    await send_all(system)
    assert server.requests == []
    await destinations.set_state(system.state.postgres, "hook", DestinationState.ACTIVE, None)
    await send_all(system)

    assert [event["data"]["targetId"] for event in received(server)] == [video]


async def test_after_a_rotation_requests_have_both_signatures(system: System, server: Server) -> None:
    await to_webhook(system, server, kinds=REACTIONS)
    new = "whsec_" + "bmV3IHNlY3JldCBvZiBhIHRlc3Q="
    await destinations.add_secret(system.state.postgres, "hook", new, 2)
    await like(system, 1)

    await send_all(system)

    (request,) = server.requests
    assert len(events_of(request, new, SECRET)) == 1
    assert request.headers["webhook-signature"].count("v1,") == 2


async def test_one_destination_that_hangs_does_not_delay_another(system: System, server: Server) -> None:
    async with receiver() as other:
        await to_webhook(system, other, "other", kinds=REACTIONS)
        await to_webhook(system, server, kinds=REACTIONS)
        server.answer, accepted = hang, asyncio.Event()

        async def accept(writer: asyncio.StreamWriter) -> None:
            accepted.set()
            await plain(b"")(writer)

        other.answer = accept
        (video,) = await like(system, 1)
        delivery = Delivery(system.state, lambda: EVERY)
        await delivery.step()
        async with asyncio.timeout(5):
            await accepted.wait()
        (hanging,) = delivery._lines["hook"].tasks
        assert not hanging.done()
        await delivery.close()

    assert [event["data"]["targetId"] for event in received(other)] == [video]


async def test_a_name_is_resolved_for_each_request_and_refused_if_one_address_is_private(
    system: System, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may change its address after it was checked (DNS rebinding)."""
    asked: list[str] = []

    def look_up(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) > 1 else ["93.184.215.14", "127.0.0.1"]

    monkeypatch.setattr(addresses, "_look_up", look_up)
    with pytest.raises(DeliveryFailed, match="not public"):
        await addresses.resolve(addresses.Lookups(1), "hooks.example.com", 443, private=False)
    with pytest.raises(DeliveryFailed, match="not public"):
        await addresses.resolve(addresses.Lookups(1), "hooks.example.com", 443, private=False)
    url = f"http://hooks.example.com:{server.port}/hook"
    assert await destinations.add(system.state.postgres, "hook", url, REACTIONS, (), [SECRET])
    await like(system, 4)

    await send_all(system)

    assert asked == ["hooks.example.com"] * 4
    assert [request.headers["host"] for request in server.requests] == [f"hooks.example.com:{server.port}"] * 2
