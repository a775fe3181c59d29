"""`plaudit webhooks`: adds, lists, tests, pauses, replays and removes the destinations of outgoing events."""

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cli.console import AsJson, DataDir, exit_on_error, output, past, print_json, settings_of
from cli.failures import Commands

if TYPE_CHECKING:
    from pathlib import Path

    from commands.webhooks import Webhook
    from state import State
    from store.outgoing.cursors import Cursor

T = TypeVar("T")
webhooks = typer.Typer(
    cls=Commands, no_args_is_help=True, help="Destinations of outgoing events: webhooks and Redis streams."
)

Name = Annotated[str, typer.Argument(help="The name of the destination.")]


@webhooks.command("add")
def add(
    name: Annotated[str, typer.Argument(help="A name: lower-case letters, digits and hyphens, at most 40.")],
    url: Annotated[str, typer.Argument(help="https://… for a webhook, redis://host:port/0?stream=name for a stream.")],
    kind: Annotated[
        list[str] | None, typer.Option(help="Send only this kind of events. Can be repeated.", show_default="all")
    ] = None,
    business: Annotated[
        list[str] | None, typer.Option(help="Send only events of this business. Can be repeated.", show_default="all")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Send outgoing events to a destination, from now on. Prints the secret that signs the requests of a webhook."""
    from commands import webhooks as destinations

    for secret in _run(data_dir, lambda state: destinations.add(state, name, url, kind or (), business or ())):
        typer.echo(secret)


@webhooks.command("list")
def show(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all destinations: their state, how far they are behind, and which events they have lost."""
    from commands import webhooks as destinations

    rows = [_to_json(one) for one in _run(data_dir, destinations.every)]
    print_json(rows) if as_json else _print_table(rows)


@webhooks.command("test")
def send_test(name: Name, data_dir: DataDir = None) -> None:
    """Send an event of the kind events.test to a destination. Exits with 1 if the destination does not accept it."""
    from workers.outgoing.failures import DeliveryFailed

    with exit_on_error(DeliveryFailed):
        _run(data_dir, lambda state: _test(state, name))
    typer.echo(f"{name} has accepted the event.")


@webhooks.command("pause")
def pause(name: Name, data_dir: DataDir = None) -> None:
    """Send nothing to a destination until it is resumed. Events wait."""
    from models.outgoing import DestinationState

    _set_state(data_dir, name, DestinationState.PAUSED, "paused by an operator")


@webhooks.command("resume")
def resume(name: Name, data_dir: DataDir = None) -> None:
    """Send events again to a destination that is paused, or that has lost events."""
    from models.outgoing import DestinationState

    _set_state(data_dir, name, DestinationState.ACTIVE, None)


@webhooks.command("replay")
def replay(
    name: Name,
    since: Annotated[datetime, typer.Option(help="Send the events since this time again, UTC.")],
    data_dir: DataDir = None,
) -> None:
    """Send kept events to a destination again, with the same ids."""
    with exit_on_error(ValueError):
        begins = _run(data_dir, lambda state: _replay(state, name, past(since)))
    typer.echo(f"Events since {begins:%Y-%m-%dT%H:%M:%SZ} are sent again.")


@webhooks.command("rotate")
def rotate(name: Name, data_dir: DataDir = None) -> None:
    """Print a new secret. Requests are signed with the new and the previous secret, until the next rotation."""
    from commands import webhooks as destinations

    typer.echo(_run(data_dir, lambda state: destinations.rotate(state, name)))


@webhooks.command("remove")
def remove(name: Name, data_dir: DataDir = None) -> None:
    """Send no more events to a destination, and forget how far it is."""
    from commands import webhooks as destinations

    _run(data_dir, lambda state: destinations.remove(state, name))


def _set_state(data_dir: "Path | None", name: str, wanted: Any, reason: str | None) -> None:
    from commands import webhooks as destinations

    _run(data_dir, lambda state: destinations.set_state(state, name, wanted, reason))


def _run(data_dir: "Path | None", run: "Callable[[State], Coroutine[Any, Any, T]]") -> T:
    """Calls `run` with the state of the system, and returns its result."""
    import asyncio

    from state import opened

    settings = settings_of(data_dir)

    async def with_state() -> T:
        async with opened(settings, "webhooks", makes_ids=False) as state:
            return await run(state)

    return asyncio.run(with_state())


def _to_json(one: "Webhook") -> dict[str, Any]:
    return {
        "name": one.name,
        "url": one.url,
        "kinds": one.kinds,
        "businesses": one.businesses,
        "state": one.state.name,
        "reason": one.reason,
        "failingSince": one.failing_since and one.failing_since.isoformat(),
        "waitingSince": one.waiting_since and one.waiting_since.isoformat(),
        "lost": [_lost(cursor) for cursor in one.lost],
    }


def _lost(cursor: "Cursor") -> dict[str, Any]:
    from commands.webhooks import time_of

    after, through = cursor.lost_after or 0, cursor.lost_through or 0
    return {
        "partition": cursor.p,
        "afterPosition": after,
        "throughPosition": through,
        "after": time_of(after).isoformat(),
        "through": time_of(through).isoformat(),
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("name", "url", "events", "state", "waiting since", "reason", "lost")
    for row in rows:
        events = ", ".join([*row["kinds"], *row["businesses"]]) or "all"
        lost = "\n".join(f"partition {one['partition']}: {one['after']} to {one['through']}" for one in row["lost"])
        values = row["name"], row["url"], events, row["state"], row["waitingSince"] or "", row["reason"] or "", lost
        table.add_row(*map(escape, values))
    output().print(table)


async def _test(state: "State", name: str) -> None:
    from commands import webhooks as destinations
    from workers.outgoing.sinks import open_sink
    from workers.outgoing.unstored import sample

    sink = open_sink(await destinations.found(state, name), state.settings.events)
    try:
        await sink.send(0, [sample(state.now_ms())])
    finally:
        await sink.close()


async def _replay(state: "State", name: str, since: datetime) -> datetime:
    """Lets a destination get events again. Returns the time of the first of these events: `since`, or the time of the
    oldest event that is kept if that is later. Raises Refused for an unknown destination.
    """
    from commands import webhooks as destinations
    from store.outgoing import cursors

    await destinations.found(state, name)
    oldest = await cursors.oldest_kept(state.postgres)
    position = max(int(since.timestamp() * 1_000_000), oldest or 0) - 1
    await cursors.rewind(state.postgres, name, position)
    return destinations.time_of(position + 1)
