"""`python -m bench [SECTION…]`: measures and prints ratios."""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console

from bench import (
    bystander,
    celebrity,
    cold,
    comments,
    drain,
    fanout,
    following,
    home,
    hot,
    likes,
    mutation,
    overload,
    page,
    persisted,
    thread,
)
from bench.machine import Machine, machine, stores
from bench.results import Result, append, show
from bench.sizes import Sizes
from settings import Settings

SECTIONS: dict[str, Callable[[Machine], Awaitable[list[Result]]]] = {
    "likes": likes.measure,
    "drain": drain.measure,
    "celebrity": celebrity.measure,
    "page": page.measure,
    "home": home.measure,
    "comments": comments.measure,
    "thread": thread.measure,
    "following": following.measure,
    "hot": hot.measure,
    "fanout": fanout.measure,
    "mutation": mutation.measure,
    "persisted": persisted.measure,
    "cold": cold.measure,
    "overload": overload.measure,
    "bystander": bystander.measure,
}
# The system's temporary folder may be in memory, where durable writes are free. Therefore the data is stored here.
_BUILD = Path(__file__).parents[1] / "build"


def main(
    sections: Annotated[
        list[str] | None, typer.Argument(help=f"Any of: {', '.join(SECTIONS)}. All by default.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Add the results to this file, as one line.")] = None,
) -> None:
    """Measure Plaudit against hand-written code on this machine. Takes some minutes."""
    if unknown := set(sections or ()) - set(SECTIONS):
        raise typer.BadParameter(f"no section is called {', '.join(sorted(unknown))}")
    chosen = [name for name in SECTIONS if not sections or name in sections]  # in this order: some leave much behind
    _BUILD.mkdir(exist_ok=True)
    console = Console()
    with tempfile.TemporaryDirectory(dir=_BUILD, prefix="bench-") as home, stores(Path(home)) as settings:
        results = uvloop.run(run(Path(home), settings, chosen, Sizes(), console))
    show(results, console)
    if json:
        append(results, json)


async def run(home: Path, settings: Settings, sections: Sequence[str], sizes: Sizes, console: Console) -> list[Result]:
    """Runs the sections over running stores. Returns their results in order."""
    results: list[Result] = []
    async with machine(home, settings, sizes) as inhabited:
        for section in sections:
            console.print(f"Measuring {section} …", style="dim")
            results += await SECTIONS[section](inhabited)
    return results


if __name__ == "__main__":
    typer.run(main)
