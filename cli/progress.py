"""Shows the progress of long commands on standard error: as a bar on a terminal, otherwise as a line
every few seconds.
"""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

T = TypeVar("T")
_LINE_EVERY_S = 5.0


class Show(Protocol):
    """A function that shows the progress: that `done` of `total` are finished, and `what` runs now. Pass None for
    `total` if it is unknown, and 1 if `done` is a share from 0 to 1.
    """

    def __call__(self, done: float, total: float | None, what: str = "", /) -> None: ...


@contextmanager
def progress(unit: str = "", *, hidden: bool = False, line_every: float | None = None) -> Iterator[Show]:
    """Yields a function with which the block shows its progress. `unit` names what is counted, such as `migrations`; it
    is empty if the block shows a share.

    On a terminal, shows a bar, which disappears at the end; what the block prints meanwhile appears above it. Without a
    terminal, prints a line every `line_every` seconds (None: 5) if there is progress, so that a short block prints
    nothing. If `hidden` is true, shows nothing.
    """
    if hidden:
        yield lambda *_: None
        return
    console = Console(stderr=True)
    with _bar(console, unit) if console.is_terminal else _lines(unit, line_every or _LINE_EVERY_S) as show:
        yield show


def counted(items: Sequence[T], unit: str) -> Iterator[T]:
    """Yields the items, and shows how many of them are done. `unit` names the items."""
    with progress(unit) as show:
        for done, item in enumerate(items):
            show(done, len(items))
            yield item


@contextmanager
def _bar(console: Console, unit: str) -> Iterator[Show]:
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, transient=True, console=console, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=None)

        def show(done: float, total: float | None, what: str = "") -> None:
            bar.update(task, completed=done, total=total, description=_text(done, total, unit, what))

        yield show


@contextmanager
def _lines(unit: str, every: float) -> Iterator[Show]:
    latest, ended = "", threading.Event()

    def show(done: float, total: float | None, what: str = "") -> None:
        nonlocal latest
        latest = _text(done, total, unit, what)

    def print_lines() -> None:
        printed = ""
        while not ended.wait(every):
            if (line := latest) != printed:
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
