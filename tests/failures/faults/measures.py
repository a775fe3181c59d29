"""Measures how a fault affects clients and Postgres."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean
from typing import NamedTuple, TypeVar

import asyncpg
import httpx

from tests.failures.faults.history import Fate, History
from tests.failures.faults.scene import Scene

K = TypeVar("K")
PROMPT = 1.0
"""The maximum duration of a prompt answer, in seconds."""
_ACTIVE = """
    SELECT count(*) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND state = 'active' AND application_name LIKE 'plaudit-%'
"""
_STATEMENTS = re.compile(r"^plaudit_sql_queries_total (\S+)", re.MULTILINE)


class Seen(NamedTuple):
    """The results of one round."""

    acknowledged: int
    prompt: float
    """The share of writes begun during the fault that were acknowledged within a second."""
    prompt_reads: float
    """The share of reads begun during the fault that were answered within a second."""
    silence: float
    """The longest time without an acknowledgement since the fault began, in seconds."""
    recovery: float
    """Seconds from the end of the fault to the answer of the last write that took longer than a second."""
    sessions: int
    """The highest number of active statements in Postgres."""
    peak: float
    """The highest number of statements per second, relative to the normal number."""


@dataclass
class Measures:
    """Measurements of one round. Times are in seconds since the Unix epoch."""

    scene: Scene
    history: History
    started: float = field(default_factory=time.time)
    began: float = 0.0
    ended: float = 0.0
    sessions: list[int] = field(default_factory=list)
    rates: list[tuple[float, str, float]] = field(default_factory=list)
    """Time, process, and statements per second."""

    def seen(self) -> Seen:
        """Computes the results after the round."""
        writes = [op for op in self.history.ops if self.began <= op.began_at < self.ended]
        done = [op for op in self.history.ops if op.fate is Fate.ACKNOWLEDGED]
        moments = [self.began, *sorted(op.acknowledged_at for op in done if op.acknowledged_at > self.began)]
        slow = [op.acknowledged_at for op in done if op.acknowledged_at > max(self.ended, op.began_at + PROMPT)]
        reads = [read for read in self.history.reads if self.began <= read[0] < self.ended]
        return Seen(
            len(done),
            _share(op.fate is Fate.ACKNOWLEDGED and op.acknowledged_at - op.began_at <= PROMPT for op in writes),
            _share(ok and ended - began <= PROMPT for began, ended, ok in reads),
            max((after - before for before, after in pairwise(moments)), default=0.0),
            max(slow, default=self.ended) - self.ended,
            max(self.sessions, default=0),
            self._peak(),
        )

    def _peak(self) -> float:
        normal = sum(_means((url, rate) for at, url, rate in self.rates if at < self.began).values())
        later = _means(((int(at), url), rate) for at, url, rate in self.rates if at >= self.began)
        seconds: dict[int, float] = defaultdict(float)
        for (second, _), rate in later.items():
            seconds[second] += rate
        return max(seconds.values(), default=0.0) / normal if normal else 0.0

    async def watch_sessions(self) -> None:
        """Counts active statements in Postgres repeatedly while Postgres answers."""
        while True:
            with suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection = await asyncpg.connect(self.scene.postgres.url, timeout=1, command_timeout=1)
                try:
                    while True:
                        self.sessions.append(await connection.fetchval(_ACTIVE))
                        await asyncio.sleep(0.05)
                finally:
                    connection.terminate()
            await asyncio.sleep(0.1)

    async def watch_statements(self, url: str) -> None:
        """Reads the number of SQL statements of one process repeatedly."""
        last: tuple[float, float] | None = None
        async with httpx.AsyncClient(timeout=1, trust_env=False) as http:
            while True:
                await asyncio.sleep(0.5)
                try:
                    found = _STATEMENTS.search((await http.get(f"{url}/metrics")).text)
                except httpx.TransportError:
                    continue
                now, count = time.time(), float(found[1]) if found else 0.0
                if last and count >= last[1]:
                    self.rates.append((now, url, (count - last[1]) / (now - last[0])))
                last = now, count


def _means(rates: Iterable[tuple[K, float]]) -> dict[K, float]:
    of: dict[K, list[float]] = defaultdict(list)
    for key, rate in rates:
        of[key].append(rate)
    return {key: mean(some) for key, some in of.items()}


def _share(which: Iterable[bool]) -> float:
    found = list(which)
    return mean(found) if found else 0.0


@asynccontextmanager
async def measured(scene: Scene, history: History) -> AsyncIterator[Measures]:
    """Measures while the block runs."""
    measures = Measures(scene, history)
    urls = [*scene.deployment.urls, *(f"http://127.0.0.1:{port}" for port in scene.worker_ports)]
    watching = [measures.watch_sessions(), *map(measures.watch_statements, urls)]
    tasks = [asyncio.create_task(one) for one in watching]
    try:
        yield measures
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
