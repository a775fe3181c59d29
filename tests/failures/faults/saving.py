"""A user who saves entities, moves them between two collections and removes them, and the check of the rows."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import text

from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Client
from tests.support.collections import PLACES, SAVE_INTO, created
from tests.support.saves import SAVE
from tests.support.system import Api

NOT_SAVED = "not saved"
_ROWS = text("""
    SELECT e.key, s.collection_id FROM saves s
    JOIN entity_keys e ON e.business_id = s.business_id AND e.entity_id = s.entity_id
    WHERE s.user_id = :user
""")
_COUNTED = text("""
    SELECT e.key, coalesce(c.value, 0), (
        SELECT count(*) FROM saves s
        WHERE s.business_id = e.business_id AND s.entity_id = e.entity_id AND s.collection_id <> 0)
    FROM entity_keys e
    LEFT JOIN counters c ON c.business_id = e.business_id AND c.entity_id = e.entity_id AND c.kind = 13
    WHERE e.key = ANY(:keys)
""")


@dataclass
class Saving:
    """One user. Nobody else saves the targets. `places` are the possible places of each target: the id of a collection,
    None for no collection, or `NOT_SAVED`.
    """

    client: Client
    user_id: int
    collections: list[str | None]
    places: dict[str, set[str | None]]
    names: Iterator[str]

    async def act(self) -> None:
        """Saves, moves or removes a random target. Raises OutcomeUnknown if its outcome stays unknown."""
        target, after = random.choice([*self.places]), random.choice([*self.collections, NOT_SAVED])
        name = next(self.names)
        self.places[target].add(after)
        query = SAVE % "unsave" if after == NOT_SAVED else SAVE_INTO
        more = {} if after == NOT_SAVED else {"into": after}
        answer = await self.client.insist(name, query, id=target, key=name, **more)
        if answer is None:
            raise OutcomeUnknown
        self.places[target] = {after}
        shown = answer.value["target"]
        expected = (int(after != NOT_SAVED), after != NOT_SAVED)
        if answer.whole and shown and (shown["saveCount"], shown["viewerSaved"]) != expected:
            self.client.broken.append(f"the answer to {name} shows {shown} where {after} was requested")


async def saver(api: Api, client: Client, prefix: str, names: Iterator[str]) -> Saving:
    """Registers a user with two collections, and entities that only this user saves."""
    user_id = int((await client.person.id()).rpartition(":")[2])
    targets = await api.videos(*(f"{prefix}-v{n}" for n in range(6)))
    collections = [await created(client.person, f"{prefix} {n}") for n in range(2)]
    return Saving(client, user_id, [None, *collections], {target: {NOT_SAVED} for target in targets}, names)


async def saving_violations(stores: State, api: Api, saving: Sequence[Saving]) -> list[str]:
    """Returns a sentence for each save that is not where its user has put it, and each wrong counter."""
    found = []
    for one in saving:
        names = {int(id_.rpartition(".")[2]): id_ for id_ in one.collections if id_}
        rows = {
            f"Entity:video:{key}": NOT_SAVED if collection == 0 else names.get(collection)
            for key, collection in await stores.postgres.read(_ROWS, user=one.user_id)
        }
        for target, possible in one.places.items():
            if (row := rows.get(target, NOT_SAVED)) not in possible:
                found.append(f"{target} is in {row} for {one.user_id} where {possible} was acknowledged")
        keys = [target.rpartition(":")[2] for target in one.places]
        for key, counted, saved in await stores.postgres.read(_COUNTED, keys=keys):
            if counted != saved:
                found.append(f"counter SAVES of {key} is {counted} where the rows say {saved}")
        nodes = (await api.person(one.client.handle).ask(PLACES))["viewer"]["saved"]["nodes"]
        shown = {node["targetId"]: node["collection"] and node["collection"]["id"] for node in nodes}
        if shown != {target: row for target, row in rows.items() if row != NOT_SAVED}:
            found.append(f"{one.user_id} is shown {shown} where the rows say {rows}")
    return found
