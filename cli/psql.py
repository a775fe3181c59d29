"""`plaudit psql`: opens the database with psql."""

import os
from collections.abc import Sequence
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from runner.binaries import postgres_bin


def run(database_url: str, options: Sequence[str]) -> NoReturn:
    """Replaces this process by psql. Raises RunnerError if there is no psql.

    Every user of the machine can read the arguments of a program, but not its environment. So psql finds the password
    in its environment.
    """
    url = urlsplit(database_url)
    program = str(postgres_bin() / "psql")
    login, at, hosts = url.netloc.rpartition("@")
    user, colon, password = login.partition(":")
    environment = {**os.environ, "PGPASSWORD": unquote(password)} if colon else os.environ
    named = url._replace(netloc=f"{user}{at}{hosts}").geturl()
    os.execve(program, [program, named, *options], environment)  # noqa: S606 - replaces this process
