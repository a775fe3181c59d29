"""Prepares a Postgres data directory: creates it completely or not at all, checks its version, and removes locks of
dead servers.
"""

import base64
import hashlib
import hmac
import os
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import psutil

from runner import users
from runner.errors import RunnerError, StartError
from runner.files import write_private
from runner.process import Command, Process, alive, finish, run

USER = DATABASE = "plaudit"
"""The name of the database, and of the role as which Plaudit's programs connect. The role owns the database and is no
superuser.
"""
ADMIN = "postgres"
"""The name of the superuser's role."""
INIT_SECONDS = 120
_HBA = "host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n"


def prepare(home: Path, binaries: Path, *, durable: bool) -> Path:
    """Returns the data directory under `home`, ready for `postgres` to start on. If it is missing, creates it with the
    programs in `binaries`. If `durable` is true, waits until the new files are on the disk. Raises RunnerError if that
    fails, or if another major version of Postgres has made the data.

    Clients must send a password, which is stored in the directory. If this process runs as root, the directory gets an
    owner of its own, and `postgres` runs as that user.
    """
    data = home / "data"
    if data.exists():
        _check_version(data, major_version(binaries))
        _forget_dead_postmaster(data)
    else:
        _initialise(data, binaries, durable=durable)
    users.give_away(data)
    return data


def password(data: Path, role: str) -> str:
    """Returns the password of a role, from its file in the data directory."""
    return _password_file(data, role).read_text()


def major_version(binaries: Path) -> int:
    """Returns the major version of the `postgres` program in `binaries`."""
    output = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\(PostgreSQL\) (\d+)", output)
    if found is None:
        raise RunnerError(f"{binaries / 'postgres'} --version has no version number: {output!r}")
    return int(found[1])


def servers_on(data: Path) -> list[int]:
    """Returns the ids of all Postgres processes whose working directory is `data`."""
    return [process.pid for process in psutil.process_iter() if _serves(process, data.resolve())]


def is_ready(data: Path, pid: int) -> bool:
    """Returns whether the server with this process id accepts connections, according to `postmaster.pid` in its data
    directory.
    """
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() in ("ready", "standby")


def environment() -> dict[str, str]:
    """Returns the environment variables of this process without locales and variables of Postgres clients, which would
    change how the data is created.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}


def _initialise(data: Path, binaries: Path, *, durable: bool) -> None:
    unfinished = data.with_name("data.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    log = data.with_name("postgres.log")
    version = major_version(binaries)
    initdb = [f"{binaries}/initdb", f"--pgdata={unfinished}", f"--username={ADMIN}", "--auth=reject", "--encoding=UTF8"]
    command = [*initdb, *_locale(version), *([] if durable else ["--no-sync"])]
    run(Command(argv=tuple(command), log=log, env=environment(), unprivileged=unfinished), INIT_SECONDS)
    _run_alone(unfinished, binaries, log, "postgres", [f"CREATE DATABASE {DATABASE}"])
    _secure(unfinished, binaries, log)
    unfinished.rename(data)


def _locale(version: int) -> list[str]:
    """Returns the options of `initdb` with which texts are sorted by code point and have the case rules of Unicode.
    From Postgres 17 on, the result is the same on every machine.
    """
    if version >= 17:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--locale=C.UTF-8"]


def _secure(data: Path, binaries: Path, log: Path) -> None:
    """Creates the role `USER` as owner of the database, and sets and stores the passwords of `ADMIN` and `USER`."""
    passwords = {role: secrets.token_urlsafe(32) for role in (ADMIN, USER)}
    statements = [
        "BEGIN",
        f"CREATE ROLE {USER} LOGIN",
        *(f"ALTER ROLE {role} PASSWORD '{_verifier(one)}'" for role, one in passwords.items()),
        f"ALTER DATABASE {DATABASE} OWNER TO {USER}",
        "COMMIT",
    ]
    _run_alone(data, binaries, log, DATABASE, statements)
    (data / "pg_hba.conf").write_text(_HBA)
    for role, one in passwords.items():
        write_private(_password_file(data, role), one)


def _run_alone(data: Path, binaries: Path, log: Path, database: str, statements: Sequence[str]) -> None:
    """Runs SQL statements as superuser, by a Postgres process that serves no clients. No server may run on the data
    directory.
    """
    single = (f"{binaries}/postgres", "--single", "-j", "-D", str(data), database)
    with tempfile.TemporaryFile() as sql:
        sql.write("".join(f"{one};\n\n" for one in statements).encode())
        sql.seek(0)
        process = Process(Command(argv=single, log=log, env=environment(), unprivileged=data), sql)
        finish(process, INIT_SECONDS)
    if "ERROR:" in process.output():  # an error does not end the process
        raise StartError("postgres could not prepare its data", process.output(), log)


def _password_file(data: Path, role: str) -> Path:
    return data / f"{role}.password"


def _verifier(password: str) -> str:
    """Returns what Postgres stores to check a password (its SCRAM verifier, RFC 5803). A single iteration is enough for
    a password of 256 random bits.
    """
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 1)
    client, server = (hmac.digest(salted, key, "sha256") for key in (b"Client Key", b"Server Key"))
    encoded = [base64.b64encode(one).decode() for one in (salt, hashlib.sha256(client).digest(), server)]
    return f"SCRAM-SHA-256$1:{encoded[0]}${encoded[1]}:{encoded[2]}"


def _check_version(data: Path, version: int) -> None:
    theirs = (data / "PG_VERSION").read_text().strip()
    if theirs != str(version):
        raise RunnerError(
            f"{data} was made by Postgres {theirs}, and the Postgres found here is {version}. Name the programs of "
            f"version {theirs} in PLAUDIT_POSTGRES_BIN, move the data with pg_upgrade, or choose another directory."
        )


def _forget_dead_postmaster(data: Path) -> None:
    """Removes the lock file of a dead server if its process id now belongs to another program, as often happens in
    containers.

    Postgres itself checks every other lock file: it knows whether children of a dead server still use its shared
    memory.
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
    except psutil.Error:  # the process has ended, or belongs to another user
        return False
