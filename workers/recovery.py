"""What workers do about Redis: notice that it is gone or has lost what truth knows, and bring it back.

While writes are direct a worker stores what the journals still hold (but for what was done again meanwhile, past
them), and whichever sees all of them drained opens them for the next generation and ends direct writing.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import structlog

from state import State
from store import journal, modes, operations, telling
from store.journal import Entry, Opened
from store.modes import Mode
from store.postgres import Transaction
from store.redis import RedisDown
from workers import follows, generations, likes
from workers.events import Malformed, actor_of
from workers.mending import mend
from workers.partitions import Ownership, Partition, drained
from workers.persist import Late, Place, persist

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
        try:
            sound = await self._is_sound(mode)
            await modes.redis_seen(state.postgres, self._worker)
        except RedisDown:
            await self._begin(at_once=False)
        else:
            if not sound:
                await state.modes.refresh()  # it may be us who have not looked for too long
                await self._begin(at_once=state.modes.current.generation == mode.generation)

    async def _begin(self, *, at_once: bool) -> None:
        if await modes.begin(self._state.postgres, at_once=at_once):
            await self._state.modes.refresh()

    async def _is_sound(self, mode: Mode) -> bool:
        """Whether Redis knows what truth knows. A run of a server that is new is looked at whole, and vouched for."""
        state, own = self._state, self._ownership.partitions
        opened = await self._opened({p: one.head for p, one in own.items()}, mode.generation)
        if opened and _servers(opened) - mode.servers:
            opened = await self._opened(await journal.heads(state.postgres), mode.generation)
            if opened:
                async with state.postgres.transaction() as transaction:
                    await modes.vouch(transaction, mode.generation, _servers(opened))
                await state.modes.refresh()
                for one in own.values():
                    one.done = 0  # what was published last may be lost where it takes the place of another
        return opened is not None

    async def _opened(self, heads: Mapping[int, int], generation: int) -> dict[int, Opened] | None:
        """How journals are; None if they lack what is beyond them in truth, or are open for another generation."""
        opened = await self._state.journals.opened(list(heads))
        lost = [p for p, one in opened.items() if one.last < heads[p] or one.generation != generation]
        return None if lost else opened

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
            late = Late(await self._done_directly(entries), partial(mend, self._state))
            await persist(self._state, owned, entries, late)
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
        state, since = self._state, journal.version_at(self._state.modes.current.since_ms)
        while await self._handed_over(since):
            pass  # most of it, while people go on writing
        async with state.postgres.transaction() as transaction:
            generation = await modes.end(transaction)
            if generation is None:
                return
            while await self._hand_over(transaction, since):
                pass
            await operations.clear(transaction)
            ends = await journal.ends(transaction)
            await state.journals.open(generation, ends)
            await modes.vouch(transaction, generation, _servers(await state.journals.opened(list(ends))))
        await state.modes.refresh()

    async def _handed_over(self, since: int) -> bool:
        async with self._state.postgres.transaction() as transaction:
            return await self._hand_over(transaction, since)

    async def _hand_over(self, transaction: Transaction, since: int) -> bool:
        """What was remembered of some operations, to Redis. Returns whether there was anything."""
        actors = await self._state.operations.adopt(transaction)
        if actors:
            await likes.tidy(transaction, actors, since)
            await follows.tidy(transaction, actors, since)
        return bool(actors)


def _servers(opened: Mapping[int, Opened]) -> set[str]:
    return {one.run_id for one in opened.values()}


def _operation(entry: Entry) -> tuple[int, str] | None:
    """Whose operation an entry is, and which. None for one that will be a dead letter, or is of an older version."""
    try:
        return actor_of(entry), entry.fields[b"op"].decode()
    except (Malformed, KeyError, UnicodeDecodeError):
        return None
