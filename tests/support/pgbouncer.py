"""A real PgBouncer on loopback, with Debian's defaults, in front of the tests' Postgres."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from runner.ports import HOST, free_port
from runner.process import Command, Process
from runner.waiting import finished
from tests.support.nginx import listens

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
MISSING = "pgbouncer is not on the PATH: apt-get install pgbouncer"
READY_SECONDS = 20
_CONFIGURATION = """
[databases]
* = host={host} port={server_port}

[pgbouncer]
listen_addr = {host}
listen_port = {port}
auth_type = scram-sha-256
auth_file = {home}/users
pool_mode = {mode}
unix_socket_dir =
"""


@contextmanager
def pooled(home: Path, database_url: str, mode: str) -> Iterator[str]:
    """Runs PgBouncer in a mode (`session`, `transaction` or `statement`). Yields the URL of the database behind it.
    Other users must be able to enter `home`, because PgBouncer does not run as root.
    """
    assert PROGRAM, MISSING
    url, port = urlsplit(database_url), free_port()
    home.chmod(0o755)
    (home / "users").write_text(f'"{url.username}" "{url.password}"\n')
    (home / "pgbouncer.ini").write_text(
        _CONFIGURATION.format(host=HOST, server_port=url.port, port=port, home=home, mode=mode)
    )
    command = Command(
        argv=(PROGRAM, str(home / "pgbouncer.ini")),
        log=home.with_suffix(".log"),
        stop_signal=signal.SIGINT,
        unprivileged=home,
    )
    process = finished(Process.starting(command, lambda _: listens(port), READY_SECONDS))
    try:
        yield url._replace(netloc=url.netloc.replace(f":{url.port}", f":{port}")).geturl()
    finally:
        process.stop()
