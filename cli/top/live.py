"""Runs `plaudit top`: reads the processes and stores again and again, and shows the figures until the user quits."""

import asyncio
import json
import os
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.live import Live

from cli.console import output
from cli.top.compute import figures
from cli.top.figures import Figures, to_json
from cli.top.samples import Change, sampling
from cli.top.screen import screen
from settings import Settings

_WIDTH = 200
"""The width of the screen without a terminal."""
_FIRST_S = 0.5
"""Seconds until the first figures."""


def once(urls: Sequence[str], settings: Settings | None, interval: float, *, as_json: bool) -> bool:
    """Prints the figures of one interval. Returns whether all processes and stores answered."""
    found = asyncio.run(_measure(urls, settings, interval))
    if as_json:
        print(json.dumps(to_json(found), indent=2, ensure_ascii=False))
    else:
        output(_WIDTH).print(screen(found))
    return all(one.up for one in found.processes) and all(one.up for one in found.stores)


async def _measure(urls: Sequence[str], settings: Settings | None, interval: float) -> Figures:
    async with sampling(urls, settings) as sample:
        before = await sample()
        await asyncio.sleep(interval)
        return figures(Change(before, await sample()))


def watch(urls: Sequence[str], settings: Settings | None, interval: float) -> None:
    """Shows the figures on the whole terminal, until the user presses q or Ctrl-C or the process gets SIGTERM."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError), _unbuffered_keys():
        asyncio.run(_watch(urls, settings, interval))


async def _watch(urls: Sequence[str], settings: Settings | None, interval: float) -> None:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    loop.add_reader(sys.stdin, _take_keys, task)
    console, latest = Console(), list[Figures]()
    async with sampling(urls, settings) as sample:
        with Live(console=console, screen=True, auto_refresh=False) as live:

            def show() -> None:
                for found in latest:
                    live.update(screen(found, console.height), refresh=True)

            loop.add_signal_handler(signal.SIGWINCH, show)
            last, wait = await sample(), min(interval, _FIRST_S)
            while True:
                await asyncio.sleep(wait)
                now = await sample()
                latest[:] = [figures(Change(last, now))]
                show()
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


def _take_keys(task: "asyncio.Task[None]") -> None:
    """Reads the pressed keys. Cancels the task if one is q, or if the terminal is closed."""
    keys = os.read(sys.stdin.fileno(), 100)
    if not keys or b"q" in keys.lower():
        task.cancel()
