"""Failures that commands report as one line, without a traceback: servers that do not answer or refuse the login, and
invalid input.
"""

import socket
from typing import Any

import typer
from typer.core import TyperGroup

_OF_THE_INSTALLATION = ("28", "3D", "25006", "42501", "42P01")
"""The beginnings of SQLSTATEs that operators can mend: a refused login, a missing database, read-only transactions, a
missing privilege, a missing table.
"""


class Commands(TyperGroup):
    """A group of commands. If a command raises an exception that `reason` knows, prints one line to standard error, and
    exits with status 1.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of the output has ended, such as `head`: typer exits with status 1
            raise
        except Exception as error:
            if message := reason(error):
                typer.secho(message, err=True, fg="red")
                raise typer.Exit(1) from None
            raise


def reason(error: Exception) -> str | None:
    """Returns one line for operators that says why a command failed; None if the exception may be a bug."""
    from domain.errors import PlauditError, Refused
    from store.postgres.client import PostgresDown, is_transient, sqlstate
    from store.redis.down import RedisDown

    found = None
    if isinstance(error, Refused):
        found = " ".join(one.message for one in error.errors)
    elif isinstance(error, (PostgresDown, RedisDown)):
        store = "Postgres" if isinstance(error, PostgresDown) else "Redis"
        found = _no_answer(store, error.__cause__) if error.__cause__ else f"{store} does not answer: run plaudit check"
    elif isinstance(error, PlauditError):
        found = error.message
    elif state := sqlstate(error):
        if is_transient(error) or state.startswith(_OF_THE_INSTALLATION):
            found = f"Postgres refuses: {getattr(error, 'orig', error)}"
    elif isinstance(error, (ConnectionError, TimeoutError, socket.gaierror)):
        found = _no_answer("The server", error)
    return found and found.partition("\n")[0]


def _no_answer(store: str, cause: BaseException) -> str:
    return f"{store} does not answer: {type(cause).__name__}: {cause}"
