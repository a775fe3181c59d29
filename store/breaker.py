"""Whether a store can be asked: nobody waits for one of which somebody has just learned that it does not answer.

sure ── somebody gets no answer ──▶ in doubt ── the probe is answered ──▶ sure
                                       └── it is not ──▶ down ── a later probe is answered ──▶ sure

In doubt, whoever comes waits for the one probe that is under way. While a store is down everybody is refused at once,
those too who wait for an answer, and one probe after the other is sent, with growing pauses of random length: a store
that comes back meets one question from each process. A slow statement does not make it go down: the probe is answered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import structlog

from domain.errors import Unavailable
from observability import metrics
from store.backoff import pause, rest

log = structlog.get_logger(__name__)

T = TypeVar("T")

_DOUBTFUL = 0.5
"""Seconds without an answer that call for a probe."""
_PATIENCE = 0.5
"""Seconds that a probe has for connecting and its answer."""
_LONGEST = 1.0
"""Seconds between probes, at most."""


class Breaker:
    """One per store, or server of a cluster, and process. `probe` asks something easy over a connection of its own;
    `down` is what to raise. Whoever is `tell` is told of each change, else the metric is.
    """

    def __init__(
        self,
        store: str,
        probe: Callable[[], Awaitable[object]],
        down: type[Unavailable],
        tell: Callable[[bool], object] | None = None,
    ) -> None:
        self._tell = tell or metrics.STORE_UP.labels(store).set
        self._log = log.bind(store=store)
        self._probe = probe
        self._down = down
        self._verdict: asyncio.Future[bool] | None = None
        """What the first probe said, or will say; none while it is sure."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tell(True)

    @property
    def is_sure(self) -> bool:
        """Whether the last question to the store was answered, as far as is known."""
        return self._verdict is None

    @property
    def is_down(self) -> bool:
        """Whether everybody is refused."""
        return self._verdict is not None and self._verdict.done() and not self._verdict.result()

    async def check(self) -> None:
        """Waits for a probe at most. Raises what it is to raise while the store is down."""
        if self._verdict and not await asyncio.shield(self._verdict):
            raise self._down

    def doubt(self) -> "asyncio.Future[bool]":
        """Somebody got no answer, or lost their connection. Returns whether the store is there, once that is known."""
        if self._verdict is None:
            self._verdict = asyncio.get_running_loop().create_future()
            self._begin(self._find_out(self._verdict))
        return self._verdict

    async def answer(self, question: Coroutine[Any, Any, T]) -> T:
        """What is answered. Raises what it is to raise if the store turns out to be down meanwhile."""
        asked = self._begin(question)
        try:
            await asyncio.wait({asked}, timeout=_DOUBTFUL)
            if not asked.done():
                verdict = self.doubt()
                either: list[asyncio.Future[Any]] = [asked, verdict]
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if not asked.done() and not verdict.result():
                    raise self._down
            return await asked
        finally:
            asked.cancel()  # what it still has to clean up keeps nobody

    async def close(self) -> None:
        """Sends no more probes, and refuses everybody."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._verdict = self._verdict or asyncio.get_running_loop().create_future()
        if not self._verdict.done():
            self._verdict.set_result(False)

    def _begin(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda task: task.cancelled() or task.exception())  # whoever asked may have gone
        return task

    async def _find_out(self, verdict: "asyncio.Future[bool]") -> None:
        failures = 0
        while not await self._is_answered():
            failures += 1
            if not verdict.done():
                verdict.set_result(False)
                self._tell(False)
                self._log.warning("a store is down")
            await rest(pause(failures, _LONGEST))
        self._verdict = None
        if verdict.done():
            self._tell(True)
            self._log.warning("a store is back")
        else:
            verdict.set_result(True)

    async def _is_answered(self) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._probe()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is no answer
            self._log.info("a store does not answer", error=repr(error))
            return False
        return True
