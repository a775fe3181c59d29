"""A test harness for reactions: a real system and its model, with workers that crash at named points."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from sqlalchemy import text

from projections.apply import apply
from settings import BatchSettings
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced, advance_heads
from tests.support.concurrent_reactions import Trial, check_view, code_of, reaction_of
from tests.support.reaction_example import ReactionExample
from tests.support.reaction_model import Request, States
from tests.support.system import System
from workers.ownership import Partition
from workers.persist import parsed, persist
from workers.publish import publish
from workers.worker import Worker

PAGE = """query ($ids: [ID!]!) { nodes(ids: $ids) {
  ... on Reactable { id likeCount dislikeCount viewerReaction }
  ... on User { id likesReceivedCount } } }"""


class Crash(BaseException):
    """Raised at the point at which a worker crashes. Not an Exception, because a worker repeats a batch after those."""


@dataclass
class SuspendedWorker:
    """A worker that is suspended with a batch, which may be committed already."""

    worker: Worker
    owned: dict[int, Partition]
    entries: list[Entry]
    committed: bool


class ReactionHarness(ReactionExample):
    """Sends requests, steps and crashes workers, and checks the system against the model."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.workers = 0
        self.active: Worker | None = None
        self.suspended: list[SuspendedWorker] = []
        self.worker_settings: dict[str, Any] = {}

    async def begin(self) -> None:
        await super().begin()
        self.active, self.suspended, self.worker_settings = None, [], {}

    # Clients

    async def ask(self, request: Request) -> Any:
        """Returns the payload of a request."""
        client = self.clients[request.user, request.device]
        return await client.react(request.verb, request.thing.id, request.key, request.source)

    async def send(self, request: Request) -> None:
        """Sends a request. Its response must be the one that the model expects."""
        payload = await self.ask(request)
        refused = self.model.acknowledged.apply(request)
        assert code_of(payload) == refused, (request, payload)
        target = None if refused else self.model.view(request.user, request.thing)
        assert payload["target"] == target, (request, payload, target)

    async def check_view(self, user: str, device: str = "phone") -> None:
        """Reads everything as a user. The response must be the one that the model expects."""
        things, ids = self.model.things, [thing.id for thing in self.model.things]
        data = await self.clients[user, device].ask(PAGE, ids=[*ids, *self.user_ids.values()])
        expected: list[dict[str, object]] = [self.model.view(user, thing) for thing in things]
        expected += [{"id": self.user_ids[o], "likesReceivedCount": self.model.received(o)} for o in self.users]
        assert data["nodes"] == expected, [
            pair for pair in zip(data["nodes"], expected, strict=True) if pair[0] != pair[1]
        ]

    async def send_concurrently(self, requests: Sequence[Request], *, working: bool = False) -> None:
        """Sends concurrent requests, optionally while a worker works. Some order must explain every response."""
        before, cached = self.model.rows, dict(self.model.cached)
        *payloads, handled = await asyncio.gather(*map(self.ask, requests), self._batch() if working else nothing())
        await self._sync(handled)
        await self.check_cache()
        shown = {r.user: await self._states_shown(r.user) for r in requests}
        fitting = [
            trial
            for order in permutations(range(len(requests)))
            if (trial := Trial.of(self.model.acknowledged, requests, order)).explains(payloads, shown)
        ]
        assert fitting, (requests, payloads, shown)
        for i, request in enumerate(requests):
            if target := payloads[i]["target"]:
                copies = [cached.get(request.thing.id, before), self.model.rows]
                check_view(target, request, {s for trial in fitting for s in trial.after[i]}, copies)
        self.model.acknowledged = fitting[0].end
        for user in {request.user for request in requests}:
            await self.check_view(user)

    async def _states_shown(self, user: str) -> States:
        data = await self.clients[user, "laptop"].ask(PAGE, ids=[thing.id for thing in self.model.things])
        for thing in self.model.things:
            self.model.seen(thing.id)
        return {(user, one["id"]): reaction_of(one) for one in data["nodes"]}

    async def _sync(self, handled: Sequence[Entry]) -> None:
        """Updates the model's copies after workers and readers ran at the same time."""
        await self.learn_rows()
        handled_names = self.names_in(handled)
        for name, value in (await self.cached_counts()).items():
            if value is None:
                self.model.cached.pop(name, None)
            elif name in handled_names or name not in self.model.cached:
                self.model.cached[name] = self.model.rows

    # Workers

    async def current_worker(self) -> Worker:
        """Returns the worker that owns everything. Starts one if the last one crashed."""
        if self.active is None:
            await self._time_passes()
            self.workers += 1
            settings = self.state.settings.model_copy(update=self.worker_settings)
            self.active = Worker(replace(self.state, settings=settings), f"worker-{self.workers}")
            await self.active.ownership.renew()
            assert len(self.active.owned) == 4
        return self.active

    async def _time_passes(self) -> None:
        async with self.state.postgres.transaction() as transaction:
            await transaction.execute(text("UPDATE partitions SET lease_until = now() - interval '1 second'"))
            await transaction.execute(text("UPDATE workers SET seen_until = now() - interval '1 second'"))

    async def restart_worker(self, tail: float, batch_entries: int = 500) -> None:
        """Stops the worker. The next one keeps a tail of `tail` seconds, takes batches of `batch_entries` entries, and
        reads the whole tail again.
        """
        if self.active:
            await self.active.ownership.leave()
        self.active = None
        self.worker_settings = {"journal_tail_seconds": tail, "batches": BatchSettings(entries=batch_entries)}

    async def work(self) -> int:
        """Handles one batch, without sweeping."""
        entries = await self._batch()
        await self.learn_rows()
        self.model.published(self.names_in(entries))
        return len(entries)

    async def _batch(self) -> list[Entry]:
        worker = await self.current_worker()
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        if entries:
            await worker.handle(owned, entries)
        return entries

    async def handle_all(self) -> None:
        """Handles everything, several batches at a time."""
        worker = await self.current_worker()
        waiting = await self.state.journals.read([(p, 0, 10_000) for p in worker.owned])
        while await worker.step():
            pass
        await self.learn_rows()
        self.model.published(self.names_in([entry for entries in waiting for entry in entries]))

    async def sweep(self) -> None:
        """Lets the settle time pass and sweeps."""
        worker = await self.current_worker()
        await worker.sweeper.sweep(time.monotonic() + self.state.settings.pending_seconds)
        await worker.sweeper.trim(list(worker.owned.values()))

    async def crash_worker(self, where: str) -> None:
        """Crashes the worker at a named point of its next batch."""
        worker = await self.current_worker()
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        if where == "before commit":
            await self._die_in_the_transaction(owned, entries)
        elif where == "between commit and publish":
            await persist(self.state, owned, fresh_of(owned, entries))
        elif entries:  # between publish and trim
            await worker.handle(owned, entries)
        await self.learn_rows()
        if where == "between publish and trim":
            self.model.published(self.names_in(entries))
        self.active = None

    async def _die_in_the_transaction(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> None:
        fresh = fresh_of(owned, entries)
        heads = {entry.partition: entry.version for entry in fresh}
        with suppress(Crash):
            async with self.state.postgres.transaction() as transaction:
                await advance_heads(
                    transaction, {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()}
                )
                await apply(self.state, transaction, parsed(fresh)[0])
                raise Crash

    async def suspend_worker(self, *, committed: bool) -> None:
        """Suspends the worker for longer than its lease while it holds a batch."""
        worker = await self.current_worker()
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        if committed:
            await persist(self.state, owned, fresh_of(owned, entries))
            await self.learn_rows()
        self.suspended.append(SuspendedWorker(worker, owned, entries, committed))
        self.active = None

    async def resume_worker(self) -> None:
        """Resumes a suspended worker after another has taken over. It must commit nothing."""
        suspended_worker = self.suspended.pop()
        await self.current_worker()
        before, fenced = await self.everything_stored(), False
        fresh = not suspended_worker.committed and fresh_of(suspended_worker.owned, suspended_worker.entries)
        if suspended_worker.committed:
            await publish(self.state, parsed(suspended_worker.entries)[0], set())
        elif suspended_worker.entries:
            fenced = await self._is_fenced(suspended_worker)
        assert fenced == bool(fresh)
        assert await self.everything_stored() == before
        if not fenced:
            self.model.published(self.names_in(suspended_worker.entries))
        await suspended_worker.worker.sweeper.sweep(time.monotonic() + self.state.settings.pending_seconds)
        await suspended_worker.worker.sweeper.trim(list(suspended_worker.worker.owned.values()))

    async def _is_fenced(self, suspended_worker: SuspendedWorker) -> bool:
        try:
            await suspended_worker.worker.handle(suspended_worker.owned, suspended_worker.entries)
        except Fenced:
            return True
        return False

    # Checks

    async def drain_and_check(self) -> None:
        """Drains everything and checks that model, API, rows, counters, caches and log agree."""
        await self.handle_all()
        await self.sweep()
        assert self.model.rows == {p: s for p, s in self.model.acknowledged.states.items() if s or p in self.model.rows}
        for user in self.users:
            await self.check_view(user)
            await self.check_lists(user)
            assert not (await self.state.pending.get(self.refs[user].entity_id)).histories
        assert await self.counter_rows() == {n: c for n in self.refs if (c := self.counted(n, self.model.rows))}
        await self.check_cache()
        await self.check_log()
        lengths = await self.state.journals.lengths(range(4))
        assert (await self.current_worker()).state.settings.journal_tail_seconds or not any(lengths), lengths

    async def forget_redis(self) -> None:
        """Drains everything and empties Redis."""
        await self.drain_and_check()
        await self.system.empty_redis()
        self.model.cached.clear()
        self.model.acknowledged.remembered.clear()


async def nothing() -> list[Entry]:
    """Returns no entries: the worker does nothing."""
    return []


def fresh_of(owned: dict[int, Partition], entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries that are not committed yet, as far as their owner knows."""
    return [entry for entry in entries if entry.version > owned[entry.partition].head]
