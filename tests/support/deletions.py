"""Requests that delete accounts and cancel deletions, and the work of the worker that deletes."""

from typing import Any

from store.people import deletions
from tests.support.reconciliation import execute
from tests.support.search import stored
from tests.support.system import Person, System
from workers.deletions.run import delete_accounts

DELETE = """mutation ($user: ID, $mode: DeletionMode!, $days: Int, $key: String) {
  deleteUser(input: {userId: $user, mode: $mode, graceDays: $days, idempotencyKey: $key}) {
    deletion { state mode dueAt } userErrors { code field } } }"""
CANCEL = """mutation ($user: ID, $key: String) { cancelDeletion(input: {userId: $user, idempotencyKey: $key}) {
  deletion { state } userErrors { code field } } }"""
DELETION = "{ viewer { deletion { state mode dueAt } } }"


async def delete(person: Person, mode: str = "ERASE", days: int | None = 0, user: str | None = None) -> Any:
    """Returns the payload of deleteUser."""
    return (await person.ask(DELETE, user=user, mode=mode, days=days, key=None))["deleteUser"]


async def cancel(person: Person, user: str | None = None) -> Any:
    """Returns the payload of cancelDeletion."""
    return (await person.ask(CANCEL, user=user, key=None))["cancelDeletion"]


async def deletion(person: Person) -> Any:
    """Returns the deletion of a person's account as the person sees it."""
    return (await person.ask(DELETION))["viewer"]["deletion"]


async def hold(system: System, user_id: int, *, lifts: bool = False) -> None:
    """Sets the legal hold of a user, or lifts it."""
    async with system.state.postgres.transaction() as transaction:
        if lifts:
            await deletions.lift(transaction, user_id)
        else:
            await deletions.hold(transaction, user_id, "a court", system.state.now_ms())


async def step(system: System) -> int:
    """Lets a worker do one step of each deletion that is due, and store what it appended. Returns how much was
    removed.
    """
    removed = await delete_accounts(system.state, lambda: True, {})
    await system.drain()
    return removed


async def finish(system: System) -> None:
    """Lets a worker finish all deletions that are due. No request of a deleted user runs any more."""
    while await system.rows(
        "SELECT user_id FROM deletions WHERE finished_ms IS NULL AND due_ms <= :now", now=_now(system)
    ):
        await step(system)
        await execute(system, "UPDATE deletions SET started_ms = started_ms - 3600000")
    await stored(system)


def _now(system: System) -> int:
    return system.state.now_ms()
