"""Entries appended straight to journals, people who share a partition, and the rows that result."""

from dataclasses import dataclass
from typing import Any

import orjson

from domain.versions import version_of
from models.counters import EntityRef
from tests.support.system import Person, System


@dataclass(frozen=True)
class Someone:
    """A person with their user id and partition."""

    person: Person
    user_id: int
    partition: int


async def someone(system: System, handle: str) -> Someone:
    """Returns a person with their user id and partition."""
    person = system.person(handle)
    user_id = int((await person.id()).removeprefix("User:"))
    return Someone(person, user_id, system.state.keys.partition_of(user_id))


async def neighbours(system: System, count: int) -> list[Someone]:
    """Returns people whose changes go to one partition."""
    found: dict[int, list[Someone]] = {}
    for number in range(count * system.settings.partitions):
        one = await someone(system, f"person{number}")
        together = found.setdefault(one.partition, [])
        together.append(one)
        if len(together) == count:
            return together
    raise AssertionError("the pigeonhole principle")


async def ref_of(system: System, target: str) -> EntityRef:
    """Returns the reference of an entity by its global id."""
    _, business, key = target.split(":")
    sql = "SELECT business_id, entity_id FROM entity_keys WHERE key = :key AND business_id = :business"
    rows = await system.rows(sql, key=key, business=system.state.businesses[business].id)
    return EntityRef(*rows[0])


def like_of(someone: Someone, ref: EntityRef, **changes: Any) -> dict[str, Any]:
    """Returns the fields of a like. Keywords replace fields, or parts of its data."""
    fields: dict[str, Any] = {"kind": "react", "state": 1, "was": 0}
    data: dict[str, Any] = {"actor": someone.user_id, "business": ref.business_id, "entity": ref.entity_id}
    data["verb"] = "like"
    data |= dict.fromkeys(("owner", "source", "ip", "device", "client"))
    for name, value in changes.items():
        (fields if name in fields else data)[name] = value
    return fields | {"data": orjson.dumps(data)}


async def append(system: System, partition: int, fields: dict[str, Any]) -> int:
    """Appends an entry to a journal. Returns its version."""
    pairs = [part for pair in fields.items() for part in pair]
    return version_of(await system.state.redis("XADD", system.state.keys.journal(partition), "*", *pairs, write=True))


async def head(system: System, partition: int) -> int:
    """Returns a partition's head."""
    return int((await system.rows("SELECT head FROM partitions WHERE p = :p", p=partition))[0][0])


async def states(system: System) -> dict[int, int]:
    """Returns the reaction rows: state by user."""
    return dict(await system.rows("SELECT user_id, state FROM reactions"))


async def count_seen(person: Person, target: str) -> Any:
    """Returns the likeCount that a person is shown."""
    query = "query ($id: ID!) { node(id: $id) { ... on Reactable { likeCount } } }"
    return (await person.ask(query, id=target))["node"]["likeCount"]


async def journalled(system: System) -> int:
    """Returns how many entries all journals have."""
    return sum(await system.state.journals.lengths(range(system.settings.partitions)))
