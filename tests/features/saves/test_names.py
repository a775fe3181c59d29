"""Names of public collections, which the moderation rules check."""

import asyncio
from contextlib import nullcontext

import pytest

from runner.postgres import Postgres
from store.moderation import word_lists
from tests.support.collections import create, created, own, public, update
from tests.support.fallback_mode import directly
from tests.support.outages import Away, both_ways
from tests.support.stores import standalone
from tests.support.system import Person, System

pytestmark = standalone
LISTED = "Casino-Bonus"  # the shipped list has it
PRIVATE = f"my {LISTED}"


async def refusals(person: Person, id_: str | None = None, **changes: object) -> list[tuple[str, list[str]]]:
    """Returns the user errors of a change, or of the creation if there is no id."""
    if id_ is None:
        payload = await create(person, str(changes["name"]), public=bool(changes["public"]))
    else:
        payload = await update(person, id_, **changes)
    assert payload["userErrors"] == [] or payload["collection"] is None
    return [(error["code"], error["field"]) for error in payload["userErrors"]]


@pytest.mark.parametrize("mode", ["journal", "direct"])
async def test_a_public_name_that_breaks_the_rules_is_refused(system: System, mode: str) -> None:
    alice = system.person("alice")
    async with directly(system) if mode == "direct" else nullcontext():
        assert await refusals(alice, name=LISTED, public=True) == [("TEXT_NOT_ALLOWED", ["name"])]
        assert await own(alice) == []
        good, bad = await created(alice, "good", public=True), await created(alice, PRIVATE)
        assert await refusals(alice, good, name=LISTED) == [("TEXT_NOT_ALLOWED", ["name"])]
        assert await refusals(alice, bad, public=True) == [("TEXT_NOT_ALLOWED", ["isPublic"])]
        assert await refusals(alice, bad, public=True, name=f"the {LISTED}") == [("TEXT_NOT_ALLOWED", ["name"])]
        assert await own(alice) == [(bad, PRIVATE, False), (good, "good", True)]

        assert await refusals(alice, bad, name=f"the {LISTED}") == []
        assert await refusals(alice, bad, public=True, name="better") == []
        assert await refusals(alice, good, public=False, name=LISTED) == []
    assert await own(alice) == [(bad, "better", True), (good, LISTED, False)]
    await system.drain()
    assert await public(system.person("bob"), "alice") == ["better"]


async def test_a_public_name_stays_when_the_word_list_changes(system: System) -> None:
    alice = system.person("alice")
    one = await created(alice, "turnips", public=True)
    await word_lists.add(system.state.postgres, "reject: turnips\n", "olga", None)
    for changes in ({}, {"name": "turnips"}, {"public": True}):
        assert await refusals(alice, one, **changes) == []
    assert (await create(alice, "turnips", public=True))["collection"]["id"] == one  # a repetition
    await update(alice, one, public=False)
    assert await refusals(alice, one, public=True) == [("TEXT_NOT_ALLOWED", ["isPublic"])]
    assert await own(alice) == [(one, "turnips", False)]


@pytest.mark.parametrize("mode", ["journal", "direct"])
async def test_no_race_of_two_changes_makes_a_name_public_that_was_not_checked(system: System, mode: str) -> None:
    alice = system.person("alice")
    async with directly(system) if mode == "direct" else nullcontext():
        ids = [await created(alice, f"c{at}") for at in range(10)]
        for one in ids:
            await asyncio.gather(refusals(alice, one, name=LISTED), refusals(alice, one, public=True))
        ends = {(name == LISTED, is_public) for _, name, is_public in await own(alice)}
    assert (True, True) not in ends
    assert ends


@both_ways
async def test_names_are_checked_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice = system.person("alice")
    one = await created(alice, "one")
    async with away(postgres, system.state.postgres):
        assert await refusals(alice, name=LISTED, public=True) == [("TEXT_NOT_ALLOWED", ["name"])]
        assert await refusals(alice, one, public=True) == []
    assert await own(alice) == [(one, "one", True)]
