"""`plaudit persisted`: checks, imports, lists and withdraws persisted operations, and shows their use."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import AsJson, DataDir, exit_on_error, output, print_json, settings_of
from cli.failures import Commands

if TYPE_CHECKING:
    from cli.operations import Operations

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
Api = Annotated[
    str | None,
    typer.Option(
        "--api", envvar="PLAUDIT_API_URL", help="Work through the API at this address, without access to the stores."
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="PLAUDIT_API_TOKEN", help="The token for --api, with the scope admin.", show_default=False
    ),
]


@persisted.command("check")
def check_manifests(files: Manifests, as_json: AsJson = False, api: Api = None, token: Token = None) -> None:
    """Check that operations are valid for the schema, and print their costs. Exits with 1 if one is invalid or too
    expensive. With --api, checks against the schema of that system, not of this version.
    """
    from cli.operation_tables import check_to_json, table_of_checks
    from cli.operations import checked_here
    from cli.progress import progress
    from commands.persisted.manifests import ManifestError, read_all

    with exit_on_error(ManifestError, *_errors()), progress(_UNIT) as show:
        operations = read_all(files)
        results = _remote(api, token).check(operations, show) if api else checked_here(operations, show)
    print_json(map(check_to_json, results)) if as_json else output().print(table_of_checks(results))
    if any(result.problem for result in results):
        raise typer.Exit(1)


@persisted.command("import")
def import_manifest(
    files: Manifests,
    client: ClientOption = None,
    client_version: Versions = None,
    api: Api = None,
    token: Token = None,
    data_dir: DataDir = None,
) -> None:
    """Import the operations of manifests, for versions of a client if you name them. Imports nothing if one cannot run.
    API processes serve imported operations within 5 seconds.
    """
    from cli.operation_tables import table_of_checks
    from cli.operations import told
    from cli.progress import progress
    from commands.persisted.importing import ImportRefused
    from commands.persisted.manifests import ManifestError, read_all

    _check_client(client, client_version)
    named = (client, client_version) if client and client_version else ("", [""])
    with exit_on_error(ManifestError, ImportRefused, *_errors()), progress(_UNIT) as show:
        try:
            done = _operations(api, token, data_dir).import_operations(read_all(files), *named, show)
        except ImportRefused as error:
            if error.failed:
                output().print(table_of_checks(error.failed))
            raise
    typer.echo(told(*done))


@persisted.command()
def withdraw(
    ids: Ids = None,
    client: ClientOption = None,
    client_version: Versions = None,
    message: Annotated[str | None, typer.Option(help="The text for users. Asks for an update by default.")] = None,
    api: Api = None,
    token: Token = None,
    data_dir: DataDir = None,
) -> None:
    """Withdraw operations, or versions of a client. API processes refuse them within 15 seconds, with the code
    OPERATION_WITHDRAWN and the message.
    """
    from commands.persisted.withdrawing import DEFAULT_MESSAGE

    _change(ids, client, client_version, DEFAULT_MESSAGE if message is None else message, (api, token, data_dir))


@persisted.command()
def restore(
    ids: Ids = None,
    client: ClientOption = None,
    client_version: Versions = None,
    api: Api = None,
    token: Token = None,
    data_dir: DataDir = None,
) -> None:
    """Let withdrawn operations or versions of a client run again. API processes run them within 15 seconds."""
    _change(ids, client, client_version, None, (api, token, data_dir))


@persisted.command()
def usage(
    client: Annotated[str | None, typer.Option(help="Only this client.")] = None,
    client_version: Annotated[str | None, typer.Option(help="Only this version.")] = None,
    as_json: AsJson = False,
    api: Api = None,
    token: Token = None,
    data_dir: DataDir = None,
) -> None:
    """Print how often each version of a client has requested each operation, and when last. Requests of other clients
    are counted as `other`, requests that state no client as `none`.
    """
    from cli.operation_tables import table_of_usage, usage_to_json

    with exit_on_error(*_errors()):
        rows = _operations(api, token, data_dir).usage(client, client_version)
    print_json(map(usage_to_json, rows)) if as_json else output().print(table_of_usage(rows))


@persisted.command()
def versions(as_json: AsJson = False, api: Api = None, token: Token = None, data_dir: DataDir = None) -> None:
    """Print the versions of clients that have imported operations, with the numbers of operations and requests, and
    whether they are withdrawn.
    """
    from cli.operation_tables import table_of_versions, usage_to_json

    with exit_on_error(*_errors()):
        rows = _operations(api, token, data_dir).versions()
    print_json(map(usage_to_json, rows)) if as_json else output().print(table_of_versions(rows))


@persisted.command("list")
def list_imported(as_json: AsJson = False, api: Api = None, token: Token = None, data_dir: DataDir = None) -> None:
    """Print the imported operations, oldest first, and the operations of the configured manifests."""
    from cli.operation_tables import check_to_json, table_of_checks
    from cli.progress import progress
    from commands.persisted.manifests import ManifestError

    with exit_on_error(ManifestError, *_errors()), progress(_UNIT) as show:
        results = _operations(api, token, data_dir).every(show)
    print_json(map(check_to_json, results)) if as_json else output().print(table_of_checks(results))


def _operations(api: str | None, token: str | None, data_dir: Path | None) -> "Operations":
    """Returns the persisted operations of the API at `api` or, without it, those in the stores. A data directory on the
    command line takes precedence over an address in the environment.
    """
    from cli.operations import StoredOperations

    return StoredOperations(settings_of(data_dir)) if data_dir or not api else _remote(api, token)


def _remote(api: str, token: str | None) -> "Operations":
    from cli.remote_operations import RemoteOperations

    if not token:
        raise typer.BadParameter("--api needs --token, or PLAUDIT_API_TOKEN: a token with the scope admin.")
    return RemoteOperations(api, token)


def _errors() -> tuple[type[Exception], ...]:
    from cli.remote_operations import ApiError

    return (ApiError,)


def _check_client(client: str | None, versions: list[str] | None) -> None:
    if bool(client) != bool(versions):
        raise typer.BadParameter("--client and --client-version belong together.")


def _change(
    ids: list[str] | None,
    client: str | None,
    versions: list[str] | None,
    message: str | None,
    place: tuple[str | None, str | None, Path | None],
) -> None:
    """Withdraws operations, or versions of a client, with the message `message`. If the message is None, restores
    them. `place` has the address of the API, its token, and the data directory.
    """
    from commands.persisted.manifests import ManifestError
    from commands.persisted.withdrawing import NotWithdrawable

    _check_client(client, versions)
    if bool(ids) == bool(client):
        raise typer.BadParameter("Name either operations, or versions of a client.")
    with exit_on_error(ManifestError, NotWithdrawable, *_errors()):
        operations = _operations(*place)
        if client and versions:
            operations.change_versions(client, versions, message)
        else:
            operations.change_operations(ids or (), message)
