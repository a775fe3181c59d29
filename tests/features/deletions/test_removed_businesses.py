"""Accounts are deleted and entities are erased although their business is no longer in the businesses file."""

import pytest

from models.likes import REACT
from store.people import account_rows
from tests.support import erasing
from tests.support.deletions import delete, step
from tests.support.reconciliation import execute
from tests.support.registration import registrar
from tests.support.stores import standalone
from tests.support.system import System


async def remove_business(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the state as if the only business with a reaction was removed from the businesses file."""
    ((business,),) = await system.rows("SELECT business_id FROM reactions")
    monkeypatch.delitem(system.state.own_sets._bounds[REACT], business)
    monkeypatch.delitem(system.state.businesses_by_id, business)
    monkeypatch.delitem(system.state.entities._names, business)


@standalone
async def test_likes_in_a_removed_business_do_not_stop_a_deletion(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    bob = system.person("bob")
    await bob.like(video)
    await system.drain()
    user = int((await bob.id()).removeprefix("User:"))
    await remove_business(system, monkeypatch)

    await delete(bob)
    await system.drain()
    for _ in range(8):  # more steps than this deletion needs
        await step(system)
        await execute(system, "UPDATE deletions SET started_ms = started_ms - 3600000")
    assert await account_rows.left(system.state.postgres, user) == []
    assert await system.rows("SELECT finished_ms IS NOT NULL FROM deletions") == [(True,)]


@standalone
async def test_an_entity_of_a_removed_business_is_erased(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    await system.person("bob").like(video)
    await system.drain()
    await erasing.erase(registrar(system), video)
    await remove_business(system, monkeypatch)

    for _ in range(5):  # more steps than this erasure needs
        await erasing.step(system)
        await erasing.settle(system)
    assert await erasing.unfinished(system) == []
    assert await system.rows("SELECT 1 FROM reactions") == []
