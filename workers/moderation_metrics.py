"""Exports metrics of the moderation queue and of moderation decisions."""

from collections import Counter
from collections.abc import Callable

from domain.moderation.reports import CaseSource
from domain.versions import version_ms
from observability import metrics
from state import State
from store.moderation import appeals, cases, log, statements

_DAY_MS = 86_400_000


async def measure_moderation(state: State, is_leader: Callable[[], bool]) -> None:
    """Exports the number of open cases by source, the ages in seconds of the oldest open case and of the oldest open
    appeal, and the number of decisions in the last 24 hours. Unless `is_leader` returns true, exports zeros and no
    decisions.
    """
    now_ms = state.now_ms()
    leads = is_leader()
    waiting = await cases.waiting(state.postgres) if leads else []
    decided = await log.decided_since(state.postgres, now_ms - _DAY_MS << 10) if leads else {}
    for metric in (metrics.MODERATION_CASES, metrics.MODERATION_DECISIONS):
        metric.clear()
    numbers = Counter[str]()
    for sources, count, _ in waiting:
        numbers.update({str(source.name).lower(): count for source in CaseSource if source & sources})
    for source in CaseSource:
        name = str(source.name).lower()
        metrics.MODERATION_CASES.labels(name).set(numbers[name])
    oldest_ms = min((oldest >> 10 for _, _, oldest in waiting), default=now_ms)
    metrics.MODERATION_OLDEST_CASE.set(max(0, now_ms - oldest_ms) / 1000)
    oldest = [await appeals.oldest(state.postgres), await statements.oldest_appeal(state.postgres)] if leads else []
    appealed_ms = min((version_ms(one) for one in oldest if one is not None), default=now_ms)
    metrics.MODERATION_OLDEST_APPEAL.set(max(0, now_ms - appealed_ms) / 1000)
    for (role, action), count in decided.items():
        metrics.MODERATION_DECISIONS.labels(role.name.lower(), action.name.lower()).set(count)
