"""The command line. Every command is a few lines: the work is done in the layer it names.

Layers are imported inside the commands: `plaudit --help` then answers at once, and `plaudit dev` supervises without
holding a whole API in memory.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.errors import RunnerError
from runner.running import Running

if TYPE_CHECKING:
    from settings import Settings

DATA_DIR = Path(".data")

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_show_locals=False, help="Plaudit: social interaction by GraphQL."
)
dead_letters = typer.Typer(no_args_is_help=True, help="Events the database refused.")
app.add_typer(dead_letters, name="dead-letters")

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Find the running system by its data directory; .data if one runs there."),
]


@app.command()
def dev(
    port: Annotated[
        int | None, typer.Option(help="0 takes any free one.", show_default="8000, else a free one")
    ] = None,
    data_dir: Annotated[Path, typer.Option(help="Databases, logs and the signing secret.")] = DATA_DIR,
    seed: Annotated[bool, typer.Option(help="Fill an empty system with a small community.")] = True,
) -> None:
    """Run everything on this machine: Postgres, Valkey, API and worker."""
    from runner.dev import dev as run

    with _explained():
        run(data_dir, port, seed=seed)


@app.command()
def api() -> None:
    """Serve GraphQL."""
    from server import serve

    serve(_settings())


@app.command()
def worker() -> None:
    """Persist the journals and fan out."""
    from workers.main import run

    run(_settings())


@app.command()
def migrate(data_dir: DataDir = None) -> None:
    """Bring the tables up to date."""
    from models.migrations import upgrade

    upgrade(_settings(data_dir))


@app.command()
def seed(data_dir: DataDir = None) -> None:
    """Fill an empty system with a small community; does nothing where it has been."""
    from seed import run

    run(_settings(data_dir))


@app.command()
def token(
    user: Annotated[str, typer.Option(help="The user's handle; a new one becomes a user when first seen.")],
    scope: Annotated[list[str] | None, typer.Option(help="What it may do beyond being that user; repeatable.")] = None,
    business: Annotated[list[str] | None, typer.Option(help="Only for this business; repeatable.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Print a token that signs a user in."""
    from commands.tokens import issue

    print(issue(_settings(data_dir), user, scope or (), business or ()))


@dead_letters.command("list")
def list_dead_letters(data_dir: DataDir = None) -> None:
    """Print them, oldest first."""
    from workers.dead_letters import show

    show(_settings(data_dir))


@dead_letters.command()
def replay(data_dir: DataDir = None) -> None:
    """Try them again; what succeeds is removed."""
    from workers.dead_letters import replay as run

    run(_settings(data_dir))


def _settings(data_dir: Path | None = None) -> "Settings":
    """Those of the system that runs on `data_dir`; if that is not given, the environment's or else those of `.data`."""
    from settings import Settings

    if data_dir or "DATABASE_URL" not in os.environ:
        with _explained():
            _join(data_dir)
    return Settings()


def _join(data_dir: Path | None) -> None:
    running = Running.read(data_dir or DATA_DIR)
    if running:
        os.environ.update(running.environment)
    elif data_dir:
        raise RunnerError(f"Nothing runs on {data_dir}. Start it with `plaudit dev --data-dir {data_dir}`.")


@contextmanager
def _explained() -> Iterator[None]:
    """End with the message, and no traceback, if something outside Plaudit stands in the way."""
    try:
        yield
    except RunnerError as error:
        typer.secho(error, err=True, fg="red")
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app()
