"""What the commands of the command line share: which system they talk to, and how they end where something is wrong."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.errors import RunnerError
from runner.running import Running

if TYPE_CHECKING:
    from pydantic import ValidationError

    from settings import Settings

DATA_DIR = Path(".data")

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Find the running system by its data directory; .data if one runs there."),
]


def settings_of(data_dir: Path | None = None) -> "Settings":
    """Those of the system that runs on `data_dir`; if that is not given, the environment's or else those of `.data`."""
    from pydantic import ValidationError

    from settings import Settings

    if data_dir or "DATABASE_URL" not in os.environ:
        with explained():
            _join(data_dir)
    with explained():
        try:
            return Settings()
        except ValidationError as error:
            raise RunnerError(_told(error)) from error


@contextmanager
def explained(*expected: type[Exception]) -> Iterator[None]:
    """End with the message, and no traceback, if something outside Plaudit stands in the way, or what is `expected`."""
    told: tuple[type[Exception], ...] = (RunnerError, *expected)
    try:
        yield
    except told as error:
        typer.secho(error, err=True, fg="red")
        raise typer.Exit(1) from None


def _told(error: "ValidationError") -> str:
    """What is wrong with the settings; most often there are none, because a running system was expected."""
    problems = [": ".join([*map(str, one["loc"]), one["msg"]]) for one in error.errors(include_url=False)]
    return "\n".join([*problems, "Name a running system by --data-dir, or say this in the environment."])


def _join(data_dir: Path | None) -> None:
    running = Running.read(data_dir or DATA_DIR)
    if running:
        os.environ.update(running.environment)
    elif data_dir:
        raise RunnerError(f"Nothing runs on {data_dir}. Start it with `plaudit dev --data-dir {data_dir}`.")
