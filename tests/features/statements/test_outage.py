"""Statements of reasons while a store is down, and what a page of them costs."""

import pytest

from runner.postgres import Postgres
from tests.support.appeals import appeal
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.outages import stopped
from tests.support.posts import decide, published
from tests.support.statements import STATEMENTS, appealed, statements
from tests.support.statements import decide as decide_appeal
from tests.support.stores import standalone
from tests.support.suspensions import suspend
from tests.support.system import System

pytestmark = standalone


async def test_a_page_of_statements_is_one_query(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    texts = published(alice, *(f"post {number}" for number in range(5)))
    posts = await texts
    await system.drain()
    for post in posts:
        await decide(mia, post, "REJECT")
    await system.drain()
    await statements(alice)  # caches the viewer's state

    _, queries = await cost(alice, STATEMENTS, first=5)

    assert queries == 1


async def test_statements_are_missing_while_postgres_is_down(system: System, postgres: Postgres) -> None:
    bob, mia = system.person("bob"), system.person("mia", "moderate")
    await suspend(mia, await bob.id(), "READ_ONLY")
    await system.drain()
    (statement,) = await statements(bob)

    async with stopped(postgres, system.state.postgres):
        body = (await bob.send(STATEMENTS, first=5)).json()
        refused = (
            await bob.send(
                """mutation ($id: ID!) {
          appeal(input: {targetId: $id, text: "please"}) { target { id } } }""",
                id=statement["id"],
            )
        ).json()

    assert body["data"] == {"viewer": {"statements": None}}
    assert [one["field"] for one in body["extensions"]["degraded"]] == ["Viewer.statements"]
    assert [one["extensions"]["code"] for one in refused["errors"]] == ["UNAVAILABLE"]
    assert await statements(bob) == [statement]


@pytest.mark.parametrize("decision", ["GRANT", "DENY"])
async def test_statements_and_appeals_are_written_directly(system: System, decision: str) -> None:
    bob, mia, noa = system.person("bob"), system.person("mia", "moderate"), system.person("noa", "moderate")
    b = await bob.id()
    await system.drain()
    async with directly(system):
        await suspend(mia, b, "READ_ONLY", ground="hate")
        (statement,) = await statements(bob)
        assert (statement["restriction"], statement["ground"]["name"]) == ("SUSPENDED", "hate")
        assert (await appeal(bob, statement["id"]))["userErrors"] == []
        assert await appealed(noa) == [(b, ["SUSPENDED"])]
        assert await decide_appeal(noa, statement["id"], decision) == []
        (after,) = await statements(bob)
        assert (after["appeal"]["status"], after["endedAt"] is None) == (
            ("GRANTED", False) if decision == "GRANT" else ("DENIED", True)
        )
        assert await appealed(noa) == []
    await system.drain()
    assert len(await system.rows("SELECT 1 FROM statements")) == 1
