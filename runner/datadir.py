"""The data directory of `plaudit dev`. One process at a time can lock it. It keeps secrets that survive restarts."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.errors import RunnerError
from runner.files import write_private
from runner.running import Running, forget


@contextmanager
def locked(data_dir: Path) -> Iterator[Path]:
    """Locks the data directory for this process while the block runs. Creates the directory if it is missing. Yields
    its absolute path. Removes `plaudit.json`, the description of the running system, before and after the block.

    Raises RunnerError, with the process id of the owner, if another process has locked the directory. The kernel
    releases the lock when this process ends, also after a crash.
    """
    data_dir = data_dir.absolute()
    # When we are root, Postgres runs as another user (see runner/users.py), who must be able to enter this directory.
    # Private files in it have stricter modes.
    data_dir.mkdir(mode=0o711, parents=True, exist_ok=True)
    # Git ignores the whole directory.
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
        # An earlier process that was killed may have left the file.
        forget(data_dir)
        try:
            yield data_dir
        finally:
            forget(data_dir)


def signing_secret(data_dir: Path) -> str:
    """Returns the secret that signs tokens: PLAUDIT_JWT_SECRET if it is set; otherwise a random secret in the data
    directory, so that tokens stay valid after restarts.
    """
    return os.environ.get("PLAUDIT_JWT_SECRET") or kept_secret(data_dir / "jwt-secret")


def kept_secret(file: Path) -> str:
    """Returns the random secret in a file that only this user can read. Creates the file if it is missing."""
    if not file.exists():
        write_private(file, secrets.token_urlsafe(48))
    return file.read_text()


def _taken(data_dir: Path, pid: str) -> str:
    running = Running.read(data_dir)
    where = f"at {running.url}" if running else "but is not ready yet"
    return (
        f"Plaudit already runs on {data_dir} (process {pid}) {where}. "
        f"Stop it with Ctrl-C or `kill {pid}`, or choose another directory with --data-dir."
    )
