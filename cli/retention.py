"""`plaudit retention`: shows for how long each kind of data is kept, what was removed, and what is still too old."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from cli.console import output
from models.base import at
from settings import Settings
from state import State, opened
from store import old_rows
from workers import retention


async def read(settings: Settings) -> list[dict[str, Any]]:
    """Returns a row for each kind of data, for JSON: for how many days it is kept (None: forever), how many rows were
    removed since the installation, when the last ones were, how many rows are too old and still there, and the time of
    the oldest of these.
    """
    async with opened(settings, "retention", makes_ids=False) as state:
        removals, due = await old_rows.removals(state.postgres), retention.due(state)
        return [
            await _row(state, kind, days, removals.get(kind), due.get(kind))
            for kind, days in retention.periods(settings).items()
        ]


async def _row(
    state: State, kind: str, days: float, removal: old_rows.Removal | None, due: dict[str, Any] | None
) -> dict[str, Any]:
    overdue = await old_rows.overdue(state.postgres, kind, **due) if due else old_rows.Overdue(0, None)
    return {
        "kind": kind,
        "keptDays": days or None,
        "removed": removal.removed if removal else 0,
        "lastRemovedAt": removal and _time(removal.last_at),
        "overdue": overdue.rows,
        "oldest": None if overdue.oldest_ms is None else _time(at(overdue.oldest_ms)),
    }


def print_table(rows: Sequence[dict[str, Any]]) -> None:
    """Prints these rows as a table."""
    from rich.table import Table

    table = Table("kind", "kept", "removed", "last removed", "overdue", "oldest overdue")
    for row in rows:
        kept = f"{row['keptDays']:g} days" if row["keptDays"] else "forever"
        many = row["overdue"] > old_rows.MOST_COUNTED
        overdue = f"more than {old_rows.MOST_COUNTED:,}" if many else f"{row['overdue']:,}"
        times = row["lastRemovedAt"] or "", row["oldest"] or ""
        table.add_row(row["kind"], kept, f"{row['removed']:,}", times[0], overdue, times[1])
    output().print(table)


def _time(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
