"""`plaudit webhooks`: adds, lists, tests, pauses, replays and removes the destinations of outgoing events."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import AsJson, DataDir, exit_on_error, output, past, print_json, settings_of
from cli.failures import Commands

if TYPE_CHECKING:
    from pathlib import Path

    from models.outgoing import Destination
    from settings import Settings
    from state import State
    from store.outgoing.cursors import Cursor

webhooks = typer.Typer(
    cls=Commands, no_args_is_help=True, help="Destinations of outgoing events: webhooks and Redis streams."
)

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MOST_SECRETS = 2
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
    import asyncio

    settings = settings_of(data_dir)
    with exit_on_error(ValueError):
        secrets = asyncio.run(_add(settings, name, url, kind or (), business or ()))
    for secret in secrets:
        typer.echo(secret)


@webhooks.command("list")
def show(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all destinations: their state, how far they are behind, and which events they have lost."""
    import asyncio

    rows = asyncio.run(_list(settings_of(data_dir)))
    print_json(rows) if as_json else _print_table(rows)


@webhooks.command("test")
def send_test(name: Name, data_dir: DataDir = None) -> None:
    """Send an event of the kind events.test to a destination. Exits with 1 if the destination does not accept it."""
    import asyncio

    from workers.outgoing.failures import DeliveryFailed

    with exit_on_error(LookupError, DeliveryFailed):
        asyncio.run(_test(settings_of(data_dir), name))
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
    """Send events again that a destination has got, as far as they are kept. They have the same ids as before."""
    import asyncio

    with exit_on_error(LookupError, ValueError):
        begins = asyncio.run(_replay(settings_of(data_dir), name, past(since)))
    typer.echo(f"Events since {begins:%Y-%m-%dT%H:%M:%SZ} are sent again.")


@webhooks.command("rotate")
def rotate(name: Name, data_dir: DataDir = None) -> None:
    """Print a new secret. Requests are signed with the new and the previous secret, until the next rotation."""
    import asyncio

    with exit_on_error(LookupError, ValueError):
        typer.echo(asyncio.run(_rotate(settings_of(data_dir), name)))


@webhooks.command("remove")
def remove(name: Name, data_dir: DataDir = None) -> None:
    """Send no more events to a destination, and forget how far it is."""
    import asyncio

    from store.outgoing import destinations

    async def run(state: "State") -> bool:
        return await destinations.remove(state.postgres, name)

    with exit_on_error(LookupError):
        if not asyncio.run(_with_state(settings_of(data_dir), run)):
            raise _unknown(name)


def _unknown(name: str) -> LookupError:
    return LookupError(f"There is no destination {name}.")


def _set_state(data_dir: "Path | None", name: str, wanted: Any, reason: str | None) -> None:
    import asyncio

    from store.outgoing import destinations

    async def run(state: "State") -> bool:
        return await destinations.set_state(state.postgres, name, wanted, reason)

    with exit_on_error(LookupError):
        if not asyncio.run(_with_state(settings_of(data_dir), run)):
            raise _unknown(name)


async def _with_state(settings: "Settings", run: Any) -> Any:
    from state import opened

    async with opened(settings, "webhooks", makes_ids=False) as state:
        return await run(state)


async def _add(settings: "Settings", name: str, url: str, kinds: Sequence[str], businesses: Sequence[str]) -> list[str]:
    """Adds a destination for events of these kinds and businesses (empty: all). Returns the secrets that sign its
    requests: a webhook gets one, a Redis stream none. Raises ValueError for an invalid value or a name that is in use.
    """
    from domain import webhook_signatures
    from settings import TOPICS, USERS
    from store.outgoing import destinations
    from store.outgoing.registry import KINDS_BY_LABEL
    from workers.outgoing.sinks import check_url, is_webhook

    if not _NAME.fullmatch(name):
        raise ValueError("The name must have lower-case letters, digits and hyphens, at most 40.")
    check_url(url, settings.events)
    known = {"user": USERS, "topic": TOPICS, **{business.name: business.id for business in settings.businesses}}
    for given, names in (("kind", (kinds, KINDS_BY_LABEL)), ("business", (businesses, known))):
        for one in names[0]:
            if one not in names[1]:
                raise ValueError(f"There is no {given} {one}. Known: {', '.join(sorted(names[1]))}.")
    secrets = [webhook_signatures.new_secret()] if is_webhook(url) else []
    wanted = [KINDS_BY_LABEL[one].number for one in kinds], [known[one] for one in businesses]

    async def run(state: "State") -> bool:
        return await destinations.add(state.postgres, name, url, *wanted, secrets)

    if not await _with_state(settings, run):
        raise ValueError(f"There is a destination {name} already.")
    return secrets


async def _list(settings: "Settings") -> list[dict[str, Any]]:
    from store.groups import grouped
    from store.outgoing import cursors, destinations
    from store.outgoing.registry import KINDS

    async def run(state: "State") -> list[dict[str, Any]]:
        known = await destinations.read(state.postgres)
        places = grouped((cursor.name, cursor) for cursor in await cursors.every(state.postgres))
        waiting = await cursors.oldest_waiting(state.postgres, range(settings.partitions)) if known else {}
        names = state.event_businesses
        return [
            {
                "name": one.name,
                "url": _without_password(one.url),
                "kinds": [KINDS[kind].label for kind in one.kinds],
                "businesses": [names.get(id_, str(id_)) for id_ in one.businesses],
                "state": one.state.name,
                **_failure(one, places[one.name]),
                "waitingSince": _time(waiting[one.name]).isoformat() if one.name in waiting else None,
                "lost": [_lost(cursor) for cursor in places[one.name] if cursor.lost_after is not None],
            }
            for one in known.values()
        ]

    found: list[dict[str, Any]] = await _with_state(settings, run)
    return found


def _failure(destination: "Destination", places: "Sequence[Cursor]") -> dict[str, Any]:
    """Returns the part of a listed destination that says why events are not sent. `places` are the states of its
    partitions.

    `reason` is the reason of the whole destination, or else that of the partition that has failed for the longest time.
    `failingSince` is the time since when this partition has failed. Both are None without a failure.
    """
    failing = sorted((one.failing_since, one.failure) for one in places if one.failing_since)
    since, why = failing[0] if failing else (None, None)
    return {"reason": destination.reason or why, "failingSince": since and since.isoformat()}


def _lost(cursor: "Cursor") -> dict[str, Any]:
    after, through = cursor.lost_after or 0, cursor.lost_through or 0
    return {
        "partition": cursor.p,
        "afterPosition": after,
        "throughPosition": through,
        "after": _time(after).isoformat(),
        "through": _time(through).isoformat(),
    }


def _time(position: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=position)


def _without_password(url: str) -> str:
    return re.sub(r"([?&]password=)[^&]*", r"\1…", re.sub(r"//([^/@:]*):[^/@]*@", r"//\1:…@", url))


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


async def _found(state: "State", name: str) -> "Destination":
    from store.outgoing import destinations

    if found := (await destinations.read(state.postgres)).get(name):
        return found
    raise _unknown(name)


async def _test(settings: "Settings", name: str) -> None:
    from workers.outgoing.sinks import open_sink
    from workers.outgoing.unstored import sample

    async def run(state: "State") -> None:
        sink = open_sink(await _found(state, name), settings.events)
        try:
            await sink.send(0, [sample(state.now_ms())])
        finally:
            await sink.close()

    await _with_state(settings, run)


async def _replay(settings: "Settings", name: str, since: datetime) -> datetime:
    """Lets a destination get events again. Returns the time of the first of these events: `since`, or the time of the
    oldest event that is kept if that is later. Raises LookupError for an unknown destination.
    """
    from store.outgoing import cursors

    async def run(state: "State") -> datetime:
        await _found(state, name)
        oldest = await cursors.oldest_kept(state.postgres)
        position = max(int(since.timestamp() * 1_000_000), oldest or 0) - 1
        await cursors.rewind(state.postgres, name, position)
        return _time(position + 1)

    begins: datetime = await _with_state(settings, run)
    return begins


async def _rotate(settings: "Settings", name: str) -> str:
    from domain import webhook_signatures
    from store.outgoing import destinations
    from workers.outgoing.sinks import is_webhook

    secret = webhook_signatures.new_secret()

    async def run(state: "State") -> None:
        found = await _found(state, name)
        if not is_webhook(found.url):
            raise ValueError(f"{name} is a Redis stream, and has no secret.")
        await destinations.set_secrets(state.postgres, name, [secret, *found.secrets][:_MOST_SECRETS])

    await _with_state(settings, run)
    return secret
