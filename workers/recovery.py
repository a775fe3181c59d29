"""Detects that Redis is down or has lost data, switches to direct writes, and switches back.

While writes are direct, workers store the entries that are left in the journals, except entries whose requests clients
have repeated directly. The worker that finds all journals drained opens the journals for the next generation, and ends
direct writes (ADR 23).
"""

import time
from collections.abc import Collection, Mapping

from models.counters import EntityRef
from observability.logs import Log
from projections import hot_scores
from settings import COMMENTS, POSTS
from state import State
from store.content import hot_comments
from store.notifications import delivery
from store.people import follow_rows
from store.postgres.client import Transaction
from store.reactions import like_rows
from store.redis import generations
from store.redis.client import RedisDown
from store.redis.down import result_or_error
from store.write_log import journal, operations, write_mode
from store.write_log.journal import Entry, Opened
from store.write_log.operations import Adopted
from store.write_log.partition_leases import mark_drained
from store.write_log.write_mode import Mode
from workers.ownership import Ownership, Partition
from workers.persist import persist
from workers.write_throttle import WriteThrottle

log = Log(__name__)


class Recovery:
    """Checks Redis for one worker, and does that worker's part in starting and ending direct writes."""

    def __init__(self, state: State, ownership: Ownership, throttle: WriteThrottle, worker: str) -> None:
        self._state = state
        self._ownership = ownership
        self._throttle = throttle
        self._worker = worker
        self._turn = 0
        self._removed_through = 0
        """The generation before which the keys of all generations have been removed."""
        self._failing_over_since: float | None = None
        """When masters of a cluster began to be down while others answered, by `time.monotonic`; None if all answer."""

    async def check(self) -> None:
        """Checks Redis. If Redis answers, stores the time. If it does not answer or lacks data, starts direct writes.
        Runs every half second.

        A cluster counts as answering while replicas are expected to take over from masters that are down. Does nothing
        while writes are direct.
        """
        state, mode = self._state, self._state.write_mode.current
        if mode.direct:
            self._failing_over_since = None
            return
        await result_or_error(state.redis.servers.locate_slots)  # finds masters that are new
        try:
            complete = await self._has_all_data_retrying(mode)
        except RedisDown:
            if self._is_failing_over() and await self._some_journals_answer():
                await write_mode.redis_seen(state.postgres, self._worker)
            else:
                await self._begin_direct_writes(at_once=False)
            return
        self._failing_over_since = None
        await write_mode.redis_seen(state.postgres, self._worker)
        if not complete:
            await state.write_mode.refresh()  # our copy of the write mode may be old
            await self._begin_direct_writes(at_once=state.write_mode.current.generation == mode.generation)

    def _is_failing_over(self) -> bool:
        """Returns whether a replica may still take over from each master that is down: it exists, and the outage has
        lasted less than `redis_failover_seconds`.
        """
        if not self._state.redis.servers.is_failing_over:
            return False
        now = time.monotonic()
        self._failing_over_since = self._failing_over_since or now
        return now - self._failing_over_since < self._state.settings.redis_failover_seconds

    async def _some_journals_answer(self) -> bool:
        """Returns whether any server that has journals executes commands: a master that refuses all commands, because
        the cluster is down, also answers.
        """
        try:
            await self._state.journals.check_servers()
        except RedisDown:
            return False
        return True

    async def _has_all_data_retrying(self, mode: Mode) -> bool:
        """Returns the result of `_has_all_data`, after a second attempt if the first raises RedisDown. The first
        attempt fails although Redis is up if this process was suspended, or if its connections are broken.
        """
        try:
            return await self._has_all_data(mode)
        except RedisDown:
            return await self._has_all_data(mode)

    async def _begin_direct_writes(self, *, at_once: bool) -> None:
        if await write_mode.begin(self._state.postgres, at_once=at_once):
            await self._state.write_mode.refresh()

    async def _has_all_data(self, mode: Mode) -> bool:
        """Returns whether the journals in Redis contain all changes that Postgres has, as far as one journal of each
        server shows. If a server has restarted or is new, compares all journals, and records that the server is
        verified.
        """
        state, own = self._state, self._ownership.partitions
        runs = await state.redis.run_ids()
        opened = await self._journals_if_complete(self._sample(), mode.generation)
        if opened and runs - mode.verified:
            opened = await self._journals_if_complete(await journal.heads(state.postgres), mode.generation)
            if opened and _run_ids(opened) <= runs:
                async with state.postgres.transaction() as transaction:
                    await write_mode.verify(transaction, mode.generation, runs)
                await state.write_mode.refresh()
                for one in own.values():
                    one.publish_again = True  # a server that replaces another may lack what was published last
        return opened is not None

    def _sample(self) -> dict[int, int]:
        """Returns one partition of each server, in turn, with its head: one that this worker owns and that has entries,
        if there is any. A server that has lost all data lacks all of them; one that has restarted has a new run id.
        """
        heads = {p: own.head for p, own in self._ownership.partitions.items() if own.head}
        used = [[p for p in some if p in heads] or some for some in self._state.journals.by_server()]
        self._turn += 1
        return {p: heads.get(p, 0) for p in (some[self._turn % len(some)] for some in used)}

    async def _journals_if_complete(self, heads: Mapping[int, int], generation: int) -> dict[int, Opened] | None:
        """Returns the state of each journal, by partition. Returns None if a journal ends before its head in `heads`,
        or belongs to another generation.
        """
        opened = await self._state.journals.opened(list(heads))
        lost = [p for p, one in opened.items() if one.last < heads[p] or one.generation != generation]
        return None if lost else opened

    async def sweep(self) -> None:
        """Removes the Redis keys of earlier generations, if this worker owns partition 0 and writes are not direct."""
        mode = self._state.write_mode.current
        if not mode.direct and mode.generation > self._removed_through and 0 in self._ownership.partitions:
            clients = {self._state.redis, self._state.cache.redis}
            count = sum([await generations.remove_earlier(client) for client in clients])
            self._removed_through = mode.generation
            log.info("earlier generations removed", keys=count, generation=mode.generation)

    async def step(self) -> int:
        """Stores a batch of the entries that are left in the journals whose servers answer. Returns the number of
        entries.

        Called repeatedly while writes are direct. Ends direct writes when all journals are drained.
        """
        state, owned = self._state, dict(self._ownership.partitions)
        await delivery.deliver(state.postgres, owned, state.keys.partition_of, kept=state.settings.kept_notifications)
        try:
            entries, empty = await self._read(owned) if state.write_mode.is_settled else ([], {})
            if entries:
                async with self._ownership.fenced():
                    with self._throttle.commit():
                        await persist(state, owned, entries, late=True)
            elif state.write_mode.is_settled:
                epochs = {p: own.epoch for p, own in empty.items()}
                await mark_drained(state.postgres, state.write_mode.current.generation, epochs)
                await self._end_direct_writes()
        except RedisDown:
            return 0
        return len(entries)

    async def _read(self, owned: Mapping[int, Partition]) -> tuple[list[Entry], dict[int, Partition]]:
        """Returns two values: the next entries of the partitions whose servers answer, and the partitions whose
        journals have no entries left.
        """
        most = -(-self._throttle.entries(1) // max(1, len(owned)))
        answers = await self._state.journals.read_each([(own.p, own.head, most) for own in owned.values()])
        each = list(zip(owned.items(), answers, strict=True))
        return [entry for _, answer in each for entry in answer or ()], {p: own for (p, own), got in each if got == []}

    async def _end_direct_writes(self) -> None:
        """Ends direct writes, if all journals are drained. Opens the journals in the same transaction, so that no write
        happens in between.
        """
        state = self._state
        if not await write_mode.may_end(state.postgres):
            return
        while await self._adopt_in_transaction():
            pass  # most of them before the transaction, so that writes wait for less than one batch
        async with state.postgres.transaction() as transaction:
            generation = await write_mode.end(transaction)
            if generation is None:
                return
            rest = [await self._adopt(transaction)]
            while rest[-1].more:
                rest.append(await self._adopt(transaction))
            await operations.clear(transaction)
            ends = await journal.ends(transaction)
            runs = await state.redis.run_ids()
            await state.journals.open(generation, ends)
            if not _run_ids(await state.journals.opened(list(ends))) <= runs:
                raise RedisDown  # a server has been replaced meanwhile
            await write_mode.verify(transaction, generation, runs)
        await state.write_mode.refresh()
        await self._rescore({ref for one in rest for ref in one.about})

    async def _adopt_in_transaction(self) -> bool:
        """Copies a batch of idempotency records from Postgres to Redis. Returns whether there may be more records."""
        async with self._state.postgres.transaction() as transaction:
            adopted = await self._adopt(transaction)
        await self._rescore(adopted.about)
        return adopted.more

    async def _adopt(self, transaction: Transaction) -> Adopted:
        """Copies a batch of idempotency records to Redis. Removes log lines of direct writes that only repeated a
        change.

        A client that has lost the response to a write repeats the write. If Redis went down in between, the repetition
        is a direct write, which cannot see the idempotency record in Redis.
        """
        adopted = await self._state.operations.adopt(transaction)
        if adopted.actors:
            since = journal.version_at(self._state.write_mode.current.since_ms)
            await like_rows.remove_repetitions(transaction, adopted.actors, since)
            await follow_rows.remove_repetitions(transaction, adopted.actors, since)
        return adopted

    async def _rescore(self, about: Collection[EntityRef]) -> None:
        """Recomputes the hot scores of these posts and comments. Direct writes do not update hot scores."""
        await hot_scores.publish_posts(self._state, {ref.entity_id for ref in about if ref.business_id == POSTS})
        comments = [ref.entity_id for ref in about if ref.business_id == COMMENTS]
        await hot_scores.publish_comments(self._state, await hot_comments.roots(self._state.postgres, comments))


def _run_ids(opened: Mapping[int, Opened]) -> set[str]:
    return {run_id for one in opened.values() for run_id in one.run_ids}
