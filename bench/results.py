"""What a section found out, as a table for people and as JSON for tools."""

import json
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table. Without a baseline it is a plain figure; `goal` and `met` are for what has been promised."""

    section: str
    what: str
    unit: str
    value: float
    baseline: float | None = None
    ratio: float | None = None
    lowest: float | None = None
    """The smallest ratio of any round."""
    highest: float | None = None
    goal: str | None = None
    met: bool | None = None


def compared(
    section: str, what: str, unit: str, ours: Sequence[float], baseline: Sequence[float], at_least: float | None = None
) -> Result:
    """Medians of both sides, and of the ratios of neighbouring rounds: what slows both down at once cancels out."""
    ratios = [mine / theirs for mine, theirs in zip(ours, baseline, strict=True)]
    ratio = median(ratios)
    goal, met = (None, None) if at_least is None else (f"≥ {at_least}", ratio >= at_least)
    return Result(section, what, unit, median(ours), median(baseline), ratio, min(ratios), max(ratios), goal, met)


def plain(section: str, what: str, unit: str, value: float, at_most: float | None = None) -> Result:
    """A figure that stands for itself."""
    goal, met = (None, None) if at_most is None else (f"≤ {at_most:,.0f} {unit}", value <= at_most)
    return Result(section, what, unit, value, goal=goal, met=met)


def show(results: Sequence[Result], console: Console) -> None:
    """The table. Spread is that of the ratio over the rounds."""
    table = Table("section", "what")
    for heading in ("value", "baseline", "ratio", "spread", "goal"):
        table.add_column(heading, justify="right")
    for r in results:
        spread = "" if r.lowest is None else f"{r.lowest:.2f} – {r.highest:.2f}"
        goal = "" if r.goal is None else f"{r.goal} {'[green]✓' if r.met else '[red]✗'}"
        ratio = "" if r.ratio is None else f"[bold]{r.ratio:.3f}"
        baseline = "" if r.baseline is None else f"{r.baseline:,.0f} {r.unit}"
        table.add_row(r.section, r.what, f"{r.value:,.0f} {r.unit}", baseline, ratio, spread, goal)
    console.print(table)


def append(results: Sequence[Result], path: Path) -> None:
    """Adds one line of JSON to a file: the results, and what they were measured on."""
    machine = {"cpus": os.cpu_count(), "python": platform.python_version(), "system": platform.platform()}
    line = {"at": int(time.time()), "machine": machine, "results": [asdict(result) for result in results]}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
