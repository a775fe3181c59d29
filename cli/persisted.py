"""`plaudit persisted`: checks, imports and lists persisted operations."""

from pathlib import Path
from typing import Annotated

import typer

from cli.console import AsJson, DataDir, exit_on_error, print_json, settings_of

persisted = typer.Typer(no_args_is_help=True, help="Persisted operations, which clients run by their ids.")

Manifests = Annotated[
    list[Path], typer.Argument(help="Manifests of Apollo, Relay or graphql-codegen, or folders with manifests.")
]


@persisted.command("check")
def check_manifests(files: Manifests, as_json: AsJson = False) -> None:
    """Check that operations are valid for the schema, and print their costs. Exits with 1 if one is invalid or too
    expensive.
    """
    from api.persisted.checking import check, print_table, to_json
    from api.persisted.manifests import ManifestError, read_all

    with exit_on_error(ManifestError):
        results = [check(operation) for operation in read_all(files)]
    print_json(map(to_json, results)) if as_json else print_table(results)
    if any(result.problem for result in results):
        raise typer.Exit(1)


@persisted.command("import")
def import_manifest(files: Manifests, data_dir: DataDir = None) -> None:
    """Import the operations of manifests. Imports nothing if one cannot run. API processes serve imported operations
    within 5 seconds.
    """
    from api.persisted.importing import ImportRefused, import_manifests
    from api.persisted.manifests import ManifestError

    with exit_on_error(ManifestError, ImportRefused):
        typer.echo(import_manifests(settings_of(data_dir), files))


@persisted.command("list")
def list_imported(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print the imported operations, oldest first, and the operations of the configured manifests."""
    import asyncio

    from api.persisted.checking import print_table, to_json
    from api.persisted.importing import list_operations
    from api.persisted.manifests import ManifestError

    with exit_on_error(ManifestError):
        results = asyncio.run(list_operations(settings_of(data_dir)))
    print_json(map(to_json, results)) if as_json else print_table(results)
