"""Splits the lines of archives by kind, into temporary files."""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from archive.lines import LONGEST_LINE, BadLine
from archive.records import KINDS
from domain.errors import BadInput
from domain.times import parse

_AT_ONCE = 50_000
"""How many lines are sorted in memory."""
_KIND = re.compile(rb'"kind"\s*:\s*"([a-z]+)"')
_ROUGH_EDGES = b" \t\r\n"


class Line(NamedTuple):
    """A line of an archive: the index of its file, its number in the file (the first is 1), and its text."""

    file: int
    number: int
    text: bytes

    @classmethod
    def parse(cls, spooled: bytes) -> "Line":
        """Returns a line from the form in which the spool has it."""
        file, number, text = spooled.split(b" ", 2)
        return cls(int(file), int(number), text.rstrip(b"\n"))

    @property
    def spooled(self) -> bytes:
        """Returns the line in the form in which the spool has it."""
        return b"%d %d %s\n" % self


class Spool:
    """The lines of archives, by kind, in temporary files in `folder`. `counts` has the number of lines of each kind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.counts = Counter[str]()
        self.postponed = 0
        """The number of lines that were postponed since the last call of `resume`."""
        self._later: BinaryIO | None = None

    def split(
        self, files: Sequence[Path], reject: Callable[[Line, str], None], show: Callable[[int], None] = lambda _: None
    ) -> None:
        """Reads archives and splits their lines by kind. Calls `reject` with each line that is no record of a known
        kind, and the reason; empty lines are ignored. Calls `show` with the number of bytes that were read.
        """
        read = 0
        with ExitStack() as stack:
            by_kind = {kind: stack.enter_context(self._path(kind).open("wb")) for kind in KINDS}
            for at, path in enumerate(files):
                with path.open("rb") as archive:
                    for line in _lines(archive, at):
                        read += len(line.text) + 1
                        self._add(line, by_kind, reject)
                        if line.number % 1000 == 0:
                            show(read)

    def _add(self, line: Line, by_kind: Mapping[str, BinaryIO], reject: Callable[[Line, str], None]) -> None:
        if not line.text:
            return
        try:
            kind = _kind(line.text)
        except BadLine as error:
            reject(line, str(error))
            return
        by_kind[kind].write(line.spooled)
        self.counts[kind] += 1

    def lines(self, kind: str) -> Iterator[Line]:
        """Yields the lines of a kind."""
        with self._path(kind).open("rb") as spooled:
            yield from map(Line.parse, spooled)

    def postpone(self, kind: str, line: Line) -> None:
        """Keeps a line of a kind for later (`resume`)."""
        if self._later is None:
            self._later = self._path(f"{kind}-later").open("wb")
        self._later.write(line.spooled)
        self.postponed += 1

    def resume(self, kind: str) -> None:
        """Replaces the lines of a kind by those that were postponed."""
        assert self._later
        self._later.close()
        self._path(f"{kind}-later").replace(self._path(kind))
        self._later, self.postponed = None, 0

    def sort(self, kind: str) -> None:
        """Sorts the lines of a kind by `createdAt`, in parts that fit into memory. Lines without a time come first."""
        lines, paths = self.lines(kind), list[Path]()
        while some := list(islice(lines, _AT_ONCE)):
            paths.append(self._folder / f"sorted-{len(paths)}")
            paths[-1].write_bytes(b"".join(sorted((line.spooled for line in some), key=_time)))
        with ExitStack() as stack:
            parts = [stack.enter_context(path.open("rb")) for path in paths]
            with (self._folder / "sorted").open("wb") as whole:
                whole.writelines(heapq.merge(*parts, key=_time))
        (self._folder / "sorted").replace(self._path(kind))
        for path in paths:
            path.unlink()

    def _path(self, kind: str) -> Path:
        return self._folder / kind


def _lines(archive: BinaryIO, at: int) -> Iterator[Line]:
    """Yields the lines of an archive. A line that is too long is cut, but is still too long for a record."""
    number = 0
    while text := archive.readline(LONGEST_LINE + 2):
        number += 1
        whole = text
        while not whole.endswith(b"\n") and (whole := archive.readline(LONGEST_LINE)):
            pass
        yield Line(at, number, text.strip(_ROUGH_EDGES))


def _kind(text: bytes) -> str:
    """Returns the kind of a line. Raises BadLine if the line is too long, is not a JSON object, or has no known
    kind.
    """
    if len(text) > LONGEST_LINE:
        raise BadLine(f"The line has more than {LONGEST_LINE} bytes.")
    if text.count(b'"kind"') == 1 and (found := _KIND.search(text)) and (kind := found[1].decode()) in KINDS:
        return kind  # faster than parsing; if it is the kind of something inside, the record is invalid
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadLine(f"The line is not JSON: {error.msg}.") from None
    kind = record.get("kind") if isinstance(record, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadLine(f"The line has no kind. The kinds are: {', '.join(KINDS)}.")
    return kind


def _time(spooled: Any) -> float:
    with suppress(BadInput):
        return parse(orjson.loads(Line.parse(spooled).text).get("createdAt")).timestamp()
    return 0.0
