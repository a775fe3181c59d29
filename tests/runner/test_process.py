import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from runner.errors import StartError
from runner.process import Command, Process, alive, run
from runner.waiting import finished, wait_until

KEEPER = """
import sys, time
from pathlib import Path
from tests.support.valkey_cluster import ValkeyCluster
from runner.postgres import Postgres
from runner.process import Command, Process
from runner.valkey import Valkey
home = Path(sys.argv[1])
Postgres(home / "postgres", durable=False).start()
Valkey(home / "valkey").start()
Process(Command(argv=("/bin/sh", "-c", "trap '' TERM INT; while :; do sleep 0.2; done"), log=home / "stubborn.log"))
print("up", flush=True)
time.sleep(600)
"""


def shell(tmp_path: Path, script: str) -> Command:
    return Command(argv=("/bin/sh", "-c", script), log=tmp_path / "log")


def test_children_of_a_process_killed_with_sigkill_end(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KEEPER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout
        assert keeper.stdout.readline() == "up\n"
        family = [child.pid for child in psutil.Process(keeper.pid).children(recursive=True)]
        assert len(family) > 5

        keeper.kill()

        assert wait_until(lambda: not any(map(alive, family)), 10), [pid for pid in family if alive(pid)]


def test_a_child_whose_parent_is_already_dead_does_not_start(tmp_path: Path) -> None:
    witness = tmp_path / "began"
    orphan = shell(tmp_path, f"touch {witness}").launcher()
    orphan[orphan.index(str(os.getpid()))] = "1"

    assert subprocess.run(orphan, check=False).returncode == 1
    assert not witness.exists()


def test_a_child_that_ends_before_it_is_ready_is_reported_with_its_own_output_only(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("an older story\n")

    with pytest.raises(StartError, match="sh ended with exit code 3") as caught:
        finished(Process.starting(shell(tmp_path, "echo no luck; exit 3"), lambda _: False, 5))

    assert caught.value.output == "no luck\n"
    assert not caught.value.port_taken


def test_a_child_that_never_becomes_ready_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="not ready after"):
        finished(Process.starting(shell(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 60"), lambda _: False, 0.3))

    assert not alive(int((tmp_path / "pid").read_text()))


def test_a_child_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    script = "trap '' TERM; echo deaf; while :; do sleep 0.1; done"
    child = finished(Process.starting(shell(tmp_path, script), lambda process: "deaf" in process.output(), 30))

    began = time.monotonic()
    child.stop(0.2)

    assert not child.running
    assert child.end_reason == "was ended by SIGKILL"
    assert time.monotonic() - began < 30


def test_a_failing_command_is_reported_with_its_output(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="exit code 1") as caught:
        run(shell(tmp_path, "echo the reason >&2; false"), 5)

    assert "the reason" in str(caught.value)


def test_a_command_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run(shell(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 60"), 0.3)

    assert not alive(int((tmp_path / "pid").read_text()))
