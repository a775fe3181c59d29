import os
import signal
import threading
from pathlib import Path

import pytest

from runner import program
from runner import supervisor as supervision
from runner.errors import RunnerError
from runner.process import Command, alive
from runner.program import Program
from runner.service import Service
from runner.supervisor import Supervisor
from runner.waiting import Steps, wait_until


class Scripted(Service):
    """A service that behaves as the test sets, and records its starts and stops."""

    log = Path("scripted.log")
    running = False

    def __init__(self, name: str, story: list[str], *, starts: bool = True) -> None:
        self.name = name
        self._story = story
        self._starts = starts

    def starting(self) -> Steps[None]:
        self._story.append(f"start {self.name}")
        if not self._starts:
            raise RunnerError("no")
        self.running = True
        yield

    def stop(self) -> None:
        self._story.append(f"stop {self.name}")
        self.running = False


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_dead_child_is_restarted_until_a_signal_arrives(tmp_path: Path) -> None:
    said: list[str] = []
    births = tmp_path / "births"
    child = Program(
        "child", Command(argv=("/bin/sh", "-c", f"echo $$ >> {births}; exec sleep 60"), log=tmp_path / "log")
    )

    def pids() -> list[int]:
        return [int(pid) for pid in births.read_text().split()] if births.exists() else []

    def kill() -> None:
        wait_until(lambda: len(pids()) == 1, 5)
        os.kill(pids()[0], signal.SIGKILL)
        wait_until(lambda: len(pids()) == 2, 5)
        interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(said.append) as supervisor:
        supervisor.start(child)
        threading.Thread(target=kill).start()
        supervisor.watch()

    assert len(pids()) == 2
    assert said[0].startswith("child died; starting it again in 0.5 s")
    assert not child.running


def test_a_service_that_dies_while_another_starts_is_restarted_at_once(tmp_path: Path) -> None:
    said: list[str] = []
    store = Program("store", Command(argv=("/bin/sleep", "60"), log=tmp_path / "store.log"))
    api = Program("api", Command(argv=("/bin/sleep", "60"), log=tmp_path / "api.log"), lambda: bool(answering))
    answering = ["at first"]

    def kill() -> None:
        answering.clear()  # the next process is not ready before the test lets it
        assert api._process
        assert store._process
        os.kill(api._process.pid, signal.SIGKILL)
        assert wait_until(lambda: supervisor._watched[1].start is not None, 20)
        os.kill(store._process.pid, signal.SIGKILL)
        assert wait_until(lambda: "store is running again." in said, 20)
        answering.append("again")
        assert wait_until(lambda: "api is running again." in said, 20)

    def kill_and_interrupt() -> None:
        try:
            kill()
        finally:
            interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(said.append) as supervisor:
        supervisor.start(store)
        supervisor.start(api, needs=[store])
        threading.Thread(target=kill_and_interrupt).start()
        supervisor.watch()

    assert [line.split(";")[0] for line in said] == [
        "api died",
        "store died",
        "store is running again.",
        "api is running again.",
    ]


def test_a_service_that_dies_during_the_first_start_of_another_is_restarted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "READY_SECONDS", 10)
    said: list[str] = []
    store = Program("store", Command(argv=("/bin/sleep", "60"), log=tmp_path / "store.log"))
    api = Program(
        "api",
        Command(argv=("/bin/sleep", "60"), log=tmp_path / "api.log"),
        lambda: "store is running again." in said,  # otherwise the start fails after READY_SECONDS
    )

    with Supervisor(said.append) as supervisor:
        supervisor.start(store)
        assert store._process
        os.kill(store._process.pid, signal.SIGKILL)
        supervisor.start(api, needs=[store])

        assert store.running
        assert api.running


def test_a_service_is_restarted_after_the_services_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(supervision, "POLL_SECONDS", 0.001)
    story: list[str] = []
    store, api = Scripted("store", story), Scripted("api", story)

    def record(line: str) -> None:
        story.append(line.split(";", maxsplit=1)[0])
        if line == "api is running again.":
            interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(record) as supervisor:
        supervisor.start(store)
        supervisor.start(api, needs=[store])
        story.clear()
        api.running = store.running = False
        supervisor.watch()

    assert story.index("store is running again.") < story.index("start api")


def test_an_interrupted_start_leaves_no_process_running(tmp_path: Path) -> None:
    births = tmp_path / "births"
    child = Program(
        "child",
        Command(argv=("/bin/sh", "-c", f"echo $$ >> {births}; exec sleep 60"), log=tmp_path / "log"),
        lambda: False,
    )

    def wait_and_interrupt() -> None:
        wait_until(lambda: births.exists() and bool(births.read_text()), 20)
        interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(print) as supervisor:
        threading.Thread(target=wait_and_interrupt).start()
        supervisor.start(child)

    assert not alive(int(births.read_text()))


def test_services_stop_in_reverse_order() -> None:
    story: list[str] = []

    with Supervisor(story.append) as supervisor:
        for name in ("store", "api"):
            supervisor.start(Scripted(name, story))

    assert story == ["start store", "start api", "stop api", "stop store"]


def test_a_service_that_does_not_start_is_dropped_and_the_others_are_stopped() -> None:
    story: list[str] = []

    with pytest.raises(RunnerError), Supervisor(story.append) as supervisor:
        supervisor.start(Scripted("store", story))
        supervisor.start(Scripted("api", story, starts=False))

    assert story == ["start store", "start api", "stop store"]


def test_every_crash_makes_the_pause_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(supervision, "POLL_SECONDS", 0.001)
    said: list[str] = []
    service = Scripted("api", [])

    def record(line: str) -> None:
        said.append(line)
        if len(said) == 5:
            interrupt()

    with pytest.raises(KeyboardInterrupt), Supervisor(record) as supervisor:
        supervisor.start(service)
        service.running, service._starts = False, False
        supervisor.watch()

    assert [line.split(" in ")[1].split(". ")[0] for line in said] == ["0.0 s", "0.0 s", "0.0 s", "0.1 s", "0.2 s"]


def test_the_old_signal_handlers_are_back_after_the_stop() -> None:
    before = signal.getsignal(signal.SIGTERM)

    with Supervisor(print):
        assert signal.getsignal(signal.SIGTERM) is not before

    assert signal.getsignal(signal.SIGTERM) is before
