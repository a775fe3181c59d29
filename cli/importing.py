"""`plaudit import`: imports archives, or checks them, and shows the progress. Then drops cached copies."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import BinaryIO, NamedTuple

from rich.table import Table

from archive.importing import caches
from archive.importing.kinds import KINDS
from archive.importing.known import Library
from archive.importing.rejects import Rejects
from archive.importing.run import Import
from archive.importing.spool import Spool
from archive.lines import STREAM
from cli.console import output
from cli.progress import Show, progress
from settings import Settings
from state import calm_collector, opened
from store.archive.declared import Declared

_STATEMENT_TIMEOUT = 60.0
"""Seconds that one statement may take, because it writes many rows."""


class Result(NamedTuple):
    """The result of an import: by kind, the number of records in the archive, and of those that were imported; and the
    number of rejected lines.
    """

    read: dict[str, int]
    done: dict[str, int]
    rejected: int


def run(
    settings: Settings,
    files: Sequence[Path],
    rejects: Path,
    *,
    issuer: str | None,
    check: bool,
    events: bool,
    line_every: float | None,
) -> Result:
    """Imports archives, or only checks them if `check` is true. For `-`, reads standard input in place of a file, and
    writes rejected lines to standard output in place of the file `rejects`. Records of users without an issuer are
    about users of `issuer` (None: the first issuer in the settings). If `events` is true, stores outgoing events about
    what is imported. Without a terminal, prints the progress every `line_every` seconds (None: 5).

    Raises OSError if a file cannot be read or written, Unavailable if a store is down. An import that was interrupted
    is resumed by running it again.
    """
    calm_collector()
    patient = settings.model_copy(update={"database_timeout": max(_STATEMENT_TIMEOUT, settings.database_timeout)})
    with (
        ExitStack() as stack,
        tempfile.TemporaryDirectory(prefix="plaudit-import-") as folder,
        Rejects(rejects, files) as refused,
        progress(line_every=line_every) as show,
    ):
        spool = Spool(Path(folder))
        spool.split(_opened(files), refused.add, _reading(files, show))
        declared = stack.enter_context(closing(Declared(Path(folder) / "declared"))) if check else None
        return asyncio.run(_run(patient, spool, refused, issuer or settings.issuer, declared, show, events=events))


def _opened(files: Sequence[Path]) -> Iterator[BinaryIO]:
    for path in files:
        if path == STREAM:
            yield sys.stdin.buffer
        else:
            with path.open("rb") as file:
                yield file


def _reading(files: Sequence[Path], show: Show) -> Callable[[int], None]:
    """Returns a function that shows how much of the files is read, from the number of bytes that were read."""
    if STREAM in files:
        return lambda read: show(read, None, "bytes read")
    size = max(1, sum(path.stat().st_size for path in files))
    return lambda read: show(read / size, 1, "reading")


async def _run(
    settings: Settings,
    spool: Spool,
    rejects: Rejects,
    issuer: str,
    declared: Declared | None,
    show: Show,
    *,
    events: bool,
) -> Result:
    async with opened(settings, "import") as state:
        library, pace = Library(state, issuer, declared), _Pace(sum(spool.counts.values()), show)
        one = Import(state, spool, rejects, library, pace, events=events)
        await one.execute(KINDS)
        if not declared:
            show(1, 1, "caches")
            await caches.drop(state)
    return Result(dict(spool.counts), dict(one.done), rejects.count)


class _Pace:
    """Shows the progress of an import of `total` records: the kind, the records per second, and the time that is
    left.
    """

    def __init__(self, total: int, show: Show) -> None:
        self._total = total
        self._show = show
        self._began = time.monotonic()
        self._done: dict[str, int] = {}

    def __call__(self, kind: str, done: int, _: int) -> None:
        self._done[kind] = done
        everything = sum(self._done.values())
        seconds = max(0.001, time.monotonic() - self._began)
        rate = everything / seconds
        left = (self._total - everything) / rate if rate else 0
        self._show(everything, self._total, f"{kind}: {rate:,.0f} per second, {_span(left)} left")


def _span(seconds: float) -> str:
    """Returns a length of time in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def show_result(result: Result, *, check: bool, stderr: bool) -> None:
    """Prints a table of the imported records, by kind: to standard error if `stderr` is true."""
    table = Table("kind", "read", "valid" if check else "imported", "rejected")
    for kind, count in result.read.items():
        done = result.done.get(kind, 0)
        table.add_row(kind, f"{count:,}", f"{done:,}", f"[red]{count - done:,}" if count > done else "0")
    output(stderr=stderr).print(table)
