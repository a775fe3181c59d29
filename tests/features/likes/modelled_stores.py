"""What SQL and Lua do with counters and pending changes, in Python. Each function names the code that it stands for."""

from collections.abc import Callable, Mapping

from models.likes import Reaction
from store.write_log.journal import entry_id, version_of
from store.write_log.pending import NO_SUM, sum_of

FORGET = 240
"""The time without a change after which a counter forgets which changes it includes."""

Included = dict[str, int]
Histories = Mapping[str, str]
"""The Redis hash of a user's pending changes: histories and sums by field."""


def merged(old: Included, new: Included, quiet: int) -> Included:
    """Returns `included` after a change of a counter quiet for this time, as the CASE of store/reactions/counts.py."""
    if quiet >= FORGET:
        return new
    return old | {p: max(version, old.get(p, 0)) for p, version in new.items()}


def parted(history: str) -> tuple[str, int, list[tuple[int, int]]]:
    """Returns the field of the sum, the base, and the changes of a history."""
    total, base, *changes = history.split(" ")
    pairs = [change.split("=") for change in changes]
    return total, int(base), [(version_of(id_), int(state)) for id_, state in pairs]


def without(history: str, through: int) -> str | None:
    """Returns a history or sum without its changes up to `through`, or None if no change is left."""
    total, base, changes = parted(history)
    gone = [state for version, state in changes if version <= through]
    kept = [f"{entry_id(version)}={state}" for version, state in changes if version > through]
    return " ".join([total, str(gone[-1] if gone else base), *kept]) if kept else None


def reacted(pending: Histories, field: str, owner: int | None, was: int, state: int, version: int) -> Histories:
    """Returns a user's pending changes with one more change, as react.lua."""
    history, liked = pending.get(field) or f"{sum_of(owner)} {was}", (state == Reaction.LIKE) - (was == Reaction.LIKE)
    changed, total = {**pending, field: f"{history} {entry_id(version)}={state}"}, history.split(" ")[0]
    if total != NO_SUM and liked:
        _, base, changes = parted(before := pending.get(total, f"{NO_SUM} 0"))
        changed[total] = f"{before} {entry_id(version)}={(changes[-1][1] if changes else base) + liked}"
    return changed


def swept(
    pending: Histories, field: str, through: int, without: Callable[[str, int], str | None] = without
) -> Histories:
    """Returns a user's pending changes without the changes of one thing up to `through`, as sweep.lua."""
    if field not in pending:
        return pending
    total, base, changes = parted(pending[field])
    before = [base, *(state for _, state in changes)]
    each = zip(changes, before, strict=False)
    counted = [at for (at, state), was in each if at <= through and Reaction.LIKE in (was, state)]
    left = {field: without(pending[field], through)}
    if counted and total in pending:
        left[total] = without(pending[total], counted[-1])
    return {name: history for name, history in {**pending, **left}.items() if history}
