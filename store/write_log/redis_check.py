"""Detects that Redis is down, takes no writes or has lost data. Then lets all processes write directly to Postgres.
Also verifies servers that have restarted or are new: API processes use only servers that have all data (ADR 23).

Each worker runs the check. While no worker runs, API processes do (`stand_in`).
"""

import time
from collections.abc import Collection, Mapping
from contextlib import suppress

from sqlalchemy.exc import DBAPIError

from domain.errors import PlauditError
from observability.logs import Log
from settings import Settings
from store.backoff import rest
from store.keys import Keys
from store.postgres.client import Postgres
from store.redis.client import Redis, RedisDown, connect
from store.redis.down import result_or_error
from store.write_log import journal, partition_leases, write_mode
from store.write_log.journal import Journals, Opened, run_ids
from store.write_log.write_mode import Mode, WriteMode

log = Log(__name__)

_EVERY = 2.0
"""Seconds between two checks of an API process while no worker runs."""


class RedisCheck:
    """One process's check whether the state Redis answers, takes writes and has all journal entries. `redis` and
    `journals` must also use servers that are not verified.
    """

    def __init__(
        self,
        postgres: Postgres,
        redis: Redis,
        journals: Journals,
        current: WriteMode,
        name: str,
        failover_s: float,
    ) -> None:
        """`name` is the name of the worker. `failover_s` is the number of seconds that the replicas of a cluster may
        need to take over.
        """
        self._postgres = postgres
        self._redis = redis
        self._journals = journals
        self._write_mode = current
        self._name = name
        self._failover_s = failover_s
        self._turn = 0
        self._is_apart = False
        """Whether this process reaches another primary than the one that other workers use."""
        self._failing_over_since: float | None = None
        """When some masters of a cluster went down while others answered, by `time.monotonic`; None if all answer."""

    async def run(self, heads: Mapping[int, int]) -> None:
        """Checks Redis once. If Redis answers, records the time in Postgres. If Redis does not answer, takes no writes
        or lacks data, makes writes direct. Does nothing while writes are direct, or while another worker reaches a
        primary that this process does not reach.

        `heads` has, for each partition, a version that its journal must have reached. A cluster counts as answering
        while replicas are expected to take over from masters that are down.
        """
        mode = self._write_mode.current
        if mode.direct:
            self._failing_over_since, self._is_apart = None, False
            return
        await result_or_error(self._redis.servers.locate_slots)  # finds masters that are new
        try:
            complete = await self._has_all_data_retrying(heads, mode)
        except RedisDown:
            if self._is_failing_over() and await self._some_journals_answer():
                await write_mode.redis_seen(self._postgres, self._name)
            else:
                await self._begin_direct_writes(at_once=False)
            return
        self._failing_over_since = None
        if self._is_apart:
            return
        await write_mode.redis_seen(self._postgres, self._name)
        if not complete:
            await self._write_mode.refresh()  # our copy of the write mode may be old
            await self._begin_direct_writes(at_once=self._write_mode.current.generation == mode.generation)

    def require_shared_primary(self) -> None:
        """Raises RedisDown if this process reaches another primary than the one that other workers use. A worker must
        not read the journals there. Other workers then take over its partitions.
        """
        if self._is_apart:
            raise RedisDown

    def _is_failing_over(self) -> bool:
        """Returns whether replicas may still take over from the masters that are down: each of these has a replica, and
        the outage has lasted less than `failover_s` seconds.
        """
        if not self._redis.servers.is_failing_over:
            return False
        now = time.monotonic()
        self._failing_over_since = self._failing_over_since or now
        return now - self._failing_over_since < self._failover_s

    async def _some_journals_answer(self) -> bool:
        """Returns whether any server that has journals executes commands. A mere answer proves nothing: while the whole
        cluster is down, its masters answer with errors.
        """
        try:
            await self._journals.check_servers()
        except RedisDown:
            return False
        return True

    async def _begin_direct_writes(self, *, at_once: bool) -> None:
        if await write_mode.begin(self._postgres, at_once=at_once):
            await self._write_mode.refresh()

    async def _has_all_data_retrying(self, heads: Mapping[int, int], mode: Mode) -> bool:
        """Returns the result of `_has_all_data`. Tries a second time if the first attempt raises RedisDown: it fails
        although Redis is up if this process was suspended, or if its connections are broken.
        """
        try:
            return await self._has_all_data(heads, mode)
        except RedisDown:
            return await self._has_all_data(heads, mode)

    async def _has_all_data(self, heads: Mapping[int, int], mode: Mode) -> bool:
        """Returns whether the journals in Redis have reached all versions that Postgres has. Compares one journal of
        each server. If a server has restarted or is new, compares all journals, and records it as verified if they are
        complete. Also sets `_is_apart`; if it is True, returns False.
        """
        runs = await self._redis.run_ids()
        self._is_apart = await self._reaches_another_primary(runs, mode)
        if self._is_apart:
            return False
        opened = await self._journals_if_complete(self._sample(heads), mode.generation)
        if opened and runs - mode.verified:
            async with self._postgres.transaction() as transaction:
                ends = await journal.ends(transaction)
            opened = await self._journals_if_complete(ends, mode.generation)
            if opened and run_ids(opened) <= runs:
                async with self._postgres.transaction() as transaction:
                    await write_mode.verify(transaction, mode.generation, runs)
                await self._write_mode.refresh()
        return opened is not None

    def _sample(self, heads: Mapping[int, int]) -> dict[int, int]:
        """Returns one partition of each server, with its head; another one each time. Its head is not 0 unless all
        heads of the server are. One partition is enough: a server that has lost data lacks all of them, or has
        restarted and so has a new run id.
        """
        used = [[p for p in some if heads[p]] or some for some in self._journals.by_server()]
        self._turn += 1
        return {p: heads[p] for p in (some[self._turn % len(some)] for some in used)}

    async def _reaches_another_primary(self, runs: Collection[str], mode: Mode) -> bool:
        """Returns whether this process reaches a server that is not verified while another worker reaches the verified
        one. Of two primaries, only one may be used, and it stays in use as long as any worker reaches it. Always False
        for a cluster, because masters that are cut off stop by themselves.
        """
        if self._redis.cluster or mode.verified.issuperset(runs):
            return False
        return await write_mode.is_seen_by_others(self._postgres, self._name)

    async def _journals_if_complete(self, heads: Mapping[int, int], generation: int) -> dict[int, Opened] | None:
        """Returns the state of each journal, by partition. Returns None if a journal ends before its head in `heads`,
        or belongs to another generation.
        """
        opened = await self._journals.opened(list(heads))
        lost = [p for p, one in opened.items() if one.last < heads[p] or one.generation != generation]
        return None if lost else opened


async def stand_in(settings: Settings, postgres: Postgres, current: WriteMode) -> None:
    """Runs the check of Redis in an API process, every two seconds while no worker runs. Never ends by itself.

    Only workers can end direct writes, because only they store the journals. So direct writes that this check begins
    last until a worker runs.
    """
    redis, keys = connect(settings.redis_url, settings), Keys(settings.partitions)
    check = RedisCheck(postgres, redis, Journals(redis, keys), current, "no worker", settings.redis_failover_seconds)
    try:
        while True:
            await rest(_EVERY)
            try:
                with suppress(PlauditError, DBAPIError):  # without Postgres, the mode cannot change
                    if not current.only_reads and not await partition_leases.any_worker_runs(postgres):
                        await check.run(dict.fromkeys(range(settings.partitions), 0))
            except Exception as error:  # noqa: BLE001 - the next check may succeed
                log.warning("Redis was not checked", error=repr(error))
    finally:
        await redis.close()
