"""Keep a set of services running until a signal says stop; then stop them in reverse order.

Each service is started, watched and restarted independently of the others: a start is taken in steps, and between two
steps all others have theirs. Only what a service needs is waited for: it is started again when that runs.
"""

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from runner.errors import RunnerError
from runner.waiting import POLL_SECONDS as STEP_SECONDS
from runner.waiting import Steps

POLL_SECONDS = 0.1
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
# A service that has run this long is healthy again: its next death is a first one.
HEALTHY_SECONDS = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Service(Protocol):
    """What can be kept running: `starting` ends when it is ready, `stop` returns when it has ended."""

    @property
    def name(self) -> str:
        """For messages."""

    @property
    def log(self) -> Path:
        """Where it tells what ailed it."""

    @property
    def running(self) -> bool:
        """Whether it lives and has been ready."""

    def starting(self) -> Steps[None]:
        """Start it again if it has ended, in steps that do not block; raise RunnerError if that fails."""

    def stop(self) -> None:
        """End it if it lives."""


@dataclass(slots=True)
class _Watched:
    service: Service
    needs: Sequence[Service]
    started_at: float
    deaths: int = 0
    retry_at: float | None = None
    start: Steps[None] | None = None
    """The start under way."""

    def pause(self) -> float:
        """Seconds until the next attempt: twice as long after every death."""
        return min(FIRST_PAUSE_SECONDS * 2.0 ** (self.deaths - 1), LONGEST_PAUSE_SECONDS)


class Supervisor:
    """Inside this context SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt; leaving it stops everything started here.

    A second signal while stopping ends this process at once, and with it (see runner/launch.py) all its children.
    Use it in the main thread. `say` gets one line for every death and every restart.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._watched: list[_Watched] = []

    def __enter__(self) -> Self:
        self._previous = [(number, signal.signal(number, signal.default_int_handler)) for number in STOP_SIGNALS]
        return self

    def __exit__(self, *_: object) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        for watched in reversed(self._watched):
            if watched.start:
                watched.start.close()
            watched.service.stop()
        for number, handler in self._previous:
            signal.signal(number, handler)

    def start(self, service: Service, needs: Sequence[Service] = ()) -> None:
        """Start a service and keep it from now on, with all that was started before; raise RunnerError if it does not
        become ready. It is restarted only while everything it `needs` runs.
        """
        watched = _Watched(service, needs, time.monotonic())
        with closing(service.starting()) as steps:
            for _ in steps:
                self._tend_all()
                time.sleep(STEP_SECONDS)
        self._watched.append(watched)

    def watch(self) -> None:
        """Restart what dies, each death with a longer pause, until KeyboardInterrupt."""
        while True:
            self._tend_all()
            time.sleep(POLL_SECONDS)

    def _tend_all(self) -> None:
        for watched in self._watched:
            self._tend(watched)

    def _tend(self, watched: _Watched) -> None:
        if watched.start:
            self._continue(watched, watched.start)
        elif watched.service.running:
            return
        elif watched.retry_at is None:
            self._note_death(watched, "died")
        elif time.monotonic() >= watched.retry_at and all(need.running for need in watched.needs):
            watched.started_at = time.monotonic()
            watched.start = watched.service.starting()

    def _note_death(self, watched: _Watched, how: str) -> None:
        now = time.monotonic()
        watched.deaths = 1 if now - watched.started_at > HEALTHY_SECONDS else watched.deaths + 1
        watched.retry_at = now + watched.pause()
        name, log = watched.service.name, watched.service.log
        self._say(f"{name} {how}; starting it again in {watched.pause():.1f} s. Its log: {log}")

    def _continue(self, watched: _Watched, start: Steps[None]) -> None:
        try:
            next(start)
        except StopIteration:
            watched.start = watched.retry_at = None
            self._say(f"{watched.service.name} is running again.")
        except RunnerError:
            watched.start = None
            self._note_death(watched, "did not start")
