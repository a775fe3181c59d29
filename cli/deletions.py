"""`plaudit deletions` and `plaudit hold`: shows deletions of accounts and erasures of entities, requests deletions of
accounts again after a restored backup, searches for what is left of a deleted user or an erased entity, and stops both
by legal holds.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import AsJson, DataDir, exit_on_error, output, print_json, settings_of
from cli.failures import Commands

if TYPE_CHECKING:
    from settings import Settings
    from state import State
    from store.people.remains import Remains, Searched

    ToSearch = tuple[Searched, list[tuple[str, int]]]

deletions = typer.Typer(cls=Commands, no_args_is_help=True, help="Deletions of accounts, and erasures of entities.")
hold = typer.Typer(cls=Commands, no_args_is_help=True, help="Legal holds: users whose data must be kept.")
Whose = Annotated[str, typer.Argument(metavar="USER", help="The handle, the id such as User:42, or its number.")]


@deletions.command("list")
def list_deletions(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all deletions, also finished ones, by their due times."""
    import asyncio

    rows = asyncio.run(_read(settings_of(data_dir)))
    print_json(rows) if as_json else _print(("user", "state", "mode", "dueAt", "removed"), rows)


@deletions.command()
def entities(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all erasures of entities, also finished ones, by their times."""
    import asyncio

    rows = asyncio.run(_read_erasures(settings_of(data_dir)))
    print_json(rows) if as_json else _print(("entity", "state", "since", "removed"), rows)


@deletions.command()
def replay(
    file: Annotated[Path, typer.Argument(help="What `plaudit deletions list --json` printed before.")],
    data_dir: DataDir = None,
) -> None:
    """Request the deletions in a file again, after you restored Postgres from a backup. Deletions that are due begin
    at once. Users who are being deleted or do not exist are left out.
    """
    import asyncio

    with exit_on_error(OSError, ValueError, KeyError):
        count = asyncio.run(_replay(settings_of(data_dir), json.loads(file.read_text(encoding="utf-8"))))
    print(f"Requested {count} deletions. Workers begin with those that are due.")


@deletions.command()
def check(
    whose: Annotated[
        str,
        typer.Argument(
            metavar="USER|ENTITY",
            help="The handle, the id such as User:42 or Entity:video:bv-003, or the user's number.",
        ),
    ],
    text: Annotated[
        list[str] | None,
        typer.Option(help="A text to search for, such as the former handle or the title. Can be repeated."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Search Postgres and Redis for what is left of a deleted user or an erased entity. Exits with 2 if something is
    found that must not be there. Reads everything, so run it while users write little.
    """
    import asyncio

    with exit_on_error(LookupError):
        found = asyncio.run(_remains(settings_of(data_dir), whose, text or ()))
    rows = [{"place": one.place, "found": one.found, "rows": one.rows, "mayStay": one.reason} for one in found]
    print_json(rows) if as_json else _print(("place", "found", "rows", "mayStay"), rows)
    if any(one.reason is None for one in found):
        raise typer.Exit(2)


@hold.command("set")
def set_hold(
    user: Whose, reason: Annotated[str, typer.Option(help="Why the data must be kept.")], data_dir: DataDir = None
) -> None:
    """Stop the deletion of a user's account, and the removal of the user's old data, until `plaudit hold lift`."""
    import asyncio

    with exit_on_error(LookupError):
        asyncio.run(_hold(settings_of(data_dir), user, reason))


@hold.command()
def lift(user: Whose, data_dir: DataDir = None) -> None:
    """End the legal hold of a user. A due deletion then continues, and data that is too old is removed."""
    import asyncio

    with exit_on_error(LookupError):
        asyncio.run(_lift(settings_of(data_dir), user))


@hold.command("list")
def list_holds(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print all legal holds, oldest first."""
    import asyncio

    rows = asyncio.run(_holds(settings_of(data_dir)))
    print_json(rows) if as_json else _print(("user", "since", "reason"), rows)


def _print(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(*columns)
    for row in rows:
        table.add_row(*(escape("" if row[name] is None else str(row[name])) for name in columns))
    output().print(table)


def _time(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


async def _read(settings: "Settings") -> list[dict[str, Any]]:
    from domain.ids import UserId
    from models.deletions import DeletionMode, DeletionState
    from state import opened
    from store.people import deletions, users

    async with opened(settings, "deletions", makes_ids=False) as state:
        found = await deletions.all_known(state.postgres)
        profiles = await users.by_id(state.postgres, [one.user_id for one in found])
    rows = []
    for one in found:
        if user := profiles.get(one.user_id):
            state_of = "HELD" if one.held and not one.finished_ms else DeletionState(user.deletion or 1).name
            mode = DeletionMode(user.deletion_mode or 1).name
            about = {"user": UserId.text(one.user_id), "state": state_of, "mode": mode}
            rows.append({**about, "dueAt": _time(one.due_ms), "removed": one.removed})
    return rows


async def _replay(settings: "Settings", rows: Any) -> int:
    import orjson

    from domain.digests import digest
    from domain.ids import UserId, parse_id
    from models.deletions import DELETE_USER, DeletionMode
    from settings import USERS
    from state import opened
    from store.people import users
    from store.write_log.operations import Operation

    async with opened(settings, "deletions", makes_ids=False) as state:
        count, now_ms = 0, state.now_ms()
        for row in rows:
            parsed, due = parse_id(row["user"]), datetime.fromisoformat(row["dueAt"])
            number = parsed.id if isinstance(parsed, UserId) else 0
            user = (await users.by_id(state.postgres, [number])).get(number)
            if user is None or user.deletion is not None:
                continue
            due_ms = max(now_ms, round(due.timestamp() * 1000))
            change = {"mode": DeletionMode[row["mode"]], "due": due_ms}
            entry = orjson.dumps({"actor": number, "business": USERS, "entity": number, **change})
            operation = Operation(digest("deletion replayed", str(due_ms)), "", 60_000)
            await state.patches.append(number, DELETE_USER, operation, entry)
            count += 1
    return count


async def _read_erasures(settings: "Settings") -> list[dict[str, Any]]:
    from domain.ids import EntityId
    from state import opened
    from store.content import erasures

    async with opened(settings, "deletions", makes_ids=False) as state:
        found = await erasures.all_known(state.postgres)
        names = {id_: one.name for id_, one in state.businesses_by_id.items()}
    return [
        {
            "entity": EntityId.text(names.get(one.business_id, str(one.business_id)), one.key),
            "state": "DONE" if one.finished_ms else "HELD" if one.held else "RUNNING",
            "since": _time(one.since_ms),
            "removed": one.removed,
        }
        for one in found
    ]


async def _remains(settings: "Settings", whose: str, texts: Sequence[str]) -> list["Remains"]:
    from state import opened
    from store.people import remains

    found: list[Remains] = []
    async with opened(settings, "deletions", makes_ids=False) as state:
        find = _of_entity if whose.startswith("Entity:") else _of_user
        for searched, left in await find(state, whose, texts):
            found += await remains.in_tables(state.postgres, searched, left)
            for redis in {id(one): one for one in (state.redis, state.cache.redis)}.values():
                found += await remains.in_redis(redis, searched)
    return found


async def _of_user(state: "State", user: str, texts: Sequence[str]) -> list["ToSearch"]:
    """Returns what to search for after a user was deleted. Raises LookupError for an unknown user."""
    from cli.users import id_of
    from store.people import account_rows
    from store.people.remains import Searched

    user_id = await id_of(state, user)
    return [(Searched.user(user_id, texts), await account_rows.left(state.postgres, user_id))]


async def _of_entity(state: "State", entity: str, texts: Sequence[str]) -> list["ToSearch"]:
    """Returns what to search for after an entity was erased: an item for each time that an entity with this id was
    erased. Raises LookupError if none was.
    """
    from store.content import erasures
    from store.people.remains import Searched
    from workers.deletions.erase import actions_of

    _, name, key = [*entity.split(":"), "", ""][:3]
    business = state.external.get(name)
    found = await erasures.of_key(state.postgres, business.id, key) if business else []
    if not found:
        raise LookupError(f"No entity with the id {entity} was erased.")
    actions = await actions_of(state, found[0].business_id, [one.entity_id for one in found])
    return [
        (Searched.entity(one.entity_id, texts), await erasures.left(state.postgres, one.ref, actions)) for one in found
    ]


async def _hold(settings: "Settings", user: str, reason: str) -> None:
    from cli.users import id_of
    from state import opened
    from store.people import deletions

    async with opened(settings, "hold", makes_ids=False) as state:
        user_id = await id_of(state, user)
        async with state.postgres.transaction() as transaction:
            await deletions.hold(transaction, user_id, reason, state.now_ms())


async def _lift(settings: "Settings", user: str) -> None:
    from cli.users import id_of
    from state import opened
    from store.people import deletions

    async with opened(settings, "hold", makes_ids=False) as state:
        user_id = await id_of(state, user)
        async with state.postgres.transaction() as transaction:
            if not await deletions.lift(transaction, user_id):
                raise LookupError(f"There is no legal hold of {user}.")


async def _holds(settings: "Settings") -> list[dict[str, Any]]:
    from domain.ids import UserId
    from state import opened
    from store.people import deletions

    async with opened(settings, "hold", makes_ids=False) as state:
        found = await deletions.holds(state.postgres)
    return [{"user": UserId.text(one.user_id), "since": _time(one.since_ms), "reason": one.reason} for one in found]
