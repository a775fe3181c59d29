"""The screen of `plaudit top`: summary lines, the processes, and lists of what is busiest."""

import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.top.samples import Change

_OTHER_LINES = 10
"""Lines of the screen besides the rows of lists and processes."""
_MOST_ROWS = 15
"""How many rows a list has at most."""


def screen(change: Change, height: int) -> RenderableType:
    """Returns the screen for two samples, at most `height` lines high."""
    urls = list(change.after.processes)
    missing = change.rates("plaudit_degraded_fields_total", "field", "reason")
    hot = change.gauges("plaudit_hot_key_reads_per_second", "key")
    rows = min(_MOST_ROWS, max(1, (height - _OTHER_LINES - len(urls)) // 2))
    return Group(
        _head(change),
        _summary(change),
        _processes(change, urls),
        _pair(
            _list("journals furthest behind", "lag", _journals(change), rows),
            _list("missing values", "/s", _rates(missing), rows),
        ),
        _pair(
            _list("destinations of events", "lag", _destinations(change), rows),
            _list("hot keys", "reads/s", _rates(hot), rows),
        ),
    )


def _head(change: Change) -> Text:
    answering = sum(values is not None for values in change.after.processes.values())
    total = len(change.after.processes)
    head = Text("plaudit top", style="bold")
    head.append(time.strftime("  %H:%M:%S  "), style="not bold")
    head.append(f"{answering} of {total} processes", style="not bold" if answering == total else "bold red")
    head.append("  writes: ", style="not bold")
    direct = 1 in change.gauge("plaudit_write_mode_direct")
    head.append("direct to Postgres" if direct else "through Redis", style="bold red" if direct else "not bold green")
    return head


def _summary(change: Change) -> Table:
    owned, all_ = sum(change.gauge("plaudit_partitions_owned")), max(change.gauge("plaudit_partitions"), default=0)
    lag = max(change.gauge("plaudit_journal_lag_seconds"), default=0)
    errors = ", ".join(f"{code} {_number(rate)}" for code, rate in change.rates("plaudit_errors_total", "code").items())
    stores = change.gauges("plaudit_store_up", "store", min)
    memory = max(change.gauge("plaudit_redis_memory_ratio"), default=0)
    table = Table.grid(padding=(0, 2))
    table.add_row(
        "Requests",
        f"{_number(change.rate('plaudit_requests_total'))}/s",
        f"p50 {_bound(change, 'plaudit_request_seconds', 0.5)}  p95 {_bound(change, 'plaudit_request_seconds', 0.95)}",
        f"refused {_number(change.rate('plaudit_requests_shed_total'))}/s",
    )
    table.add_row("Errors", f"{_number(change.rate('plaudit_errors_total'))}/s", Text(errors or "none"), "")
    table.add_row(
        "Writes",
        f"{_number(change.rate('plaudit_batch_entries_sum'))}/s",
        f"stored p95 {_bound(change, 'plaudit_persist_seconds', 0.95)}  "
        f"commit p50 {_bound(change, 'plaudit_commit_seconds', 0.5)}",
        Text(f"lag {lag:.1f} s, {owned:.0f} of {all_:.0f} owned", style="red" if lag > 10 or owned < all_ else ""),
    )
    table.add_row(
        "Stores",
        Text("up" if all(stores.values()) else "DOWN", style="" if all(stores.values()) else "bold red"),
        Text("  ".join(f"{name} {'up' if up else 'DOWN'}" for name, up in sorted(stores.items()))),
        f"Redis memory {memory:.0%}",
    )
    table.add_row(
        "Load",
        "",
        f"Redis {_number(change.rate('plaudit_redis_commands_total'))} commands/s",
        f"Postgres {_number(change.rate('plaudit_sql_queries_total'))} statements/s",
    )
    return table


def _journals(change: Change) -> Mapping[str, str]:
    entries = change.gauges("plaudit_journal_entries", "partition")
    lags = change.gauges("plaudit_journal_lag_seconds", "partition")
    waiting = sorted(((lag, entries.get(p, 0), p) for p, lag in lags.items() if lag), reverse=True)
    return {f"{p}: {length:,.0f} entries": f"{lag:.1f} s" for lag, length, p in waiting}


def _destinations(change: Change) -> Mapping[str, str]:
    sent = change.rates("plaudit_outgoing_events_sent_total", "destination")
    failed = change.rates("plaudit_outgoing_requests_failed_total", "destination")
    stopped = dict(
        one.split() for one in change.active("plaudit_outgoing_destinations_stopped", "destination", "state")
    )
    lags = dict.fromkeys(stopped, 0.0) | change.gauges("plaudit_outgoing_events_lag_seconds", "destination")
    found = {}
    for name, lag in lags.items():
        state = stopped.get(name) or f"{_number(sent.get(name, 0))}/s"
        failures = f", {_number(failed[name])}/s failed" if name in failed else ""
        found[f"{name}: {state}{failures}"] = f"{lag:.1f} s"
    return found


def _rates(found: Mapping[str, float]) -> Mapping[str, str]:
    return {name: _number(rate) for name, rate in found.items()}


def _list(title: str, unit: str, rows: Mapping[str, str], most: int) -> Table:
    table = Table(box=None, expand=True, pad_edge=False, header_style="bold")
    table.add_column(title, no_wrap=True, ratio=1, overflow="ellipsis")
    table.add_column(unit, justify="right", no_wrap=True)
    for name, value in list(rows.items())[:most]:
        table.add_row(Text(name), value)
    if not rows:
        table.add_row(Text("none", style="dim"))
    return table


def _pair(left: Table, right: Table) -> Table:
    table = Table.grid(padding=(0, 3), expand=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(left, right)
    return table


def _processes(change: Change, urls: Sequence[str]) -> Table:
    table = Table("process", box=None, expand=True, pad_edge=False, header_style="bold")
    table.columns[0].ratio, table.columns[0].no_wrap = 1, True
    for title in ("CPU", "MB", "requests/s", "stored/s", "partitions", "tasks"):
        table.add_column(title, justify="right", no_wrap=True)
    for url in urls:
        name = urlsplit(url).netloc
        if change.after.processes[url] is None:
            table.add_row(Text(f"{name} does not answer", style="bold red"))
            continue
        table.add_row(
            Text(name),
            f"{change.rate('process_cpu_seconds_total', of=url):.0%}",
            f"{sum(change.gauge('process_resident_memory_bytes', of=url)) / 1e6:.0f}",
            _number(change.rate("plaudit_requests_total", of=url)),
            _number(change.rate("plaudit_batch_entries_sum", of=url)),
            f"{sum(change.gauge('plaudit_partitions_owned', of=url)):.0f}",
            f"{sum(change.gauge('plaudit_tasks', of=url)):.0f}",
        )
    return table


def _bound(change: Change, name: str, share: float) -> str:
    """Returns the upper bound of a quantile: histograms know only the bucket of a value."""
    found = change.quantile(name, share)
    if found is None:
        return "-"
    return "> 5 s" if found == float("inf") else f"≤ {found * 1000:g} ms" if found < 1 else f"≤ {found:g} s"


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 or not rate else f"{rate:.1f}"
