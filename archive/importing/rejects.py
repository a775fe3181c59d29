"""Writes the rejects of an import to a file of JSON lines: the lines that it did not import, and those that it imported
with a change.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import orjson

from archive.importing.spool import Line
from archive.lines import STREAM


class Rejects:
    """The file at `path` with the rejects of an import: one JSON object for each, with `file`, `line`, `reason`,
    `imported`, and `input`, the text of the line. `imported` is true if the record was imported with a change, such as
    another handle. `files` are the paths of the archives.

    An older file is removed at the beginning. The new file is created with the first reject. If `path` is `-`, rejects
    are written to standard output.
    """

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        self.path = path
        self._files = [str(file) for file in files]
        self._output: BinaryIO | None = None
        self.count = 0
        """The number of records that were not imported."""

    def add(self, line: Line, reason: str, *, imported: bool = False) -> None:
        """Writes a line with the reason. `imported` tells whether the record is imported nevertheless."""
        if self._output is None:
            self._output = sys.stdout.buffer if self.path == STREAM else self.path.open("wb")
        values = {"file": self._files[line.file], "line": line.number, "reason": reason, "imported": imported}
        text = line.text.decode(errors="replace")
        self._output.write(orjson.dumps({**values, "input": text}, option=orjson.OPT_APPEND_NEWLINE))
        self.count += not imported

    def __enter__(self) -> "Rejects":
        """Raises OSError if the file cannot be written."""
        if self.path != STREAM:
            self.path.open("wb").close()
            self.path.unlink()
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        if self._output:
            self._output.flush()
            if self.path != STREAM:
                self._output.close()
