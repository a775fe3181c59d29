import os
import signal
import threading
from pathlib import Path

import pytest

from runner import supervisor as supervision
from runner.errors import RunnerError
from runner.process import Command
from runner.program import Program
from runner.supervisor import Supervisor
from runner.waiting import wait_until


class Scripted:
    """A service that does as the test says and writes down what is done to it."""

    log = Path("scripted.log")

    def __init__(self, name: str, story: list[str], *, starts: bool = True) -> None:
        self.name = name
        self.running = False
        self._story = story
        self._starts = starts

    def start(self) -> None:
        self._story.append(f"start {self.name}")
        if not self._starts:
            raise RunnerError("no")
        self.running = True

    def stop(self) -> None:
        self._story.append(f"stop {self.name}")
        self.running = False


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_child_that_dies_is_restarted_until_a_signal_says_stop(tmp_path: Path) -> None:
    said: list[str] = []
    births = tmp_path / "births"
    child = Program(
        "child", Command(argv=("/bin/sh", "-c", f"echo $$ >> {births}; exec sleep 60"), log=tmp_path / "log")
    )

    def born() -> list[int]:
        return [int(pid) for pid in births.read_text().split()] if births.exists() else []

    def murder() -> None:
        wait_until(lambda: len(born()) == 1, 5)
        os.kill(born()[0], signal.SIGKILL)
        wait_until(lambda: len(born()) == 2, 5)
        interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(said.append) as supervisor:
        supervisor.start(child)
        threading.Thread(target=murder).start()
        supervisor.watch()

    assert len(born()) == 2
    assert said[0].startswith("child died; starting it again in 0.5 s")
    assert not child.running


def test_services_stop_in_reverse_order() -> None:
    story: list[str] = []

    with Supervisor(story.append) as supervisor:
        for name in ("store", "api"):
            supervisor.start(Scripted(name, story))

    assert story == ["start store", "start api", "stop api", "stop store"]


def test_a_service_that_does_not_start_is_not_kept_and_the_others_are_stopped() -> None:
    story: list[str] = []

    with pytest.raises(RunnerError), Supervisor(story.append) as supervisor:
        supervisor.start(Scripted("store", story))
        supervisor.start(Scripted("api", story, starts=False))

    assert story == ["start store", "start api", "stop store"]


def test_every_death_makes_the_pause_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(supervision, "POLL_SECONDS", 0.001)
    said: list[str] = []
    service = Scripted("api", [])

    def tell(line: str) -> None:
        said.append(line)
        if len(said) == 5:
            interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(tell) as supervisor:
        supervisor.start(service)
        service.running, service._starts = False, False
        supervisor.watch()

    assert [line.split(" in ")[1].split(". ")[0] for line in said] == ["0.0 s", "0.0 s", "0.0 s", "0.1 s", "0.2 s"]


def test_signals_mean_what_they_meant_before_once_everything_is_stopped() -> None:
    before = signal.getsignal(signal.SIGTERM)

    with Supervisor(print):
        assert signal.getsignal(signal.SIGTERM) is not before

    assert signal.getsignal(signal.SIGTERM) is before
