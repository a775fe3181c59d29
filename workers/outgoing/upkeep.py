"""Exports the metrics of outgoing events, and removes old events."""

from collections.abc import Callable, Collection

from models.outgoing import DestinationState
from observability import metrics
from observability.logs import Log
from state import State
from store.backoff import rest
from store.outgoing import cursors, destinations, retention

log = Log(__name__)

_INTERVAL = 15.0
"""Seconds between two measurements, and between two searches for old events."""


async def keep(state: State, owned: Callable[[], Collection[int]]) -> None:
    """Exports metrics (`measure`) about the outgoing events of a worker's partitions and removes old events (`sweep`),
    again and again, until this task is cancelled.
    """
    while True:
        for step in (measure, sweep):
            try:
                await step(state, owned())
            except Exception as error:  # noqa: BLE001 - the next call may succeed
                log.warning("could not measure or remove outgoing events", error=repr(error))
        await rest(_INTERVAL)


async def measure(state: State, partitions: Collection[int]) -> None:
    """Exports the metrics of the destinations: the age in seconds of the oldest event in these partitions that waits
    for each destination, and which destinations are paused or have lapsed. A destination lapses when events are removed
    before they were sent to it. It then gets no events until an operator resumes it.
    """
    known = await destinations.read(state.postgres)
    oldest = await cursors.oldest_waiting(state.postgres, partitions) if known else {}
    metrics.EVENTS_LAG.clear()
    metrics.EVENT_DESTINATIONS_STOPPED.clear()
    for name, destination in known.items():
        lag = state.now_ms() / 1000 - oldest[name] / 1_000_000 if name in oldest else 0.0
        metrics.EVENTS_LAG.labels(name).set(max(0.0, lag))
        for stopped in (DestinationState.PAUSED, DestinationState.LAPSED):
            is_stopped = destination.state is stopped
            metrics.EVENT_DESTINATIONS_STOPPED.labels(name, stopped.name.lower()).set(int(is_stopped))


async def sweep(state: State, partitions: Collection[int]) -> None:
    """Removes the outgoing events of these partitions that are older than the settings allow. If the events of all
    partitions together take too many bytes, also removes the oldest events: from each of these partitions in proportion
    to what it has.
    """
    settings = state.settings.events
    before = int((state.now_ms() / 1000 - settings.keep_seconds) * 1_000_000)
    kept, most = await retention.kept(state.postgres), settings.keep_bytes
    total = sum(kept.values())
    for p in sorted(partitions):
        keep_bytes = kept[p] * most // total if total > most and p in kept else most
        more = True
        while more:
            more, lapsed = await retention.remove(state.postgres, p, before, keep_bytes)
            for name in lapsed:
                log.error("a destination has lost outgoing events", destination=name, partition=p)
