"""Checks Postgres: its durability, version, role, free connections, clock and settings, and the revision, partitions,
privileges and distribution of its tables.
"""

from collections.abc import Callable, Iterator
from typing import Any

from checks import distribution, large_database
from checks.clocks import clock
from checks.findings import Finding, Misconfigured, Severity, assess
from domain.versions import version_at
from models import METADATA
from models.database.revisions import newest_revision
from settings import Settings
from store import log_partitions
from store.postgres.client import Postgres, connect
from store.postgres.server import (
    read_missing_privileges,
    read_revisions,
    read_server,
    read_suitability,
    read_tuning,
)
from store.write_log.journal import installed_partitions

_OLDEST = 150_000
_EXTENSIONS = ("pg_trgm",)
"""The extensions that migrations create."""


async def findings(settings: Settings, database: Postgres, now_ms: Callable[[], int]) -> list[Finding]:
    """Returns the findings about Postgres. Raises DBAPIError or PostgresDown if Postgres does not answer."""
    await read_server(database)  # connects, so that the time to connect does not distort the comparison of clocks
    asked_ms = now_ms()
    server = await read_server(database)
    ahead_ms = float(server.now_ms) - (asked_ms + now_ms()) / 2
    found = [
        *_durability(server),
        *_capacity(server, settings),
        clock("postgres.clock", "Postgres", ahead_ms, Severity.ERROR),
        *large_database.findings(await read_tuning(database)),
    ]
    found += [*await tables(settings, database), await _privileges(server.role, database)]
    found.append(await _log_partitions(database, now_ms()))
    return [*found, *await distribution.findings(database)]


async def tables(settings: Settings, database: Postgres) -> list[Finding]:
    """Returns findings about the revision of the tables, and about the number of partitions, which are the journals
    with their users. If there are no tables, returns one finding that says so.
    """
    found = await read_revisions(database)
    if not found:
        return [Finding("postgres.revision", Severity.ERROR, "the database has no tables: run plaudit migrate")]
    return [_revision(found[0]), await journals(settings, database)]


async def _privileges(role: str, database: Postgres) -> Finding:
    missing = await read_missing_privileges(database, METADATA.tables)
    fact = f"the role {role} lacks no privilege on a table of Plaudit"
    if missing:
        name, privileges = next(iter(missing.items()))
        others = f", and privileges on {len(missing) - 1} other tables" if len(missing) > 1 else ""
        fact = f"the role {role} lacks {privileges} on the table {name}{others}"
    because = "Postgres refuses its statements: grant SELECT, INSERT, UPDATE and DELETE on all tables of Plaudit"
    return assess("postgres.privileges", not missing, Severity.ERROR, fact, because)


async def _log_partitions(database: Postgres, now_ms: int) -> Finding:
    soon = version_at(now_ms + log_partitions.WEEK_MS)
    found = {log: await log_partitions.read(database, log) for log in log_partitions.LOGS}
    ending = [log for log, some in found.items() if some and some[-1].until < soon]
    fact = f"{' and '.join(ending) or 'each log'} has {'no' if ending else 'a'} partition for next week"
    because = "rows go to the default partition, which is not dropped: Partitions of the logs, docs/operate/scale.md"
    return assess("postgres.log_partitions", not ending, Severity.WARNING, fact, because)


def _revision(revision: str) -> Finding:
    newest, fact = newest_revision(), f"the database is at revision {revision}"
    if revision > newest:  # during an upgrade, processes of both versions run
        because = f"a newer version of Plaudit has migrated it; this version knows revisions up to {newest}"
        return Finding("postgres.revision", Severity.WARNING, f"{fact}: {because}")
    because = f"this version needs {newest}: run plaudit migrate"
    return assess("postgres.revision", revision == newest, Severity.ERROR, fact, because)


async def journals(settings: Settings, database: Postgres) -> Finding:
    """Returns a finding about the number of journal partitions: the setting must be the number with which the tables
    were created.

    Raises DBAPIError if there are no tables.
    """
    installed, configured = await installed_partitions(database), settings.partitions
    return assess(
        "postgres.partitions",
        installed == configured,
        Severity.REFUSED,
        f"this deployment was installed with PLAUDIT_PARTITIONS={installed}",
        f"with PLAUDIT_PARTITIONS={configured}, some acknowledged changes would never reach Postgres",
    )


def _durability(server: Any) -> list[Finding]:
    because = "a crash can lose commits whose journal entries are already removed"
    settings = {name: getattr(server, name) for name in ("fsync", "full_page_writes", "synchronous_commit")}
    return [
        assess(f"postgres.{name}", value != "off", Severity.REFUSED, f"{name} is {value}", because)
        for name, value in settings.items()
    ]


async def refuse_unsuitable(settings: Settings) -> None:
    """Raises Misconfigured, with what to do, if Postgres is too old for the tables of Plaudit, or lacks an extension
    that they need. Raises PostgresDown if it does not answer.
    """
    database = connect(settings, "check")
    try:
        version, missing = await read_suitability(database, _EXTENSIONS)
    finally:
        await database.close()
    if version < _OLDEST:
        raise Misconfigured(
            f"Postgres {version // 10_000} is too old: Plaudit needs Postgres {_OLDEST // 10_000} or newer. "
            "Name another server in DATABASE_URL."
        )
    if missing:
        raise Misconfigured(
            f"The Postgres server has no extension {', '.join(missing)}. Install the package with the extensions of "
            "Postgres, such as postgresql-contrib, on its machine."
        )


def _capacity(server: Any, settings: Settings) -> Iterator[Finding]:
    fact = f"version {server.version // 10_000}"
    yield assess("postgres.version", server.version >= _OLDEST, Severity.ERROR, fact, "it must be 15 or newer")
    fact = "it is a standby" if server.is_standby else "it is the primary"
    is_good = not server.is_standby or settings.connections.other_site is not None
    yield assess("postgres.primary", is_good, Severity.ERROR, fact, "it accepts no writes")
    if not server.is_standby:
        yield assess(
            "postgres.writes",
            not server.is_read_only,
            Severity.ERROR,
            "its transactions are read-only" if server.is_read_only else "its transactions may write",
            "it refuses writes: set default_transaction_read_only to off",
        )
    yield assess(
        "postgres.connections",
        server.free_connections >= settings.database_connections,
        Severity.WARNING,
        f"{server.free_connections} of max_connections are free",
        f"this process alone may use {settings.database_connections}",
    )
