"""One child process: started through runner/launch.py, so that it never outlives its parent, and surely ended."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

import psutil

from runner import launch
from runner.errors import StartError
from runner.waiting import Steps, finished, until, wait_until

LAUNCHER = launch.__file__
TAIL_BYTES = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run. Output is appended to `log`; `env` replaces the environment when given.

    `stop_signal` asks it to end; `death_signal` is what the kernel sends when its parent dies. With `unprivileged`, if
    we are root, it runs as somebody else who owns that directory.
    """

    argv: tuple[str, ...]
    log: Path
    env: Mapping[str, str] | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGKILL
    unprivileged: Path | None = None

    def launcher(self) -> list[str]:
        """The arguments that make runner/launch.py become this command."""
        launcher = (sys.executable, "-I", "-S", LAUNCHER, str(os.getpid()), str(int(self.death_signal)))
        return [*launcher, str(self.unprivileged or ""), *self.argv]


class Process:
    """A child started from a `Command`. On Linux it also ends with the thread that started it."""

    def __init__(self, command: Command, stdin: IO[bytes] | None = None) -> None:
        self.command = command
        with open(command.log, "ab", opener=_private) as log:
            self._log_start = log.tell()
            self._popen = subprocess.Popen(
                command.launcher(),
                stdin=stdin or subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=command.env,
                # Ctrl-C in the terminal is for us; we end our children in order.
                start_new_session=True,
            )

    @classmethod
    def start(cls, command: Command, ready: Callable[["Process"], bool], seconds: float) -> Self:
        """Wait for `starting`."""
        return finished(cls.starting(command, ready, seconds))

    @classmethod
    def starting(cls, command: Command, ready: Callable[["Process"], bool], seconds: float) -> Steps[Self]:
        """Start and return the process once `ready`; end it and raise StartError if it exits or takes longer."""
        process, deadline = cls(command), time.monotonic() + seconds
        try:
            while process.running and time.monotonic() < deadline:
                if ready(process):
                    return process
                yield
        except BaseException:
            process.stop()
            raise
        reason = f"was not ready after {seconds:.0f} s" if process.running else process.end_reason
        yield from process.stopping()
        raise StartError(f"{Path(command.argv[0]).name} {reason}", process.output(), command.log)

    @property
    def pid(self) -> int:
        """The process id; valid until the process has ended."""
        return self._popen.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._popen.poll() is None

    @property
    def end_reason(self) -> str:
        """In words, how it ended."""
        code = self._popen.poll()
        if code is None:
            return "is running"
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"

    def output(self) -> str:
        """The end of what it has written to its log since it started."""
        with self.command.log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(self._log_start, end - TAIL_BYTES))
            return log.read().decode(errors="replace")

    def wait(self, seconds: float) -> int:
        """The exit code, negative for a signal. A process that takes longer than `seconds` is killed."""
        try:
            return self._popen.wait(seconds)
        except BaseException:
            self.kill()
            raise

    def stop(self, seconds: float = 10) -> None:
        """Wait for `stopping`."""
        finished(self.stopping(seconds))

    def stopping(self, seconds: float = 10) -> Steps[None]:
        """Ask it to end, and after `seconds` make it. Ended is ended: calling again does nothing."""
        if self.running:
            self._popen.send_signal(self.command.stop_signal)
            if not (yield from until(lambda: not self.running, seconds)):
                self.kill()

    def kill(self) -> None:
        """End it at once with SIGKILL, as a crash would, and wait until its own children are gone too."""
        children = children_of(self.pid)
        self._popen.kill()
        self._popen.wait()
        wait_until(lambda: not any(map(alive, children)), 10)


def _private(path: str, flags: int) -> int:
    """Opens a log for this user alone, also one that was made by an earlier version: it may hold what people write."""
    descriptor = os.open(path, flags, mode=0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def run(command: Command, seconds: float, stdin: IO[bytes] | None = None) -> None:
    """Run to the end; raise StartError with its output if that is not a success."""
    finish(Process(command, stdin), seconds)


def finish(process: Process, seconds: float) -> None:
    """Wait for the end; raise StartError with its output if that is not a success."""
    if process.wait(seconds) != 0:
        name = " ".join(process.command.argv[:2])
        raise StartError(f"{name} {process.end_reason}", process.output(), process.command.log)


def children_of(pid: int) -> list[int]:
    """Returns the direct children of a process; none if it has ended."""
    try:
        return [child.pid for child in psutil.Process(pid).children()]
    except psutil.Error:
        return []


def alive(pid: int) -> bool:
    """Whether a process exists and has not ended; one whose parent has not yet taken notice of its end has."""
    try:
        return bool(psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD))
    except psutil.Error:
        return False
