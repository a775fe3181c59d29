"""A user who saves entities, moves them between collections and removes them, creates, changes and deletes the
collections, and follows and unfollows the entities; and the check of the rows.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Answer, Client
from tests.support.collections import CREATE, DELETE, PLACES, SAVE_INTO, UPDATE, created, own, public
from tests.support.content_follows import FOLLOW_ENTITY, followed
from tests.support.saves import SAVE
from tests.support.system import Api

NOT_SAVED = "not saved"
Shelf = tuple[str, bool]
"""The name of a collection, and whether it is public."""
_MOST = 5
"""The number of collections of a user."""
_EMPTYING_SECONDS = 20
_ROWS = text("""
    WITH mine AS MATERIALIZED (SELECT business_id, entity_id, collection_id FROM saves WHERE user_id = :user)
    SELECT e.key, mine.collection_id FROM mine JOIN entity_keys e USING (business_id, entity_id)
""")
_COUNTED = text("""
    WITH places AS MATERIALIZED (SELECT business_id, entity_id, key FROM entity_keys WHERE key = ANY(:keys)),
         saved AS MATERIALIZED (
             SELECT business_id, entity_id, count(*) AS value FROM saves WHERE collection_id <> 0
             GROUP BY business_id, entity_id
         ),
         counted AS MATERIALIZED (SELECT business_id, entity_id, value FROM counters WHERE kind = 13)
    SELECT key, coalesce(counted.value, 0), coalesce(saved.value, 0) FROM places
    LEFT JOIN counted USING (business_id, entity_id) LEFT JOIN saved USING (business_id, entity_id)
""")
_FOLLOWS = text("""
    WITH mine AS MATERIALIZED (
        SELECT business_id, entity_id, stands FROM content_follows WHERE user_id = :user
    ), counted AS MATERIALIZED (SELECT business_id, entity_id, value FROM counters WHERE kind = 16)
    SELECT e.key, mine.stands, coalesce(counted.value, 0) AS followers FROM mine
    JOIN entity_keys e USING (business_id, entity_id) LEFT JOIN counted USING (business_id, entity_id)
""")
_SHELVES = text("SELECT collection_id, name, is_public FROM collections WHERE user_id = :user AND NOT deleted")
_LEAVING = text("SELECT count(*) FROM collections WHERE user_id = :user AND deleted AND NOT emptied")


@dataclass
class Saving:
    """One user. Nobody else saves or follows the targets. `follows` tells whether the user may follow each target.
    `places` are the possible places of each target: the id of a collection,
    None for no collection, or `NOT_SAVED`. `shelves` are the possible states of each collection by id; None: deleted.
    """

    client: Client
    user_id: int
    shelves: dict[str, set[Shelf | None]]
    places: dict[str, set[str | None]]
    names: Iterator[str]
    follows: dict[str, set[bool]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    """The names of collections that may exist, and whose ids are unknown."""
    left: set[str] = field(default_factory=set)
    """The targets that were in a deleted collection, and whose place the user has not changed since."""

    @property
    def collections(self) -> list[str]:
        """The ids of the collections that certainly exist."""
        return [id_ for id_, states in self.shelves.items() if None not in states]

    async def act(self) -> None:
        """Performs one random step. Raises OutcomeUnknown if its outcome stays unknown."""
        count = len(self.collections)
        more = [self._create] if count < _MOST else []
        less = [self._delete] if count > 1 else []
        await random.choice([self._save, self._save, self._save, self._follow, self._update, *more, *less])()

    async def _save(self) -> None:
        """Saves, moves or removes a random target."""
        target, after = random.choice([*self.places]), random.choice([None, *self.collections, NOT_SAVED])
        self.places[target].add(after)
        self.left.discard(target)
        query = SAVE % "unsave" if after == NOT_SAVED else SAVE_INTO
        more = {} if after == NOT_SAVED else {"into": after}
        name, answer = await self._send(query, id=target, **more)
        self.places[target] = {after}
        shown = answer.value["target"]
        expected = (int(after != NOT_SAVED), after != NOT_SAVED)
        if answer.whole and shown and (shown["saveCount"], shown["viewerSaved"]) != expected:
            self.client.broken.append(f"the answer to {name} shows {shown} where {after} was requested")

    async def _follow(self) -> None:
        """Follows or unfollows a random target."""
        target, after = random.choice([*self.follows]), random.random() < 0.6
        self.follows[target].add(after)
        name, answer = await self._send(FOLLOW_ENTITY % ("followEntity" if after else "unfollowEntity"), id=target)
        self.follows[target] = {after}
        shown = answer.value["entity"]
        if answer.whole and shown and (shown["followerCount"], shown["viewerFollows"]) != (int(after), after):
            self.client.broken.append(f"the answer to {name} shows {shown} where {after} was requested")

    async def _create(self) -> None:
        shelf = f"collection {next(self.names)}", random.random() < 0.5
        self.unknown.add(shelf[0])
        _, answer = await self._send(CREATE, name=shelf[0], public=shelf[1])
        if shown := answer.value["collection"]:
            self.unknown.remove(shelf[0])
            self.shelves[shown["id"]] = {shelf}
            self._check_shown(shelf, shown)

    async def _update(self) -> None:
        id_ = random.choice(self.collections)
        shelf = f"collection {next(self.names)}", random.random() < 0.5
        self.shelves[id_].add(shelf)
        _, answer = await self._send(UPDATE, id=id_, name=shelf[0], public=shelf[1])
        self.shelves[id_] = {shelf}
        if answer.whole and answer.value["collection"]:
            self._check_shown(shelf, answer.value["collection"])

    async def _delete(self) -> None:
        """Deletes the collection with the most saves, which workers then remove."""
        id_ = max(self.collections, key=lambda one: sum(one in possible for possible in self.places.values()))
        self.left |= {target for target, possible in self.places.items() if possible == {id_}}
        inside = [possible for possible in self.places.values() if id_ in possible]
        self.shelves[id_].add(None)
        for possible in inside:
            possible.add(NOT_SAVED)
        await self._send(DELETE, id=id_)
        self.shelves[id_] = {None}
        for possible in inside:
            possible.remove(id_)

    def _check_shown(self, shelf: Shelf, shown: Any) -> None:
        if (shown["name"], shown["isPublic"]) != shelf:
            self.client.broken.append(f"the answer to {shelf} shows {shown}")

    async def _send(self, query: str, **variables: Any) -> tuple[str, Answer]:
        name = next(self.names)
        answer = await self.client.insist(name, query, key=name, **variables)
        if answer is None:
            raise OutcomeUnknown
        return name, answer


async def saver(api: Api, client: Client, prefix: str, names: Iterator[str]) -> Saving:
    """Registers a user with two collections, and entities that only this user saves."""
    user_id = int((await client.person.id()).rpartition(":")[2])
    targets = await api.videos(*(f"{prefix}-v{n}" for n in range(12)))
    shelves: dict[str, set[Shelf | None]] = {}
    for name in (f"{prefix} {n}" for n in range(2)):
        shelves[await created(client.person, name)] = {(name, False)}
    places, follows = {target: {NOT_SAVED} for target in targets}, {target: {False} for target in targets}
    return Saving(client, user_id, shelves, places, names, follows)  # type: ignore[arg-type]


async def saving_violations(stores: State, api: Api, saving: Sequence[Saving]) -> list[str]:
    """Returns a sentence for each save that is not where its user has put it, each wrong counter, and each collection
    and follow that is not as its user has left it. Waits until deleted collections are emptied.
    """
    found = []
    for one in saving:
        await _emptied(stores, one)
        found += await _save_violations(stores, api, one) + await _shelf_violations(stores, api, one)
        found += await _follow_violations(stores, api, one)
    return found


async def _follow_violations(stores: State, api: Api, one: Saving) -> list[str]:
    found = []
    rows = {f"Entity:video:{row.key}": row for row in await stores.postgres.read(_FOLLOWS, user=one.user_id)}
    stored = {target for target, row in rows.items() if row.stands}
    for target, possible in one.follows.items():
        if (target in stored) not in possible:
            found.append(f"{one.user_id} follows {target}: {target in stored} where {possible} was acknowledged")
        if target in rows and rows[target].followers != (target in stored):
            found.append(f"{target} has {rows[target].followers} followers where the row says {target in stored}")
    shown = {*(await followed(api.person(one.client.handle)))[1]}
    if shown != stored:
        found.append(f"{one.user_id} is shown the followed entities {shown} where the rows say {stored}")
    return found


async def _emptied(stores: State, one: Saving) -> None:
    deadline = time.monotonic() + _EMPTYING_SECONDS
    while time.monotonic() < deadline:
        if not (await stores.postgres.read(_LEAVING, user=one.user_id))[0][0]:
            return
        await asyncio.sleep(0.1)


async def _save_violations(stores: State, api: Api, one: Saving) -> list[str]:
    found = []
    names = {int(id_.rpartition(".")[2]): id_ for id_ in one.shelves}
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


async def _shelf_violations(stores: State, api: Api, one: Saving) -> list[str]:
    found = []
    rows = {
        f"Collection:{one.user_id}.{id_}": (name, is_public)
        for id_, name, is_public in await stores.postgres.read(_SHELVES, user=one.user_id)
    }
    for id_, possible in one.shelves.items():
        if rows.get(id_) not in possible:
            found.append(f"{id_} is {rows.get(id_)} where {possible} was acknowledged")
    others = [name for id_, (name, _) in rows.items() if id_ not in one.shelves]
    if len(others) != len(set(others)) or not one.unknown.issuperset(others):
        found.append(f"{one.user_id} has the collections {others}, which were not created")
    shown = {id_: (name, is_public) for id_, name, is_public in await own(api.person(one.client.handle))}
    if shown != rows:
        found.append(f"{one.user_id} is shown the collections {shown} where the rows say {rows}")
    to_others = await public(api.person(None), one.client.handle)
    if sorted(to_others or []) != sorted(name for name, is_public in rows.values() if is_public):
        found.append(f"others are shown the collections {to_others} of {one.user_id} where the rows say {rows}")
    return found
