"""Requests that erase entities, the work of the worker that erases, and what is left."""

from collections.abc import Callable
from typing import Any

from models.counters import EntityRef
from store.content import erasures
from store.people import remains
from store.people.remains import Searched
from tests.support.reconciliation import execute
from tests.support.search import stored
from tests.support.system import Person, System
from workers.deletions.erase import actions_of
from workers.deletions.run import erase_entities

ERASE = "mutation ($ids: [ID!]!) { eraseEntities(ids: $ids) { erasedIds userErrors { code field } } }"


async def erase(person: Person, *ids: str) -> Any:
    """Returns the payload of eraseEntities."""
    return (await person.ask(ERASE, ids=list(ids)))["eraseEntities"]


async def step(system: System, is_leader: Callable[[], bool] = lambda: True) -> int:
    """Lets a worker do one step of each erasure, and store what it appended. Returns how much was removed."""
    removed = await erase_entities(system.state, is_leader)
    await system.drain()
    return removed


async def finish(system: System) -> None:
    """Lets a worker finish all erasures. No request that has seen the entities runs any more."""
    while await unfinished(system):
        await step(system)
        await settle(system)
    await stored(system)


async def settle(system: System) -> None:
    """Lets an hour pass since the erasures were requested and since they last appended a change."""
    await execute(system, "UPDATE erasures SET since_ms = since_ms - 3600000")


async def unfinished(system: System) -> list[tuple[Any, ...]]:
    """Returns the ids of the entities whose erasure is not finished."""
    return await system.rows("SELECT entity_id FROM erasures WHERE finished_ms IS NULL ORDER BY 1")


async def left(system: System, entity_id: int, *texts: str) -> list[tuple[str, str]]:
    """Returns the places in which the number of an erased entity, or one of the texts, is found but must not be."""
    state, searched = system.state, Searched.entity(entity_id, texts)
    ((business,),) = await system.rows("SELECT business_id FROM erasures WHERE entity_id = :id", id=entity_id)
    actions = await actions_of(state, business, [entity_id])
    rows = await erasures.left(state.postgres, EntityRef(business, entity_id), actions)
    found = await remains.in_tables(state.postgres, searched, rows)
    found += await remains.in_redis(state.redis, searched)
    return [(one.place, one.found) for one in found if one.reason is None]
