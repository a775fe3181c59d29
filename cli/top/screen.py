"""The screen of `plaudit top`: a summary, then lists in which the worst or the busiest is first."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.top import lists, texts
from cli.top.figures import Figures
from cli.top.lists import List

_SPACIOUS = 34
"""The height from which blank lines separate the parts."""


class _Row(NamedTuple):
    """Lists that are side by side, with the number of lines that they need."""

    lists: Sequence[List]

    @property
    def wanted(self) -> int:
        return max(len(one.rows) for one in self.lists)


def screen(figures: Figures, height: int | None = None) -> RenderableType:
    """Returns the screen. If there is a height, it has at most so many lines: the titles of shortened lists say how
    many rows there are.
    """
    rows = [
        _Row([lists.stores(figures.stores)]),
        _Row([lists.processes(figures.processes)]),
        _Row([lists.journals(figures.journals), lists.hot_keys(figures.hot_keys)]),
        _Row([lists.destinations(figures.destinations), lists.missing(figures.requests.missing)]),
    ]
    parts: list[RenderableType] = [_head(figures, quits=height is not None), *_summary(figures)]
    gap = [Text()] if height is None or height >= _SPACIOUS else []
    wanted = [max(1, row.wanted) for row in rows]
    left = sum(wanted) if height is None else height - len(parts) - len(rows) * (1 + len(gap))
    for row, lines in zip(rows, share_out(left, wanted), strict=True):
        parts += [*gap, _beside(row, lines)]
    return Group(*parts)


def share_out(lines: int, wanted: Sequence[int]) -> list[int]:
    """Shares lines among lists that want so many. Each gets at least one, and none more than it wants. The rest goes in
    equal parts to those that want more.
    """
    given = [1] * len(wanted)
    while sum(given) < min(lines, sum(wanted)):
        least = min((got, at) for at, got in enumerate(given) if got < wanted[at])
        given[least[1]] += 1
    return given


def _beside(row: _Row, lines: int) -> Table:
    table = Table.grid(padding=(0, 3), expand=True)
    for _ in row.lists:
        table.add_column(ratio=1)
    table.add_row(*[one.table(lines) for one in row.lists])
    return table


def _head(figures: Figures, *, quits: bool) -> Table:
    up, total = sum(one.up for one in figures.processes), len(figures.processes)
    processes = texts.alarming(f"{up} of {total} processes", up < total)
    if not total:
        processes = Text("no processes: name their metrics with --url", "yellow")
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True, ratio=1)
    table.add_column(no_wrap=True, justify="right")
    said = Text.assemble(("plaudit top", "bold"), time.strftime("  %H:%M:%S  "), processes, "  ", _writes(figures))
    table.add_row(said, Text("q quits", "dim") if quits else "")
    return table


def _writes(figures: Figures) -> Text:
    if figures.writes is None:
        return Text()
    direct = figures.writes == "direct"
    return texts.alarming("writes directly to Postgres" if direct else "writes through Redis", direct)


def _summary(figures: Figures) -> list[Text]:
    requests, stored = figures.requests, figures.stored
    times = texts.quantiles(p50=requests.median, p95=requests.p95)
    commits = texts.quantiles(commit_p50=stored.commit_median)
    persisted = texts.quantiles(stored_p95=stored.persist_p95)
    errors = sum(requests.errors.values())
    refused = texts.alarming(f"refused {texts.number(requests.refused)}/s", requests.refused > 0)
    return [
        _line("Requests", requests.rate, refused, texts.rates(requests.by_operation)),
        _line("Errors", errors, texts.rates(requests.errors)),
        _line("Stored", stored.rate, texts.rates(stored.by_kind)),
        _line("Latency", None, times, commits, persisted),
        _journals(figures),
    ]


def _line(name: str, rate: float | None, *parts: str | Text) -> Text:
    said = Text.assemble((f"{name:<10}", "bold"), no_wrap=True, overflow="ellipsis")
    if rate is not None:
        said.append(f"{texts.number(rate)}/s".ljust(8) + " ")
    return said.append_text(Text("   ").join(Text.assemble(part) for part in parts if part))


def _journals(figures: Figures) -> Text:
    owners = {one.owner for one in figures.journals} - {None}
    owned, total = sum(one.owner is not None for one in figures.journals), len(figures.journals)
    lags = [one.lag_s for one in figures.journals if one.lag_s is not None]
    entries = [one.entries for one in figures.journals if one.entries is not None]
    said = Text.assemble(("Journals  ", "bold"), no_wrap=True, overflow="ellipsis")
    if not total:
        return said.append("unknown")
    workers = "worker" if len(owners) == 1 else "workers"
    said.append_text(texts.alarming(f"{owned} of {total} owned by {len(owners)} {workers}", owned < total))
    if not lags:
        return said.append("   lag unknown")
    lag = texts.alarming(f"lag {texts.seconds(max(lags))}", max(lags) > texts.SLOW_S)
    return said.append("   ").append_text(lag).append(f"   {sum(entries):,} entries")
