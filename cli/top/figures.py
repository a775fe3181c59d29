"""The figures that `plaudit top` shows. They are computed from two samples (`compute.py`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a duration in seconds: the upper bound of its bucket. The last bucket has no upper bound, so the
    duration is longer than the bound of the bucket before; then `is_upper` is false.
    """

    seconds: float
    is_upper: bool


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests, errors and missing values, per second. The times to answer are None if nothing was answered."""

    rate: float
    by_operation: Mapping[str, float]
    median: Bound | None
    p95: Bound | None
    refused: float
    errors: Mapping[str, float]
    missing: Mapping[str, float]
    """Values that were missing in answers because a store was unavailable, by field and reason."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Changes that reached Postgres, per second. The times are None if nothing was stored."""

    rate: float
    by_kind: Mapping[str, float]
    commit_median: Bound | None
    persist_p95: Bound | None
    """From acknowledgement to commit."""


@dataclass(frozen=True, slots=True)
class Store:
    """A store or one of its servers. Numbers are None if they are unknown."""

    name: str
    up: bool
    bytes: int | None = None
    """The size of the database, or the used memory of a Redis server."""
    most_bytes: int | None = None
    connections: int | None = None
    most_connections: int | None = None
    rate: float | None = None
    """Transactions or commands per second."""
    lock_waits: int | None = None
    oldest_transaction_s: float | None = None


@dataclass(frozen=True, slots=True)
class Process:
    """A process with metrics. `cpu` is 1 for one busy core. Everything but the URL is None if it does not answer."""

    url: str
    up: bool
    kind: str | None = None
    cpu: float | None = None
    bytes: int | None = None
    requests: float | None = None
    stored: float | None = None
    partitions: int | None = None
    streams: int | None = None
    tasks: int | None = None


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal. The owner is None if no worker owns it; numbers are None if Redis does not answer."""

    partition: int
    owner: str | None
    entries: int | None
    lag_s: float | None


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination of outgoing events: `active`, `paused` or `lapsed`. Rates are per second."""

    name: str
    state: str
    reason: str | None
    lag_s: float
    sent: float
    failed: float


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one interval, worst or busiest first in each list."""

    seconds: float
    writes: str | None
    """`journal` or `direct`; None if it is unknown."""
    requests: Requests
    stored: Stored
    stores: Sequence[Store]
    processes: Sequence[Process]
    journals: Sequence[Journal]
    destinations: Sequence[Destination]
    hot_keys: Mapping[str, float]
    """Reads per second of the keys that processes read most often."""


def to_json(value: Any) -> Any:
    """Returns figures as JSON: camelCase names, rates with three digits."""
    if is_dataclass(value):
        return {_camel(one.name): to_json(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(one) for one in value]
    return round(value, 3) if isinstance(value, float) else value


def _camel(name: str) -> str:
    first, *others = (name.removesuffix("_s") + "_seconds" if name.endswith("_s") else name).split("_")
    return first + "".join(map(str.title, others))
