"""Explains the failures that processes and commands report without a traceback: servers that do not answer or refuse
the login, settings that contradict the servers, ports that are taken, and invalid input.
"""

import socket
from collections.abc import Callable
from typing import Any

from redis.exceptions import NoPermissionError, ResponseError
from sqlalchemy.exc import DBAPIError

from checks.findings import Misconfigured
from domain.errors import PlauditError, Refused
from store.postgres.client import PostgresDown, is_transient, sqlstate
from store.redis.connect import BadAddress
from store.redis.down import RedisDown

_OF_THE_INSTALLATION = ("28", "3D", "25006", "42501", "42P01")
"""The beginnings of the SQLSTATE codes of problems that operators can solve: a refused login, a missing database,
read-only transactions, a missing privilege, a missing table.
"""


def reason(error: Exception) -> str | None:
    """Returns one line for operators that says why a process or command failed with this exception. Returns None if the
    exception may be a bug. For Misconfigured, returns its whole message, which can have several lines.
    """
    if isinstance(error, Misconfigured):
        return str(error)
    found = next((tell(error) for kinds, tell in _KNOWN if isinstance(error, kinds)), None) or _of_postgres(error)
    return found and found.partition("\n")[0]


def _of_redis(error: ResponseError) -> str | None:
    """Returns the reason if Redis refuses a command because this user may not run it or this server does not know it.
    Returns None for other errors, which may be bugs.
    """
    is_known = isinstance(error, NoPermissionError) or str(error).startswith("unknown command")
    return f"Redis refuses: {error}" if is_known else None


def _of_postgres(error: Exception) -> str | None:
    """Returns the reason why Postgres or its driver refuses a connection or a statement; None if that may be a bug."""
    state, cause = sqlstate(error), getattr(error, "orig", error)
    if state is None:
        return _no_answer("Postgres", cause) if isinstance(error, DBAPIError) else None
    is_known = is_transient(error) or state.startswith(_OF_THE_INSTALLATION)
    return f"Postgres refuses: {cause}" if is_known else None


def _of_store(error: Exception) -> str:
    store = "Postgres" if isinstance(error, PostgresDown) else "Redis"
    return _no_answer(store, error.__cause__) if error.__cause__ else f"{store} does not answer: run plaudit check"


def _no_answer(store: str, cause: BaseException) -> str:
    return f"{store} does not answer: {type(cause).__name__}: {cause}"


_KNOWN: list[tuple[tuple[type[Exception], ...], Callable[[Any], str | None]]] = [
    ((ResponseError,), _of_redis),
    ((BadAddress,), str),
    ((Refused,), lambda error: " ".join(one.message for one in error.errors)),
    ((PostgresDown, RedisDown), _of_store),
    ((PlauditError,), lambda error: str(error.message)),
    ((ConnectionError, TimeoutError, socket.gaierror), lambda error: _no_answer("The server", error)),
]
"""Classes of exceptions, each with the function that returns the reason. The first entry that matches is used."""
