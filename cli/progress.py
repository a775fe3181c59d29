"""The progress of long commands, on standard error: a bar on a terminal, lines elsewhere."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

T = TypeVar("T")


def progress() -> Progress:
    """Returns a bar for tasks that have steps. It disappears at the end. What is printed meanwhile appears above it."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    return Progress(*columns, transient=True, console=console, redirect_stdout=sys.stdout.isatty())


def counted(items: Sequence[T], what: str) -> Iterator[T]:
    """Yields the items, and shows how many are done."""
    with progress() as bar:
        yield from bar.track(items, description=what)


@contextmanager
def steps(what: str) -> Iterator[Callable[[Sequence[str]], None]]:
    """Yields a function that shows which steps are left. The first of them is running."""
    with progress() as bar:
        task = bar.add_task(what, total=None)

        def show(left: Sequence[str]) -> None:
            total = bar.tasks[0].total or len(left)
            running = f"{what} {left[0]}" if left else what
            bar.update(task, description=running, total=total, completed=total - len(left))
            if left and not bar.console.is_terminal:
                bar.console.print(f"{running}, {len(left)} left", highlight=False)

        yield show
