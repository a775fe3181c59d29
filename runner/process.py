"""Starts and stops child processes. They are started through runner/launch.py, so that they end when this
process ends.
"""

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
    """A command line (`argv`), and how to run it. Output is appended to `log`. `env`, if given, replaces the
    environment.

    `stop_signal` asks the process to end, which takes at most `stop_seconds`. The kernel sends `death_signal` when the
    parent dies. If this process runs as root and the directory `unprivileged` is given, the command runs as the owner
    of this directory.
    """

    argv: tuple[str, ...]
    log: Path
    env: Mapping[str, str] | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10
    death_signal: signal.Signals = signal.SIGKILL
    unprivileged: Path | None = None

    def launcher(self) -> list[str]:
        """Returns the command line that starts this command through runner/launch.py."""
        launcher = (sys.executable, "-I", "-S", LAUNCHER, str(os.getpid()), str(int(self.death_signal)))
        return [*launcher, str(self.unprivileged or ""), *self.argv]


class Process:
    """A process that runs a `Command`, as a child of this process. On Linux it also ends when the thread that started
    it ends.
    """

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
                # Ctrl-C in the terminal reaches only this process, which then stops its children in order.
                start_new_session=True,
            )

    @classmethod
    def starting(cls, command: Command, ready: Callable[["Process"], bool], seconds: float) -> Steps[Self]:
        """Starts a process in steps that do not block (runner/waiting.py), and returns it when `ready` returns True.

        Raises StartError if the process exits, or if it is not ready after `seconds` and was stopped.
        """
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
        """Returns the process id. It is valid until the process has ended."""
        return self._popen.pid

    @property
    def running(self) -> bool:
        """Returns whether the process has not ended."""
        return self._popen.poll() is None

    @property
    def end_reason(self) -> str:
        """Returns a phrase for messages that says how the process ended, such as `ended with exit code 1`."""
        code = self._popen.poll()
        if code is None:
            return "is running"
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"

    def output(self, most: int = TAIL_BYTES) -> str:
        """Returns the end of what this process wrote to its log, at most `most` bytes."""
        with self.command.log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(self._log_start, end - most))
            return log.read().decode(errors="replace")

    def wait(self, seconds: float) -> int:
        """Waits for the end of the process. Returns the exit code, which is negative if a signal ended the process. If
        the process has not ended after `seconds`, kills it and raises subprocess.TimeoutExpired.
        """
        try:
            return self._popen.wait(seconds)
        except BaseException:
            self.kill()
            raise

    def stop(self, seconds: float | None = None) -> None:
        """Sends the stop signal, and blocks until the process has ended. Kills the process if it has not ended after
        `seconds`, by default those of the command.
        """
        finished(self.stopping(seconds))

    def stopping(self, seconds: float | None = None) -> Steps[None]:
        """Sends the stop signal and waits, in steps that do not block (runner/waiting.py), until the process has ended.
        Kills the process if it has not ended after `seconds`, by default those of the command. Does nothing if the
        process has ended already.
        """
        if self.running:
            self._popen.send_signal(self.command.stop_signal)
            if not (
                yield from until(lambda: not self.running, self.command.stop_seconds if seconds is None else seconds)
            ):
                self.kill()

    def kill(self) -> None:
        """Kills the process with SIGKILL, and waits up to 10 seconds until its children have ended too."""
        children = children_of(self.pid)
        self._popen.kill()
        self._popen.wait()
        wait_until(lambda: not any(map(alive, children)), 10)


def _private(path: str, flags: int) -> int:
    """Opens a log, and lets only this user read it, because it may contain private texts. Returns the
    file descriptor.
    """
    descriptor = os.open(path, flags, mode=0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def run(command: Command, seconds: float) -> None:
    """Runs a command to its end. Raises StartError with the command's output if the exit code is not 0. If the command
    has not ended after `seconds`, kills it and raises subprocess.TimeoutExpired.
    """
    finish(Process(command), seconds)


def finish(process: Process, seconds: float) -> None:
    """Waits for the end of a process. Raises StartError with the process's output if the exit code is not 0. If the
    process has not ended after `seconds`, kills it and raises subprocess.TimeoutExpired.
    """
    if process.wait(seconds) != 0:
        name = " ".join(process.command.argv[:2])
        raise StartError(f"{name} {process.end_reason}", process.output(), process.command.log)


def children_of(pid: int) -> list[int]:
    """Returns the process ids of the direct children of a process; none if the process has ended."""
    try:
        return [child.pid for child in psutil.Process(pid).children()]
    except psutil.Error:
        return []


def alive(pid: int) -> bool:
    """Returns whether a process runs. A zombie, which its parent has not collected yet, does not run."""
    try:
        return bool(psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD))
    except psutil.Error:
        return False
