"""`python -m bench [SECTION…]`: runs the benchmarks with these names, or all, and prints the ratios."""

import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console

from bench import (
    busy,
    bystander,
    celebrity,
    claims,
    cold,
    comments,
    deletion,
    distributed,
    drain,
    fanout,
    fleet,
    following,
    home,
    hot,
    importing,
    interpreters,
    likes,
    mutation,
    outgoing,
    overload,
    page,
    peers,
    persisted,
    plot,
    search,
    suggestions,
    thread,
    user_search,
)
from bench.curves import run as curves
from bench.machine import BUILD, Machine, machine, stores
from bench.peers import variety
from bench.peers.peer import prepared
from bench.results import Load, Result, append, show
from bench.sizes import Sizes
from settings import Settings

SECTIONS: dict[str, Callable[[Machine], Awaitable[list[Result]]]] = {
    "likes": likes.measure,
    "drain": drain.measure,
    "outgoing": outgoing.measure,
    "celebrity": celebrity.measure,
    "page": page.measure,
    "home": home.measure,
    "comments": comments.measure,
    "thread": thread.measure,
    "following": following.measure,
    "hot": hot.measure,
    "busy": busy.measure,
    "fanout": fanout.measure,
    "mutation": mutation.measure,
    "persisted": persisted.measure,
    "cold": cold.measure,
    "overload": overload.measure,
    "bystander": bystander.measure,
    "deletion": deletion.measure,
    "search": search.measure,
    "suggestions": suggestions.measure,
    "fleet": fleet.measure,
    "claims": claims.measure,
    "user-search": user_search.measure,
    "importing": importing.measure,
    "peers": peers.measure,
    "variety": variety.measure,
    "cpu": interpreters.measure,
    "distributed": distributed.measure,
}
_CURVES = "curves"
"""The first word of the command line that runs bench/curves/run.py, which has options of its own."""
_OPTIONAL: dict[str, Callable[[], str | None]] = {
    "peers": prepared,
    "variety": prepared,
    "cpu": prepared,
    "distributed": distributed.prepared,
}
_NEEDS = (
    "peers, variety and cpu need Node 20 with npm, and wrk; distributed needs an archive of Citus in "
    "PLAUDIT_CITUS_ARCHIVE. Without them, they are skipped."
)


def main(
    sections: Annotated[
        list[str] | None, typer.Argument(help=f"Any of: {', '.join(SECTIONS)}. All by default. {_NEEDS}")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Add the results to this file, as one line.")] = None,
    plot_: Annotated[Path | None, typer.Option("--plot", help="Draw the ratios into this file, as SVG.")] = None,
    account: Annotated[
        float,
        typer.Option(
            min=0.001,
            help="The size of the account that the section deletion deletes. 1 stands for 60,000 reactions, 6,000 "
            "posts and 6,000 comments, and takes some minutes.",
        ),
    ] = 1.0,
    members: Annotated[
        list[int] | None,
        typer.Option(min=1000, help="A number of users of the section suggestions. Repeat it for several communities."),
    ] = None,
    posts: Annotated[
        list[int] | None,
        typer.Option(min=1000, help="A number of indexed posts of the section search. Repeat it for several numbers."),
    ] = None,
) -> None:
    """Measure Plaudit against hand-written code and another server on this machine. Takes some minutes. The command
    `curves` measures something else: the cost of actions by the number of rows. See `curves --help`.
    """
    if unknown := set(sections or ()) - set(SECTIONS):
        raise typer.BadParameter(f"no section is called {', '.join(sorted(unknown))}")
    chosen = [name for name in SECTIONS if not sections or name in sections]  # in this order: some leave much behind
    BUILD.mkdir(exist_ok=True)
    console, before = Console(), os.getloadavg()[0]
    chosen = possible(chosen, console)
    sizes = Sizes(account=account)
    if members:
        sizes = replace(sizes, members=tuple(members))
    if posts:
        sizes = replace(sizes, searched=tuple(sorted(posts)))
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="bench-") as home, stores(Path(home)) as settings:
        results = uvloop.run(run(Path(home), settings, chosen, sizes, console))
    load = Load(before, os.getloadavg()[0])
    show(results, console)
    console.print(str(load), style="dim")
    if json:
        append(results, json, load)
    if plot_:
        plot.save(results, plot_, str(load))


def possible(chosen: list[str], console: Console) -> list[str]:
    """Returns those of the `chosen` sections that this machine can run, and prints why it cannot run the others."""
    skipped: dict[str, list[str]] = {}
    for name in chosen:
        if name in _OPTIONAL and (reason := _OPTIONAL[name]()):
            skipped.setdefault(reason, []).append(name)
    for reason, names in skipped.items():
        console.print(f"Skipping {' and '.join(names)}: {reason}")
    return [name for name in chosen if not any(name in names for names in skipped.values())]


async def run(home: Path, settings: Settings, sections: Sequence[str], sizes: Sizes, console: Console) -> list[Result]:
    """Runs these sections one after the other. The stores of `settings` must be running; `home` is the folder for logs
    and further data. Returns the results of all sections, in order.
    """
    results: list[Result] = []
    async with machine(home, settings, sizes) as inhabited:
        for section in sections:
            console.print(f"Measuring {section} …", style="dim")
            results += await SECTIONS[section](inhabited)
    return results


if __name__ == "__main__":
    if sys.argv[1:2] == [_CURVES]:
        del sys.argv[1]
        typer.run(curves.main)
    else:
        typer.run(main)
