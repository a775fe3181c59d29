"""A circuit breaker: requests do not wait for a store that is known to be down.

    up ── a request gets no answer ──▶ suspected ── the probe is answered ──▶ up
                                           └── it is not ──▶ down ── a later probe is answered ──▶ up

While the store is suspected, new requests wait for the one probe that is running. While the store is down, all requests
are refused at once, including those that already wait for an answer. One probe is sent after another, with growing
pauses of random length, so each process sends a store that comes back only one probe at a time. A slow statement alone
does not make the store count as down, because the probe is still answered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from domain.errors import Unavailable
from observability import metrics
from observability.logs import Log
from store.backoff import pause, rest

T = TypeVar("T")

_SUSPECT_AFTER = 0.5
"""Seconds after which a request without an answer causes a probe."""
_PATIENCE = 0.5
"""Seconds in which a probe must connect and be answered."""
_LONGEST = 1.0
"""The longest pause between two probes, in seconds."""


class Breaker:
    """The circuit breaker of one process for one store, or for one server of a cluster.

    `store` is the name of the store in logs and metrics. `probe` sends a simple request over a connection of its own.
    `down` is the class of the error that refused requests raise. `tell` is called with True at first and when the
    store comes up, and with False when the store goes down. Without `tell`, the breaker sets the metric
    `plaudit_store_up`.
    """

    def __init__(
        self,
        store: str,
        probe: Callable[[], Awaitable[object]],
        down: type[Unavailable],
        tell: Callable[[bool], object] | None = None,
    ) -> None:
        self._tell = tell or metrics.STORE_UP.labels(store).set
        self._log = Log(__name__, store=store)
        self._probe = probe
        self._down = down
        self._verdict: asyncio.Future[bool] | None = None
        """A future of whether the first probe was answered; None while the store is up."""
        self.is_up = True
        """Whether the store is up. False while it is suspected or down."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tell(True)

    @property
    def is_down(self) -> bool:
        """Whether the store is known to be down, so that all requests are refused."""
        return self._verdict is not None and self._verdict.done() and not self._verdict.result()

    async def check(self) -> None:
        """Waits while the store is suspected, until the probe is answered or fails. Raises the error `down` if the
        store is down.
        """
        if self._verdict and not await asyncio.shield(self._verdict):
            raise self._down

    def suspect(self) -> "asyncio.Future[bool]":
        """Starts to probe the store, unless probes are running already. Call it when a request got no answer or a
        connection broke. Returns a future with True if the first probe is answered, else False.
        """
        if self._verdict is None:
            self._verdict, self.is_up = asyncio.get_running_loop().create_future(), False
            self._begin(self._find_out(self._verdict))
        return self._verdict

    async def call(self, request: Coroutine[Any, Any, T]) -> T:
        """Runs a request and returns its result. Raises the error of the request, or `down` if the store goes down
        before the request is answered. Suspects the store if there is no answer within half a second. Await `check`
        first: this method starts the request even while the store is down.
        """
        answer = self._begin(request)
        try:
            await asyncio.wait({answer}, timeout=_SUSPECT_AFTER)
            if not answer.done():
                verdict = self.suspect()
                either: list[asyncio.Future[Any]] = [answer, verdict]
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if not answer.done() and not verdict.result():
                    raise self._down
            return await answer
        finally:
            answer.cancel()  # the cleanup must not delay the caller

    async def close(self) -> None:
        """Cancels the probes and the running requests. From now on, `check` raises `down`."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._verdict, self.is_up = self._verdict or asyncio.get_running_loop().create_future(), False
        if not self._verdict.done():
            self._verdict.set_result(False)

    def _begin(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # retrieves the exception, because the caller may no longer wait
        task.add_done_callback(lambda task: task.cancelled() or task.exception())
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
        self._verdict, self.is_up = None, True
        if verdict.done():
            self._tell(True)
            self._log.warning("a store is back")
        else:
            verdict.set_result(True)

    async def _is_answered(self) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._probe()
        except Exception as error:  # noqa: BLE001 - any error means that there is no answer
            self._log.info("a store does not answer", error=repr(error))
            return False
        return True
