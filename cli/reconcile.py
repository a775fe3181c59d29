"""`plaudit reconcile`: a run that can be watched."""

import asyncio
from collections.abc import Collection

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from settings import Settings
from workers.reconcile import run as runs
from workers.reconcile.run import PARTS, KindTotal, ReconcileRun


class UnknownPart(Exception):
    """There is no such part."""


def run(settings: Settings, *, repair: bool, only: Collection[str], rate: float | None) -> dict[str, KindTotal]:
    """Compares, and repairs if asked to. Returns what there was of each kind.

    Raises UnknownPart, or Unavailable where a store does not answer.
    """
    if unknown := set(only).difference(PARTS):
        raise UnknownPart(f"No part is called {min(unknown)}; there are {', '.join(PARTS)}.")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("parts")
    with Progress(*columns, transient=True, console=Console(stderr=True)) as progress:
        bar = progress.add_task("", total=len(only or PARTS))

        def report(part: str, kind: str, total: KindTotal) -> None:
            done = [name for name in PARTS if not only or name in only].index(part)
            progress.update(bar, description=f"{kind}: {total.keys:,}, {total.drifting:,} drift", completed=done)

        return asyncio.run(runs.run(settings, ReconcileRun(repair=repair, only=only, rate=rate, report=report)))


def show(totals: dict[str, KindTotal], repair: bool) -> None:
    """Prints a table of what a run found."""
    table = Table("kind", "compared", "repaired" if repair else "drift")
    for kind, total in totals.items():
        table.add_row(kind, f"{total.keys:,}", f"[red]{total.drifting:,}" if total.drifting else "0")
    Console().print(table)
