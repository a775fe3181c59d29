"""The data directory of `plaudit dev`: one system at a time, and a signing secret that outlives it."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.errors import RunnerError
from runner.running import Running, forget


@contextmanager
def locked(data_dir: Path) -> Iterator[Path]:
    """The directory, made if missing, for this process alone; raise RunnerError naming who has it already.

    The kernel holds the lock, so it cannot outlive us, whatever ends us.
    """
    data_dir = data_dir.absolute()
    # As root, Postgres runs as another user (see runner/users.py), who must get through; what is private has a mode of
    # its own.
    data_dir.mkdir(mode=0o711, parents=True, exist_ok=True)
    # Git and backups need no list of what not to take.
    (data_dir / ".gitignore").write_text("*\n")
    with (data_dir / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise RunnerError(_taken(data_dir, lock.read().strip())) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        # Left behind by one that was killed.
        forget(data_dir)
        try:
            yield data_dir
        finally:
            forget(data_dir)


def signing_secret(data_dir: Path) -> str:
    """PLAUDIT_JWT_SECRET, else one made up once, so that tokens stay good over restarts."""
    return os.environ.get("PLAUDIT_JWT_SECRET") or kept_secret(data_dir / "jwt-secret")


def kept_secret(file: Path) -> str:
    """What a file holds that is for this user alone, made up once."""
    if not file.exists():
        unfinished = file.with_suffix(".unfinished")
        unfinished.touch(mode=0o600)
        unfinished.write_text(secrets.token_urlsafe(48))
        unfinished.rename(file)
    return file.read_text()


def _taken(data_dir: Path, pid: str) -> str:
    running = Running.read(data_dir)
    where = f"at {running.url}" if running else "but is not ready yet"
    return (
        f"Plaudit already runs on {data_dir} (process {pid}) {where}. "
        f"Stop it with Ctrl-C or `kill {pid}`, or choose another directory with --data-dir."
    )
