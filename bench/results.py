"""The results of a section, as a table for people and as JSON for tools."""

import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table: a figure (`value`), and if there is a `baseline` to compare it with, their `ratio`. `goal`
    is the limit that is aimed for, and `met` whether it is kept.
    """

    section: str
    what: str
    value: float
    baseline: float | None = None
    ratio: float | None = None
    spread: tuple[float, float] | None = None
    """The smallest and the largest ratio of all rounds."""
    goal: str | None = None
    met: bool | None = None


class Load(NamedTuple):
    """The average number of processes that wanted to run in the last minute, before and after a measurement. The latter
    includes the measurement's own processes.
    """

    before: float
    after: float

    def __str__(self) -> str:
        return f"Load average of {os.cpu_count()} cores: {self.before:.1f} before, {self.after:.1f} at the end."


def compared(
    section: str,
    what: str,
    ours: Sequence[float],
    baseline: Sequence[float],
    at_least: float | None = None,
    at_most: float | None = None,
) -> Result:
    """Returns a result with the medians of both sides, and the median of the ratios of neighbouring rounds, in which a
    common slowness cancels out. `at_least` or `at_most` is the goal for the ratio.
    """
    ratios = [mine / theirs for mine, theirs in zip(ours, baseline, strict=True)]
    ratio, spread = median(ratios), (min(ratios), max(ratios))
    goal, met = (None, None) if at_least is None else (f"≥ {at_least}", ratio >= at_least)
    if at_most is not None:
        goal, met = f"≤ {at_most}", ratio <= at_most
    return Result(section, what, median(ours), median(baseline), ratio, spread, goal, met)


def plain(section: str, what: str, value: float, at_most: float | None = None) -> Result:
    """Returns a result that is compared with nothing. `at_most` is the goal for the value."""
    goal, met = (None, None) if at_most is None else (f"≤ {at_most:,.0f}", value <= at_most)
    return Result(section, what, value, goal=goal, met=met)


def percentiles(section: str, what: str, values: Sequence[float], p99_at_most: float | None = None) -> list[Result]:
    """Returns four results: the 50th, 95th and 99th percentile of these values, and the largest. `p99_at_most` is the
    goal for the 99th.
    """
    cuts = quantiles(values, n=100, method="inclusive")
    return [
        plain(section, f"{what}, p50", cuts[49]),
        plain(section, f"{what}, p95", cuts[94]),
        plain(section, f"{what}, p99", cuts[98], p99_at_most),
        plain(section, f"{what}, max", max(values)),
    ]


def show(results: Sequence[Result], console: Console) -> None:
    """Prints a table of the results."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("what")
    shown: list[str] = []
    for heading in ("value", "baseline", "ratio", "spread", "goal"):
        table.add_column(heading, justify="right", no_wrap=True)
    for r in results:
        if r.section not in shown:
            shown.append(r.section)
            table.add_row(f"[bold]{r.section}")
        baseline = "" if r.baseline is None else f"{r.baseline:,.0f}"
        ratio = "" if r.ratio is None else f"[bold]{r.ratio:.3f}"
        spread = "" if r.spread is None else "{:.2f} … {:.2f}".format(*r.spread)
        goal = "" if r.goal is None else f"{r.goal} {'[green]✓' if r.met else '[red]✗'}"
        table.add_row(f"  {r.what}", f"{r.value:,.0f}", baseline, ratio, spread, goal)
    console.print(table)


def append(results: Sequence[Result], path: Path, load: Load) -> None:
    """Appends one line of JSON to a file: the results, and a description of the machine."""
    system = {"python": platform.python_version(), "system": platform.platform()}
    machine = {"cpus": os.cpu_count(), "load": load._asdict(), **system}
    line = {"at": int(time.time()), "machine": machine, "results": [asdict(result) for result in results]}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
