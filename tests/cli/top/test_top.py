"""`plaudit top`, as operators run it: over real processes, in scripts and in a terminal."""

import asyncio
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import httpx
import pytest
from typer.testing import Result

from observability import metrics
from runner.ports import free_port
from tests.support.deployment import ROOT, Deployment, deployed
from tests.support.follows import follow, unfollow
from tests.support.stores import PARTITIONS, standalone
from tests.support.subscriptions import ApiAtAddress
from tests.support.system import LENIENT

pytestmark = [standalone, pytest.mark.timeout(240)]

PATIENCE_S = 60
_STYLE = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")


@pytest.fixture
def served() -> Iterator[str]:
    """The URL of the metrics of this process."""
    port = free_port()
    with metrics.served("127.0.0.1", port):
        yield f"http://127.0.0.1:{port}/metrics"


def test_a_script_gets_one_interval_and_a_missing_process_is_an_error(
    plaudit: Callable[..., Result], served: str
) -> None:
    absent = f"http://127.0.0.1:{free_port()}/metrics"

    one = plaudit("top", "--once", "--interval", "0.5", "--url", served)
    two = plaudit("top", "--json", "--interval", "0.5", "--url", served, "--url", absent)

    assert (one.exit_code, two.exit_code) == (0, 1)
    assert "1 of 1 processes" in one.stdout
    assert f"Journals  0 of {PARTITIONS} owned" in one.stdout
    assert one.stderr == two.stderr == ""
    found = json.loads(two.stdout)
    assert [(process["url"], process["up"]) for process in found["processes"]] == [(absent, False), (served, True)]
    assert [(store["name"].split()[0], store["up"]) for store in found["stores"]] == [
        ("Postgres", True),
        ("Redis", True),
    ]
    assert found["writes"] == "journal"


@pytest.mark.parametrize(
    "url", ["nonsense", "ftp://host/metrics", "http://[/metrics", "http://host:x/metrics", "http://"]
)
def test_an_invalid_url_is_refused(plaudit: Callable[..., Result], url: str) -> None:
    result = plaudit("top", "--once", "--url", url)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{url} is not the URL of metrics, such as http://10.0.0.5:9101/metrics.\n"


def test_without_a_system_or_a_terminal_the_command_says_what_to_do(
    plaudit: Callable[..., Result], served: str, tmp_path: Path
) -> None:
    piped = plaudit("top", "--url", served)
    nothing = plaudit("top", "--once", "--data-dir", tmp_path)

    assert (piped.exit_code, nothing.exit_code) == (1, 1)
    assert "Use --once or --json" in piped.stderr
    assert f"No system runs in {tmp_path}" in nothing.stderr


@contextmanager
def terminal(deployment: Deployment, *urls: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Runs `plaudit top` in a terminal of 80 columns and 24 lines. Yields the process and the terminal."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}} | {
        "TERM": "xterm",
        "DATABASE_URL": deployment.settings.database_url,
        "REDIS_URL": deployment.settings.redis_url,
        "PLAUDIT_ENV": "development",
        "PLAUDIT_JWT_SECRET": "s" * 32,
        "PLAUDIT_PARTITIONS": str(PARTITIONS),
    }
    given = [word for url in urls for word in ("--url", url)]
    # A test run in the background ignores SIGINT, and so would its children.
    argv = [
        "env",
        "--default-signal=INT",
        "setsid",
        "--ctty",
        sys.executable,
        "-m",
        "plaudit",
        "top",
        "--interval",
        "0.5",
        *given,
    ]
    process = subprocess.Popen(argv, cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def frame_with(terminal: int, *wanted: str) -> list[str]:
    """Reads a terminal until it shows these patterns together. Returns the lines that it shows then."""
    read, ends, lines = b"", time.monotonic() + PATIENCE_S, list[str]()
    while not all(re.search(one, "\n".join(lines)) for one in wanted):
        assert select.select([terminal], [], [], max(0, ends - time.monotonic()))[0], lines
        read += os.read(terminal, 65536)
        *_, complete, _ = (b"", *read.split(b"\x1b[H"))  # each frame begins at the top left corner
        lines = _STYLE.sub(b"", complete).decode().splitlines()
    return lines


def read_until(terminal: int, wanted: bytes) -> None:
    """Reads a terminal until it has shown these bytes."""
    read, ends = b"", time.monotonic() + PATIENCE_S
    while wanted not in read:
        assert select.select([terminal], [], [], max(0, ends - time.monotonic()))[0], read
        read += os.read(terminal, 65536)


@asynccontextmanager
async def following(deployment: Deployment) -> AsyncIterator[None]:
    """Lets alice follow and unfollow bob all the time."""
    async with httpx.AsyncClient(base_url=deployment.url, timeout=30, trust_env=False) as http:
        api = ApiAtAddress(http, deployment.settings)
        bob = await api.person("bob").id()

        async def repeat() -> None:
            while True:
                await follow(api.person("alice"), bob)
                await unfollow(api.person("alice"), bob)
                await asyncio.sleep(0.2)  # more changes would be refused

        task = asyncio.create_task(repeat())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def test_a_terminal_shows_a_running_system_and_a_process_that_died(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    port = free_port()
    with deployed(tmp_path, database_url, redis_url, partitions=PARTITIONS, moderation=LENIENT) as deployment:
        deployment.start_api()
        worker = deployment.start_worker(metrics_port=port)
        await deployment.ready()
        await deployment.workers_started(worker)
        urls = f"{deployment.url}/metrics", f"http://127.0.0.1:{port}/metrics"
        with terminal(deployment, *urls) as (process, screen):
            async with following(deployment):
                lines = await asyncio.to_thread(
                    frame_with,
                    screen,
                    "2 of 2 processes  writes through Redis",
                    r"Requests  [\d.,]*[1-9]",
                    r"Stored .* follow [\d.]+",
                    rf"{PARTITIONS} of {PARTITIONS} owned by 1 worker",
                    "Redis 127.0.0.1:.* [1-9]",
                    rf"127.0.0.1:{port} worker",
                )
            assert len(lines) == 24
            assert max(map(len, lines)) == 80

            worker.stop()
            lines = await asyncio.to_thread(frame_with, screen, rf"127.0.0.1:{port} down", "no owner")
            assert "1 of 2 processes" in lines[0]

            os.write(screen, b"q")
            await asyncio.to_thread(read_until, screen, b"\x1b[?1049l")  # the screen as it was before
            assert await asyncio.to_thread(process.wait, 20) == 0


@pytest.mark.parametrize("how", ["Ctrl-C", "SIGTERM", "resized"])
async def test_the_view_ends_with_the_screen_as_it_was_before(
    tmp_path: Path, database_url: str, redis_url: str, served: str, how: str
) -> None:
    with (
        deployed(tmp_path, database_url, redis_url, partitions=PARTITIONS) as deployment,
        terminal(deployment, served) as (process, screen),
    ):
        await asyncio.to_thread(frame_with, screen, "1 of 1 processes")
        if how == "resized":
            ioctl(screen, TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
            lines = await asyncio.to_thread(frame_with, screen, r"(?m)^.{100,}q quits$")
            assert len(lines) == 40
        if how == "SIGTERM":
            process.send_signal(signal.SIGTERM)
        else:
            os.write(screen, b"\x03")
        await asyncio.to_thread(read_until, screen, b"\x1b[?1049l")
        assert await asyncio.to_thread(process.wait, 20) == 0
