"""Shows the current step and a progress bar while `plaudit dev` starts. Shows nothing if there is no terminal."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

_SHARE = re.compile(rb"^(\d+)%: (.+)\n", re.MULTILINE)
_POLL_S = 0.1


class Startup:
    """The display of a start. Get one from `starting`."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=None)
        self._step = ""

    def step(self, what: str) -> None:
        """Shows that the step `what` begins, with a bar that does not say how long it takes."""
        self._step = what
        self._bar.update(self._task, description=what, total=None)

    @contextmanager
    def following(self, log: Path, what: str) -> Iterator[None]:
        """While the block runs, shows the progress of `what`. A program appends this progress to `log`, in lines such
        as `40%: Posts`.
        """
        begin, ended = _read(log, 0)[1], threading.Event()

        def follow() -> None:
            while not ended.wait(_POLL_S):
                if found := _SHARE.findall(_read(log, begin)[0]):
                    share, part = found[-1]
                    description = f"{self._step}. {what}: {part.decode()}"
                    self._bar.update(self._task, description=description, total=100, completed=int(share))

        follower = threading.Thread(target=follow, daemon=True)
        follower.start()
        try:
            yield
        finally:
            ended.set()
            follower.join()


@contextmanager
def starting(console: Console) -> Iterator[Startup]:
    """Yields a display with which the block shows its steps. The display disappears at the end; what is printed
    meanwhile appears above it.
    """
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield Startup(bar)


def _read(log: Path, begin: int) -> tuple[bytes, int]:
    """Returns the content of a log after the position `begin` in bytes, and the position of its end."""
    if not log.exists():
        return b"", 0
    content = log.read_bytes()
    return content[begin:], len(content)
