"""The progress of long commands, on standard error: a bar on a terminal, a line every few seconds elsewhere."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

Show = Callable[[float, float | None, str], None]
"""A function that shows the progress: what is done, of how much, and what is being done now. The total is None if it is
unknown, and 1 if what is done is a share.
"""
T = TypeVar("T")
_LINE_EVERY_S = 5.0


@contextmanager
def progress(unit: str = "", *, hidden: bool = False) -> Iterator[Show]:
    """Yields a function that shows the progress of the block, in steps such as `migrations`. A bar disappears at the
    end; what the block prints meanwhile appears above it. Without a terminal, prints a line every 5 seconds if there is
    progress, so that a short block prints nothing. If `hidden`, shows nothing.
    """
    console = Console(stderr=True)
    if hidden:
        yield lambda _done, _total, _what: None
        return
    with _bar(console, unit) if console.is_terminal else _lines(unit) as show:
        yield show


def counted(items: Sequence[T], unit: str) -> Iterator[T]:
    """Yields the items, and shows how many are done."""
    with progress(unit) as show:
        for done, item in enumerate(items):
            show(done, len(items), "")
            yield item


@contextmanager
def _bar(console: Console, unit: str) -> Iterator[Show]:
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, transient=True, console=console, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=None)

        def show(done: float, total: float | None, what: str) -> None:
            bar.update(task, completed=done, total=total, description=_text(done, total, unit, what))

        yield show


@contextmanager
def _lines(unit: str) -> Iterator[Show]:
    latest, ended = [""], threading.Event()

    def show(done: float, total: float | None, what: str) -> None:
        latest[0] = _text(done, total, unit, what)

    def print_lines() -> None:
        printed = ""
        while not ended.wait(_LINE_EVERY_S):
            if (line := latest[0]) != printed:
                print(line, file=sys.stderr, flush=True)
                printed = line

    printer = threading.Thread(target=print_lines, daemon=True)
    printer.start()
    try:
        yield show
    finally:
        ended.set()
        printer.join()


def _text(done: float, total: float | None, unit: str, what: str) -> str:
    if total is None:
        amount = f"{done:,.0f}"
    else:
        amount = f"{done:.0%}" if total == 1 and not unit else f"{done:,.0f} of {total:,.0f}"
    return ": ".join(part for part in (f"{amount} {unit}".strip(), what) if part)
