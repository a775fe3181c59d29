"""`plaudit persisted`: checks, imports, lists and withdraws persisted operations, and shows their use."""

from pathlib import Path
from typing import Annotated

import typer

from cli.console import AsJson, DataDir, exit_on_error, output, print_json, settings_of
from cli.failures import Commands

persisted = typer.Typer(
    cls=Commands, no_args_is_help=True, help="Persisted operations, which clients run by their ids."
)

_UNIT = "operations"
Manifests = Annotated[
    list[Path], typer.Argument(help="Manifests of Apollo, Relay or graphql-codegen, or folders with manifests.")
]
Ids = Annotated[list[str] | None, typer.Argument(help="Ids of operations.")]
ClientOption = Annotated[
    str | None, typer.Option("--client", help="The name that the client sends as apollographql-client-name.")
]
Versions = Annotated[
    list[str] | None,
    typer.Option("--client-version", help="The version that it sends as apollographql-client-version; repeatable."),
]


@persisted.command("check")
def check_manifests(files: Manifests, as_json: AsJson = False) -> None:
    """Check that operations are valid for the schema, and print their costs. Exits with 1 if one is invalid or too
    expensive.
    """
    from api.persisted.checking import check_all, table_of, to_json
    from api.persisted.manifests import ManifestError, read_all
    from cli.progress import progress

    with exit_on_error(ManifestError), progress(_UNIT) as show:
        results = check_all(read_all(files), show)
    print_json(map(to_json, results)) if as_json else output().print(table_of(results))
    if any(result.problem for result in results):
        raise typer.Exit(1)


@persisted.command("import")
def import_manifest(
    files: Manifests, client: ClientOption = None, client_version: Versions = None, data_dir: DataDir = None
) -> None:
    """Import the operations of manifests, for versions of a client if you name them. Imports nothing if one cannot run.
    API processes serve imported operations within 5 seconds.
    """
    from api.persisted.checking import table_of
    from api.persisted.importing import ImportRefused, import_manifests
    from api.persisted.manifests import ManifestError
    from cli.progress import progress

    _check_client(client, client_version)
    named = (client, client_version) if client and client_version else ()
    with exit_on_error(ManifestError, ImportRefused), progress(_UNIT) as show:
        try:
            done = import_manifests(settings_of(data_dir), files, *named, report=show)
        except ImportRefused as error:
            if error.failed:
                output().print(table_of(error.failed))
            raise
    typer.echo(done)


@persisted.command()
def withdraw(
    ids: Ids = None,
    client: ClientOption = None,
    client_version: Versions = None,
    message: Annotated[str | None, typer.Option(help="The text for users. Asks for an update by default.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Withdraw operations, or versions of a client. API processes refuse them within 15 seconds, with the code
    OPERATION_WITHDRAWN and the message.
    """
    from api.persisted.withdrawing import DEFAULT_MESSAGE

    _change(ids, client, client_version, DEFAULT_MESSAGE if message is None else message, data_dir)


@persisted.command()
def restore(
    ids: Ids = None, client: ClientOption = None, client_version: Versions = None, data_dir: DataDir = None
) -> None:
    """Let withdrawn operations or versions of a client run again. API processes run them within 15 seconds."""
    _change(ids, client, client_version, None, data_dir)


@persisted.command()
def usage(
    client: Annotated[str | None, typer.Option(help="Only this client.")] = None,
    client_version: Annotated[str | None, typer.Option(help="Only this version.")] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print how often each version of a client has requested each operation, and when last. Requests of other clients
    are counted as `other`, requests that state no client as `none`.
    """
    import asyncio

    from api.persisted.reporting import read_operation_usage, table_of_operations, to_json

    rows = asyncio.run(read_operation_usage(settings_of(data_dir), client, client_version))
    print_json(map(to_json, rows)) if as_json else output().print(table_of_operations(rows))


@persisted.command()
def versions(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print the versions of clients for which operations were imported: how many operations each has, how often it has
    requested them, and whether it is withdrawn.
    """
    import asyncio

    from api.persisted.reporting import read_versions, table_of_versions, to_json

    rows = asyncio.run(read_versions(settings_of(data_dir)))
    print_json(map(to_json, rows)) if as_json else output().print(table_of_versions(rows))


@persisted.command("list")
def list_imported(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print the imported operations, oldest first, and the operations of the configured manifests."""
    import asyncio

    from api.persisted.checking import table_of, to_json
    from api.persisted.manifests import ManifestError
    from api.persisted.reporting import list_operations
    from cli.progress import progress

    with exit_on_error(ManifestError), progress(_UNIT) as show:
        results = asyncio.run(list_operations(settings_of(data_dir), show))
    print_json(map(to_json, results)) if as_json else output().print(table_of(results))


def _check_client(client: str | None, versions: list[str] | None) -> None:
    if bool(client) != bool(versions):
        raise typer.BadParameter("--client and --client-version belong together.")


def _change(
    ids: list[str] | None, client: str | None, versions: list[str] | None, message: str | None, data_dir: Path | None
) -> None:
    """Withdraws operations, or versions of a client, with the message `message`. If the message is None,
    restores them.
    """
    from api.persisted.manifests import ManifestError
    from api.persisted.withdrawing import NotWithdrawable, change_operations, change_versions

    _check_client(client, versions)
    if bool(ids) == bool(client):
        raise typer.BadParameter("Name either operations, or versions of a client.")
    with exit_on_error(ManifestError, NotWithdrawable):
        if client and versions:
            change_versions(settings_of(data_dir), client, versions, message)
        else:
            change_operations(settings_of(data_dir), ids or (), message)
