"""Random sequences of reports, decisions, edits and deletions, by several users and two moderators, agree with a model.
Two workers store the changes, and may crash.
"""

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from settings import Settings
from tests.support import comments, posts, reconciliation, reports
from tests.support.boundaries import block
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.system import LENIENT, LIMITLESS, System, running
from workers.persist import persist
from workers.worker import Worker

REPORTERS = ("bob", "carol", "dave", "erin")
STEPS = ("report",) * 6 + ("resolve", "resolve", "moderate", "edit", "delete")
COUNT = "SELECT count(*) FROM notifications WHERE kind = 9"


class Model:
    """What the moderation queue must contain."""

    def __init__(self) -> None:
        self.open: dict[str, set[str]] = {}
        """The reporters with an open report, by target."""
        self.statuses: dict[str, str] = {}
        """The moderation status of each post and comment; DELETED after its deletion."""
        self.outcomes = 0
        """The number of notifications about decided reports."""

    def close(self, target: str) -> None:
        """Closes all open reports of a target."""
        self.outcomes += len(self.open[target])
        self.open[target] = set()

    def queue(self) -> dict[str, int]:
        """Returns the number of open reports by target that is in the queue."""
        return {
            target: len(reporters)
            for target, reporters in self.open.items()
            if reporters or self.statuses.get(target) == "PENDING"
        }


class Walk:
    """A random walk over one system."""

    def __init__(self, system: System, seed: int) -> None:
        self._system = system
        self._random = random.Random(seed)
        self._model = Model()
        self._alice = system.person("alice")
        self._moderators = [system.person(name, "moderate") for name in ("mia", "max")]
        self._workers: list[Worker] = []
        self._kinds: dict[str, str] = {}
        """What was done to each target since the last time that workers stored everything."""

    async def run(self, steps: int) -> None:
        await self._begin()
        for step in range(steps):
            await self._step(step)
            if self._random.random() < 0.1:
                await self._store()
        await self._store()
        assert await drift(self._system) == {}
        await self._system.empty_redis()
        await self._check()

    async def _begin(self) -> None:
        written = await published(self._alice, "one", "two", "three")
        (video,) = await self._system.videos("v1", owner="alice")
        written.append(await comments.added(self._alice, video, "four"))
        await block(self._system.person(REPORTERS[0]), await self._alice.id())
        self._model.statuses = dict.fromkeys(written, "APPROVED")
        self._model.open = {target: set() for target in (*written, video, await self._alice.id())}
        await self._store()

    async def _step(self, number: int) -> None:
        target, kind = self._random.choice(list(self._model.open)), self._random.choice(STEPS)
        status = self._model.statuses.get(target)
        if kind != "report" and (status == "DELETED" or (status is None and kind != "resolve")):
            return
        if kind == "edit" and not target.startswith("Post"):
            return
        if self._kinds.get(target, kind) != kind or kind == "moderate":
            await self._store()  # the order of changes in different journals is not defined
        self._kinds[target] = kind
        await getattr(self, f"_{kind}")(target, status, number)

    async def _report(self, target: str, status: str | None, _: int) -> None:
        handle = self._random.choice(REPORTERS)
        payload = await reports.report(self._system.person(handle), target, self._random.choice(("SPAM", "HATE")))
        if status in (None, "APPROVED"):
            assert payload["userErrors"] == []
            self._model.open[target].add(handle)
        else:
            (error,) = payload["userErrors"]
            assert error["code"] in ("TARGET_NOT_FOUND", "TARGET_DELETED")

    async def _resolve(self, target: str, status: str | None, _: int) -> None:
        resolution = self._random.choice(("DISMISS", "ACCEPT", "REMOVE") if status else ("DISMISS", "ACCEPT"))
        payload = await reports.resolve(self._random.choice(self._moderators), target, resolution)
        assert payload["userErrors"] == []
        if resolution == "REMOVE":
            self._model.statuses[target] = "REJECTED"
        self._model.close(target)
        await self._store()

    async def _moderate(self, target: str, _: str | None, __: int) -> None:
        decision = self._random.choice(("APPROVE", "REJECT"))
        decide = posts.decide if target.startswith("Post") else comments.decide
        await decide(self._random.choice(self._moderators), target, decision)
        self._model.statuses[target] = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}[decision]
        self._model.close(target)

    async def _edit(self, target: str, _: str | None, number: int) -> None:
        waits = self._random.random() < 0.5
        text = f"{'get rich quick' if waits else 'harmless'} {number}"
        assert (await posts.edit(self._alice, target, text=text))["userErrors"] == []
        self._model.statuses[target] = "PENDING" if waits else "APPROVED"

    async def _delete(self, target: str, _: str | None, __: int) -> None:
        delete = posts.delete if target.startswith("Post") else comments.delete
        assert (await delete(self._alice, target))["userErrors"] == []
        self._model.statuses[target] = "DELETED"
        self._model.close(target)

    async def _store(self) -> None:
        """Lets two workers store and publish everything. One may crash between commit and publication."""
        if self._workers and self._random.random() < 0.4:
            await self._crash(self._workers.pop())
        while len(self._workers) < 2:
            self._workers.append(self._system.worker())
        for _ in range(3):  # workers share the partitions after a few renewals
            for worker in self._workers:
                await worker.ownership.renew()
        while any(await asyncio.gather(*[worker.step() for worker in self._workers])):
            pass
        for worker in self._workers:
            await worker.sweeper.sweep(time.monotonic() + self._system.settings.pending_seconds)
        self._kinds.clear()
        await self._check()

    async def _crash(self, worker: Worker) -> None:
        owned = dict(worker.owned)
        if entries := [entry for entry in await worker.read(owned) if entry.version > owned[entry.partition].head]:
            await persist(self._system.state, owned, entries)
        await reconciliation.execute(
            self._system,
            "UPDATE partitions SET lease_until = now() - interval '1 second'",
            "UPDATE workers SET seen_until = now() - interval '1 second'",
        )

    async def _check(self) -> None:
        for moderator in self._moderators:
            assert await reports.queued(moderator) == self._model.queue()
        assert await self._system.rows(COUNT) == [(self._model.outcomes,)]
        assert await drift(self._system, "cases") == {}


async def walked(make_settings: Callable[..., Settings], seed: int) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        await Walk(system, seed).run(60)


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("seed", range(3))
async def test_random_sequences_agree_with_a_model(make_settings: Callable[..., Settings], seed: int) -> None:
    await walked(make_settings, seed)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("seed", range(100, 130))
async def test_many_random_sequences_agree_with_a_model(make_settings: Callable[..., Settings], seed: int) -> None:
    await walked(make_settings, seed)
