"""Samples of the metrics of several processes and of the stores, and what happened between two of them."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import httpx
from prometheus_client.parser import text_string_to_metric_families

from cli.top.figures import Bound
from cli.top.stores import Stores, StoresSample, connected
from settings import Settings

Labels = tuple[tuple[str, str], ...]
Series = Mapping[tuple[str, Labels], float]
"""The values of one process, by the name of the metric and its labels."""
_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    """The metrics of all processes at one moment, by URL; None for a process that did not answer. And what the stores
    answered; None if they were not asked.
    """

    at: float
    processes: Mapping[str, Series | None]
    stores: StoresSample | None = None


@asynccontextmanager
async def sampling(urls: Sequence[str], settings: Settings | None) -> AsyncIterator[Callable[[], Awaitable[Sample]]]:
    """Yields a function that reads the metrics at each of these URLs, and the stores of these settings, all at the same
    time. Its connections stay open until the end.
    """
    async with connected(settings) as stores, httpx.AsyncClient(trust_env=False) as http:
        yield partial(_sample, http, urls, stores)


async def _sample(http: httpx.AsyncClient, urls: Sequence[str], stores: Stores | None) -> Sample:
    answers = asyncio.gather(*[_read(http, url) for url in urls])
    of_stores = await stores.read() if stores else None
    found = await answers
    return Sample(time.monotonic(), dict(zip(urls, found, strict=True)), of_stores)


async def _read(http: httpx.AsyncClient, url: str) -> Series | None:
    try:
        async with asyncio.timeout(_TIMEOUT):
            answer = await http.get(url)
        answer.raise_for_status()
        return parse(answer.text)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError):
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
    """The changes between two samples. Rates are per second. They include only processes that answered both times."""

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

    def quantile(self, name: str, share: float) -> Bound | None:
        """Returns a quantile of a histogram, such as the median for 0.5: the upper bound of its bucket. Returns None if
        nothing was measured.
        """
        counts: defaultdict[float, float] = defaultdict(float)
        for series, increase in self._increases(f"{name}_bucket").items():
            counts[float(dict(series)["le"])] += increase
        total = counts.get(float("inf"), 0)
        if not total:
            return None
        *bounds, _ = sorted(counts)
        found = [bound for bound in bounds if counts[bound] >= share * total]
        return Bound(found[0] if found else bounds[-1], is_upper=bool(found))

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

    def by_process(self, name: str, label: str) -> dict[str, tuple[str, float]]:
        """Returns, for each value of a label, a process that exports a gauge for it, and the value there."""
        return {dict(series).get(label, ""): (url, value) for url, series, value in self._now(name)}

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
                found[series] += increase(was, value)
        return found


def increase(before: float, now: float) -> float:
    """Returns by how much a counter has grown. If it is lower than before, it has begun again at zero, because its
    process was restarted.
    """
    return now - before if now >= before else now


def _named(series: Labels, labels: Sequence[str]) -> str:
    known = dict(series)
    return " ".join(known.get(label, "") for label in labels)


def _ordered(found: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))
