"""A real system and its model: people of two partitions whose clocks are apart, and two workers that crash."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from store.people.boundaries import BoundaryStore
from store.redis.client import RedisDown
from store.write_log.operations import Outcome
from tests.features.boundaries.checks import check_answers, check_caches, check_rows
from tests.features.boundaries.model import Model
from tests.support.boundaries import change, mute
from tests.support.comments import add
from tests.support.concurrent_follows import two_workers
from tests.support.follows import change as change_follow
from tests.support.journal_entries import someone
from tests.support.posts import publish
from tests.support.reconciliation import drift
from tests.support.suspensions import moderator, reinstate, suspend
from tests.support.system import Person, System

PEOPLE = ("alice", "bob", "carol", "dave")
"""Alice and carol share a partition, bob and dave another one."""
AHEAD_MS = 600_000
"""How far the clock of bob's partition is ahead."""
CRASHES = {
    "before the commit": "workers.persist.apply",
    "between commit and publication": "workers.worker.publish",
    "at the second script": "projections.boundaries._write_block",
}
"""The points at which a worker crashes, and the functions that it does not run there."""


class Crash(Exception):
    """Raised where a worker crashes."""


class Harness:
    """Sends requests, steps and crashes workers, and compares everything with the model."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.examples = 0

    async def begin(self) -> None:
        """Begins an example: new people, each with a post, and new workers."""
        self.examples += 1
        self.model = Model()
        self.people: dict[str, Person] = {}
        self.ids: dict[str, int] = {}
        self.posts: dict[str, str] = {}
        self.sent: list[tuple[int, int, int, str]] = []
        """The second scripts so far, also lost ones."""
        self.comments = 0
        await self.system.empty_redis()
        await self.system.rows("UPDATE partitions SET head = 0 RETURNING p")
        await self._replace_workers()
        partitions = [min(worker.owned) for worker in self.workers]
        for name in PEOPLE:
            await self._join(name, partitions[PEOPLE.index(name) % 2])
        await self._set_clocks_apart()
        for name, person in self.people.items():
            self.posts[name] = (await publish(person, f"{name}'s post"))["post"]["id"]
        await self.drain_and_check()

    async def _join(self, name: str, partition: int) -> None:
        """Registers a person whose changes go to a partition."""
        for attempt in range(100):
            one = await someone(self.system, f"{name}{self.examples}x{attempt}")
            if one.partition == partition:
                self.people[name], self.ids[name] = one.person, one.user_id
                return
        raise AssertionError

    async def _set_clocks_apart(self) -> None:
        """Lets the ids of bob's journal begin in the future, as if the clock of its server were ahead."""
        redis, keys = self.system.state.redis, self.system.state.keys
        journal = keys.journal(keys.partition_of(self.ids["bob"]))
        ahead = f"{self.system.state.now_ms() + AHEAD_MS}-0"
        await redis("XADD", journal, ahead, "ahead", 1, write=True)
        await redis("XDEL", journal, ahead, write=True)

    # Requests.

    async def request(self, verb: str, who: str, other: str, *, lost: bool = False) -> None:
        """Sends a request, which must be answered as the model says. If `lost`, its second script does not arrive."""
        expected = self.model.apply(verb, who, other)
        with self._second_scripts(lost=lost):
            payload = await self._send(verb, self.people[who], other)
        codes = [error["code"] for error in payload["userErrors"]]
        assert codes == ([expected] if expected else []), (verb, who, other, codes, expected)

    async def _send(self, verb: str, person: Person, other: str) -> Any:
        user = f"User:{self.ids[other]}"
        match verb:
            case "follow" | "unfollow":
                return await change_follow(person, verb, user)
            case "like" | "unlike":
                return await person.react(verb, self.posts[other])
            case "comment":
                self.comments += 1
                return await add(person, self.posts[other], f"comment {self.comments}")
            case "mute":
                return await mute(person, user)
        return await change(person, verb, user)

    async def suspend(self, user: str, mode: str | None) -> None:
        """Suspends a user, or reinstates the user without a mode."""
        mia, user_id = moderator(self.system), f"User:{self.ids[user]}"
        payload = await (suspend(mia, user_id, mode) if mode else reinstate(mia, user_id))
        assert payload["userErrors"] == []
        self.model.suspended.pop(user, None)
        if mode:
            self.model.suspended[user] = mode

    @contextmanager
    def _second_scripts(self, *, lost: bool = False) -> Iterator[None]:
        """Records second scripts, and tells the model of those that arrive, while the block runs."""
        receive, names = BoundaryStore.receive, {user_id: name for name, user_id in self.ids.items()}

        async def recorded(store: BoundaryStore, *args: Any) -> Outcome:
            self.sent.append(args)
            if lost:
                raise RedisDown
            outcome = await receive(store, *args)
            self.model.receive(names[args[0]], names[args[1]], *args[2:])
            return outcome

        with pytest.MonkeyPatch.context() as patches:
            patches.setattr(BoundaryStore, "receive", recorded)
            yield

    async def deliver(self, which: int) -> None:
        """Delivers an earlier second script, late or once more."""
        if self.sent:
            with self._second_scripts():
                await self.system.state.boundaries.receive(*self.sent[which % len(self.sent)])

    # Workers.

    async def work(self, which: int) -> None:
        """Lets a worker handle a batch."""
        worker = self.workers[which]
        with self._second_scripts():
            await worker.handle(dict(worker.owned), await worker.read(dict(worker.owned)))

    async def crash(self, which: int, where: str) -> None:
        """Lets a worker crash while it handles a batch. New workers begin at the oldest entries of the journals."""

        async def die(*_: object) -> None:
            raise Crash

        with pytest.MonkeyPatch.context() as patches, suppress(Crash):
            patches.setattr(CRASHES[where], die)
            await self.work(which)
        await self._replace_workers()

    async def _replace_workers(self) -> None:
        await self.system.rows("UPDATE partitions SET lease_until = now() - interval '1 second' RETURNING p")
        await self.system.rows("DELETE FROM workers RETURNING worker")
        self.workers = await two_workers(self.system)

    async def sweep(self) -> None:
        """Lets the settle time pass and sweeps."""
        for worker in self.workers:
            await worker.sweeper.sweep(time.monotonic() + self.system.settings.pending_seconds)
            await worker.sweeper.trim(list(worker.owned.values()))

    # Checks.

    async def drain_and_check(self) -> None:
        """Stores and publishes everything. Then compares answers, rows and caches with the model."""
        with self._second_scripts():
            for worker in self.workers * 2:  # the second scripts of one worker are entries for the other one
                while await worker.step():
                    pass
        await self.sweep()
        await check_rows(self.system, self.model, self.ids)
        await check_answers(self.model, self.people, self.ids, self.posts)
        await check_caches(self.system, self.model, self.ids)

    async def forget_redis(self) -> None:
        """Checks everything, also with empty caches, and with caches that are filled from rows."""
        await self.drain_and_check()
        await self.system.empty_redis()
        await self._set_clocks_apart()
        self.model.received.clear()
        self.sent.clear()
        for _ in range(2):
            await check_answers(self.model, self.people, self.ids, self.posts)
        await check_caches(self.system, self.model, self.ids)

    async def end(self) -> None:
        """Checks everything at the end of an example, with reconciliation."""
        await self.drain_and_check()
        assert await drift(self.system) == {}
        assert await self.system.rows("SELECT * FROM dead_letters") == []
