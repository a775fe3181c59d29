"""What workers do about Redis: notice that it is gone or has lost what truth knows, and bring it back.

While writes are direct a worker stores what the journals still hold (but for what was done again meanwhile, past
them), and whichever sees all of them drained opens them for the next generation and ends direct writing.
"""

from collections.abc import Mapping, Sequence

import structlog

from state import State
from store import journal, modes, operations, telling
from store.journal import Entry
from store.redis import RedisDown
from workers import follows, generations, likes
from workers.events import Malformed, Reacted, actor_of
from workers.mending import mend
from workers.partitions import Ownership, Partition, drained
from workers.persist import Place, persist

log = structlog.get_logger(__name__)


class Recovery:
    """That of one worker."""

    def __init__(self, state: State, ownership: Ownership, worker: str) -> None:
        self._state = state
        self._ownership = ownership
        self._worker = worker
        self._swept = 0
        """The generation since which nothing older is left."""

    async def look(self) -> None:
        """To be repeated while writes go through Redis: tells that it is there, or makes them direct."""
        state, mode = self._state, self._state.modes.current
        if mode.direct:
            return
        heads = {p: own.head for p, own in self._ownership.partitions.items()}
        try:
            opened = await state.journals.opened(list(heads))
        except RedisDown:
            began = await modes.begin(state.postgres)
        else:
            lost = {p for p, (last, of) in opened.items() if last < heads[p] or of != mode.generation}
            await modes.redis_seen(state.postgres, self._worker)
            began = bool(lost) and await modes.begin(state.postgres, at_once=True)
        if began:
            await state.modes.refresh()

    async def sweep(self) -> None:
        """To be repeated while writes go through Redis: the worker of the first partition removes what is left of
        earlier generations.
        """
        mode = self._state.modes.current
        if not mode.direct and mode.generation > self._swept and 0 in self._ownership.partitions:
            count = await generations.sweep(self._state)
            self._swept = mode.generation
            log.info("earlier generations removed", keys=count, generation=mode.generation)

    async def step(self) -> int:
        """To be repeated while writes are direct. Returns how many entries the journals still held."""
        state, owned = self._state, dict(self._ownership.partitions)
        await telling.tell(state.postgres, owned, kept=state.settings.kept_notifications)
        try:
            count = await self._drain(owned)
            await self._end()
        except RedisDown:
            return 0
        return count

    async def _drain(self, owned: Mapping[int, Partition]) -> int:
        count = 0
        while entries := await self._read(owned):
            written = await persist(self._state, owned, entries, past=await self._done_directly(entries))
            reacted = [event for event in written.events if isinstance(event, Reacted)]
            if reacted:
                async with self._state.postgres.transaction() as transaction:
                    await mend(self._state, transaction, reacted)
            count += len(entries)
        await drained(self._state.postgres, self._state.modes.current.generation, owned)
        return count

    async def _read(self, owned: Mapping[int, Partition]) -> list[Entry]:
        most = -(-self._state.settings.batch_entries // max(1, len(owned)))
        answers = await self._state.journals.read([(own.p, own.head, most) for own in owned.values()])
        return [entry for answer in answers for entry in answer]

    async def _done_directly(self, entries: Sequence[Entry]) -> set[Place]:
        """Those whose replies got lost, if whoever had sent them repeated them when writes were direct already."""
        named = {(entry.partition, entry.version): _operation(entry) for entry in entries}
        done = await operations.done_among(self._state.postgres, [name for name in set(named.values()) if name])
        return {place for place, name in named.items() if name in done}

    async def _end(self) -> None:
        """Redis is told in the transaction that ends direct writing: nobody writes anywhere meanwhile."""
        state = self._state
        async with state.postgres.transaction() as transaction:
            ended = await modes.end(transaction)
            if ended is None:
                return
            since = journal.version_at(ended.since_ms)
            async for actors in state.operations.adopt(transaction):
                await likes.tidy(transaction, actors, since)
                await follows.tidy(transaction, actors, since)
            await state.journals.open(ended.generation, await journal.ends(transaction))
        await state.modes.refresh()


def _operation(entry: Entry) -> tuple[int, str] | None:
    """Whose operation an entry is, and which. None for one that will be a dead letter, or is of an older version."""
    try:
        return actor_of(entry), entry.fields[b"op"].decode()
    except (Malformed, KeyError, UnicodeDecodeError):
        return None
