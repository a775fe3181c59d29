"""`plaudit top`: what happened between two samples of metrics, and the screen."""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from termios import TIOCSWINSZ

import pytest
from typer.testing import Result

from cli.top.samples import Change, Sample, parse
from observability import metrics
from runner.ports import free_port
from tests.support.deployment import ROOT
from tests.support.stores import standalone

EARLIER = """
plaudit_requests_total{operation="query",outcome="ok"} 10
plaudit_requests_total{operation="mutation",outcome="ok"} 5
plaudit_request_seconds_bucket{le="0.1"} 0
plaudit_request_seconds_bucket{le="1.0"} 0
plaudit_request_seconds_bucket{le="+Inf"} 0
"""
LATER = """
plaudit_requests_total{operation="query",outcome="ok"} 30
plaudit_requests_total{operation="mutation",outcome="ok"} 3
plaudit_request_seconds_bucket{le="0.1"} 6
plaudit_request_seconds_bucket{le="1.0"} 9
plaudit_request_seconds_bucket{le="+Inf"} 10
plaudit_store_up{store="redis"} 1
"""


def change(before: str | None, after: str | None, seconds: float = 2) -> Change:
    samples = [
        Sample(at, {"a": parse(text) if text else None, "b": parse('plaudit_store_up{store="redis"} 0')})
        for at, text in ((100, before), (100 + seconds, after))
    ]
    return Change(*samples)


@pytest.fixture
def served() -> Iterator[str]:
    """The URL of the metrics of this process."""
    port = free_port()
    with metrics.served("127.0.0.1", port):
        yield f"http://127.0.0.1:{port}/metrics"


def test_a_counter_that_began_again_counts_from_zero() -> None:
    assert change(EARLIER, LATER).rates("plaudit_requests_total", "operation") == {"query": 10.0, "mutation": 1.5}


def test_a_process_that_did_not_answer_before_has_no_rates() -> None:
    assert change(None, LATER).rate("plaudit_requests_total") == 0
    assert change(EARLIER, None).rate("plaudit_requests_total") == 0


def test_quantiles_are_bounds_of_buckets() -> None:
    now = change(EARLIER, LATER)
    found = [now.quantile("plaudit_request_seconds", share) for share in (0.5, 0.9, 0.95)]
    assert found == [0.1, 1.0, float("inf")]
    assert change(LATER, LATER).quantile("plaudit_request_seconds", 0.5) is None


def test_processes_that_disagree_are_decided_by_the_caller() -> None:
    now = change(EARLIER, LATER)
    assert now.gauges("plaudit_store_up", "store") == {"redis": 1.0}
    assert now.gauges("plaudit_store_up", "store", min) == {"redis": 0.0}


@standalone
def test_one_interval_is_printed_and_a_missing_process_is_an_error(
    plaudit: Callable[..., Result], served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics.HOT_KEY_READS, "read", lambda: {"counts:1:7": 420.0})
    metrics.JOURNAL_LAG.labels("61").set(7.5)
    metrics.JOURNAL_LENGTH.labels("61").set(1234)
    absent = f"http://127.0.0.1:{free_port()}/metrics"

    one = plaudit("top", "--once", "--interval", "0.5", "--url", served)
    two = plaudit("top", "--once", "--interval", "0.5", "--url", served, "--url", absent)

    assert (one.exit_code, two.exit_code) == (0, 1)
    assert re.search(r"61: 1,234 entries +7\.5 s", one.output)
    assert re.search(r"counts:1:7 +420", one.output)
    assert "1 of 1 processes" in one.output
    assert "1 of 2 processes" in two.output
    assert f"{absent.split('/')[2]} does not answer" in two.output


@standalone
def test_without_a_system_or_a_terminal_the_command_says_what_to_do(
    plaudit: Callable[..., Result], served: str, tmp_path: object
) -> None:
    nothing = plaudit("top", "--once", "--data-dir", str(tmp_path))
    piped = plaudit("top", "--url", served)
    assert (nothing.exit_code, piped.exit_code) == (1, 1)
    assert "Name the metrics of your processes with --url" in nothing.output
    assert "Use --once" in piped.output


@contextmanager
def terminal(*words: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Runs `plaudit top` in a terminal of 80 columns and 24 lines. Yields the process and the terminal."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    argv = ["setsid", "--ctty", sys.executable, "-m", "plaudit", "top", *words]
    process = subprocess.Popen(argv, cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def shown(screen: int, wanted: bytes) -> bytes:
    """Reads a terminal until it has shown a text."""
    read, ends = b"", time.monotonic() + 30
    while wanted not in read:
        assert select.select([screen], [], [], max(0, ends - time.monotonic()))[0], read
        read += os.read(screen, 65536)
    return read


@pytest.mark.parametrize("key", [b"q", b"\x03"], ids=["q", "Ctrl-C"])
def test_a_terminal_shows_the_figures_until_the_user_quits(served: str, key: bytes) -> None:
    with terminal("--interval", "0.5", "--url", served) as (process, screen):
        frame = shown(screen, b"hot keys")
        assert b"writes: " in frame
        lines = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", frame).decode().splitlines()
        assert max(map(len, lines)) <= 80
        os.write(screen, key)
        shown(screen, b"\x1b[?1049l")  # the screen as it was before
        assert process.wait(20) == 0
