"""Keeps services (servers and programs) running until a signal arrives, and then stops them in reverse order.

Each service is started, watched and restarted independently. A start consists of steps that do not block, and the
supervisor alternates between the steps of all services. A service waits only for the services that it needs.
"""

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Self

from runner.errors import RunnerError
from runner.service import Service
from runner.waiting import POLL_SECONDS as STEP_SECONDS
from runner.waiting import Steps

POLL_SECONDS = 0.1
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
# A service that has run this long is healthy again: its next death is a first one.
HEALTHY_SECONDS = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class _Watched:
    service: Service
    needs: Sequence[Service]
    started_at: float
    deaths: int = 0
    retry_at: float | None = None
    start: Steps[None] | None = None
    """The remaining steps of the current start."""
    is_held: bool = False
    """Whether the service is stopped on purpose, and not restarted."""

    def pause(self) -> float:
        """Returns the number of seconds to wait before the next start. It doubles with each death, up to a limit. After
        the service has run for a minute, it begins anew.
        """
        return min(FIRST_PAUSE_SECONDS * 2.0 ** (self.deaths - 1), LONGEST_PAUSE_SECONDS)


class Supervisor:
    """Keeps services running inside a `with` block. There, SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt.

    At the end of the block, stops all services in reverse order. A second signal while they stop ends this process and,
    through runner/launch.py, all its children. Use it in the main thread. `say` receives a line for every death and
    restart.
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
        """Starts a service, and returns when it is ready. From then on, keeps it running. A service that died is
        restarted only while all services in `needs` run.

        Keeps the services that were started before running meanwhile. Raises RunnerError if the start fails.
        """
        watched = _Watched(service, needs, time.monotonic())
        with closing(service.starting()) as steps:
            for _ in steps:
                self._tend_all()
                time.sleep(STEP_SECONDS)
        self._watched.append(watched)

    def hold(self, service: Service) -> None:
        """Stops a service, and does not restart it until `release`. Services that need it go on."""
        watched = self._of(service)
        watched.is_held = True
        if watched.start:
            watched.start.close()
        watched.start = watched.retry_at = None
        service.stop()
        self._say(f"{service.name} is stopped on purpose.")

    def release(self, service: Service) -> None:
        """Starts a service that `hold` has stopped: the next steps of `watch` do it. Does nothing if it is not held."""
        watched = self._of(service)
        if watched.is_held:
            watched.is_held, watched.deaths = False, 0
            watched.retry_at = watched.started_at = time.monotonic()

    def is_held(self, service: Service) -> bool:
        """Returns whether `hold` has stopped a service."""
        return self._of(service).is_held

    def _of(self, service: Service) -> _Watched:
        return next(watched for watched in self._watched if watched.service is service)

    def watch(self, look: Callable[[], None] = lambda: None) -> None:
        """Restarts services that die, after a pause that doubles with each death. Never returns: a signal raises
        KeyboardInterrupt. Calls `look` ten times a second.
        """
        while True:
            self._tend_all()
            look()
            time.sleep(POLL_SECONDS)

    def _tend_all(self) -> None:
        for watched in self._watched:
            self._tend(watched)

    def _tend(self, watched: _Watched) -> None:
        if watched.start:
            self._continue(watched, watched.start)
        elif watched.is_held or watched.service.running:
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
