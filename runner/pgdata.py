"""A Postgres data directory: made whole or not at all, checked for its version, freed from dead owners."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil

from runner.errors import RunnerError
from runner.process import Command, alive, run

USER = DATABASE = "plaudit"
INIT_SECONDS = 120


def prepare(home: Path, binaries: Path, *, durable: bool) -> Path:
    """The data directory under `home`, ready for `postgres` to start on; made if it is missing."""
    data = home / "data"
    if data.exists():
        _check_version(data, major_version(binaries))
        _forget_dead_postmaster(data)
    else:
        _initialise(data, binaries, durable=durable)
    return data


def major_version(binaries: Path) -> int:
    """The major version of the `postgres` program in `binaries`."""
    told = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\(PostgreSQL\) (\d+)", told)
    if found is None:
        raise RunnerError(f"{binaries / 'postgres'} does not tell its version: {told!r}")
    return int(found[1])


def servers_on(data: Path) -> list[int]:
    """The Postgres processes that work on `data`, whoever started them: each of them works inside it."""
    return [process.pid for process in psutil.process_iter() if _serves(process, data.resolve())]


def is_ready(data: Path, pid: int) -> bool:
    """Whether the server with this pid accepts connections; it says so in the file that `pg_ctl` reads, too."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() in ("ready", "standby")


def environment() -> dict[str, str]:
    """Ours without what would change a server's data: its locale and the variables of Postgres clients."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}


def _initialise(data: Path, binaries: Path, *, durable: bool) -> None:
    unfinished = data.with_name("data.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    log = data.with_name("postgres.log")
    version = major_version(binaries)
    initdb = [f"{binaries}/initdb", f"--pgdata={unfinished}", f"--username={USER}", "--auth=trust", "--encoding=UTF8"]
    command = [*initdb, *_locale(version), *([] if durable else ["--no-sync"])]
    run(Command(argv=tuple(command), log=log, env=environment(), unprivileged=unfinished), INIT_SECONDS)
    _create_database(unfinished, binaries, log)
    unfinished.rename(data)


def _locale(version: int) -> list[str]:
    """Code point order and Unicode case, the same on every machine where Postgres can promise it (17 and later)."""
    if version >= 17:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--locale=C.UTF-8"]


def _create_database(data: Path, binaries: Path, log: Path) -> None:
    single = (f"{binaries}/postgres", "--single", "-D", str(data), "postgres")
    with tempfile.TemporaryFile() as sql:
        sql.write(f"CREATE DATABASE {DATABASE}\n".encode())
        sql.seek(0)
        run(Command(argv=single, log=log, env=environment(), unprivileged=data), INIT_SECONDS, sql)


def _check_version(data: Path, version: int) -> None:
    theirs = (data / "PG_VERSION").read_text().strip()
    if theirs != str(version):
        raise RunnerError(
            f"{data} was made by Postgres {theirs}, and the Postgres found here is {version}. Name the programs of "
            f"version {theirs} in PLAUDIT_POSTGRES_BIN, move the data with pg_upgrade, or choose another directory."
        )


def _forget_dead_postmaster(data: Path) -> None:
    """Remove the lock of a dead server whose pid now belongs to another program (common in containers).

    Every other lock is left for Postgres to judge: it can tell whether children of a dead server still hold its memory.
    """
    lock = data / "postmaster.pid"
    try:
        pid = int(lock.read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return
    if alive(pid) and not servers_on(data):
        lock.unlink(missing_ok=True)


def _serves(process: psutil.Process, data: Path) -> bool:
    try:
        return process.name() == "postgres" and Path(process.cwd()) == data
    except psutil.Error:  # it has ended, or is none of ours
        return False
