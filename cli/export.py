"""`plaudit export`: writes everything, or everything about one user, to a file of JSON lines."""

import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from archive.everything import Everything
from archive.fields import Json
from archive.lines import STREAM, joined
from archive.person import NoPerson, Person
from cli.progress import Show, progress
from cli.users import id_of
from settings import Settings
from state import opened
from store.archive.everything import TABLES
from store.reconcile.sizes import rows_of_tables

Pages = AsyncIterator[Sequence[Json]]


async def export(settings: Settings, file: Path, person: str | None, issuer: str | None) -> int:
    """Writes an export to `file`, or to standard output for `-`: of everything, or of the user whose handle or id is
    `person`. Users of `issuer` (None: the first issuer in the settings) are named without the issuer. Shows the
    progress on standard error. Returns the number of records.

    A file gets its name when it is complete. Raises LookupError if there is no such user, and OSError if the file
    cannot be written.
    """
    async with opened(settings, "export", makes_ids=False) as state:
        total = None
        if person is None:
            pages: Pages = Everything(state, issuer or settings.issuer).pages()
            total = await rows_of_tables(state.postgres, TABLES)
        else:
            pages = Person(state, await id_of(state, person)).pages()
        with _written(file) as out, progress("records", hidden=file == STREAM and sys.stdout.isatty()) as show:
            try:
                return await _write(pages, out, show, total)
            except NoPerson:
                raise LookupError(f"There is no user {person}.") from None


async def _write(pages: Pages, out: BinaryIO, show: Show, total: int | None) -> int:
    count = 0
    async for records in pages:
        out.write(joined(records))
        count += len(records)
        show(count, total and max(total, count), getattr(records[-1], "kind", "") if records else "")
    return count


@contextmanager
def _written(file: Path) -> Iterator[BinaryIO]:
    """Yields a new file, which only its owner may read. At the end of the block it is written to disk and gets the name
    `file`; if the block raises an exception, it is removed. For `-`, yields standard output.
    """
    if file == STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    partial = file.with_name(f"{file.name}.partial")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        try:
            yield out
            out.flush()
            os.fsync(out.fileno())
            partial.replace(file)
        except BaseException:
            partial.unlink()
            raise
