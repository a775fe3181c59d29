"""The command line. Each command calls a function of another package.

Commands import packages when they run, so that `plaudit --help` is fast, and `plaudit dev` does not load the API.
"""

from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from cli.console import (
    DATA_DIR,
    AsJson,
    DataDir,
    confirm_in_production,
    exit_on_error,
    past,
    print_json,
    read_settings,
    settings_of,
)
from cli.deletions import deletions, hold
from cli.failures import Commands
from cli.persisted import persisted
from cli.search import search
from cli.site import promote, site
from cli.webhooks import webhooks
from cli.words import words

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    help="Plaudit: social features as a GraphQL service.",
)
dead_letters = typer.Typer(cls=Commands, no_args_is_help=True, help="Dead letters: changes that Postgres refused.")
app.add_typer(dead_letters, name="dead-letters")
app.add_typer(deletions, name="deletions")
app.add_typer(hold, name="hold")
app.add_typer(persisted, name="persisted")
app.add_typer(search, name="search")
app.add_typer(site, name="site")
app.add_typer(webhooks, name="webhooks")
app.add_typer(words, name="words")


class TransparencyFormat(Enum):
    """The formats of the counts for transparency reports."""

    CSV = "csv"
    JSON = "json"


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"plaudit {version('plaudit')}")
        raise typer.Exit


@app.callback()
def begin(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Reads the options that stand before a command."""


@app.command()
def dev(
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="The port of the API; 0 takes any free port.",
            show_default="8000, else a free one",
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(help="The address of the API; 0.0.0.0 for other devices.", show_default="PLAUDIT_HOST, 127.0.0.1"),
    ] = None,
    data_dir: Annotated[Path, typer.Option(help="The folder for databases, logs and the signing secret.")] = DATA_DIR,
    seed: Annotated[bool, typer.Option(help="Fill an empty system with demo users and posts.")] = True,
) -> None:
    """Run the whole system on this machine: Postgres, Valkey, API and worker."""
    from runner.dev import dev as run

    chosen = {"host": host} if host else {}
    settings = read_settings(env="development", jwt_secret="chosen by the runner", **chosen)  # noqa: S106 - not a secret
    with exit_on_error(OSError):  # such as a full disk
        run(data_dir, port, host=settings.host, seed=seed)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The name of the folder: lower-case letters, digits and hyphens.")],
) -> None:
    """Make a folder with a sample page that has comments and likes, and with what the page needs."""
    from cli.new import make

    with exit_on_error(OSError):
        folder = make(name, Path.cwd())
    print(f"Made {folder.name}/. Its README.md says how to start it.")


@app.command()
def api(
    host: Annotated[str | None, typer.Option(help="The address to listen on.", show_default="PLAUDIT_HOST")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 0 takes any free port.", show_default="PLAUDIT_PORT")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, max=1000, help="The number of processes that share the port.")] = 1,
) -> None:
    """Run the API."""
    from checks import Misconfigured
    from server import serve

    chosen: dict[str, str | int | None] = {"host": host, "port": port}
    overrides = {name: value for name, value in chosen.items() if value is not None}
    with exit_on_error(Misconfigured):
        serve(settings_of(None, **overrides), processes)


@app.command()
def worker() -> None:
    """Run a worker, which writes changes from the journals to Postgres and to the caches."""
    from checks import Misconfigured
    from workers.main import run

    with exit_on_error(Misconfigured):
        run(settings_of())


@app.command()
def check(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Check whether servers or settings could lose data. Exits with 1 if a check finds an error."""
    import asyncio

    from checks import Severity, findings

    colours = {Severity.OK: "green", Severity.WARNING: "yellow"}
    found = asyncio.run(findings(settings_of(data_dir)))
    if as_json:
        print_json({"level": finding.level, "name": finding.name, "message": finding.message} for finding in found)
    for finding in () if as_json else found:
        typer.secho(f"{finding.level:8}", nl=False, fg=colours.get(finding.level, "red"))
        print(f"{finding.name:30}{finding.message}")
    if any(finding.level in (Severity.ERROR, Severity.REFUSED) for finding in found):
        raise typer.Exit(1)


@app.command()
def migrate(data_dir: DataDir = None) -> None:
    """Create the tables, or upgrade them to this version."""
    import asyncio

    from checks.postgres import refuse_unsuitable
    from cli.progress import progress
    from models.database.migrations import upgrade

    settings = settings_of(data_dir)
    asyncio.run(refuse_unsuitable(settings))
    with progress("migrations") as show:
        done = upgrade(settings, show)
    print(f"Ran {len(done)} migrations: {', '.join(done)}." if done else "The tables have this version already.")


@app.command()
def distribute(
    shards: Annotated[
        int, typer.Option(min=1, max=1024, help="The number of shards of each table, when the first is distributed.")
    ] = 16,
    data_dir: DataDir = None,
) -> None:
    """Distribute the tables over the nodes of a Citus cluster. Repeat it after a migration that creates tables."""
    from cli.distribute import NotDistributable, run

    settings = settings_of(data_dir)
    with exit_on_error(NotDistributable):
        names = run(settings, shards)
    print(f"Distributed {len(names)} tables." if names else "All tables are distributed already.")


@app.command()
def seed(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before changing production.")] = False,
    line_every: Annotated[float | None, typer.Option(hidden=True)] = None,  # seconds; for runner/dev.py
    data_dir: DataDir = None,
) -> None:
    """Fill a running system with demo users and posts. Does nothing if the system is already filled."""
    from cli.progress import progress
    from seed.loading import NoWorker, run

    settings = settings_of(data_dir)
    confirm_in_production(settings, yes, "Fill it with demo users and posts?")
    with exit_on_error(NoWorker), progress(line_every=line_every) as show:
        run(settings, lambda what, share: show(share, 1, what))


@app.command("import")
def import_archives(
    files: Annotated[list[Path], typer.Argument(help="Archives: files of JSON lines; - for standard input.")],
    check: Annotated[bool, typer.Option("--check", help="Import nothing. Report what would be rejected.")] = False,
    issuer: Annotated[
        str | None, typer.Option(help="The issuer of users without one.", show_default="PLAUDIT_JWT_ISSUER")
    ] = None,
    rejects: Annotated[
        Path,
        typer.Option(
            dir_okay=False, help="The file for rejected lines, as JSON lines with the reason; - for standard output."
        ),
    ] = Path("rejects.jsonl"),
    events: Annotated[bool, typer.Option("--events", help="Also send outgoing events about what is imported.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before changing production.")] = False,
    line_every: Annotated[float | None, typer.Option(hidden=True)] = None,
    data_dir: DataDir = None,
) -> None:
    """Import users and their content. Running it again imports what is missing. Exits with 2 if lines were rejected."""
    from archive.lines import STREAM
    from checks import Misconfigured
    from cli.importing import run, show_result
    from domain.errors import Unavailable

    settings = settings_of(data_dir)
    if missing := [file for file in files if file != STREAM and not file.is_file()]:
        raise typer.BadParameter(f"The file {missing[0]} does not exist.")
    if rejects != STREAM and rejects.resolve() in [file.resolve() for file in files]:
        raise typer.BadParameter(f"{rejects} is an archive. Name another file for rejected lines.")
    if not check:
        confirm_in_production(settings, yes, "Import the archives?", has_input=STREAM in files)
    with exit_on_error(Misconfigured, OSError, Unavailable):
        result = run(settings, files, rejects, issuer=issuer, check=check, events=events, line_every=line_every)
    show_result(result, check=check, stderr=rejects == STREAM)
    if result.rejected:
        place = "" if rejects == STREAM else f": see {rejects}"
        typer.secho(f"{result.rejected:,} lines were rejected{place}.", err=True, fg="red")
        raise typer.Exit(2)


@app.command()
def reconcile(
    repair: Annotated[
        bool, typer.Option("--repair", help="Repair differences. Without this option, nothing is written.")
    ] = False,
    only: Annotated[list[str] | None, typer.Option(help="Compare only this part. Can be repeated.")] = None,
    rate: Annotated[
        float | None, typer.Option(help="The most keys to compare per second.", show_default="unlimited")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Compare counters, lists and cached copies with their rows. Exits with 2 if differences remain."""
    from cli.reconcile import UnknownPart, run, show

    settings = settings_of(data_dir)
    with exit_on_error(UnknownPart):
        totals = run(settings, repair=repair, only=only or (), rate=rate)
    if as_json:
        print_json(
            {"kind": kind, "compared": total.keys, "drifting": total.drifting, "repaired": repair}
            for kind, total in totals.items()
        )
    else:
        show(totals, repair)
    if any(total.drifting for total in totals.values()) and not repair:
        raise typer.Exit(2)


@app.command("discard-caches")
def discard_caches(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before changing production.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Discard everything that Redis has cached, after Postgres was restored from a backup. Workers first store what the
    journals hold. Until then, for a few seconds, writes go directly to Postgres.
    """
    import asyncio

    from cli.discard_caches import discard

    settings = settings_of(data_dir)
    confirm_in_production(settings, yes, "Discard everything that Redis has cached?")
    asyncio.run(discard(settings))
    print("Workers discard what Redis has cached, as soon as they run.")


app.command()(promote)


@app.command()
def token(
    user: Annotated[str | None, typer.Option(help="The user's handle. Unknown handles create users.")] = None,
    scope: Annotated[list[str] | None, typer.Option(help="A scope that the token grants. Can be repeated.")] = None,
    business: Annotated[list[str] | None, typer.Option(help="Allow only this business. Can be repeated.")] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            help="Explain why a token is accepted or refused. - reads it from standard input.",
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Print a token that signs a user in, or explain a token. Exits with 1 if the API would refuse the
    explained token.
    """
    if (user is None) == (explain is None):
        raise typer.BadParameter("Give either --user or --explain.")
    if explain is not None:
        from cli.explain_token import show

        if not show(settings_of(data_dir), explain):
            raise typer.Exit(1)
    elif user is not None:
        from commands.issue_token import issue

        with exit_on_error(ValueError):
            print(issue(settings_of(data_dir), user, scope or (), business or ()))


@app.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def psql(context: typer.Context, data_dir: DataDir = None) -> None:
    """Open the database with psql. Other options are passed to psql."""
    from cli.psql import run

    settings = settings_of(data_dir)
    with exit_on_error():
        run(settings.database_url, context.args)


@app.command("moderation-log")
def moderation_log(
    since: Annotated[
        datetime | None, typer.Option(help="Print only lines since this time, UTC.", show_default="all lines")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Print the moderation log as JSON lines, oldest first, with the changes of the word list."""
    import asyncio

    from cli.moderation_log import export

    with exit_on_error(ValueError):
        asyncio.run(export(settings_of(data_dir), since and past(since)))


@app.command()
def transparency(
    since: Annotated[datetime, typer.Option("--from", help="The beginning of the period, UTC.")],
    until: Annotated[datetime, typer.Option("--to", help="The first moment after the period, UTC.")],
    format_: Annotated[TransparencyFormat, typer.Option("--format", help="The format.")] = TransparencyFormat.CSV,
    output: Annotated[Path | None, typer.Option(help="The file to write.", show_default="standard output")] = None,
    data_dir: DataDir = None,
) -> None:
    """Print the counts for a transparency report: notices, reports, restrictions, appeals, suspensions."""
    import asyncio

    from cli import transparency as command
    from store.moderation import transparency_counts

    with exit_on_error(ValueError, OSError):
        begin, end = since.replace(tzinfo=UTC), until.replace(tzinfo=UTC)
        if begin >= end:
            raise ValueError("--from must be before --to")
        counts = asyncio.run(command.counted(settings_of(data_dir), begin, end))
        is_csv = format_ is TransparencyFormat.CSV
        text = transparency_counts.as_csv(counts) if is_csv else command.as_json(counts, begin, end)
        if output:
            output.write_text(text, encoding="utf-8")
        else:
            print(text, end="")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="The file to write; - for standard output.")],
    user: Annotated[
        str | None,
        typer.Option(metavar="HANDLE_OR_ID", help="Export what is kept about this user, such as ann or User:7."),
    ] = None,
    issuer: Annotated[
        str | None,
        typer.Option(help="Name users of this issuer without it.", show_default="the first of PLAUDIT_JWT_ISSUER"),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Export all users, content and relations, or everything about one user, as JSON lines."""
    import asyncio

    from archive.lines import STREAM
    from cli.export import export as run

    with exit_on_error(LookupError, OSError):
        count = asyncio.run(run(settings_of(data_dir), file, user, issuer))
    if file != STREAM:
        print(f"Wrote {count:,} records to {file}.")


@app.command()
def retention(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print how long each kind of data is kept, how much was removed, and what is too old."""
    import asyncio

    from cli.retention import print_table, read

    rows = asyncio.run(read(settings_of(data_dir)))
    print_json(rows) if as_json else print_table(rows)


@dead_letters.command("list")
def list_dead_letters(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all dead letters, oldest first."""
    import asyncio

    from cli.dead_letters import print_table, read, to_json

    letters = asyncio.run(read(settings_of(data_dir)))
    print_json(map(to_json, letters)) if as_json else print_table(letters)


@dead_letters.command()
def replay(data_dir: DataDir = None) -> None:
    """Apply all dead letters again, and remove those that succeed. Exits with 1 if one fails."""
    import asyncio

    from cli.dead_letters import replay as run

    if not asyncio.run(run(settings_of(data_dir))):
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
