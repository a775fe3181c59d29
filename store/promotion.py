"""A site that is promoted: its Postgres takes writes, under a new term (ADR 104)."""

import asyncio
import json
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import text

from models import METADATA
from store.backoff import rest
from store.keys import promoting
from store.postgres.client import Postgres, PostgresDown
from store.postgres.columns import columns
from store.redis.client import Redis
from store.write_log.write_mode import NEXT_GENERATION

_POLL = 0.1
_PATIENCE = 60.0
"""Seconds for which a promotion of Postgres may take."""
_STATE = text("""
    SELECT pg_is_in_recovery() AS is_standby,
           has_function_privilege('pg_promote(boolean, integer)', 'EXECUTE') AS may_promote,
           pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn() IS NOT FALSE AS has_replayed
""")
_SNAPSHOT = text("SELECT CAST(pg_current_snapshot() AS text)")
_BEGIN = text("SELECT pg_promote(false)")
_TERM = text(f"""
    INSERT INTO modes (id, direct, generation, since, term, highest_term, snapshot)
    VALUES (1, true, extract(epoch FROM clock_timestamp())::bigint, clock_timestamp(), 1, 1, :snapshot)
    ON CONFLICT (id) DO UPDATE
    SET direct = true, generation = {NEXT_GENERATION}, since = excluded.since, synchronous = false,
        term = greatest(modes.term + 1, modes.highest_term),
        highest_term = greatest(modes.term + 1, modes.highest_term),
        snapshot = excluded.snapshot
    RETURNING term
""")  # noqa: S608 - constants
_TAKES_OVER = text("UPDATE modes SET promoted_in = generation")
_PARTITIONS = text("""
    UPDATE partitions SET owner = NULL, lease_until = '-infinity', epoch = epoch + 1, promoted = greatest(head, last)
    FROM unnest(CAST(:ps AS smallint[]), CAST(:lasts AS bigint[])) AS n(number, last) WHERE p = number
""")
_FORGET_WORKERS = text("DELETE FROM workers")
_PROMOTED = text("SELECT p, promoted FROM partitions ORDER BY p")
_PROMOTED_WITH = text("SELECT snapshot FROM modes")
# The whole number of the transaction that wrote a row, whose column xmin has the lower 32 bits of it.
_WRITTEN_BY = """
    CAST(CAST(greatest(3, newest - mod(newest - CAST(CAST(xmin AS text) AS numeric) + 4294967296, 4294967296)) AS text)
         AS xid8)
"""
_ALONE = text("SELECT current_setting('synchronous_standby_names') = ''")


class Standby(NamedTuple):
    """Whether a Postgres is a standby, whether this role may promote it, and whether it has replayed all WAL that it
    has received.
    """

    is_standby: bool
    may_promote: bool
    has_replayed: bool


class Had(NamedTuple):
    """What a site has when its promotion begins: the version of the last entry of each journal, by partition; the
    snapshot of Postgres; and by how many seconds the site is behind, None if it never received anything.
    """

    lasts: dict[int, int]
    snapshot: str
    behind_s: float | None


async def note(redis: Redis, term: int, had: Had) -> None:
    """Stores that a promotion from this term has begun, in a state Redis that takes writes. Raises redis-py's
    errors.
    """
    await redis.client.execute_command("SET", promoting(), json.dumps({"term": term, **had._asdict()}))


async def noted(redis: Redis, term: int) -> Had | None:
    """Returns what `note` has stored if the promotion has not ended: the term is still the same. Raises redis-py's
    errors.
    """
    found = json.loads(await redis.client.execute_command("GET", promoting()) or "{}")
    if found.get("term") != term:
        return None
    return Had({int(p): last for p, last in found["lasts"].items()}, found["snapshot"], found["behind_s"])


async def standby(postgres: Postgres) -> Standby:
    """Returns the state of this Postgres. Raises PostgresDown."""
    return Standby(*(await postgres.read(_STATE))[0])


async def snapshot(postgres: Postgres) -> str:
    """Returns which transactions this Postgres has, as text of the type pg_snapshot."""
    return str((await postgres.read(_SNAPSHOT))[0][0])


async def promote(postgres: Postgres) -> None:
    """Makes a standby a server that takes writes. Returns when it does. Raises TimeoutError after a minute."""
    await postgres.read(_BEGIN)
    async with asyncio.timeout(_PATIENCE):
        while True:
            with suppress(PostgresDown):  # while it changes
                if not (await standby(postgres)).is_standby:
                    return
            await rest(_POLL)


async def begin_term(postgres: Postgres, had: Had) -> int:
    """Begins a new term, and returns it. Ends the leases of all workers. Writes wait until a worker has stored the
    journals, but become direct if that takes half a minute.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_FORGET_WORKERS)
        await transaction.execute(_PARTITIONS, **columns(had.lasts.items(), "ps", "lasts"))
        ((term,),) = await transaction.execute(_TERM, snapshot=had.snapshot)
        await transaction.execute(_TAKES_OVER)
        return int(term)


async def promoted(postgres: Postgres) -> tuple[list[int], str | None]:
    """Returns what this site had when it was promoted last: the version of the last entry of each journal, and the
    snapshot of Postgres.
    """
    modes = await postgres.read(_PROMOTED_WITH)
    return [row.promoted for row in await postgres.read(_PROMOTED)], modes[0].snapshot if modes else None


async def has_no_standby(postgres: Postgres) -> bool:
    """Returns whether the settings of this Postgres name no standby for which commits can wait."""
    return bool((await postgres.read(_ALONE))[0][0])


async def changed_rows(postgres: Postgres, since: str) -> dict[str, list[str]]:
    """Returns, by table, the primary keys of the rows that were written by transactions that a snapshot lacks. A key
    is JSON. Deleted rows are not among them.
    """
    found: dict[str, list[str]] = {}
    for table in METADATA.sorted_tables:
        if not table.info.get("local"):
            key = ", ".join(f"'{column.name}', {column.name}" for column in table.primary_key)
            changed = text(f"""
                SELECT CAST(json_build_object({key}) AS text) AS key
                FROM {table.name}, CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS numeric) AS newest
                WHERE NOT pg_visible_in_snapshot({_WRITTEN_BY}, CAST(CAST(:since AS text) AS pg_snapshot))
            """)  # noqa: S608 - names of tables and columns
            found[table.name] = [row.key for row in await postgres.read(changed, since=since)]
    return {name: keys for name, keys in found.items() if keys}
