"""What a round has counted, as a row of a table and as JSON."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.failures.faults.sites.probes import KINDS, Probes

EDGES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""The upper ends of the columns of a histogram, in seconds; the last column has the rest."""
Spread = tuple[float, float, float]
"""The median, the 95th percentile and the maximum."""
_TWICE = re.compile(r"is stored [2-9]|has twice \[\(|is in the log [2-9]|reads a post twice|has [2-9] rows")
_LEAK = re.compile(r"sees \d+, whom they block|is shown \d+ as \{.*instead of None")
_UNEXPECTED = re.compile(r"was answered with (?!\{'TARGET_NOT_FOUND'\})|was not salvaged")
"""An object that is not found is lost."""
_AT_ONCE = re.compile(r"^[\d.]+ .*( shows | says |counts | mutes |the suspension of )")
"""What clients have seen during a round begins with a time; what the check finds afterwards does not."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The results of one round. All but the first two fields and those that are not counts must be 0."""

    name: str
    acknowledged: int
    lost: int
    twice: int
    stale: int
    """Answers of the reading site that were older than promised and did not say so."""
    own: int
    """Answers that lacked an own change of their reader, who had sent the position."""
    leaks: int
    """Answers that showed the content of a user who had blocked the reader more than a second before."""
    other: int
    """Other deviations, such as unexpected errors."""
    marked: int
    """Answers that lacked a change, and said that they may be stale or incomplete."""
    answered: float
    """The share of reads of probes at the reading site that were answered within a second."""
    histograms: dict[str, list[int]]
    """For each kind of change, how many were shown at the reading site within each of `EDGES`."""
    lags: dict[str, Spread]
    """For each kind, the median, the 95th percentile and the maximum of the seconds from the acknowledgement."""
    behind: dict[str, Spread]
    """The same of the seconds after the write site has shown the change."""
    stalls: float
    """The longest stall of the test or of the write site, in seconds."""
    pause: float
    """The longest time in which no change was acknowledged, in seconds."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was lost, twice, stale, missing or leaked."""
        return not any((self.lost, self.twice, self.stale, self.own, self.leaks, self.other))

    @property
    def is_safe(self) -> bool:
        """Whether nothing was twice or leaked, and everything that was lost is known."""
        return not any((self.twice, self.leaks, self.other))

    def row(self) -> str:
        """Returns a line of the table."""
        lags = " | ".join(_cell(self.lags.get(kind), self.behind.get(kind)) for kind in KINDS)
        counts = (self.acknowledged, self.lost, self.twice, self.stale, self.own, self.leaks, self.other, self.marked)
        times = f"{self.stalls:.1f} | {self.pause:.1f}"
        return f"| {self.name} | {' | '.join(map(str, counts))} | {self.answered:.0%} | {lags} | {times} |"


def _cell(lags: Spread | None, behind: Spread | None) -> str:
    """Returns the median and the maximum of the seconds from the acknowledgement, and in parentheses the median of
    those after the write site.
    """
    return f"{lags[0]:.2f} to {lags[2]:.2f} ({behind[0]:.2f})" if lags and behind else "-"


HEADER = (
    "| round | acknowledged | lost | twice | stale | own | leaks | other | marked | reads | "
    + " | ".join(KINDS)
    + " | stall | pause |\n"
    + "|---" * (12 + len(KINDS))
    + "|"
)


def counted(name: str, acknowledged: int, probes: Probes, sentences: Iterable[str], pause: float = 0.0) -> Counted:
    """Counts what a round found. `sentences` are the deviations that clients and the check of the stores have found."""
    found = {"lost": 0, "twice": 0, "own": len(probes.missing), "leaks": probes.leaks, "other": 0}
    for sentence in sentences:
        found[_kind(sentence)] += 1
    lags = {kind: some for kind in KINDS if (some := probes.lags(kind))}
    prompt = [answered and seconds <= 1 for seconds, answered in probes.answers]
    stalls = [seconds for _, seconds in probes.watch.stalls] + [age.written for age in probes.watch.ages]
    return Counted(
        name,
        acknowledged,
        stale=probes.stale,
        marked=sum(one.marked for one in probes.changes),
        answered=sum(prompt) / max(len(prompt), 1),
        histograms={kind: _histogram(some) for kind, some in lags.items()},
        lags={kind: _spread(some) for kind, some in lags.items()},
        behind={kind: _spread(some) for kind in KINDS if (some := probes.behind(kind))},
        stalls=max(stalls, default=0.0),
        pause=pause,
        **found,
    )


def _kind(sentence: str) -> str:
    if _TWICE.search(sentence):
        return "twice"
    if _LEAK.search(sentence):
        return "leaks"
    if _AT_ONCE.search(sentence):
        return "own"
    return "other" if _UNEXPECTED.search(sentence) else "lost"


def _histogram(lags: Sequence[float]) -> list[int]:
    columns = [0] * (len(EDGES) + 1)
    for lag in lags:
        columns[bisect_right(EDGES, lag)] += 1
    return columns


def _spread(some: Sequence[float]) -> Spread:
    return _share(some, 0.5), _share(some, 0.95), some[-1]


def _share(some: Sequence[float], part: float) -> float:
    return some[min(int(len(some) * part), len(some) - 1)]


def histograms(rounds: Iterable[Counted]) -> str:
    """Returns the histograms of all rounds as a table."""
    columns = [*(f"≤ {edge:g} s" for edge in EDGES), "more"]
    lines = [f"| round | change | {' | '.join(columns)} |", "|---" * (2 + len(columns)) + "|"]
    for one in rounds:
        lines += [f"| {one.name} | {kind} | {' | '.join(map(str, some))} |" for kind, some in one.histograms.items()]
    return "\n".join(lines)


def write(rounds: Sequence[Counted], path: Path) -> None:
    """Writes the results of all rounds as JSON."""
    path.write_text(json.dumps({"edges": EDGES, "rounds": [asdict(one) for one in rounds]}, indent=1) + "\n")
