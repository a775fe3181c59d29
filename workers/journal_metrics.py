"""Exports metrics of a worker's journals: their length and lag, the memory of the Redis servers, and the number of dead
letters (entries that could not be stored).
"""

from observability import metrics
from state import State
from store.redis import servers
from store.write_log import dead_letters
from workers.ownership import Ownership


async def measure_journals(state: State, ownership: Ownership) -> None:
    """Exports the length of each journal that a worker owns, its lag (the age in seconds of the oldest entry that is
    not stored), and how much of their memory the Redis servers use.
    """
    heads = {p: partition.head for p, partition in ownership.partitions.items()}
    metrics.PARTITIONS_OWNED.set(len(heads))
    metrics.JOURNAL_MAX_ENTRIES.set(state.settings.journal_max_entries)
    sizes = await state.journals.sizes(heads)
    for metric in (metrics.JOURNAL_LENGTH, metrics.JOURNAL_LAG):
        metric.clear()  # removes partitions that this worker has lost, and those whose server does not answer
    for p, size in sizes.items():
        metrics.JOURNAL_LENGTH.labels(p).set(size.entries)
        metrics.JOURNAL_LAG.labels(p).set(size.lag_s(state.now_ms()))
    memory = await servers.memory(state.redis)
    metrics.REDIS_MEMORY.clear()  # removes servers that are gone
    for server, ratio in memory.items():
        metrics.REDIS_MEMORY.labels(server).set(ratio)


async def measure_dead_letters(state: State, ownership: Ownership) -> None:
    """Exports how many dead letters (journal entries that could not be stored) wait for an operator. Only the owner of
    partition 0 does so.
    """
    if 0 in ownership.partitions:
        metrics.DEAD_LETTERS_WAITING.set(await dead_letters.count(state.postgres))
    else:
        metrics.DEAD_LETTERS_WAITING.clear()
