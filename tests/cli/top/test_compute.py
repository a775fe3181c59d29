"""What `plaudit top` computes from two samples."""

from dataclasses import replace

from cli.top.compute import figures
from cli.top.figures import Bound, Journal, Store, to_json
from cli.top.stores import StoredDestination, StoresSample
from models.outgoing import DestinationState
from store.postgres.server import PostgresLoad
from store.redis.servers import RedisLoad
from store.write_log.journal import Entry, JournalSize, version_at
from store.write_log.partition_leases import LeasedPartition
from tests.cli.top.samples import EARLIER, LATER, NO_ANSWER, change

NOW = 1_790_000_000_000
LOAD = PostgresLoad(100, 7, 2, 61.5, 1000, 5_000_000)
REDIS = RedisLoad(2_000_000, 8_000_000, 5, 10_000, 500)


def answered() -> tuple[StoresSample, StoresSample]:
    """Returns two samples of stores that answer: the commands of Redis began again at zero."""
    waiting = Entry(1, version_at(NOW - 3000), {})
    before = StoresSample(
        postgres=LOAD,
        redis={"127.0.0.1:6379": REDIS},
        cache={},
        writes_directly=True,
        partitions=[LeasedPartition(0, "one", 5), LeasedPartition(1, "two", 6), LeasedPartition(2, None, 7)],
        journals={0: JournalSize(9, None), 1: JournalSize(4, waiting)},
        destinations=[
            StoredDestination("other", DestinationState.ACTIVE, None, 0),
            StoredDestination("shop", DestinationState.LAPSED, "events were removed", 8.5),
        ],
        read_ms=NOW,
    )
    redis = {"127.0.0.1:6379": REDIS._replace(commands=100), "127.0.0.1:6380": None}
    return before, replace(before, postgres=LOAD._replace(transactions=1030), redis=redis)


def test_rates_are_per_second_and_a_counter_that_began_again_counts_from_zero() -> None:
    found = figures(change()).requests

    assert found.by_operation == {"entity": 10.0, "like": 1.5}
    assert found.rate == 11.5


def test_a_process_that_did_not_answer_both_times_has_no_rates() -> None:
    assert figures(change(None, LATER)).requests.rate == 0
    gone = figures(change(EARLIER, None))
    assert gone.requests.rate == 0
    assert [(one.url, one.up) for one in gone.processes] == [("http://a/metrics", False), ("http://b/metrics", True)]


def test_quantiles_are_bounds_of_buckets() -> None:
    now = change()
    found = [now.quantile("plaudit_request_seconds", share) for share in (0.5, 0.9, 0.95)]

    assert found == [Bound(0.1, is_upper=True), Bound(1.0, is_upper=True), Bound(1.0, is_upper=False)]
    assert change(LATER, LATER).quantile("plaudit_request_seconds", 0.5) is None


def test_without_stores_the_metrics_say_what_they_know() -> None:
    for stores in (None, NO_ANSWER):
        found = figures(change(stores=(stores, stores)))

        assert found.writes == "journal"
        assert found.journals == [Journal(1, "http://a/metrics", 1234, 7.5), Journal(0, "http://a/metrics", 3, 0.0)]
        assert [(one.name, one.state, one.lag_s) for one in found.destinations] == [("shop", "paused", 2.0)]
    assert figures(change()).stores == [Store("redis", up=False)]  # one process cannot reach it


def test_the_reads_of_a_hot_key_are_those_of_all_processes() -> None:
    assert figures(change()).hot_keys == {"{counts:1:7}": 500.0}


def test_stores_know_better_than_metrics() -> None:
    found = figures(change(stores=answered()))

    assert found.writes == "direct"
    assert found.journals == [Journal(2, None, None, None), Journal(1, "two", 4, 3.0), Journal(0, "one", 9, 0.0)]
    assert [(one.name, one.state, one.lag_s) for one in found.destinations] == [
        ("shop", "lapsed", 8.5),
        ("other", "active", 0.0),
    ]
    assert found.stores == [
        Store("Redis 127.0.0.1:6380", up=False),
        Store("Postgres", True, 5_000_000, None, 7, 100, 15.0, 2, 61.5),
        Store("Redis 127.0.0.1:6379", True, 2_000_000, 8_000_000, 5, 10_000, 50.0),
    ]


def test_stores_that_do_not_answer_are_down() -> None:
    stores = figures(change(stores=(answered()[0], NO_ANSWER))).stores

    assert [(one.name, one.up) for one in stores] == [("Postgres", False), ("Redis", False), ("cache", False)]


def test_figures_are_json_with_the_units_in_the_names() -> None:
    found = to_json(figures(change(stores=answered())))

    assert found["requests"]["byOperation"] == {"entity": 10.0, "like": 1.5}
    assert found["requests"]["p95"] == {"seconds": 1.0, "isUpper": False}
    assert found["journals"][1] == {"partition": 1, "owner": "two", "entries": 4, "lagSeconds": 3.0}
    assert found["stores"][1]["oldestTransactionSeconds"] == 61.5
    assert found["hotKeys"] == {"{counts:1:7}": 500.0}
