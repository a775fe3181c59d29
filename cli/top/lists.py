"""The lists on the screen of `plaudit top`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from rich.table import Table
from rich.text import Text

from cli.top import texts
from cli.top.figures import Destination, Journal, Process, Store

_OLD_TRANSACTION_S = 60


@dataclass(frozen=True, slots=True)
class List:
    """A list: the title of its first column, the titles of the others, and its rows."""

    title: str
    titles: Sequence[str]
    rows: Sequence[Sequence[str | Text]]

    def table(self, lines: int) -> Table:
        """Returns the list with at most this number of rows. If some are missing, the title says how many there are."""
        cut = len(self.rows) > lines
        table = Table(box=None, expand=True, pad_edge=False, header_style="bold cyan")
        title = f"{self.title} ({lines} of {len(self.rows)})" if cut else self.title
        table.add_column(title, no_wrap=True, ratio=1, overflow="ellipsis")
        for one in self.titles:
            table.add_column(one, justify="right", no_wrap=True)
        for row in self.rows[:lines]:
            table.add_row(*row)
        if not self.rows:
            table.add_row(Text("none", "dim"))
        return table


def stores(found: Sequence[Store]) -> List:
    """Returns the list of the stores."""
    titles = "size", "connections", "ops/s", "lock waits", "oldest tx"
    return List("stores", titles, [_store(one) for one in found])


def _store(one: Store) -> list[str | Text]:
    if not one.up:
        return [Text(f"{one.name} down", "bold red")]
    full = one.bytes / one.most_bytes if one.bytes and one.most_bytes else None
    busy = one.connections / one.most_connections if one.connections and one.most_connections else None
    connections = "" if one.connections is None else f"{one.connections:,}"
    most = "" if one.most_connections is None else f"{one.most_connections:,}"
    waits = "" if one.lock_waits is None else str(one.lock_waits)
    oldest = one.oldest_transaction_s
    return [
        Text(one.name),
        texts.of(texts.size(one.bytes), texts.size(one.most_bytes), full),
        texts.of(connections, most, busy),
        texts.number(one.rate),
        texts.alarming(waits, bool(one.lock_waits)),
        texts.alarming(texts.seconds(oldest), oldest is not None and oldest > _OLD_TRANSACTION_S),
    ]


def processes(found: Sequence[Process]) -> List:
    """Returns the list of the processes."""
    titles = "CPU", "memory", "requests/s", "stored/s", "partitions", "streams"
    return List("processes", titles, [_process(one) for one in found])


def _process(one: Process) -> list[str | Text]:
    address = urlsplit(one.url).netloc or one.url
    if not one.up:
        return [Text(f"{address} down", "bold red")]
    return [
        Text(f"{address} {one.kind}"),
        f"{one.cpu or 0:.0%}",
        texts.size(one.bytes),
        texts.number(one.requests),
        texts.number(one.stored),
        str(one.partitions),
        str(one.streams),
    ]


def journals(found: Sequence[Journal]) -> List:
    """Returns the list of the journals that are not empty or have no owner."""
    shown = [one for one in found if one.owner is None or one.entries != 0]
    return List("journals", ("entries", "lag"), [_journal(one) for one in shown])


def _journal(one: Journal) -> list[str | Text]:
    return [
        Text(f"{one.partition:<3} {one.owner}") if one.owner else Text(f"{one.partition:<3} no owner", "bold red"),
        "?" if one.entries is None else f"{one.entries:,}",
        "?" if one.lag_s is None else texts.alarming(texts.seconds(one.lag_s), one.lag_s > texts.SLOW_S),
    ]


def destinations(found: Sequence[Destination]) -> List:
    """Returns the list of the destinations of events."""
    return List("destinations", ("sent/s", "lag"), [_destination(one) for one in found])


def _destination(one: Destination) -> list[str | Text]:
    fails = one.state == "active" and (one.reason is not None or one.failed > 0)
    said = f"{one.name} {'failing' if fails else one.state}" + (f": {one.reason}" if one.reason else "")
    return [
        texts.alarming(said, fails or one.state != "active"),
        texts.number(one.sent),
        texts.alarming(texts.seconds(one.lag_s), one.lag_s > texts.SLOW_S),
    ]


def hot_keys(found: Mapping[str, float]) -> List:
    """Returns the list of the keys that are read most often."""
    return List("hot keys", ("reads/s",), [(Text(name.strip("{}")), texts.number(r)) for name, r in found.items()])


def missing(found: Mapping[str, float]) -> List:
    """Returns the list of the values that were missing in answers."""
    return List("missing values", ("per second",), [(Text(name, "red"), texts.number(r)) for name, r in found.items()])
