"""saveQueue, deleteSavedQueue and Viewer.savedQueues: the filters of the moderation queue that a moderator keeps."""

import asyncio
from typing import Any

from models.saved_queues import MOST_QUEUES
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System

QUEUES = "savedQueues { name status kind source assignment sort }"
SAVE = f"""mutation ($input: SaveQueueInput!) {{ saveQueue(input: $input) {{
  viewer {{ {QUEUES} }} userErrors {{ code field }} }} }}"""
DELETE = f"""mutation ($name: String!) {{ deleteSavedQueue(input: {{name: $name}}) {{
  viewer {{ {QUEUES} }} userErrors {{ code }} }} }}"""
READ = f"{{ viewer {{ {QUEUES} }} }}"
OPEN = {"status": "OPEN", "kind": None, "source": None, "assignment": None, "sort": "OLDEST"}


async def save(person: Person, name: str, **more: str) -> Any:
    return (await person.ask(SAVE, input={"name": name, **more}))["saveQueue"]


async def saved(person: Person) -> Any:
    return (await person.ask(READ))["viewer"]["savedQueues"]


@standalone
async def test_a_moderator_saves_renames_and_deletes_queues(system: System) -> None:
    mia, noor = system.person("mia", "moderate"), system.person("noor", "moderate")
    filters = {"kind": "COMMENT", "source": "APPEALS", "assignment": "MINE", "sort": "MOST_REPORTED"}
    assert (await save(mia, " Old appeals ", **filters))["userErrors"] == []
    assert await save(mia, "Everything") == {
        "viewer": {"savedQueues": [{"name": "Everything", **OPEN}, {"name": "Old appeals", **OPEN, **filters}]},
        "userErrors": [],
    }
    for _ in range(2):  # a repeated request changes nothing
        await save(mia, "Appeals", replaces="Old appeals", status="RESOLVED")
    resolved = {"name": "Appeals", **OPEN, "status": "RESOLVED"}
    assert await saved(mia) == [resolved, {"name": "Everything", **OPEN}]
    for _ in range(2):
        assert (await mia.ask(DELETE, name="Everything"))["deleteSavedQueue"]["viewer"]["savedQueues"] == [resolved]
    assert await saved(noor) == []


@standalone
async def test_bad_input_changes_nothing(system: System) -> None:
    mia, bob = system.person("mia", "moderate"), system.person("bob")
    await bob.id()
    assert (await save(mia, "Everything"))["userErrors"] == []
    async with unchanged(system):
        for name, more, code, field in (
            (" ", {}, "TEXT_EMPTY", "name"),
            ("x" * 61, {}, "TEXT_TOO_LONG", "name"),
            ("a\x07", {}, "TEXT_INVALID", "name"),
            ("a", {"status": "RESOLVED", "source": "APPEALS"}, "INVALID", "status"),
            ("a", {"status": "RESOLVED", "sort": "MOST_REPORTED"}, "INVALID", "status"),
        ):
            assert await save(mia, name, **more) == {"viewer": None, "userErrors": [{"code": code, "field": [field]}]}
        for person, code in ((bob, "FORBIDDEN"), (system.person(None), "UNAUTHENTICATED")):
            assert await person.errors(SAVE, input={"name": "a"}) == [(code, ["saveQueue"])]
            assert await person.errors(DELETE, name="Everything") == [(code, ["deleteSavedQueue"])]
    assert await saved(system.person("mia")) is None  # a token without the scope


@standalone
async def test_the_limit_is_exact_although_requests_come_at_once(system: System) -> None:
    mia = system.person("mia", "moderate")
    await mia.id()
    found = await asyncio.gather(*(save(mia, f"queue {number:02}") for number in range(MOST_QUEUES + 3)))
    codes = [error["code"] for one in found for error in one["userErrors"]]
    assert codes == ["QUEUE_LIMIT_REACHED"] * 3
    kept = [one["name"] for one in await saved(mia)]
    assert len(kept) == MOST_QUEUES
    assert (await save(mia, "other", replaces=kept[0]))["userErrors"] == []
    assert (await save(mia, kept[1], sort="NEWEST"))["userErrors"] == []
