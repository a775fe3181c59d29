"""Shared parts of the commands: choosing the system to connect to, printing JSON, and ending with an error message."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.errors import RunnerError
from runner.running import Running

if TYPE_CHECKING:
    from settings import Settings

DATA_DIR = Path(".data")

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="The data directory of a running system; .data by default."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON array instead of a table.")]


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Prints rows as one JSON array on standard output."""
    typer.echo(json.dumps(list(rows), indent=2, ensure_ascii=False))


def settings_of(data_dir: Path | None = None, **overrides: Any) -> "Settings":
    """Returns the settings of the system that runs on `data_dir`. Without `data_dir`, returns the settings of the
    environment if it has DATABASE_URL, otherwise those of the system on `.data`. `overrides` take precedence.
    """
    if data_dir or "DATABASE_URL" not in os.environ:
        with explained():
            _join(data_dir)
    return read_settings(**overrides)


def read_settings(**overrides: Any) -> "Settings":
    """Returns the settings of the environment. Exits with one line for each mistake in them."""
    from settings.reading import BadSettings, read

    with explained(BadSettings):
        return read(**overrides)


@contextmanager
def explained(*expected: type[Exception]) -> Iterator[None]:
    """Exits with the message, without a traceback, if the block raises RunnerError or an `expected` exception."""
    explained_errors: tuple[type[Exception], ...] = (RunnerError, *expected)
    try:
        yield
    except explained_errors as error:
        typer.secho(error, err=True, fg="red")
        raise typer.Exit(1) from None


def _join(data_dir: Path | None) -> None:
    running = Running.read(data_dir or DATA_DIR)
    if running:
        os.environ.update(running.environment)
    elif data_dir:
        raise RunnerError(f"No system runs on {data_dir}. Start one with `plaudit dev --data-dir {data_dir}`.")
