"""Functions that several commands use: reading the settings of the system to connect to, printing JSON, and exiting
with an error message.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.errors import RunnerError

if TYPE_CHECKING:
    from rich.console import Console

    from settings import Settings

DATA_DIR = Path(".data")

_OF_A_DEPLOYMENT = ("PLAUDIT_JWT_SECRET", "PLAUDIT_JWT_JWKS_URL", "PLAUDIT_ENV")
"""Variables of which each deployment has one. Without them and DATABASE_URL, there is nothing to connect to."""

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="The data directory of a running system; .data by default."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON array instead of a table.")]


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Prints rows as one JSON array on standard output."""
    typer.echo(json.dumps(list(rows), indent=2, ensure_ascii=False))


def output(width: int = 1_000_000, *, stderr: bool = False) -> "Console":
    """Returns the console that writes to standard output or, if `stderr` is true, to standard error. If that is not a
    terminal, its lines have up to `width` characters, so that programs that read a table find whole values.
    """
    from rich.console import Console

    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(width=width, stderr=stderr)


def settings_of(data_dir: Path | None = None, **overrides: Any) -> "Settings":
    """Returns the settings of a running system: of the system in `data_dir` if it is given; otherwise those in the
    environment if DATABASE_URL is set, or else those of the system in `.data`. Adds the variables of a system in a
    folder to this process's environment. `overrides` replace single settings.

    Exits with status 1 if no system runs in `data_dir`, or if settings are invalid.
    """
    if data_dir or "DATABASE_URL" not in os.environ:
        with exit_on_error():
            _join(data_dir)
    return read_settings(**overrides)


def read_settings(**overrides: Any) -> "Settings":
    """Returns the settings in the environment; `overrides` replace single settings. If some are invalid, prints one
    line for each mistake and exits with status 1. Sends the log to standard error from now on, so that standard output
    contains only the output of the command.
    """
    from observability import logs
    from settings.environment import BadSettings, read

    logs.configure("WARNING")
    with exit_on_error(BadSettings):
        return read(**overrides)


def confirm_in_production(settings: "Settings", yes: bool, question: str, *, has_input: bool = False) -> None:
    """Asks `question` if `settings` are those of production, unless `yes` is true, because the user has given `--yes`.
    Exits with status 1 if the answer is not yes, or if standard input has the input of the command (`has_input`), and
    so cannot have the answer.
    """
    if settings.env == "production" and not yes:
        if has_input:
            typer.secho("This is production. Confirm the command with --yes.", err=True, fg="red")
            raise typer.Exit(1)
        place = settings.database_url.rpartition("@")[2].partition("?")[0]
        typer.confirm(f"This is production ({place}). {question}", abort=True, err=True)


def past(time: datetime) -> datetime:
    """Returns a time that a user has typed with a time zone: UTC if it had none. Raises ValueError if it is in the
    future.
    """
    known = time if time.tzinfo else time.replace(tzinfo=UTC)
    if known > datetime.now(UTC):
        raise ValueError("The time is in the future.")
    return known


@contextmanager
def exit_on_error(*expected: type[Exception]) -> Iterator[None]:
    """Runs the block. If it raises RunnerError or one of the `expected` exceptions, prints the message without a
    traceback, and exits with status 1.
    """
    handled: tuple[type[Exception], ...] = (RunnerError, *expected)
    try:
        yield
    except handled as error:
        typer.secho(error, err=True, fg="red")
        raise typer.Exit(1) from None


def _join(data_dir: Path | None) -> None:
    from runner.running import Running

    running = Running.read(data_dir or DATA_DIR)
    if running:
        os.environ.update(running.environment)
    elif data_dir:
        raise RunnerError(f"No system runs in {data_dir}. Start one with `plaudit dev --data-dir {data_dir}`.")
    elif not any(name in os.environ for name in _OF_A_DEPLOYMENT):
        raise RunnerError(
            f"No system runs in {DATA_DIR.absolute()}. Start one with `plaudit dev`, name the folder of a running one "
            "with --data-dir, or set DATABASE_URL and the other settings of a deployment."
        )
