"""Measures what the actions cost at each size of the data, from small to large."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import NamedTuple

import asyncpg
from rich.console import Console

from bench.client import connected
from bench.curves import actions, followers, rows, viewers
from bench.curves.actions import Bench
from bench.curves.cost import Cost
from bench.curves.ids import EACH, VIEWERS
from bench.machine import Machine
from bench.working import working
from runner import pgdata

_VIEWERS = 20
_DAYS_AGO = 3
_BY_ROWS = "rows of reactions"
_BY_FOLLOWERS = "followers of one account"


class Point(NamedTuple):
    """The cost of an action at one size of the data. `axis` says what grows, such as the followers of one account;
    `size` is their number.
    """

    axis: str
    action: str
    size: int
    cost: Cost


async def measure(
    machine: Machine, sizes: Sequence[int], followings: Sequence[int], console: Console
) -> AsyncIterator[Point]:
    """Yields the cost of each action at each size: first for `sizes`, which are numbers of rows of reactions, then for
    `followings`, which are numbers of followers of one account. Prints the progress.
    """
    began_ms = machine.state.now_ms() - _DAYS_AGO * rows.DAY_MS
    async with _bench(machine) as opened:
        bench = opened
        for size in sizes:
            console.print(f"Adding rows up to {size:,} reactions …", style="dim")
            await rows.grow(bench.connection, bench.users, size // EACH, began_ms)
            bench = await _with_viewers(replace(bench, users=size // EACH))
            for action, cost in (await actions.costs(bench)).items():
                yield Point(_BY_ROWS, action, size, cost)
        star, fans = await followers.star(bench), 0
        for size in followings:
            console.print(f"Adding followers up to {size:,} …", style="dim")
            await followers.grow(bench.connection, fans, size, began_ms)
            bench, fans = await _with_viewers(bench), size
            for action, cost in (await followers.costs(bench, star)).items():
                yield Point(_BY_FOLLOWERS, action, size, cost)


async def _with_viewers(bench: Bench) -> Bench:
    """Adds viewers who have not read or written anything, and returns `bench` with these viewers."""
    first = bench.viewers[-1].user_id - VIEWERS + 1 if bench.viewers else 0
    people = await viewers.add(bench.machine, bench.connection, first, _VIEWERS, bench.users)
    return replace(bench, viewers=people)


@asynccontextmanager
async def _bench(machine: Machine) -> AsyncIterator[Bench]:
    # Only a superuser may read the statements of all users, and make checkpoints.
    password = pgdata.password(machine.home / "postgres" / "data", pgdata.ADMIN)
    connection = await asyncpg.connect(machine.settings.database_url, user=pgdata.ADMIN, password=password)
    try:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        async with working(machine) as worker, connected(machine.api_port, machine.sizes.page_connections) as client:
            yield Bench(machine, connection, client, worker, [], 0)
    finally:
        await connection.close()
