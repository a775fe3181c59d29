"""Random sequences of reports, decisions, edits and deletions, by several users and two moderators, agree with a model.
Two workers store the changes, and may crash.
"""

import asyncio
import random
from collections.abc import Callable

from settings import Settings
from tests.support import comments, posts, reports
from tests.support.boundaries import block
from tests.support.crashing_workers import CrashingWorkers
from tests.support.posts import published
from tests.support.random_walk import seeds
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS, System, running

REPORTERS = ("bob", "carol", "dave", "erin")
STEPS = ("report",) * 6 + ("resolve", "resolve", "cross", "cross", "moderate", "edit", "delete")
COUNT = "SELECT count(*) FROM notifications WHERE kind = 9"


class Model:
    """The expected content of the moderation queue."""

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
        self._workers = CrashingWorkers(system, self._random)
        self._kinds: dict[str, str] = {}
        """The kind of the changes to each target since the last time that workers stored everything."""

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
        if kind != "report" and (status == "DELETED" or (status is None and kind not in ("resolve", "cross"))):
            return
        if kind == "edit" and not target.startswith("Post"):
            return
        if self._kinds.get(target, kind) != kind or kind in ("moderate", "cross"):
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
            assert payload == {"target": None, "userErrors": []}

    async def _resolve(self, target: str, status: str | None, _: int) -> None:
        await self._decide(target, status)
        self._model.close(target)
        await self._store()

    async def _decide(self, target: str, status: str | None) -> None:
        resolution = self._random.choice(("DISMISS", "ACCEPT", "REMOVE") if status else ("DISMISS", "ACCEPT"))
        payload = await reports.resolve(self._random.choice(self._moderators), target, resolution)
        assert payload["userErrors"] == []
        if resolution == "REMOVE":
            self._model.statuses[target] = "REJECTED"

    async def _cross(self, target: str, status: str | None, _: int) -> None:
        """Sends a report and a decision, in any order, before workers store either of them. A report after the
        decision stays open. A report before the decision stays open if it is stored after the decision.
        """
        idle = sorted(set(REPORTERS) - self._model.open[target])
        if status not in (None, "APPROVED") or not idle:
            return
        reporter, late = self._random.choice(idle), self._random.random() < 0.5
        if late:
            await self._decide(target, status)
            await asyncio.sleep(0.002)  # a later millisecond, so that the report has the later version
        await reports.reported(self._system.person(reporter), target)
        if not late:
            await asyncio.sleep(0.002)
            await self._decide(target, status)
        self._model.close(target)
        await self._workers.store()
        if await self._is_open(reporter, target):
            self._model.open[target].add(reporter)
        else:
            assert not late
            self._model.outcomes += 1
        await self._store()

    async def _is_open(self, reporter: str, target: str) -> bool:
        """Returns whether the last report of a target by a user is open, as Postgres has it."""
        (edge,) = [one for one in await reports.queue(self._moderators[0]) if one["node"]["id"] == target] or [None]
        newest = edge["case"]["newestReports"] if edge else []
        return any(report["reporter"]["handle"] == reporter for report in newest)

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
        await self._workers.store()
        self._kinds.clear()
        await self._check()

    async def _check(self) -> None:
        for moderator in self._moderators:
            assert await reports.queued(moderator) == self._model.queue()
        assert await self._system.rows(COUNT) == [(self._model.outcomes,)]
        assert await drift(self._system, "cases") == {}


@standalone
@seeds
async def test_random_sequences_agree_with_a_model(make_settings: Callable[..., Settings], seed: int) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        await Walk(system, seed).run(60)
