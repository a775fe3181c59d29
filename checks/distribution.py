"""Checks of a database that the extension Citus distributes over several servers."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from checks.findings import Finding, Severity, assess
from store.postgres import distribution
from store.postgres.client import Postgres, PostgresDown
from store.postgres.distribution import NodeSettings

OLDEST = 14
"""The oldest supported version of Citus, which is also the version that the tests run on."""
_RECOVERY_MS = 10_000
"""The longest acceptable interval, in milliseconds, at which Citus looks for transactions that a failed node left
undecided.
"""

_CONNECTIONS = 16
"""The most connections to a node that a session uses (`citus.max_adaptive_executor_pool_size`)."""


class _Rule(NamedTuple):
    """A property that nodes of the cluster must have. `name` is the name of its finding, `holds` tests it by a node's
    settings, and `otherwise` is the severity if a node lacks it. The texts of the finding say that all nodes have the
    property (`good`), that a node lacks it (`bad`), and what then happens (`because`).
    """

    name: str
    holds: Callable[[Mapping[str, str]], bool]
    otherwise: Severity
    good: str
    bad: str
    because: str


_OF_NODES = (
    _Rule(
        "citus.durability",
        lambda of: of["fsync"] == of["full_page_writes"] == "on",
        Severity.REFUSED,
        "fsync and full_page_writes are on",
        "fsync or full_page_writes is off",
        "a crash can lose a part of a transaction whose other parts are kept",
    ),
    _Rule(
        "citus.replication",
        lambda of: bool(of["synchronous_standby_names"]) and of["synchronous_commit"] in ("on", "remote_apply"),
        Severity.REFUSED,
        "commits wait for a standby",
        "synchronous_standby_names is empty, or synchronous_commit is not on",
        "a failover can lose changes that the other nodes count as stored",
    ),
    _Rule(
        "citus.prepared_transactions",
        lambda of: int(of["max_prepared_transactions"]) >= int(of["max_connections"]),
        Severity.WARNING,
        "max_prepared_transactions is at least max_connections",
        "max_prepared_transactions is less than max_connections",
        "commits are refused while all are in use",
    ),
    _Rule(
        "citus.in_doubt",
        lambda of: of["in_doubt"] == "0",
        Severity.WARNING,
        "no transaction has been prepared for long",
        "a transaction was prepared more than five minutes ago",
        "it holds locks until it is decided: see pg_prepared_xacts, and whether all nodes answer",
    ),
)
_OF_COORDINATOR = (
    _Rule(
        "citus.recovery",
        lambda of: 0 < int(of["citus.recover_2pc_interval"]) <= _RECOVERY_MS,
        Severity.WARNING,
        "undecided transactions are searched for often",
        "citus.recover_2pc_interval is not from 1 to 10 s",
        "after a node fails, its part of the last commits stays invisible and locked until the next search",
    ),
    _Rule(
        "citus.deadlocks",
        lambda of: float(of["citus.distributed_deadlock_detection_factor"]) > 0,
        Severity.ERROR,
        "deadlocks between nodes are detected",
        "citus.distributed_deadlock_detection_factor is not above 0",
        "transactions that wait for each other on several nodes wait for ever",
    ),
    _Rule(
        "citus.deadlock_prevention",
        lambda of: of["citus.enable_deadlock_prevention"] == "on",
        Severity.WARNING,
        "one transaction at a time changes rows in several shards of a table",
        "citus.enable_deadlock_prevention is off",
        "many batches end with a deadlock, and are repeated",
    ),
    _Rule(
        "citus.connections",
        lambda of: int(of["citus.max_cached_conns_per_worker"]) >= min(int(of["shards"]), _CONNECTIONS),
        Severity.WARNING,
        "connections to nodes are kept",
        "citus.max_cached_conns_per_worker is less than the shards of a table on a node",
        "statements that ask several shards open new connections each time",
    ),
)


async def findings(database: Postgres) -> list[Finding]:
    """Returns the findings about a database that Citus distributes; none if the database does not have this extension.

    Raises DBAPIError or PostgresDown if Postgres does not answer.
    """
    version = await distribution.read_version(database)
    if version is None:
        return []
    if not await distribution.is_coordinator(database):
        message = "DATABASE_URL names a worker node: it must name the coordinator"
        return [Finding("citus.coordinator", Severity.ERROR, message)]
    return [_version(version), *await _tables(database), *await _nodes(database)]


def major(version: str) -> int:
    """Returns the first number of a version text such as `14.0-1`."""
    return int(version.partition(".")[0])


def _version(version: str) -> Finding:
    fact, tested = f"Citus {version}", f"Plaudit is tested with Citus {OLDEST}"
    if major(version) < OLDEST:
        return Finding("citus.version", Severity.ERROR, f"{fact}: it must be {OLDEST} or newer")
    return assess("citus.version", major(version) == OLDEST, Severity.WARNING, fact, tested)


async def _tables(database: Postgres) -> list[Finding]:
    placements, wanted = await distribution.read_placements(database), distribution.columns()
    missing = sorted(wanted.keys() - placements.keys())
    fact = f"{len(wanted) - len(missing)} of {len(wanted)} tables are distributed"
    because = f"{', '.join(missing)} are not: run plaudit distribute"
    wrong = "; ".join(distribution.problems(placements))
    placed = wrong or "distributed tables have the documented columns"
    return [
        assess("citus.tables", not missing, Severity.ERROR, fact, because),
        assess("citus.placement", not wrong, Severity.ERROR, placed, "statements are slow or refused"),
    ]


async def _nodes(database: Postgres) -> list[Finding]:
    try:
        nodes = await distribution.read_settings(database)
    except PostgresDown:
        return [Finding("citus.nodes", Severity.ERROR, "a node does not answer in time")]
    silent = [f"{node.name} does not answer: {node.error}" for node in nodes if node.error]
    fact = "; ".join(silent) or f"the coordinator and {len(nodes) - 1} worker nodes answer"
    because = "requests that need its rows fail"
    return [
        assess("citus.nodes", not silent, Severity.ERROR, fact, because),
        *(_assess(rule, nodes) for rule in _OF_NODES),
        *(_assess(rule, nodes[:1]) for rule in _OF_COORDINATOR),
    ]


def _assess(rule: _Rule, nodes: Sequence[NodeSettings]) -> Finding:
    bad = [node.name for node in nodes if not node.error and not rule.holds(node.settings)]
    fact = f"{', '.join(bad)}: {rule.bad}" if bad else rule.good
    return assess(rule.name, not bad, rule.otherwise, fact, rule.because)
