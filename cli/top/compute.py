"""Computes the figures of `plaudit top` from two samples. What a store knows itself comes from the store, if it
answered; else from the metrics of the processes.
"""

from collections.abc import Iterable, Mapping

from cli.top.figures import Destination, Figures, Journal, Process, Requests, Store, Stored
from cli.top.samples import Change, increase
from cli.top.stores import StoresSample
from store.redis.servers import RedisLoad

_NEVER = float("-inf")
_STOPPED = "destination", "state"


def figures(change: Change) -> Figures:
    """Returns the figures of the interval between two samples."""
    stores = change.after.stores
    return Figures(
        seconds=change.seconds,
        writes=_writes(change, stores),
        requests=Requests(
            rate=change.rate("plaudit_requests_total"),
            by_operation=change.rates("plaudit_requests_total", "operation"),
            median=change.quantile("plaudit_request_seconds", 0.5),
            p95=change.quantile("plaudit_request_seconds", 0.95),
            refused=change.rate("plaudit_requests_shed_total"),
            errors=change.rates("plaudit_errors_total", "code"),
            missing=change.rates("plaudit_degraded_fields_total", "field", "reason"),
        ),
        stored=Stored(
            rate=change.rate("plaudit_entries_stored_total"),
            by_kind=change.rates("plaudit_entries_stored_total", "kind"),
            commit_median=change.quantile("plaudit_commit_seconds", 0.5),
            persist_p95=change.quantile("plaudit_persist_seconds", 0.95),
        ),
        stores=sorted(_stores(change, stores), key=lambda one: one.up),
        processes=sorted(_processes(change), key=lambda one: (one.up, -(one.cpu or 0))),
        journals=sorted(_journals(change, stores), key=_urgency),
        destinations=sorted(_destinations(change, stores), key=lambda one: (one.state == "active", -one.lag_s)),
        hot_keys=change.gauges("plaudit_hot_key_reads_per_second", "key", sum),
    )


def _urgency(journal: Journal) -> tuple[bool, float, float, int]:
    lag = _NEVER if journal.lag_s is None else journal.lag_s
    return journal.owner is not None, -lag, -(journal.entries or 0), journal.partition


def _writes(change: Change, stores: StoresSample | None) -> str | None:
    direct = stores.writes_directly if stores else None
    if direct is None and (told := change.gauge("plaudit_write_mode_direct")):
        direct = any(told)
    return None if direct is None else "direct" if direct else "journal"


def _stores(change: Change, stores: StoresSample | None) -> list[Store]:
    if stores is None:
        up = change.gauges("plaudit_store_up", "store", min)
        return [Store(name, bool(value)) for name, value in sorted(up.items())]
    before = change.before.stores
    redis = _servers(change, "Redis", before.redis if before else None, stores.redis)
    cache = _servers(change, "cache", before.cache if before else None, stores.cache)
    return [_postgres(change, before, stores), *redis, *cache]


def _postgres(change: Change, before: StoresSample | None, stores: StoresSample) -> Store:
    if (now := stores.postgres) is None:
        return Store("Postgres", up=False)
    was = before.postgres if before else None
    return Store(
        "Postgres",
        up=True,
        bytes=now.bytes,
        connections=now.connections,
        most_connections=now.most_connections,
        rate=None if was is None else increase(was.transactions, now.transactions) / change.seconds,
        lock_waits=now.lock_waits,
        oldest_transaction_s=now.oldest_transaction_s,
    )


def _servers(
    change: Change,
    kind: str,
    before: Mapping[str, RedisLoad | None] | None,
    now: Mapping[str, RedisLoad | None] | None,
) -> Iterable[Store]:
    if now is None:
        yield Store(kind, up=False)
    for name, load in (now or {}).items():
        was = (before or {}).get(name)
        yield Store(
            f"{kind} {name}",
            up=load is not None,
            bytes=load and load.memory,
            most_bytes=(load and load.most_memory) or None,
            connections=load and load.connections,
            most_connections=(load and load.most_connections) or None,
            rate=increase(was.commands, load.commands) / change.seconds if was and load else None,
        )


def _processes(change: Change) -> Iterable[Process]:
    for url, values in change.after.processes.items():
        if values is None:
            yield Process(url, up=False)
            continue

        def total(name: str, url: str = url) -> int:
            return int(sum(change.gauge(name, of=url)))

        yield Process(
            url,
            up=True,
            kind="worker" if change.gauge("plaudit_partitions_owned", of=url) else "api",
            cpu=change.rate("process_cpu_seconds_total", of=url),
            bytes=total("process_resident_memory_bytes"),
            requests=change.rate("plaudit_requests_total", of=url),
            stored=change.rate("plaudit_entries_stored_total", of=url),
            partitions=total("plaudit_partitions_owned"),
            streams=total("plaudit_connections"),
            tasks=total("plaudit_tasks"),
        )


def _journals(change: Change, stores: StoresSample | None) -> list[Journal]:
    if stores and stores.partitions is not None:
        sizes = {p: (size.entries, size.lag_s(stores.read_ms)) for p, size in stores.journals.items()}
        return [Journal(one.p, one.owner, *sizes.get(one.p, (None, None))) for one in stores.partitions]
    entries = change.gauges("plaudit_journal_entries", "partition")
    lags = change.by_process("plaudit_journal_lag_seconds", "partition")
    return [Journal(int(p), url, int(entries.get(p, 0)), lag) for p, (url, lag) in lags.items()]


def _destinations(change: Change, stores: StoresSample | None) -> Iterable[Destination]:
    sent = change.rates("plaudit_outgoing_events_sent_total", "destination")
    failed = change.rates("plaudit_outgoing_requests_failed_total", "destination")
    if stores and stores.destinations is not None:
        known = {one.name: (one.state.name.lower(), one.reason, one.lag_s) for one in stores.destinations}
    else:
        stopped = dict(one.split() for one in change.active("plaudit_outgoing_destinations_stopped", *_STOPPED))
        lags = change.gauges("plaudit_outgoing_events_lag_seconds", "destination")
        known = {name: (stopped.get(name, "active"), None, lag) for name, lag in lags.items()}
    return [Destination(name, *about, sent.get(name, 0.0), failed.get(name, 0.0)) for name, about in known.items()]
