"""Samples of the metrics of several processes, and what happened between two of them."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import httpx
from prometheus_client.parser import text_string_to_metric_families

Labels = tuple[tuple[str, str], ...]
Series = Mapping[tuple[str, Labels], float]
"""The values of one process, by the name of the metric and its labels."""
_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    """The metrics of all processes at one moment, by URL. A process that did not answer has None."""

    at: float
    processes: Mapping[str, Series | None]


async def sample(urls: Sequence[str]) -> Sample:
    """Reads the metrics at each of these URLs, all at the same time."""
    async with httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False) as http:
        found = await asyncio.gather(*[_read(http, url) for url in urls])
    return Sample(time.monotonic(), dict(zip(urls, found, strict=True)))


async def _read(http: httpx.AsyncClient, url: str) -> Series | None:
    try:
        answer = await http.get(url)
        answer.raise_for_status()
        return parse(answer.text)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None


def parse(text: str) -> Series:
    """Parses metrics in the text format of Prometheus. Raises ValueError if the text has another format."""
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


@dataclass(frozen=True, slots=True)
class Change:
    """What happened between two samples. Rates are per second. A counter that is lower than before has begun again at
    zero, because its process was restarted. A process counts only if it answered both times.
    """

    before: Sample
    after: Sample
    seconds: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", max(self.after.at - self.before.at, 1e-9))

    def rate(self, name: str, *, of: str | None = None) -> float:
        """Returns the rate of a counter: the sum over its labels, of one process or of all."""
        return sum(self._increases(name, of).values()) / self.seconds

    def rates(self, name: str, *labels: str) -> dict[str, float]:
        """Returns the rates of a counter by the values of some labels, joined by spaces: highest first, no zeros."""
        found: defaultdict[str, float] = defaultdict(float)
        for series, increase in self._increases(name).items():
            found[_named(series, labels)] += increase / self.seconds
        return _ordered({key: rate for key, rate in found.items() if rate})

    def quantile(self, name: str, share: float) -> float | None:
        """Returns a quantile of a histogram, such as the median for 0.5: the upper bound of its bucket. Returns None if
        nothing was measured.
        """
        counts: defaultdict[float, float] = defaultdict(float)
        for series, increase in self._increases(f"{name}_bucket").items():
            counts[float(dict(series)["le"])] += increase
        total = counts.get(float("inf"), 0)
        if not total:
            return None
        return next(bound for bound in sorted(counts) if counts[bound] >= share * total)

    def gauge(self, name: str, *, of: str | None = None) -> list[float]:
        """Returns the values that a gauge has now, of one process or of all."""
        return [value for _, _, value in self._now(name, of)]

    def gauges(self, name: str, label: str, pick: Callable[[Iterable[float]], float] = max) -> dict[str, float]:
        """Returns the value that a gauge has now for each value of a label, highest first. Where processes differ,
        `pick` decides.
        """
        found: defaultdict[str, list[float]] = defaultdict(list)
        for _, series, value in self._now(name):
            found[dict(series).get(label, "")].append(value)
        return _ordered({key: pick(values) for key, values in found.items()})

    def active(self, name: str, *labels: str) -> list[str]:
        """Returns the values of some labels, joined by spaces, for which a gauge is not zero now."""
        return sorted({_named(series, labels) for _, series, value in self._now(name) if value})

    def _now(self, name: str, of: str | None = None) -> list[tuple[str, Labels, float]]:
        return [
            (url, series, value)
            for url, values in self.after.processes.items()
            if values and of in (None, url)
            for (own, series), value in values.items()
            if own == name
        ]

    def _increases(self, name: str, of: str | None = None) -> dict[Labels, float]:
        found: defaultdict[Labels, float] = defaultdict(float)
        for url, series, value in self._now(name, of):
            earlier = self.before.processes.get(url)
            if earlier is not None:
                was = earlier.get((name, series), 0)
                found[series] += value - was if value >= was else value
        return found


def _named(series: Labels, labels: Sequence[str]) -> str:
    known = dict(series)
    return " ".join(known.get(label, "") for label in labels)


def _ordered(found: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))
