"""Samples of metrics and of stores, for tests of what `plaudit top` computes."""

from typing import Any

from cli.top.samples import Change, Sample, parse
from cli.top.stores import StoresSample

EARLIER = """
plaudit_requests_total{operation="entity",outcome="ok"} 10
plaudit_requests_total{operation="like",outcome="ok"} 5
plaudit_request_seconds_bucket{le="0.1"} 0
plaudit_request_seconds_bucket{le="1.0"} 0
plaudit_request_seconds_bucket{le="+Inf"} 0
"""
LATER = """
plaudit_requests_total{operation="entity",outcome="ok"} 30
plaudit_requests_total{operation="like",outcome="ok"} 3
plaudit_request_seconds_bucket{le="0.1"} 6
plaudit_request_seconds_bucket{le="1.0"} 9
plaudit_request_seconds_bucket{le="+Inf"} 10
plaudit_store_up{store="redis"} 1
plaudit_write_mode_direct 0
plaudit_partitions 2
plaudit_partitions_owned 2
plaudit_journal_lag_seconds{partition="0"} 0
plaudit_journal_lag_seconds{partition="1"} 7.5
plaudit_journal_entries{partition="0"} 3
plaudit_journal_entries{partition="1"} 1234
plaudit_outgoing_events_lag_seconds{destination="shop"} 2
plaudit_outgoing_destinations_stopped{destination="shop",state="paused"} 1
plaudit_hot_key_reads_per_second{key="{counts:1:7}"} 420
"""
OTHER = """
plaudit_store_up{store="redis"} 0
plaudit_hot_key_reads_per_second{key="{counts:1:7}"} 80
"""
NO_ANSWER = StoresSample(None, None, None, None, None, {}, None, 0)


def change(
    before: str | None = EARLIER,
    after: str | None = LATER,
    stores: tuple[StoresSample | None, StoresSample | None] = (None, None),
    seconds: float = 2,
) -> Change:
    """Returns what happened between two samples of two processes. The second one always answers."""
    texts: Any = zip((100, 100 + seconds), (before, after), stores, strict=True)
    samples = [
        Sample(at, {"http://a/metrics": None if text is None else parse(text), "http://b/metrics": parse(OTHER)}, asked)
        for at, text, asked in texts
    ]
    return Change(*samples)
