import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from runner.errors import RunnerError
from runner.process import alive
from runner.programs import Programs
from runner.running import Running
from runner.supervisor import Supervisor
from runner.waiting import wait_until
from tests.support.developing import PLAUDIT, READY_SECONDS, developing, found, without_stores


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Returns a folder that other users can enter, unlike pytest's own folders."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def stores(running: Running) -> list[str]:
    return [running.environment["DATABASE_URL"], running.environment["REDIS_URL"]]


def password(url: str) -> str:
    found = urlsplit(url).password
    assert found
    return found


def read_by_others(folder: Path) -> set[str]:
    """Returns the files that a user without rights can read. Needs permission to change the user."""
    if os.geteuid() != 0:
        return set()
    command = ["/usr/bin/find", str(folder), "-type", "f", "-readable", "-printf", "%f\\n"]
    found = subprocess.run(
        command, user=54321, group=54321, extra_groups=[], capture_output=True, text=True, check=False
    )
    return set(found.stdout.split())


def plaudit(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PLAUDIT, *words], capture_output=True, text=True, check=False, env=without_stores())


@pytest.mark.timeout(180)
def test_a_complete_system_starts_is_found_by_tools_and_stops_on_ctrl_c(open_folder: Path) -> None:
    data_dir = open_folder / "data"

    with developing(data_dir) as dev:
        # The system is up and prints its addresses.
        running = found(data_dir)
        assert running.pid == dev.pid
        assert answers(f"{running.url}/readyz")
        assert (data_dir / "plaudit.json").stat().st_mode & 0o777 == 0o600
        assert (data_dir / "jwt-secret").stat().st_mode & 0o777 == 0o600

        log = (open_folder / "dev.log").read_text()
        for store in ("DATABASE_URL", "REDIS_URL"):
            assert f"127.0.0.1:{urlsplit(running.environment[store]).port}" in log
        assert "postgres/postgres.log" in log
        assert "valkey/valkey.log" in log

        # Tools find the system by its directory, and print only a token.
        token = plaudit("token", "--user", "zoe", "--data-dir", str(data_dir)).stdout
        assert token.count(".") == 2
        assert len(token.split()) == 1

        # The database's own client finds it too.
        assert plaudit("psql", "--data-dir", str(data_dir), "-Atc", "SELECT handle FROM users").stdout == "zoe\n"

        # Other users of this machine cannot read the data or the passwords.
        assert read_by_others(data_dir) <= {".gitignore", "lock"}
        secrets = [running.environment["PLAUDIT_JWT_SECRET"], *map(password, stores(running))]
        assert len(secrets) == 3
        for process in psutil.Process(dev.pid).children(recursive=True):
            assert not any(secret in word for secret in secrets for word in process.cmdline())

        # A second start reports the running system.
        second = plaudit("dev", "--data-dir", str(data_dir))
        assert second.returncode == 1
        assert str(dev.pid) in second.stderr
        assert running.url in second.stderr

        # Ctrl-C stops all processes.
        family = psutil.Process(dev.pid).children(recursive=True)
        assert len(family) > 4
        dev.send_signal(signal.SIGINT)
        assert dev.wait(60) == 0
        assert not any(alive(child.pid) for child in family)
        assert not (data_dir / "plaudit.json").exists()


@pytest.mark.prove
def test_a_system_recovers_from_crashes_of_its_parts_and_of_the_supervisor(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"

    with developing(data_dir) as dev:
        url = found(data_dir).url
        for part in ("postgres", "valkey-server", "api"):
            children = psutil.Process(dev.pid).children()
            victim = next(child for child in children if part in {child.name(), child.cmdline()[-1]})
            victim.kill()
            victim.wait(10)
            assert wait_until(lambda: answers(f"{url}/readyz"), READY_SECONDS), part

        family = psutil.Process(dev.pid).children(recursive=True)
        dev.kill()
        assert wait_until(lambda: not any(alive(child.pid) for child in family), 15)

    with developing(data_dir):
        assert answers(f"{found(data_dir).url}/readyz")


PARTS = ("api", "postgres", "worker", "valkey-server")


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_a_system_recovers_from_two_crashes_in_any_order(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"

    with developing(data_dir) as dev:
        url = found(data_dir).url
        for first, second in permutations(PARTS, 2):
            killed(dev, first)
            time.sleep(0.8)  # by then the first part is being restarted
            killed(dev, second)
            assert wait_until(lambda: all(alive_part(dev, part) for part in PARTS), READY_SECONDS), (first, second)
            assert wait_until(lambda: answers(f"{url}/readyz"), READY_SECONDS), (first, second)
            assert wait_until(lambda: all_restarted(tmp_path / "dev.log"), READY_SECONDS), (first, second)
            assert "did not start" not in (tmp_path / "dev.log").read_text(), (first, second)


def all_restarted(log: Path) -> bool:
    """Returns whether the supervisor has logged that all dead parts run again. Clients may notice that earlier."""
    text = log.read_text()
    return text.count(" is running again.") == text.count(" died;")


def alive_part(dev: subprocess.Popen[bytes], part: str) -> psutil.Process | None:
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(dev.pid).children():
            if part in {child.name(), *child.cmdline()[-1:]}:
                return child
    return None


def killed(dev: subprocess.Popen[bytes], part: str) -> None:
    """Kills a part as soon as it runs, because it may still be restarting."""
    assert wait_until(lambda: alive_part(dev, part) is not None, READY_SECONDS), part
    victim = alive_part(dev, part)
    assert victim
    victim.kill()
    victim.wait(10)


def answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False


def test_a_port_in_use_is_refused_with_advice(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        with pytest.raises(RunnerError, match=f"Port {port} is taken"):
            Programs(Supervisor(print), tmp_path, {}).start_api(port)
        with pytest.raises(RunnerError, match=f"Port {port} is taken"):
            Programs(Supervisor(print), tmp_path, {"PLAUDIT_METRICS_PORT": str(port)}).start_worker()


def test_tools_report_that_no_system_runs(tmp_path: Path) -> None:
    result = plaudit("token", "--user", "zoe", "--data-dir", str(tmp_path))

    assert result.returncode == 1
    assert not result.stdout
    assert "No system runs in" in result.stderr


def test_a_folder_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    result = plaudit("dev", "--data-dir", str(tmp_path / "file" / "data"))

    assert result.returncode == 1
    assert "Not a directory" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_command_without_a_system_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    monkeypatch.chdir(tmp_path)  # where no system runs on .data

    result = plaudit("token", "--user", "zoe")

    assert result.returncode == 1
    assert "Start one with `plaudit dev`" in result.stderr
    assert len(result.stderr.splitlines()) == 1
