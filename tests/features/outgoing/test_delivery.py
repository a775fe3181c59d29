"""Events are sent at least once and in order, through restarts, handovers, replays and retention."""

from typing import Any

import pytest
from prometheus_client import REGISTRY

from models.outgoing import DestinationState
from store.outgoing import cursors, destinations
from store.postgres.client import Postgres
from tests.support.outgoing import EVERY, received, send_all, to_stream
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import System
from workers.outgoing import upkeep
from workers.outgoing.delivery import Delivery

pytestmark = standalone

REACTED = "reaction.changed"


async def like(system: System, *keys: str, handle: str = "alice") -> list[str]:
    """Lets a user like new videos, each in a batch of its own. Returns their ids."""
    videos = await system.videos(*keys)
    for video in videos:
        await system.person(handle).like(video)
        await system.drain()
    return videos


def targets(events: list[dict[str, Any]]) -> list[str]:
    return [event["data"]["targetId"] for event in events]


async def test_events_that_a_dying_worker_has_sent_come_again_with_the_same_ids(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    await to_stream(system, REACTED)
    videos = await like(system, "v1", "v2")

    async def dies(*_: object) -> bool:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(cursors, "advance", dies)
        await send_all(system)
    events = await received(system)

    assert targets(events) == videos * 2
    assert [event["id"] for event in events[:2]] == [event["id"] for event in events[2:]]


async def test_a_worker_that_has_lost_a_partition_moves_no_cursor(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The former owner hangs between sending and moving the cursor; meanwhile the new owner sends more."""
    await to_stream(system, REACTED)
    (first,) = await like(system, "v1")
    advance = cursors.advance

    async def late(postgres: Postgres, cursor: cursors.Cursor, to: int) -> bool:
        monkeypatch.setattr(cursors, "advance", advance)
        await like(system, "v2", "v3")
        await send_all(system)
        return await advance(postgres, cursor, to)

    monkeypatch.setattr(cursors, "advance", late)
    await send_all(system)
    sent = targets(await received(system))

    assert sent == [first, first, "Entity:video:v2", "Entity:video:v3"]


async def test_a_worker_sends_only_events_of_its_own_partitions(system: System) -> None:
    await to_stream(system, REACTED)
    await like(system, "v1")
    (mine,) = {p for (p,) in await system.rows("SELECT p FROM outgoing_events")}
    idle = Delivery(system.state, lambda: [p for p in EVERY if p != mine])
    await idle.step()
    await idle.finish()
    await idle.close()

    assert await system.state.redis.client.xlen("stream") == 0
    assert len(await received(system)) == 1


async def test_a_replay_sends_kept_events_again(system: System) -> None:
    await to_stream(system, REACTED)
    videos = await like(system, "v1", "v2", "v3")
    first = await received(system)
    await cursors.rewind(system.state.postgres, "stream", int(first[1]["position"]) - 1)

    events = await received(system)

    assert targets(events) == [*videos, *videos[1:]]


async def test_a_paused_destination_gets_everything_after_it_is_resumed(system: System) -> None:
    await to_stream(system, REACTED)
    postgres = system.state.postgres
    await destinations.set_state(postgres, "stream", DestinationState.PAUSED, "paused by an operator")
    videos = await like(system, "v1", "v2")
    assert await received(system) == []

    await destinations.set_state(postgres, "stream", DestinationState.ACTIVE, None)

    assert targets(await received(system)) == videos


@pytest.mark.parametrize("limit", ["age", "bytes"])
async def test_a_destination_that_is_too_far_behind_lapses_and_is_told_what_it_has_lost(
    system: System, limit: str
) -> None:
    await to_stream(system, REACTED)
    await to_stream(system, REACTED, name="quick")
    postgres = system.state.postgres
    await destinations.set_state(postgres, "stream", DestinationState.PAUSED, "paused by an operator")
    videos = await like(system, "v1", "v2", "v3")
    assert targets(await received(system, "quick")) == videos
    ((p,),) = await system.rows("SELECT DISTINCT p FROM outgoing_events")
    places = [int(position) for (position,) in await system.rows("SELECT position FROM outgoing_events ORDER BY 1")]
    await shrink(system, limit, places[1])

    await upkeep.sweep(system.state, EVERY)

    found = await destinations.read(postgres)
    assert found["quick"].state is DestinationState.ACTIVE
    assert found["stream"].state is DestinationState.LAPSED
    assert str(places[1]) in (found["stream"].reason or "")
    assert await received(system) == []
    await destinations.set_state(postgres, "stream", DestinationState.ACTIVE, None)
    lost, *others = await received(system)
    assert lost["kind"] == "events.lost"
    assert lost["partition"] == p
    assert int(lost["data"]["afterPosition"]) < places[0]
    assert int(lost["data"]["throughPosition"]) == places[1]
    assert targets(others) == videos[2:]
    assert (await cursors.every(postgres))[p].lost_after is None


async def shrink(system: System, limit: str, through: int) -> None:
    """Lets retention remove the events up to a position."""
    events = system.settings.events
    if limit == "age":
        age = system.state.now_ms() / 1000 - (through + 1) / 1_000_000
        changed = events.model_copy(update={"keep_seconds": age})
    else:
        ((kept,),) = await system.rows(
            "SELECT sum(octet_length(data) + 100) FROM outgoing_events WHERE position > :through", through=through
        )
        changed = events.model_copy(update={"keep_bytes": int(kept)})
    object.__setattr__(system.state, "settings", system.settings.model_copy(update={"events": changed}))


async def test_events_that_were_sent_are_removed_without_a_lapse(system: System) -> None:
    await to_stream(system, REACTED)
    await like(system, "v1", "v2")
    await received(system)
    await execute(system, "UPDATE outgoing_heads SET bytes = bytes + 10000000000")

    await upkeep.sweep(system.state, EVERY)

    assert await system.rows("SELECT 1 FROM outgoing_events") == []
    assert (await destinations.read(system.state.postgres))["stream"].state is DestinationState.ACTIVE


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("{redis}?stream=bad&colour=red", "option that is unknown"),
        ("{redis}?protocol=9", "protocol"),
        ("https://host:b/", "Invalid port"),
    ],
)
async def test_a_destination_with_an_invalid_url_is_paused_and_others_get_their_events(
    system: System, url: str, reason: str
) -> None:
    url = url.format(redis=system.settings.redis_url)
    assert await destinations.add(system.state.postgres, "bad", url, [], [], [])
    await to_stream(system, REACTED)
    videos = await like(system, "v1")

    assert targets(await received(system)) == videos
    bad = (await destinations.read(system.state.postgres))["bad"]
    assert (bad.state, reason in (bad.reason or "")) == (DestinationState.PAUSED, True), bad.reason


async def test_a_destination_does_not_lapse_by_events_that_it_does_not_want(system: System) -> None:
    await to_stream(system, REACTED)
    await to_stream(system, "follow.changed", name="other-kind")
    await to_stream(system, businesses=[101], name="other-business")
    postgres = system.state.postgres
    for name in ("other-kind", "other-business"):
        await destinations.set_state(postgres, name, DestinationState.PAUSED, "paused by an operator")
    await like(system, "v1", "v2")
    await received(system)
    await execute(system, "UPDATE outgoing_heads SET bytes = bytes + 10000000000")

    await upkeep.sweep(system.state, EVERY)

    assert await system.rows("SELECT 1 FROM outgoing_events") == []
    found = await destinations.read(postgres)
    assert {found[name].state for name in ("other-kind", "other-business")} == {DestinationState.PAUSED}


async def test_events_that_were_sent_before_a_replay_are_not_lost_if_they_are_removed(system: System) -> None:
    await to_stream(system, REACTED)
    postgres = system.state.postgres
    await like(system, "v1", "v2")
    await received(system)
    await destinations.set_state(postgres, "stream", DestinationState.PAUSED, "paused by an operator")
    await cursors.rewind(postgres, "stream", 0)
    ((sent,),) = await system.rows("SELECT max(position) FROM outgoing_events")
    await shrink(system, "age", sent)

    await upkeep.sweep(system.state, EVERY)
    assert (await destinations.read(postgres))["stream"].state is DestinationState.PAUSED

    await like(system, "v3")
    ((unsent,),) = await system.rows("SELECT max(position) FROM outgoing_events")
    await shrink(system, "age", unsent)
    await upkeep.sweep(system.state, EVERY)
    assert (await destinations.read(postgres))["stream"].state is DestinationState.LAPSED
    lost = [cursor for cursor in await cursors.every(postgres) if cursor.lost_after is not None]
    assert [(one.lost_after, one.lost_through) for one in lost] == [(sent, unsent)]


async def test_a_removed_destination_gets_nothing_and_its_name_is_free(system: System) -> None:
    await to_stream(system, REACTED)
    await like(system, "v1")
    assert await destinations.remove(system.state.postgres, "stream")
    assert await received(system) == []

    await to_stream(system, REACTED)
    (video,) = await like(system, "v2")

    assert targets(await received(system)) == [video]


async def test_metrics_show_the_lag_and_what_is_stopped(system: System) -> None:
    await to_stream(system, REACTED)
    await to_stream(system, REACTED, name="paused")
    await like(system, "v1")
    await execute(system, "UPDATE outgoing_events SET position = position - 60000000")
    await execute(system, "UPDATE event_cursors SET position = 0")
    await destinations.set_state(system.state.postgres, "paused", DestinationState.PAUSED, "paused by an operator")

    await upkeep.measure(system.state, EVERY)
    assert 60 <= value("plaudit_outgoing_events_lag_seconds", destination="stream") < 120
    stopped = "plaudit_outgoing_destinations_stopped"
    assert value(stopped, destination="paused", state="paused") == 1
    assert value(stopped, destination="stream", state="paused") == 0

    await send_all(system)
    await upkeep.measure(system.state, EVERY)
    assert value("plaudit_outgoing_events_lag_seconds", destination="stream") == 0


def value(name: str, **labels: str) -> float:
    found = REGISTRY.get_sample_value(name, labels)
    assert found is not None
    return found


async def test_a_change_that_is_lost_and_undone_when_it_is_stored_again_has_a_correction(system: System) -> None:
    """Postgres loses the commit of a like that was sent. The like is then stored in one batch with its removal."""
    await to_stream(system, REACTED)
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    worker = await system.owner()
    await worker.step()
    await send_all(system)
    for table in ("reactions", "like_log", "counters", "outgoing_events", "outgoing_heads"):
        await execute(system, f"DELETE FROM {table}")  # noqa: S608 - constants
    await execute(system, "UPDATE event_cursors SET position = 0")
    await execute(system, "UPDATE partitions SET head = 0")
    await system.person("alice").unlike(video)

    await worker.ownership.renew()
    events = await received(system)

    changes = [(event["data"]["before"], event["data"]["after"]) for event in events]
    assert changes == [("NONE", "LIKE"), ("NONE", "NONE")]
    assert int(events[0]["version"]) < int(events[1]["version"])
    assert await system.rows("SELECT state FROM reactions") == [(0,)]
