"""Python models of the SQL and Lua code for counters and pending changes. Each function names the code that it stands
for.
"""

from collections.abc import Callable, Mapping

from domain.versions import entry_id, version_of

FORGET = 240
"""The time without a change after which a counter forgets which changes it includes."""

Included = dict[str, int]
Histories = Mapping[str, str]
"""The Redis hash of a user's pending changes: histories by field."""


def merged(old: Included, new: Included, quiet: int) -> Included:
    """Returns `included` after a change of a counter quiet for this time, as the CASE of store/reactions/counts.py."""
    if quiet >= FORGET:
        return new
    return old | {p: max(version, old.get(p, 0)) for p, version in new.items()}


def parted(history: str) -> tuple[int, list[tuple[int, int]]]:
    """Returns the base and the changes of a history."""
    base, *changes = history.split(" ")
    pairs = [change.split("=") for change in changes]
    return int(base), [(version_of(id_), int(state)) for id_, state in pairs]


def without(history: str, through: int) -> str | None:
    """Returns a history without its changes up to `through`, or None if no change is left."""
    base, changes = parted(history)
    gone = [state for version, state in changes if version <= through]
    kept = [f"{entry_id(version)}={state}" for version, state in changes if version > through]
    return " ".join([str(gone[-1] if gone else base), *kept]) if kept else None


def reacted(pending: Histories, field: str, was: int, state: int, version: int) -> Histories:
    """Returns a user's pending changes with one more change, as change_own_set.lua."""
    return {**pending, field: f"{pending.get(field, was)} {entry_id(version)}={state}"}


def swept(
    pending: Histories, field: str, through: int, without: Callable[[str, int], str | None] = without
) -> Histories:
    """Returns a user's pending changes without the changes of one thing up to `through`, as sweep.lua."""
    if field not in pending:
        return pending
    left = {**pending, field: without(pending[field], through)}
    return {name: history for name, history in left.items() if history}
