"""Outgoing events cost writes one read while no destination wants them."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import TextClause

from store.outgoing import new_events
from store.postgres.client import Transaction
from tests.support import posts
from tests.support.follows import follow, id_of
from tests.support.outgoing import to_stream
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[TextClause]]:
    """Returns a function that returns the statements of transactions since its last call."""
    executed: list[TextClause] = []
    execute = Transaction.execute

    async def recorded(self: Transaction, statement: TextClause, **parameters: Any) -> Any:
        executed.append(statement)
        return await execute(self, statement, **parameters)

    def taken() -> list[TextClause]:
        found, executed[:] = [*executed], []
        return found

    monkeypatch.setattr(Transaction, "execute", recorded)
    return taken


async def write_everything(system: System) -> None:
    """Lets a user react, follow and publish, without a notification."""
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    bobs = await id_of(bob)
    await system.drain()
    await alice.like(video)
    await follow(alice, bobs)
    await posts.publish(alice, "hello")


def about_events(executed: list[TextClause]) -> list[TextClause]:
    return [one for one in executed if "event_" in one.text or "outgoing_" in one.text]


async def test_without_destinations_a_batch_only_reads_them_once(
    system: System, statements: Callable[[], list[TextClause]]
) -> None:
    await write_everything(system)
    worker = await system.owner()
    entries = await worker.read(worker.owned)
    statements()

    await worker._persist(worker.owned, entries)

    assert about_events(statements()) == [new_events._FILTERS]


async def test_with_destinations_a_batch_adds_two_statements_whatever_its_size(
    system: System, statements: Callable[[], list[TextClause]]
) -> None:
    await to_stream(system)
    await write_everything(system)
    for n in range(20):
        await posts.publish(system.person(f"user{n}"), "hello")
    worker = await system.owner()
    entries = await worker.read(worker.owned)
    statements()

    await worker._persist(worker.owned, entries)

    assert about_events(statements()) == [new_events._FILTERS, new_events._HEADS, new_events._STORE]


async def test_changes_without_events_do_not_read_the_destinations(
    system: System, statements: Callable[[], list[TextClause]]
) -> None:
    (video,) = await system.videos("v1")
    record = "mutation ($v: ID!) { recordViews(input: {targetIds: [$v]}) { userErrors { message } } }"
    await system.person("alice").id()
    await system.drain()
    await system.person("alice").send(record, v=video)
    statements()

    await system.drain()

    assert about_events(statements()) == []
