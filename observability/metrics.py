"""Prometheus metrics of a process, and the number of store accesses of the current request."""

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from prometheus_client import (
    PROCESS_COLLECTOR,
    REGISTRY,
    Counter,
    Gauge,
    Histogram,
    Metric,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from dependencies.prometheus_client import ProcessMetrics

if TYPE_CHECKING:
    from opentelemetry.trace import Span


@dataclass(slots=True)
class Usage:
    """How often one request or traced batch has accessed the stores (round trips to Redis, SQL queries, transactions),
    and the span of the request or batch; the span is None if nothing is traced.
    """

    redis_round_trips: int = 0
    sql_queries: int = 0
    transactions: int = 0
    span: "Span | None" = None


@contextmanager
def served(host: str, port: int | None) -> Iterator[None]:
    """Serves the metrics of this process on the given port while the block runs; does nothing if the port is None.
    Raises OSError if the port is in use.
    """
    if port is None:
        yield
        return
    server, thread = start_http_server(port, host)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


usage: ContextVar[Usage | None] = ContextVar("usage", default=None)
"""The usage of the current request or traced batch, or None outside of requests and traced batches."""


REGISTRY.unregister(PROCESS_COLLECTOR)
ProcessMetrics()


class _Gauge(Gauge):
    """A gauge without labels that a process exports only after it has set the gauge. Otherwise a process that does not
    know the value would export 0. This would hide the values of other processes, or that no process knows the value.
    """

    _is_set = False

    def set(self, value: float) -> None:
        super().set(value)
        self._is_set = True

    def set_function(self, f: Callable[[], float]) -> None:
        super().set_function(f)
        self._is_set = True

    def clear(self) -> None:
        """Stops exporting the gauge until it is set again."""
        self._is_set = False

    def collect(self) -> Iterable[Metric]:
        for metric in super().collect():
            if not self._is_set:
                metric.samples.clear()
            yield metric


_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_FEW = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50)
_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

REQUESTS = Counter("plaudit_requests_total", "GraphQL requests", ["operation", "outcome"])
REQUEST_SECONDS = Histogram("plaudit_request_seconds", "Time to answer", ["operation"], buckets=_FAST)
REQUEST_ROUND_TRIPS = Histogram(
    "plaudit_request_redis_round_trips", "Redis round trips of one request", ["operation"], buckets=_FEW
)
REQUEST_QUERIES = Histogram("plaudit_request_sql_queries", "SQL queries of one request", ["operation"], buckets=_FEW)
REQUESTS_SHED = Counter("plaudit_requests_shed_total", "GraphQL requests refused because too many were running")
ERRORS = Counter("plaudit_errors_total", "Errors sent to clients", ["code"])
for _code in ("INTERNAL", "UNAVAILABLE"):  # if the series began with the first errors, Prometheus would not count them
    ERRORS.labels(_code)
FORWARDED = Counter(
    "plaudit_forwarded_total",
    "Operations that this site, which only reads, sent to the other site, by kind and by whether it answered",
    ["kind", "outcome"],
)
for _kind in ("mutation", "query"):
    for _outcome in ("answered", "unanswered"):
        FORWARDED.labels(_kind, _outcome)
STALE_ANSWERS = Counter(
    "plaudit_stale_answers_total", "Answers of a site that was behind, because the other site did not answer"
)
SITE_LAG = Gauge(
    "plaudit_site_lag_seconds", "How far a store of this site, which only reads, is behind the other site", ["store"]
)
DEGRADED_FIELDS = Counter(
    "plaudit_degraded_fields_total",
    "Values that are missing from answers because a store was unavailable",
    ["field", "reason"],
)

REDIS_ROUND_TRIPS = Counter("plaudit_redis_round_trips_total", "Pipelines sent to Redis")
REDIS_COMMANDS = Counter("plaudit_redis_commands_total", "Commands sent to Redis")
SQL_QUERIES = Counter("plaudit_sql_queries_total", "Statements sent to Postgres")
STORE_UP = Gauge(
    "plaudit_store_up", "1 while a store answers this process, 0 while the process sends nothing to it", ["store"]
)
WRITE_MODE_DIRECT = _Gauge(
    "plaudit_write_mode_direct", "1 while writes go straight to Postgres because Redis is not available, else 0"
)
CACHE_READS = Counter("plaudit_cache_reads_total", "Keys looked up by loaders", ["loader", "outcome"])
HOT_KEYS = _Gauge("plaudit_hot_keys", "Keys read so often that this process keeps local copies of their values")


class _HotKeyReads(Collector):
    """The metric of the cache keys that this process reads most often. The keys change, so they are determined when the
    metrics are collected.
    """

    read: Callable[[], Mapping[str, float]] = dict
    """Returns the reads per second by key. Processes with local caches replace this function; the default returns no
    keys.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        help_ = "Reads per second of the ten keys that this process reads most often, among plaudit_hot_keys"
        family = GaugeMetricFamily("plaudit_hot_key_reads_per_second", help_, labels=["key"])
        for key, rate in self.read().items():
            family.add_metric([key], rate)
        yield family


HOT_KEY_READS = _HotKeyReads()
REGISTRY.register(HOT_KEY_READS)
REACTION_LOOKUPS = Counter(
    "plaudit_reaction_lookups_total", "Lookups of viewers' reactions, by the first source that could answer", ["exit"]
)

BUDGET_CHARGES = Counter(
    "plaudit_budget_charges_total",
    "Charges to budgets, by the source of the points, and refusals",
    ["budget", "outcome"],
)

JOURNAL_LENGTH = Gauge("plaudit_journal_entries", "Entries in a journal partition", ["partition"])
JOURNAL_LAG = Gauge("plaudit_journal_lag_seconds", "Age of the oldest change not yet persisted", ["partition"])
JOURNAL_MAX_ENTRIES = _Gauge("plaudit_journal_max_entries", "Entries that a journal partition can hold")
JOURNAL_REFUSALS = Counter("plaudit_journal_refusals_total", "Changes refused because a journal was full")
PARTITIONS = _Gauge("plaudit_partitions", "Journal partitions of the deployment")
PARTITIONS_OWNED = _Gauge("plaudit_partitions_owned", "Journal partitions this worker owns")
BATCH_ENTRIES = Histogram("plaudit_batch_entries", "Entries in one committed batch", buckets=_SIZES)
ENTRIES_STORED = Counter(
    "plaudit_entries_stored_total",
    "Changes committed to Postgres, by their kind and by the log that acknowledged them: journal or direct",
    ["kind", "log"],
)
REDIS_MEMORY = Gauge(
    "plaudit_redis_memory_ratio", "Used memory of a state server, as a share of its maxmemory", ["server"]
)
COMMIT_SECONDS = Histogram("plaudit_commit_seconds", "Time of one batch transaction", buckets=_FAST)
PERSIST_SECONDS = Histogram(
    "plaudit_persist_seconds", "From acknowledgement to commit", buckets=(*_FAST, 10, 30, 60, 300)
)
WRITE_LIMIT = _Gauge("plaudit_write_limit_entries", "Entries that this worker processes at once, at most")
WRITE_THROTTLES = Counter(
    "plaudit_write_throttles_total", "Times that a worker lowered its write limit, by reason", ["why"]
)
for _why in ("failed", "slow"):
    WRITE_THROTTLES.labels(_why)
DEAD_LETTERS = Counter("plaudit_dead_letters_total", "Entries that Postgres refused")
DEAD_LETTERS_WAITING = _Gauge("plaudit_dead_letters_waiting", "Dead letters that are neither replayed nor deleted")
WORKER_RETRIES = Counter("plaudit_worker_retries_total", "Batches retried after a transient failure")

RETENTION_REMOVED = Counter(
    "plaudit_retention_removed_total",
    "Rows that were removed or emptied because they are older than their retention period",
    ["kind"],
)
RETENTION_OVERDUE = Gauge(
    "plaudit_retention_overdue_seconds", "How long ago the retention period of the oldest remaining row ended", ["kind"]
)

DELETIONS = Gauge(
    "plaudit_deletions", "Accounts that are to be deleted, by state: waiting, running, or held (legal hold)", ["state"]
)
ERASURES = Gauge(
    "plaudit_erasures", "Entities that are being erased, by state: running, or held (legal hold of a user)", ["state"]
)
DELETIONS_REMOVED = Counter(
    "plaudit_deletions_removed_total", "Changes and rows of deleted accounts and erased entities that were removed"
)
DRIFT = Gauge(
    "plaudit_drift",
    "Derived values and cached copies that differed from their rows after the last reconcile run",
    ["kind"],
)

FANOUT_PUSHES = Counter("plaudit_fanout_pushes_total", "Inboxes that posts were pushed to or removed from")
FANOUT_LAG = _Gauge("plaudit_fanout_lag_seconds", "Age of the oldest post that has not reached all inboxes")
FANOUT_SECONDS = Histogram(
    "plaudit_fanout_seconds", "From acknowledgement to the last follower's inbox", buckets=(*_FAST, 10, 30, 60, 300)
)

SEARCH_WAITING = _Gauge("plaudit_search_waiting", "Changes that the index for search does not have yet")
SEARCH_LAG = _Gauge("plaudit_search_lag_seconds", "Age of the oldest change that the index for search does not have")

EVENTS_SENT = Counter("plaudit_outgoing_events_sent_total", "Outgoing events that a destination has", ["destination"])
EVENT_REQUESTS_FAILED = Counter(
    "plaudit_outgoing_requests_failed_total", "Failed attempts to send outgoing events", ["destination", "reason"]
)
EVENTS_LAG = Gauge(
    "plaudit_outgoing_events_lag_seconds",
    "Age of the oldest outgoing event that waits for a destination",
    ["destination"],
)
EVENT_DESTINATIONS_STOPPED = Gauge(
    "plaudit_outgoing_destinations_stopped",
    "1 for each destination that gets no outgoing events, by state: paused or lapsed",
    ["destination", "state"],
)

MODERATION_CASES = Gauge("plaudit_moderation_cases", "Open cases of the moderation queue", ["source"])
MODERATION_OLDEST_CASE = _Gauge("plaudit_moderation_oldest_case_seconds", "Age of the oldest open case")
MODERATION_OLDEST_APPEAL = _Gauge("plaudit_moderation_oldest_appeal_seconds", "Age of the oldest open appeal")
MODERATION_DECISIONS = Gauge(
    "plaudit_moderation_decisions", "Lines of the moderation log of the last 24 hours", ["role", "action"]
)
REVIEWS = Counter("plaudit_reviews_total", "Submissions sent to the external reviewer, by outcome", ["outcome"])
REVIEW_SECONDS = Histogram(
    "plaudit_review_seconds", "Response time of the external reviewer", buckets=(*_FAST, 10, 30, 60)
)

REVIEW_CALLBACKS = Counter(
    "plaudit_review_callbacks_total",
    "Decisions that the external reviewer sent to /reviews, by status of the response",
    ["status"],
)

ACTIONS_NOT_COUNTED = Counter(
    "plaudit_anonymous_views_and_shares_not_counted_total",
    "Views, shares and other actions of anonymous devices that exceeded the limits of an address",
)
IMAGE_VERIFICATIONS = Counter(
    "plaudit_image_verifications_total", "Verifications of image URLs, by result", ["verdict"]
)
EXPORTS = Counter("plaudit_exports_total", "Downloads of exports of accounts, by outcome", ["outcome"])
PERSISTED = Counter(
    "plaudit_persisted_total", "Operations requested by id or hash, by the place where they were found", ["found"]
)
PERSISTED_REQUESTS = Counter(
    "plaudit_persisted_requests_total",
    "Requests for imported operations and operations of manifests, by operation, imported client and version",
    ["operation", "client", "version", "outcome"],
)
PLANS = Counter("plaudit_plans_total", "Operations, by how they were executed and why", ["outcome", "reason"])

BUILD = Gauge("plaudit_build_info", "Always 1; the labels describe the process", ["role", "version", "python"])


def describe_process(role: str) -> None:
    """Exports a metric whose labels are the role of this process (`api` or `worker`) and the versions of Plaudit and
    Python.
    """
    BUILD.labels(role, version("plaudit"), platform.python_version()).set(1)


TASKS = _Gauge("plaudit_tasks", "asyncio tasks of this process")
CONNECTIONS_REFUSED = Counter(
    "plaudit_connections_refused_total", "Connections closed because a client broke a limit, by status", ["status"]
)
CONNECTIONS = Gauge("plaudit_connections", "Open WebSockets and event streams", ["transport"])
SUBSCRIPTIONS = Gauge("plaudit_subscriptions", "Active subscriptions", ["operation"])
CHANNELS_UNCONFIRMED = _Gauge(
    "plaudit_channels_unconfirmed", "Channels with listeners whose subscription no Redis server has confirmed"
)
EVENTS = Counter("plaudit_events_total", "Events sent to subscribers", ["operation"])
WEBSOCKETS_CLOSED = Counter(
    "plaudit_websockets_closed_total", "WebSockets that this server closed, by close code", ["code"]
)
