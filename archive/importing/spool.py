"""Splits the lines of archives by kind into temporary files, one file for each kind."""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
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


class Line(NamedTuple):
    """A line of an archive: its place and its text. The place is a text such as `0 7`: the index of the archive, a
    space, and the number of the line in the archive, which begins with 1.
    """

    place: bytes
    text: bytes

    @property
    def file(self) -> int:
        """Returns the index of the archive."""
        return int(self.place.split()[0])

    @property
    def number(self) -> int:
        """Returns the number of the line in its archive."""
        return int(self.place.split()[1])

    @classmethod
    def parse(cls, spooled: bytes) -> "Line":
        """Returns the line that a temporary file has in the form of `spooled`."""
        place, _, text = spooled.partition(b"\t")
        return cls(place, text[:-1])

    @property
    def spooled(self) -> bytes:
        """Returns the line as temporary files have it: place, tab, text, line break."""
        return b"%s\t%s\n" % self


class Spool:
    """The lines of archives, in one temporary file for each kind, in `folder`. `counts` has the number of lines of each
    kind.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.counts = Counter[str]()
        self.postponed = 0
        """The number of lines that were postponed since the last call of `resume`."""
        self._later: BinaryIO | None = None

    def split(
        self,
        archives: Iterable[BinaryIO],
        reject: Callable[[Line, str], None],
        show: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Reads archives, and writes each line to the temporary file of its kind. Ignores empty lines. Calls `reject`
        with each line that has no known kind, and the reason. Calls `show` with the number of bytes that were read.
        """
        read = 0
        with ExitStack() as stack:
            by_kind = {kind: stack.enter_context(self._path(kind).open("wb")) for kind in KINDS}
            for at, archive in enumerate(archives):
                for number, text in enumerate(_texts(archive), 1):
                    read += len(text)
                    if number % 1000 == 0:
                        show(read)
                    if line := text.strip():
                        self._add(Line(b"%d %d" % (at, number), line), by_kind, reject)

    def _add(self, line: Line, by_kind: Mapping[str, BinaryIO], reject: Callable[[Line, str], None]) -> None:
        try:
            kind = _kind(line.text)
        except BadLine as error:
            reject(line, str(error))
        else:
            by_kind[kind].write(line.spooled)
            self.counts[kind] += 1

    def lines(self, kind: str) -> Iterator[Line]:
        """Yields the lines of a kind."""
        with self._path(kind).open("rb") as spooled:
            yield from map(Line.parse, spooled)

    def postpone(self, kind: str, line: Line) -> None:
        """Writes a line of a kind to a file of postponed lines, for `resume`."""
        if self._later is None:
            self._later = self._path(f"{kind}-later").open("wb")
        self._later.write(line.spooled)
        self.postponed += 1

    def resume(self, kind: str) -> None:
        """Replaces the lines of a kind by its postponed lines."""
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


def _texts(archive: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of an archive. Of a line that is too long, yields only the beginning. It is longer than a record
    may be, so it is rejected.
    """
    while text := archive.readline(LONGEST_LINE + 2):
        rest = text
        while rest and not rest.endswith(b"\n"):
            rest = archive.readline(LONGEST_LINE)
        yield text


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
