"""Lets time pass for retention."""

from dataclasses import replace

from settings import RetentionSettings
from state import State
from workers import retention

DAY_MS = 86_400_000


def later(state: State, days: float, **periods: float) -> State:
    """Returns a state whose clock is `days` days ahead. `periods` are settings of retention; the others are defaults,
    except that logs are kept forever.
    """
    ahead = int(days * DAY_MS)
    kept = RetentionSettings.model_validate({"reaction_log_days": 0, **periods})
    settings = state.settings.model_copy(update={"retention": kept})
    return replace(state, now_ms=lambda: state.now_ms() + ahead, settings=settings)


async def sweep(state: State) -> dict[str, int]:
    """Removes old data. Returns the number of removed rows of each kind of which rows were removed."""
    return {kind: count for kind, count in (await retention.sweep(state, lambda: True)).items() if count}
