"""Random sequences of appeals, decisions, edits, deletions and suspensions, by an author and two moderators, agree with
a model. Two workers store the changes, and may crash.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from settings import Settings
from tests.support import comments, posts, reports
from tests.support.appeals import appeal, decide
from tests.support.crashing_workers import CrashingWorkers
from tests.support.random_walk import seeds
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.suspensions import reinstate, suspend
from tests.support.system import LENIENT, LIMITLESS, System, running

STEPS = ("appeal",) * 4 + ("decide",) * 4 + ("cross", "cross", "edit", "edit", "delete", "suspend")
STATUSES = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}
OUTCOMES = "SELECT count(*) FROM moderation_log WHERE action IN (10, 11)"
NOTIFIED = "SELECT count(*) FROM notifications WHERE kind = 6"
STATEMENTS = """
    SELECT count(*) FILTER (WHERE restriction = 2 AND ended_ms IS NULL),
           count(*) FILTER (WHERE appeal_status IN (1, 2)),
           count(*) FILTER (WHERE restriction = 4 AND ended_ms IS NULL)
    FROM statements
"""
"""Counts the statements about rejections in force, those whose appeals were decided, and suspensions in force."""
OPEN = "SELECT count(*) FROM appeals WHERE status = 0 AND entity_id = :id"


@dataclass
class Target:
    """The expected state of a post or comment."""

    status: str = "APPROVED"
    rejected_by: str | None = None
    """The moderator who rejected the content last."""
    is_appealed: bool = False
    """Whether the author has appealed against the rejection of this content."""
    is_open: bool = False
    """Whether an appeal waits for a moderator."""
    barred: str | None = None
    """The moderator who may not decide the open appeal."""


class Walk:
    """A random walk over one system."""

    def __init__(self, system: System, seed: int) -> None:
        self._system = system
        self._random = random.Random(seed)
        self._workers = CrashingWorkers(system, self._random)
        self._alice = system.person("alice")
        self._moderators = {name: system.person(name, "moderate") for name in ("mia", "noa")}
        self._targets: dict[str, Target] = {}
        self._outcomes = 0
        """The number of appeals that were granted or denied."""
        self._rejections = 0
        """The number of times that something approved or waiting was rejected."""
        self._suspensions = 0
        """The number of times that alice was suspended."""
        self._suspended = False

    async def run(self, steps: int) -> None:
        written = await posts.published(self._alice, "one", "two", "three")
        (video,) = await self._system.videos("v1")
        written.append(await comments.added(self._alice, video, "four"))
        self._targets = {target: Target() for target in written}
        await self._store()
        for step in range(steps):
            target, kind = self._random.choice(written), self._random.choice(STEPS)
            if self._targets[target].status != "DELETED":
                await getattr(self, f"_{kind}")(target, self._targets[target], step)
                await self._store()
        assert await drift(self._system) == {}
        await self._system.empty_redis()
        await self._check()

    async def _appeal(self, id_: str, target: Target, _: int) -> None:
        errors = (await appeal(self._alice, id_))["userErrors"]
        if target.status != "REJECTED":
            assert errors == [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
        elif target.is_appealed:
            assert errors == [{"code": "ALREADY_APPEALED", "field": ["targetId"]}]
        else:
            assert errors == []
            target.is_appealed = target.is_open = True
            target.barred = target.rejected_by

    async def _decide(self, id_: str, target: Target, _: int) -> None:
        name, decision = self._random.choice(list(self._moderators)), self._random.choice(list(STATUSES))
        errors = await decide(self._moderators[name], id_, decision)
        if target.is_open and name == target.barred:
            assert errors == [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
            return
        assert errors == []
        self._outcomes += target.is_open
        target.is_open = False
        self._set_status(target, name, decision)

    async def _cross(self, id_: str, target: Target, _: int) -> None:
        """Appeals, and decides before workers have stored the appeal. The two are stored in any order."""
        if target.status != "REJECTED" or target.is_appealed:
            return
        name, decision = self._random.choice(list(self._moderators)), self._random.choice(list(STATUSES))
        assert (await appeal(self._alice, id_))["userErrors"] == []
        assert await decide(self._moderators[name], id_, decision) == []
        await self._workers.store()
        target.is_appealed = True
        before, outcomes = self._outcomes, (await self._system.rows(OUTCOMES))[0][0]
        target.is_open = await self._system.rows(OPEN, id=int(re.split("[:.]", id_)[-1])) == [(1,)]
        if decision == "APPROVE":
            assert not target.is_open
            assert outcomes - before in (0, 1)  # an appeal that is stored after the approval has no outcome
            target.is_appealed = outcomes > before
        elif name == target.rejected_by:
            assert (target.is_open, outcomes - before) == (True, 0)
        else:
            assert outcomes - before == int(not target.is_open)
        self._outcomes = outcomes
        self._set_status(target, name, decision)
        target.barred = name

    def _set_status(self, target: Target, name: str, decision: str) -> None:
        self._rejections += decision == "REJECT" and target.status != "REJECTED"
        target.status = STATUSES[decision]
        if decision == "REJECT":
            target.rejected_by = name

    async def _edit(self, id_: str, target: Target, number: int) -> None:
        if id_.startswith("Post") and not self._suspended:
            assert (await posts.edit(self._alice, id_, text=f"harmless {number}"))["userErrors"] == []
            target.status, target.is_open, target.is_appealed = "APPROVED", False, False

    async def _delete(self, id_: str, target: Target, _: int) -> None:
        if self._random.random() < 0.2 and not self._suspended:
            remove = posts.delete if id_.startswith("Post") else comments.delete
            assert (await remove(self._alice, id_))["userErrors"] == []
            target.status, target.is_open = "DELETED", False

    async def _suspend(self, _: str, __: Target, ___: int) -> None:
        mia, user = self._moderators["mia"], await self._alice.id()
        payload = await (reinstate(mia, user) if self._suspended else suspend(mia, user, "READ_ONLY"))
        assert payload["userErrors"] == []
        self._suspended = not self._suspended
        self._suspensions += self._suspended

    async def _store(self) -> None:
        await self._workers.store()
        await self._check()

    async def _check(self) -> None:
        for name, moderator in self._moderators.items():
            shown = {edge["node"]["id"] for edge in await reports.queue(moderator, source="APPEALS")}
            assert shown == {id_ for id_, one in self._targets.items() if one.is_open and one.barred != name}
        assert await self._system.rows(OUTCOMES) == [(self._outcomes,)]
        assert await self._system.rows(NOTIFIED) == [(self._outcomes + self._rejections + self._suspensions,)]
        rejected = sum(one.status == "REJECTED" for one in self._targets.values())
        assert await self._system.rows(STATEMENTS) == [(rejected, self._outcomes, int(self._suspended))]
        assert await drift(self._system, "cases") == {}


@standalone
@seeds
async def test_random_sequences_agree_with_a_model(make_settings: Callable[..., Settings], seed: int) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        await Walk(system, seed).run(50)
