"""Exports metrics of a worker's journals: their length, their lag, and the memory of the Redis servers."""

from collections.abc import Sequence

from observability import metrics
from state import State
from store.redis import servers
from store.write_log.journal import Entry
from workers.ownership import Ownership


async def measure_journals(state: State, ownership: Ownership) -> None:
    """Exports the length and lag of each journal that a worker owns, and the memory of the Redis servers."""
    owned = list(ownership.partitions.values())
    metrics.PARTITIONS.set(state.settings.partitions)
    metrics.PARTITIONS_OWNED.set(len(owned))
    metrics.JOURNAL_MAX_ENTRIES.set(state.settings.journal_max_entries)
    oldest = await state.journals.read_each([(partition.p, partition.head, 1) for partition in owned])
    readable = {partition.p: waiting for partition, waiting in zip(owned, oldest, strict=True) if waiting is not None}
    lengths = await state.journals.lengths(list(readable))
    for metric in (metrics.JOURNAL_LENGTH, metrics.JOURNAL_LAG):
        metric.clear()  # removes partitions that this worker has lost, and those whose server does not answer
    for (p, waiting), length in zip(readable.items(), lengths, strict=True):
        metrics.JOURNAL_LENGTH.labels(p).set(length)
        metrics.JOURNAL_LAG.labels(p).set(_age(waiting[0], state.now_ms()) if waiting else 0)
    memory = await servers.memory(state.redis)
    metrics.REDIS_MEMORY.clear()  # removes servers that are gone
    for server, ratio in memory.items():
        metrics.REDIS_MEMORY.labels(server).set(ratio)


def measure_committed(entries: Sequence[Entry], now_ms: int) -> None:
    """Exports the time from acknowledgement to commit, for entries that were just committed."""
    for entry in entries:
        metrics.PERSIST_SECONDS.observe(_age(entry, now_ms))


def _age(entry: Entry, now_ms: int) -> float:
    return max(0.0, (now_ms - (entry.version >> 20)) / 1000)
