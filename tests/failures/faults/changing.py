"""Users who change the values of all entries (entries.py), one after the other, and the check of the rows."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from graphql import get_named_type, is_input_object_type
from sqlalchemy import text

from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Answer, Client, PatientPerson
from tests.failures.faults.content_checks import number
from tests.failures.faults.entries import ENTRIES, NOTIFICATIONS, Entry, Value
from tests.support.notices import NOTICE, notice_input
from tests.support.notifications import page
from tests.support.posts import publish, published
from tests.support.quotes import quoted
from tests.support.schema_paths import SCHEMA
from tests.support.statements import statements
from tests.support.system import Api, Person

_SETUP_SECONDS = 60
_HEADS = text("SELECT p, head FROM partitions")
Cell = tuple[Entry, str]
"""An entry and one of its places."""


@dataclass
class Changing:
    """The users by their role (`Entry.owner`), and the possible values of each cell. Nobody else changes them."""

    clients: Mapping[str, Client]
    numbers: Mapping[str, int]
    """The numbers of the users, by role."""
    names: Iterator[str]
    values: dict[Cell, set[Value]]
    late: dict[Cell, set[Value]] = field(default_factory=dict)
    """The values that an API that was halted may still set, because the request has no idempotency key."""
    asked: dict[Cell, set[Value]] = field(default_factory=dict)
    """The values that were ever possible."""
    stored: dict[Entry, dict[str, set[int]]] = field(default_factory=dict)
    """How often each request of an entry with `once` may be stored, by its name."""

    async def act(self) -> None:
        """Changes a random value. Raises OutcomeUnknown if the outcome stays unknown."""
        entry = random.choice(ENTRIES)
        cell = entry, random.choice([place for one, place in self.values if one is entry])
        before = self.values[cell]
        asks = entry.asks(random.choice([*before])) if entry.asks else entry.values
        if asks:
            await self._change(cell, before, random.choice([*asks]), next(self.names))

    async def _change(self, cell: Cell, before: set[Value], asked: Value, name: str) -> None:
        entry, place = cell
        expected = {entry.after(now, asked) for now in before}
        self.values[cell] = before | expected
        self.asked[cell] = self.asked.get(cell, before) | expected
        times = self.stored.setdefault(entry, {})
        times[name] = {0, 1}
        request = entry.request(place, asked, name)
        client = self.clients[request.sender or entry.owner]
        query, has_key = _document(request.mutation)
        arguments = dict(request.arguments)
        if has_key:
            arguments["input"] = {**arguments["input"], "idempotencyKey": name}
        answer = await client.insist(name, query, *entry.refusals, **arguments)
        if answer is None:
            raise OutcomeUnknown
        is_repeated = name in client.repeated
        if answer.value["userErrors"]:  # an earlier attempt may have been accepted
            self.values[cell], times[name] = (before | expected, {0, 1}) if is_repeated else (before, {0})
            return
        times[name] = {1}
        if is_repeated and not has_key:
            self.late[cell] = self.late.get(cell, set()) | expected
        self.values[cell] = expected | self.late.get(cell, set())
        if (
            entry.is_own
            and entry.reads
            and (seen := await self.clients[entry.owner].read(_query(entry), **_given(entry, place)))
        ):
            self._look(cell, seen, name)

    def _look(self, cell: Cell, seen: Answer, name: str) -> None:
        """Records a deviation of what the owner is shown after the change was acknowledged."""
        entry, place = cell
        possible = {entry.visible(value) for value in self.values[cell]}
        if seen.whole and (shown := entry.shown(seen.value, place)) not in possible:
            broken = self.clients[entry.owner].broken
            broken.append(f"after {name}, {entry.mutations[0]} of {place} shows {shown} instead of {possible}")

    def lose_commits(self) -> None:
        """Expects that the newest changes that were in no journal are lost."""
        for (entry, place), asked in self.asked.items():
            if not entry.in_journal:
                self.values[entry, place] |= asked
        for entry, times in self.stored.items():
            if not entry.in_journal:
                times.update({name: {0, *possible} for name, possible in times.items()})


@cache
def _document(mutation: str) -> tuple[str, bool]:
    """Returns a document with a mutation, and whether its input has an idempotency key."""
    assert SCHEMA.mutation_type
    arguments = SCHEMA.mutation_type.fields[mutation].args
    declared = ", ".join(f"${name}: {one.type}" for name, one in arguments.items())
    given = ", ".join(f"{name}: ${name}" for name in arguments)
    inputs = [get_named_type(one.type) for one in arguments.values()]
    has_key = any(is_input_object_type(one) and "idempotencyKey" in one.fields for one in inputs)
    return f"mutation ({declared}) {{ {mutation}({given}) {{ userErrors {{ code }} }} }}", has_key


def _query(entry: Entry) -> str:
    type_ = "String" if "handle: $id" in entry.reads else "ID"
    return f"query ($id: {type_}!) {{ {entry.reads} }}" if "$id" in entry.reads else f"{{ {entry.reads} }}"


def _given(entry: Entry, place: str) -> dict[str, str]:
    return {"id": place} if "$id" in entry.reads else {}


async def changing(clients: Mapping[str, Client], prefix: str, names: Iterator[str]) -> Changing:
    """Registers the users, and makes the objects whose values they change. `clients` has a client for each role."""
    user, person = clients["user"].person, clients["person"].person
    ids = dict(zip(clients, await asyncio.gather(*(client.person.id() for client in clients.values())), strict=True))
    topics, keys = [f"{prefix}-t{n}".lower() for n in range(2)], [f"{prefix}-e{n}" for n in range(4)]
    warned = {"userId": ids["person"], "reason": "be kind"}
    entities = [{"business": "video", "key": key, "title": f"first {key}"} for key in keys]
    about, posts, own, *_ = await asyncio.gather(
        publish(person, "about topics", *topics),
        published(person, "judge me", "hide me", "hide me too"),
        published(user, *(f"like me {n}" for n in range(NOTIFICATIONS))),
        clients["service"].insist(f"{prefix} entities", _document("registerEntities")[0], entities=entities),
        clients["operator"].insist(
            f"{prefix} words", _document("importWordList")[0], input={"text": ""}
        ),  # of all loads
        *(clients["moderator"].insist(f"{prefix} warns {n}", _document("warnUser")[0], input=warned) for n in range(3)),
    )
    talk = about["post"]["id"]
    await asyncio.gather(_until_shown(user, [talk, *posts]), _until_shown(person, own))
    notice = notice_input(posts[0])
    quotes, *_ = await asyncio.gather(
        quoted(user, talk, *(f"{prefix} quotes {n}" for n in range(3))),
        clients["user"].insist(f"{prefix} notice", NOTICE, input=notice),
        *(person.like(post) for post in own),
    )
    async with asyncio.timeout(_SETUP_SECONDS):
        while len((news := await page(user)).nodes) < NOTIFICATIONS or len(given := await statements(person)) < 3:
            await asyncio.sleep(0.05)
    await _until_shown(person, quotes)
    pairs = [f"{node['id']}|{cursor}" for node, cursor in zip(news.nodes, news.cursors, strict=True)]
    objects = {
        "": [""],
        "person": [ids["person"]],
        "judged": posts[:1],
        "post": posts[1:],
        "topic": [f"Topic:{topic}" for topic in topics],
        "word": ["cheese", "wine"],
        "kind": ["LIKE", "FOLLOW"],
        "notifications": [" ".join(pairs)],
        "quote": quotes,
        "statement": [one["id"] for one in given],
        "handle": [person.handle],
        "entity": [f"Entity:video:{key}" for key in keys],
    }
    values = {(entry, place): {entry.values[0]} for entry in ENTRIES for place in objects[entry.place]}
    return Changing(clients, {role: number(id_) for role, id_ in ids.items()}, names, values)


async def _until_shown(reader: Person, posts: Sequence[str]) -> None:
    async with asyncio.timeout(_SETUP_SECONDS):
        while None in (await reader.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=posts))["nodes"]:
            await asyncio.sleep(0.05)


async def change_violations(stores: State, api: Api, changing: Sequence[Changing]) -> list[str]:
    """Returns a sentence for each value that is not as it was acknowledged, in its row or in the API, each row with a
    version that no journal has had, and each request that is stored more or less often than once.
    """
    found = []
    heads = {p: head for p, head in await stores.postgres.read(_HEADS)}  # noqa: C416 - rows are not pairs to mypy
    for one in changing:
        for (entry, place), possible in one.values.items():
            if entry.row:
                found += await _wrong_value(stores, api, one, (entry, place), possible, heads)
        for entry, times in one.stored.items():
            if entry.once:
                rows = await stores.postgres.read(text(entry.once), names=[*times])
                stored = Counter(name for (name,) in rows)
                found += [
                    f"{entry.mutations[0]} {name} is stored {stored[name]} times instead of {expected}"
                    for name, expected in times.items()
                    if stored[name] not in expected
                ]
    return found


async def _wrong_value(
    stores: State, api: Api, one: Changing, cell: Cell, possible: set[Value], heads: Mapping[int, int]
) -> list[str]:
    entry, place = cell
    owner, found = one.numbers[entry.owner], []
    every = {"user": owner, "place": place, "number": number(place) if re.search(r"[:.]\d+$", place) else 0}
    used = {name: value for name, value in every.items() if re.search(rf"(?<!:):{name}\b", entry.row)}
    rows = await stores.postgres.read(text(entry.row), **used)
    if len(rows) > 1:
        found.append(f"{entry.mutations[0]} of {place} has {len(rows)} rows")
    value = entry.stored(rows[0][0], place) if rows else entry.values[0]
    if value not in possible:
        found.append(f"{entry.mutations[0]} of {place} by {owner} is {value} where {possible} was acknowledged")
    version = rows[0][1] if rows and len(rows[0]) > 1 else None
    if version is not None and version > heads[stores.keys.partition_of(owner)]:
        found.append(f"{entry.mutations[0]} of {place} has the version {version}, which no journal of {owner} has had")
    if entry.reads:
        client = one.clients[entry.owner].person
        person = PatientPerson(api.http, client.handle, client.headers)
        data = await person.ask(_query(entry), **_given(entry, place))
        shown = entry.shown(next(iter(data.values())), place)
        if shown != entry.visible(value):
            found.append(f"{entry.mutations[0]} of {place} is shown as {shown} where the row says {value}")
    return found
