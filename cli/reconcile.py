"""`plaudit reconcile`: compares derived values with their rows, shows the progress, and prints the totals."""

import asyncio
from collections.abc import Collection

from rich.console import Console
from rich.table import Table

from cli.progress import progress
from settings import Settings
from workers.reconcile import run as runs
from workers.reconcile.run import PARTS, KindTotal, ReconcileRun


class UnknownPart(Exception):
    """Raised if `--only` names a part of reconciliation that does not exist."""


def run(settings: Settings, *, repair: bool, only: Collection[str], rate: float | None) -> dict[str, KindTotal]:
    """Compares derived values with their rows, repairs differences if `repair` is true, and shows the progress. Returns
    the totals by kind of value.

    Raises UnknownPart, or Unavailable if a store is down.
    """
    if unknown := set(only).difference(PARTS):
        raise UnknownPart(f"There is no part {min(unknown)}. The parts are: {', '.join(PARTS)}.")
    parts = [name for name in PARTS if not only or name in only]
    with progress("parts") as show:

        def report(part: str, kind: str, total: KindTotal) -> None:
            show(parts.index(part), len(parts), f"{kind}: {total.keys:,} compared, {total.drifting:,} drift")

        return asyncio.run(runs.run(settings, ReconcileRun(repair=repair, only=only, rate=rate, report=report)))


def show(totals: dict[str, KindTotal], repair: bool) -> None:
    """Prints a table of the totals of a reconciliation run."""
    table = Table("kind", "compared", "repaired" if repair else "drift")
    for kind, total in totals.items():
        table.add_row(kind, f"{total.keys:,}", f"[red]{total.drifting:,}" if total.drifting else "0")
    Console().print(table)
