"""`plaudit promote` and `plaudit site`: change which of two sites takes the writes, and how they are acknowledged."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cli.console import AsJson, DataDir, confirm_in_production, exit_on_error, print_json, settings_of
from cli.failures import Commands

if TYPE_CHECKING:
    from settings import Settings
    from state import State
    from store.redis.client import Redis

site = typer.Typer(cls=Commands, no_args_is_help=True, help="Two sites: see docs/operate/two-sites.md.")
T = TypeVar("T")
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before changing production.")]


def _run(settings: "Settings", name: str, command: "Callable[[State], Awaitable[T]]") -> T:
    """Returns the result of a command, which gets the stores of this site. Prints why the command was refused, if it
    was, and exits with status 1.
    """
    from cli.promotion import Refused
    from domain.errors import Unavailable
    from state import opened

    async def in_state() -> T:
        async with opened(settings, name, makes_ids=False, obeys_term=False) as state:
            return await command(state)

    with exit_on_error(Refused, Unavailable):
        return asyncio.run(in_state())


def promote(
    planned: Annotated[
        bool, typer.Option("--planned", help="Wait until the other site has released the writes. Loses nothing.")
    ] = False,
    continued: Annotated[
        bool, typer.Option("--continue", help="Begin the term also if another tool has promoted Postgres and Redis.")
    ] = False,
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Make this reading site the one that takes the writes. Refuses if the other site answers and takes writes."""
    from cli import promotion

    settings = settings_of(data_dir)
    confirm_in_production(settings, yes, "Let this site take the writes?")
    done = _run(settings, "promote", lambda state: promotion.promote(state, planned=planned, continued=continued))
    print(f"This site takes the writes (term {done.term}). They begin in a few seconds, if a worker runs.")
    print(json.dumps({"behindSeconds": done.behind_s, "lastVersions": done.lasts}))
    if not done.is_stored:
        print("Remove replicaof from the configuration of the state Redis: it would follow the other site again.")


@site.command()
def status(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print the role, the term and the mode of this site, and what the other site says."""
    from cli import promotion

    found = _run(settings_of(data_dir), "site", promotion.status)
    mode, other = found.mode, found.other
    rows: dict[str, Any] = {
        "role": found.role,
        "term": mode.term,
        "highestTerm": mode.highest_term,
        "mode": f"synchronous, {mode.replicas} replicas" if mode.replicas else "asynchronous",
        "writes": "directly to Postgres" if mode.direct else "through Redis",
        "behindSeconds": found.behind_s,
        "otherAnswers": other is not None,
        "otherTerm": other and other.term,
        "otherTakesWrites": other and other.takes_writes,
    }
    if as_json:
        print_json([rows])
        return
    for name, value in rows.items():
        print(f"{name:18}{value}")


@site.command()
def synchronous(data_dir: DataDir = None) -> None:
    """Acknowledge a write only when the other site has it. Run it at the site that takes the writes."""
    from cli import promotion

    count = _run(settings_of(data_dir), "site", promotion.begin_synchronous)
    print(f"Writes wait for {count} replicas of the state Redis, and for the standby of Postgres.")


@site.command()
def asynchronous(data_dir: DataDir = None) -> None:
    """Acknowledge writes without waiting for the other site. A loss of this site then loses the last writes. Waits for
    a minute if the state Redis of the other site does not receive the writes.
    """

    async def end(state: "State") -> None:
        from redis.exceptions import RedisError

        from store.backoff import rest
        from store.redis import replication
        from store.site import TRUST_S
        from store.write_log import write_mode

        replicas, is_received = (await write_mode.read(state.postgres)).replicas, False
        if replicas:
            with suppress(RedisError):
                is_received = await replication.reaches(state.redis, replicas)
            if not is_received:
                message = "The other site receives no writes, and may believe that they wait for it. Waiting for"
                typer.echo(f"{message} {TRUST_S:g} seconds.", err=True)
                await rest(TRUST_S)
        await write_mode.set_synchronous(state.postgres, 0)

    _run(settings_of(data_dir), "site", end)
    print("Writes do not wait for the other site.")


@site.command()
def release(
    undo: Annotated[bool, typer.Option("--undo", help="Take writes again, if the other site is not promoted.")] = False,
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Refuse writes at this site, so that `plaudit promote --planned` at the other one loses nothing."""
    from cli import promotion

    settings = settings_of(data_dir)
    if undo:
        changed = _run(settings, "site", promotion.take_back)
        print("This site takes writes again in a few seconds." if changed else "This site had not released the writes.")
        return
    confirm_in_production(settings, yes, "Refuse all writes at this site?")
    _run(settings, "site", promotion.release)
    print("This site refuses writes. Run `plaudit promote --planned` at the other site now.")


@site.command()
def salvage(
    rows: Annotated[
        bool, typer.Option("--rows", help="Print the keys of changed rows instead: also of writes without a journal.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Print the acknowledged writes of this site that the promoted site lacks, as JSON lines."""
    from cli import promotion

    async def show(state: "State") -> int:
        count = 0
        async for entry in promotion.lost_writes(state):
            print(json.dumps(entry, ensure_ascii=False))
            count += 1
        return count

    settings = settings_of(data_dir)
    if rows:
        for table, keys in _run(settings, "site", promotion.changed_rows).items():
            for key in keys:
                print(json.dumps({"table": table, "key": json.loads(key)}, ensure_ascii=False))
        return
    count = _run(settings, "site", show)
    typer.echo(f"{count} writes are only here.", err=True)


@site.command()
def follow(
    postgres: Annotated[str, typer.Option(help="The connection string of the other Postgres, for replication.")],
    redis: Annotated[str, typer.Option(metavar="HOST:PORT", help="The address of the other state Redis.")],
    pgdata: Annotated[Path, typer.Option(help="The data directory of the Postgres of this site, which is stopped.")],
    pg_bin: Annotated[Path, typer.Option(help="The directory of pg_rewind.")] = Path("/usr/lib/postgresql/18/bin"),
    discard: Annotated[
        bool, typer.Option("--discard", help="Discard the writes that `plaudit site salvage` prints.")
    ] = False,
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Make this site, which took the writes before, a reading site of the promoted one."""
    from cli import promotion

    host, _, port = redis.rpartition(":")
    if not (host and port.isdecimal()):
        raise typer.BadParameter("Give host and port, such as 10.0.0.2:6379.", param_hint="--redis")
    settings = settings_of(data_dir)
    confirm_in_production(settings, yes, "Replace the data of this site by that of the other site?")
    where = postgres, (host, int(port)), pgdata, pg_bin
    stored = _run(settings, "site", lambda state: promotion.follow(state, *where, discard))
    print("The state Redis copies the data of the other site. Start Postgres now.")
    if not stored:
        print(f"Set `replicaof {host} {port}` in the configuration of the state Redis, so that a restart keeps it.")


@site.command()
def drain(data_dir: DataDir = None) -> None:
    """Send no new clients to this site: `/readyz` answers 503. Requests are still answered, and subscriptions stay."""
    from store.site import drain as run

    _at_cache(settings_of(data_dir), run)
    print("Load balancers that ask /readyz send no clients to this site from now on.")


@site.command()
def undrain(data_dir: DataDir = None) -> None:
    """Send clients to this site again."""
    from store.site import undrain as run

    _at_cache(settings_of(data_dir), run)
    print("Load balancers send clients to this site again.")


class NoOtherSite(Exception):
    """Raised if the settings name no other site."""


def _at_cache(settings: "Settings", run: "Callable[[Redis], Awaitable[None]]") -> None:
    """Runs a command with the client of the cache Redis, the one store that each site writes by itself. Exits with an
    error if there is no other site, or if the cache Redis is down.
    """
    from store.redis.client import RedisDown, connect_both

    async def connected() -> None:
        if settings.connections.other_site is None:
            raise NoOtherSite("There is one site: `other_site` in PLAUDIT_CONNECTIONS is not set.")
        state, cache = connect_both(settings)
        try:
            await run(cache)
        finally:
            for client in {state, cache}:
                await client.close()

    with exit_on_error(NoOtherSite, RedisDown):
        asyncio.run(connected())
