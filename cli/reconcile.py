"""`plaudit reconcile`: compares derived values, such as counters and cached lists, with the rows in Postgres from which
they are derived. Shows the progress, and prints the totals.
"""

import asyncio
from collections.abc import Collection

import typer
from rich.table import Table

from cli.console import output
from cli.progress import progress
from settings import Settings
from workers.reconcile import run as runs
from workers.reconcile.pace import Pace
from workers.reconcile.run import PARTS, KindTotal, ReconcileRun


class UnknownPart(Exception):
    """Raised if the option `--only` names a part of reconciliation that does not exist."""


def run(settings: Settings, *, repair: bool, only: Collection[str], rate: float | None) -> dict[str, KindTotal]:
    """Compares derived values, such as counters and cached lists, with the rows from which they are derived, and shows
    the progress. If `repair` is true, corrects differences. Compares only the parts in `only` (empty: all), and at most
    `rate` keys per second (None: no limit). Returns the numbers of compared and of wrong keys, by kind of value.

    Raises UnknownPart, or Unavailable if a store is down.
    """
    if unknown := set(only).difference(PARTS):
        raise UnknownPart(f"There is no part {min(unknown)}. The parts are: {', '.join(PARTS)}.")
    with progress("keys") as show:

        def report(pace: Pace, kind: str | None, total: KindTotal) -> None:
            if kind is None:
                typer.echo(_beginning(pace), err=True)
                return
            left = "" if pace.seconds_left is None else f"; {_span(pace.seconds_left)} left"
            total_keys = max(pace.expected, pace.compared)
            show(pace.compared, total_keys, f"{kind}: {total.keys:,} compared, {total.drifting:,} drift{left}")

        return asyncio.run(runs.run(settings, ReconcileRun(repair=repair, only=only, rate=rate, report=report)))


def _beginning(pace: Pace) -> str:
    """Returns a sentence for the beginning of a run: how many keys are compared, and how long that takes."""
    keys = f"There are about {pace.expected:,} keys to compare"
    if pace.rate is None or pace.expected_seconds is None:
        return f"{keys}."
    return f"{keys}, at most {pace.rate:,.0f} per second: {_span(pace.expected_seconds)}."


def _span(seconds: float) -> str:
    """Returns a length of time in words, rounded to minutes."""
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return f"about {hours} h {minutes} min"
    return f"about {minutes} min" if minutes else "less than a minute"


def show(totals: dict[str, KindTotal], repair: bool) -> None:
    """Prints a table of the totals of a run, by kind of value. `repair` tells whether differences were corrected."""
    table = Table("kind", "compared", "repaired" if repair else "drift")
    for kind, total in totals.items():
        table.add_row(kind, f"{total.keys:,}", f"[red]{total.drifting:,}" if total.drifting else "0")
    output().print(table)
