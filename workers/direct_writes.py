"""Lets a worker check Redis. Starts direct writes, which go to Postgres instead of a journal, when Redis is lost, and
ends them when Redis is back.

While writes are direct, workers store the entries that are left in the journals, except entries whose requests clients
have repeated directly. The worker that finds no entries left in any journal opens the journals again, under a new
generation of Redis keys, and ends direct writes (ADR 23).
"""

from collections.abc import Collection, Mapping, Sequence

from domain.versions import version_at
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
from store.write_log import journal, operations, write_mode
from store.write_log.journal import Entry, run_ids
from store.write_log.operations import Adopted
from store.write_log.partition_leases import mark_drained
from store.write_log.redis_check import RedisCheck
from workers.ownership import Ownership, Partition
from workers.persist import persist
from workers.published_changes import Sweeper
from workers.write_throttle import WriteThrottle

log = Log(__name__)


class DirectWrites:
    """Checks Redis for one worker, and does that worker's part in ending direct writes (those that go to Postgres while
    Redis is down).
    """

    def __init__(
        self, state: State, ownership: Ownership, throttle: WriteThrottle, sweeper: Sweeper, worker: str
    ) -> None:
        self._state = state
        self._ownership = ownership
        self._sweeper = sweeper
        self._throttle = throttle
        failover_s = state.settings.redis_failover_seconds
        self.redis_check = RedisCheck(state.postgres, state.redis, state.journals, state.write_mode, worker, failover_s)
        self._verified = state.write_mode.current.verified
        """The Redis servers that workers had verified, that is, found to have all journal entries, at the last
        check.
        """
        self._drained_in = 0
        """The generation of Redis keys in which this worker found no entries left in all journals that answered."""
        self._removed_through = 0
        """The Redis keys of all generations before this one have been removed."""

    async def check(self) -> None:
        """Checks whether Redis answers and has all data, and starts direct writes if not
        (store/write_log/redis_check.py). Runs every half second.

        If a worker has verified a server since the last check, marks the partitions of this worker to be published
        again: a server that replaces another may lack what was published last.
        """
        own = self._ownership.partitions
        heads = {p: own[p].head if p in own else 0 for p in range(self._state.settings.partitions)}
        await self.redis_check.run(heads)
        if (verified := self._state.write_mode.current.verified) - self._verified:
            for one in own.values():
                one.publish_again = True
        self._verified = verified

    async def sweep(self) -> None:
        """Removes the Redis keys of earlier generations, if this worker owns partition 0. While writes are direct,
        waits until no entries are left in the journals. A Redis that is full gets room then.
        """
        mode = self._state.write_mode.current
        may = not mode.direct or mode.generation == self._drained_in
        if may and mode.generation > self._removed_through and 0 in self._ownership.partitions:
            clients = {self._state.redis, self._state.cache.redis}
            count = sum([await generations.remove_earlier(client) for client in clients])
            self._removed_through = mode.generation
            log.info("earlier generations removed", keys=count, generation=mode.generation)

    async def step(self) -> int:
        """Called repeatedly while writes are direct. Delivers notifications, and stores a batch of the entries that are
        left in the journals whose servers answer. Ends direct writes when no journal has entries left.

        Returns the number of entries; 0 if Redis does not answer. Raises the error of an entry that cannot be stored
        now.
        """
        state, owned = self._state, dict(self._ownership.partitions)
        kept = state.settings.retention.notifications
        await delivery.deliver(state.postgres, owned, state.keys.partition_of, kept=kept)
        try:
            entries, empty = await self._read(owned) if state.write_mode.is_settled else ([], {})
            if entries:
                async with self._ownership.fenced():
                    with self._throttle.commit():
                        written = await persist(state, owned, entries, late=True)
                if written.stuck:
                    raise written.stuck
            elif state.write_mode.is_settled:
                epochs = {p: own.epoch for p, own in empty.items()}
                self._drained_in = state.write_mode.current.generation
                await mark_drained(state.postgres, self._drained_in, epochs)
                await self._trim(list(empty.values()))
                await self._end_direct_writes()
        except RedisDown:
            return 0
        return len(entries)

    async def _trim(self, drained: Sequence[Partition]) -> None:
        """Removes the stored entries from the journals of these partitions, so that a full Redis gets room. Their
        pending changes need not be removed: they belong to an earlier generation of keys, which no process reads.
        """
        for partition in drained:
            partition.swept = partition.head
        await self._sweeper.trim(drained)

    async def _read(self, owned: Mapping[int, Partition]) -> tuple[list[Entry], dict[int, Partition]]:
        """Returns two values: the next entries of the partitions whose Redis servers answer, and the partitions whose
        journals have no entries left, by number.
        """
        most = -(-self._throttle.entries(1) // max(1, len(owned)))
        answers = await self._state.journals.read_each([(own.p, own.head, most) for own in owned.values()])
        each = list(zip(owned.items(), answers, strict=True))
        return [entry for _, answer in each for entry in answer or ()], {p: own for (p, own), got in each if got == []}

    async def _end_direct_writes(self) -> None:
        """Ends direct writes, if no journal has entries left. Opens the journals in the same transaction, so that no
        write happens in between. Otherwise changes nothing.
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
            if not run_ids(await state.journals.opened(list(ends))) <= runs:
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
        """Copies a batch of idempotency records from Postgres to Redis. Removes from the logs of likes and follows the
        lines of direct writes that only repeated a change.

        Such a repetition happens if Redis goes down after a write and before the client has its response. The client
        then repeats the write directly, and the direct write cannot see the idempotency record in Redis.
        """
        adopted = await self._state.operations.adopt(transaction)
        if adopted.actors:
            since = version_at(self._state.write_mode.current.since_ms)
            await like_rows.remove_repetitions(transaction, adopted.actors, since)
            await follow_rows.remove_repetitions(transaction, adopted.actors, since)
        return adopted

    async def _rescore(self, about: Collection[EntityRef]) -> None:
        """Recomputes the hot scores of these posts and comments. Direct writes do not update hot scores."""
        await hot_scores.publish_posts(self._state, {ref.entity_id for ref in about if ref.business_id == POSTS})
        comments = [ref.entity_id for ref in about if ref.business_id == COMMENTS]
        await hot_scores.publish_comments(self._state, await hot_comments.roots(self._state.postgres, comments))
