"""Runs `plaudit top`: reads the metrics again and again, and shows them until the user quits."""

import asyncio
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.live import Live

from cli.top.samples import Change, sample
from cli.top.screen import screen

_FIRST_S = 0.5
"""Seconds until the first figures."""


def once(urls: Sequence[str], interval: float) -> bool:
    """Prints the figures of one interval. Returns whether all processes answered."""
    before = asyncio.run(sample(urls))
    time.sleep(interval)
    change = Change(before, asyncio.run(sample(urls)))
    Console().print(screen(change, height=80))
    return None not in change.after.processes.values()


def watch(urls: Sequence[str], interval: float) -> None:
    """Shows the figures on the whole terminal, until the user presses q or Ctrl-C."""
    console = Console()
    live = Live(console=console, screen=True, auto_refresh=False)
    with suppress(KeyboardInterrupt), _unbuffered_keys(), live:
        last, wait = asyncio.run(sample(urls)), min(interval, _FIRST_S)
        while not _quits_within(wait):
            now = asyncio.run(sample(urls))
            live.update(screen(Change(last, now), console.height), refresh=True)
            last, wait = now, interval


@contextmanager
def _unbuffered_keys() -> Iterator[None]:
    """Makes the terminal send each key at once, and not show it."""
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _quits_within(seconds: float) -> bool:
    """Waits for some seconds. Returns True at once if the user presses q."""
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if select.select([sys.stdin], [], [], left)[0] and sys.stdin.read(1) in ("q", "Q", ""):
            return True
    return False
