"""`python -m bench curves`: measures what actions cost while the number of rows grows. Prints the costs, and on request
stores and draws them.
"""

import json
import math
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich import box
from rich.console import Console
from rich.table import Table

from bench.curves import cost, draw
from bench.curves.measure import Point, measure
from bench.machine import BUILD, machine, stores
from bench.sizes import Sizes
from settings import Settings
from store.groups import grouped

_SMALL = Sizes(users=100, entities=100, hot_entities=1, page_entities=1)
"""The sizes of the users and entities that every benchmark has. The curves add users of their own."""
_MEASURES = ("buffers", "queries", "commands", "rows", "wal", "pages", "milliseconds")


def main(
    rows: Annotated[int, typer.Option(help="The most rows of reactions, a power of ten from 1,000.")] = 1_000_000,
    followers: Annotated[int, typer.Option(help="The most followers, a power of ten from 10.")] = 1_000_000,
    json_: Annotated[Path | None, typer.Option("--json", help="Add each result to this file, as one line.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curves into this file, as SVG.")] = None,
) -> None:
    """Measure what actions cost in Postgres and Redis, from few rows to many. A million rows need 2 GB, ten million
    12 GB and about an hour.
    """
    console, points = Console(), list[Point]()
    sizes = [10**power for power in range(3, round(math.log10(rows)) + 1)]
    followings = [10**power for power in range(1, round(math.log10(followers)) + 1)]
    BUILD.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=BUILD, prefix="curves-") as home,
        stores(Path(home), cost.SETTINGS) as settings,
    ):
        uvloop.run(_run(Path(home), settings, sizes, followings, points, json_, console))
    show(points, console)
    if plot:
        draw.save(points, plot)


async def _run(
    home: Path,
    settings: Settings,
    sizes: list[int],
    followings: list[int],
    points: list[Point],
    file: Path | None,
    console: Console,
) -> None:
    async with machine(home, settings, _SMALL) as inhabited:
        async for point in measure(inhabited, sizes, followings, console):
            points.append(point)
            if file:
                with file.open("a") as opened:
                    opened.write(json.dumps(point._asdict() | {"cost": asdict(point.cost)}) + "\n")


def show(points: list[Point], console: Console) -> None:
    """Prints a table for each `axis` of the points: a line for each action and measure, and a column for each size."""
    for axis, some in grouped((point.axis, point) for point in points).items():
        sizes = sorted({point.size for point in some})
        table = Table(box=box.SIMPLE_HEAD, title=f"by {axis}")
        table.add_column("action")
        for size in sizes:
            table.add_column(f"{size:,}", justify="right", no_wrap=True)
        for action, its in grouped((point.action, point) for point in some).items():
            table.add_row(f"[bold]{action}")
            for name in _MEASURES:
                table.add_row(f"  {name}", *(f"{getattr(point.cost, name):,.1f}" for point in its))
        console.print(table)
        console.print("The statement of each action with the most buffers, at the largest size:")
        for point in some:
            if point.size == sizes[-1]:
                console.print(f"  {point.action}: {point.cost.largest}", markup=False)
