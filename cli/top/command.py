"""`plaudit top`: its options."""

import sys
from typing import Annotated

import typer

from cli.console import DataDir, exit_on_error


def top(
    url: Annotated[
        list[str] | None,
        typer.Option(
            help="The metrics of a process: http://host:port/metrics. Can be repeated.",
            show_default="the processes of `plaudit dev`",
        ),
    ] = None,
    interval: Annotated[float, typer.Option(min=0.5, max=3600, help="Seconds between two updates.")] = 2,
    once: Annotated[
        bool, typer.Option("--once", help="Print one interval. Exits with 1 if a process or store does not answer.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one interval as JSON, as --once does.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Show what a running system does, in a terminal: rates, lag, stores, processes, hot keys. Press q to quit."""
    from cli.top import live
    from cli.top.places import find
    from runner.errors import RunnerError

    with exit_on_error():
        urls, settings = find(url or (), data_dir)
        if not (once or as_json or (sys.stdin.isatty() and sys.stdout.isatty())):
            raise RunnerError("This is not a terminal. Use --once or --json.")
    if not (once or as_json):
        live.watch(urls, settings, interval)
    elif not live.once(urls, settings, interval, as_json=as_json):
        raise typer.Exit(1)
