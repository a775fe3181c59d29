"""Streaming replicas of a Postgres server and of a Valkey server, over ports that a test may put a network before."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import asyncpg

from runner.binaries import postgres_bin
from runner.pgdata import ADMIN, environment, password
from runner.ports import HOST
from runner.postgres import Postgres
from runner.process import Command, run
from runner.valkey import Valkey
from runner.waiting import wait_until

_PATIENCE = 60
_STREAMED = "SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'"


async def standby_of(
    primary: Postgres, folder: Path, port: int, *, settings: Mapping[str, str], durable: bool = True
) -> Postgres:
    """Copies a running Postgres server into `folder`, and starts the copy with these settings as a standby that streams
    from `port`, the port of the primary or of a network before it. Returns when the standby streams.
    """
    await asyncio.to_thread(_copy, primary, folder / "data")
    secret = password(primary.data_dir / "data", ADMIN)
    source = {"primary_conninfo": f"host={HOST} port={port} user={ADMIN} password={secret}"}
    standby = Postgres(folder, durable=durable, settings={**settings, **source})
    await asyncio.to_thread(standby.start)
    connection = await asyncpg.connect(primary.url_of("postgres", ADMIN))
    try:
        async with asyncio.timeout(_PATIENCE):
            while not await connection.fetchval(_STREAMED):
                await asyncio.sleep(0.02)
    finally:
        await connection.close()
    return standby


def _copy(primary: Postgres, data: Path) -> None:
    data.mkdir(mode=0o700, parents=True)
    argv = (f"{postgres_bin()}/pg_basebackup", "--pgdata", str(data), "--checkpoint=fast", "--write-recovery-conf")
    command = Command(
        argv=(*argv, "--dbname", primary.url_of("postgres", ADMIN)),
        log=data.with_name("copy.log"),
        env=environment(),
        unprivileged=data,
    )
    run(command, _PATIENCE)


def replicate(replica: Valkey, port: int) -> None:
    """Makes a running Valkey server a replica of the server at `port`. Returns when the replica has its data."""
    replica.command("REPLICAOF", HOST, port)
    assert wait_until(lambda: replica.command("INFO", "replication")["master_link_status"] == "up", _PATIENCE)
