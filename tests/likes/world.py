"""A real system driven step by step beside its model: clients, workers that die at named points, and comparisons."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, permutations
from typing import Any

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from settings import USERS
from store import counts, keys
from store.cache import Cached
from store.journal import Entry
from tests.likes.model import NAMES, Acknowledged, Model, Request, States, Thing, others
from tests.system import Person, System
from workers.events import Reacted, parse
from workers.partitions import Fenced, Partition, advance
from workers.persist import apply, persist
from workers.publish import publish
from workers.worker import Worker

DEVICES = ("phone", "laptop")
PAGE = """query ($ids: [ID!]!) { nodes(ids: $ids) {
  ... on Reactable { id likeCount dislikeCount viewerReaction }
  ... on User { id likesReceivedCount } } }"""
LISTS = """query ($things: [ID!]!, $user: ID!) {
  nodes(ids: $things) { ... on Reactable { likers(first: 50) { nodes { id } } } }
  node(id: $user) { ... on User {
    tiny: likes(business: "tiny", first: 50) { nodes { id } }
    video: likes(business: "video", first: 50) { nodes { id } }
    article: likes(business: "article", first: 50) { nodes { id } } } } }"""


class Crash(Exception):
    """A worker dies here."""


@dataclass
class Sleeper:
    """A worker that fell asleep holding a batch, perhaps already committed."""

    worker: Worker
    owned: dict[int, Partition]
    entries: list[Entry]
    committed: bool


class World:
    """One application for any number of examples; each begins with users and things of its own over empty stores."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.state = system.state
        self.examples = 0
        self.workers = 0
        self.users: list[str] = []
        self.model = Model(())
        self.clients: dict[tuple[str, str], Person] = {}
        self.user_ids: dict[str, str] = {}
        self.refs: dict[str, EntityRef] = {}
        self.names: dict[EntityRef, str] = {}
        """The inverse of `refs`, which knows things by their ids and owners by their names."""
        self.active: Worker | None = None
        self.sleepers: list[Sleeper] = []
        self.hiring: dict[str, Any] = {}

    async def begin(self) -> None:
        """Everybody and everything new."""
        self.examples += 1
        await self._empty_stores()
        self.users = [await self._newcomer(*who) for who in (("alice", 0), ("bob", 0), ("carol", 1))]
        alice, bob, _ = self.users
        tiny = [Thing(f"t{i}-{self.examples}", "tiny", alice if i < 4 else bob) for i in range(7)]
        video, article = (
            Thing(f"x-{self.examples}", name, owner) for name, owner in (("video", alice), ("article", None))
        )
        self.model = Model((*tiny, video, article))
        for thing in self.model.things:
            await self.system.videos(thing.name, owner=thing.owner, business=thing.business)
        self.clients = {(u, d): self.system.person(u, device_id=d) for u in self.users for d in DEVICES}
        await self._learn_ids()
        self.active, self.sleepers, self.hiring = None, [], {}

    async def _empty_stores(self) -> None:
        async with self.state.postgres.transaction() as transaction:
            await transaction.execute(text("TRUNCATE reactions, counters, like_log, dead_letters, workers"))
            await transaction.execute(text("UPDATE partitions SET owner = NULL, lease_until = '-infinity', head = 0"))
        await self.system.empty_redis()

    async def _newcomer(self, name: str, partition: int) -> str:
        """Somebody new whose changes go through this partition: whoever meets there shall meet in every run."""
        for attempt in count():
            handle = f"{name}{self.examples}x{attempt}"
            viewer = (await self.system.person(handle).ask("{ viewer { id } }"))["viewer"]
            if self.state.keys.partition_of(int(viewer["id"].partition(":")[2])) == partition:
                return handle
        raise AssertionError

    async def _learn_ids(self) -> None:
        found = await self._phone(0).ask("query ($u: [String!]!) { users(externalIds: $u) { id } }", u=self.users)
        self.user_ids = {user: one["id"] for user, one in zip(self.users, found["users"], strict=True)}
        self.refs = {user: EntityRef(USERS, int(id_.partition(":")[2])) for user, id_ in self.user_ids.items()}
        for business, key, entity in await self.system.rows("SELECT business_id, key, entity_id FROM entities"):
            name = next((b.name for b in self.state.settings.businesses if b.id == business), "")
            self.refs[f"Entity:{name}:{key}"] = EntityRef(business, entity)
        self.names = {ref: name for name, ref in self.refs.items()}

    def _phone(self, user: int) -> Person:
        return self.clients[self.users[user], "phone"]

    # What clients do.

    async def ask(self, request: Request) -> Any:
        """The payload of a request."""
        client = self.clients[request.user, request.device]
        return await client.react(request.verb, request.thing.id, request.key, request.source)

    async def one(self, request: Request) -> None:
        """A request, whose answer must be exactly right."""
        payload = await self.ask(request)
        refused = self.model.acknowledged.apply(request)
        assert code_of(payload) == refused, (request, payload)
        target = None if refused else self.model.view(request.user, request.thing)
        assert payload["target"] == target, (request, payload, target)

    async def look(self, user: str, device: str = "phone") -> None:
        """A page of everything, which must be exactly right."""
        things, ids = self.model.things, [thing.id for thing in self.model.things]
        data = await self.clients[user, device].ask(PAGE, ids=[*ids, *self.user_ids.values()])
        expected: list[dict[str, object]] = [self.model.view(user, thing) for thing in things]
        expected += [{"id": self.user_ids[o], "likesReceivedCount": self.model.received(user, o)} for o in self.users]
        assert data["nodes"] == expected, [
            pair for pair in zip(data["nodes"], expected, strict=True) if pair[0] != pair[1]
        ]

    async def together(self, requests: Sequence[Request], *, working: bool = False) -> None:
        """Requests at the same moment, perhaps with the worker: some order of them must explain every answer."""
        before, cached = self.model.rows, dict(self.model.cached)
        *payloads, handled = await asyncio.gather(*map(self.ask, requests), self._batch() if working else nothing())
        await self._sync(handled)
        await self.check_cache()
        shown = {r.user: await self._states_shown(r.user) for r in requests}
        fitting = [
            trial
            for order in permutations(range(len(requests)))
            if (trial := Trial.of(self.model.acknowledged, requests, order)).explains(payloads, shown)
        ]
        assert fitting, (requests, payloads, shown)
        for i, request in enumerate(requests):
            if target := payloads[i]["target"]:
                copies = [cached.get(request.thing.id, before), self.model.rows]
                check_view(target, request, {s for trial in fitting for s in trial.after[i]}, copies)
        self.model.acknowledged = fitting[0].end
        for user in {request.user for request in requests}:
            await self.look(user)

    async def _states_shown(self, user: str) -> States:
        data = await self.clients[user, "laptop"].ask(PAGE, ids=[thing.id for thing in self.model.things])
        for thing in self.model.things:
            self.model.seen(thing.id)
        return {(user, one["id"]): reaction_of(one) for one in data["nodes"]}

    async def _sync(self, handled: Sequence[Entry]) -> None:
        """After workers and readers have met: what was handled is new where it is cached, the rest is as it was."""
        await self.learn_rows()
        handled_names = self.names_in(handled)
        for name, value in (await self._cached_counts()).items():
            if value is None:
                self.model.cached.pop(name, None)
            elif name in handled_names or name not in self.model.cached:
                self.model.cached[name] = self.model.rows

    # What workers do.

    async def staffed(self) -> Worker:
        """The worker that owns everything; a new one, once the leases of the dead have run out."""
        if self.active is None:
            await self._time_passes()
            self.workers += 1
            settings = self.state.settings.model_copy(update=self.hiring)
            self.active = Worker(replace(self.state, settings=settings), f"worker-{self.workers}")
            await self.active.ownership.renew()
            assert len(self.active.owned) == 4
        return self.active

    async def _time_passes(self) -> None:
        async with self.state.postgres.transaction() as transaction:
            await transaction.execute(text("UPDATE partitions SET lease_until = now() - interval '1 second'"))
            await transaction.execute(text("UPDATE workers SET seen_until = now() - interval '1 second'"))

    async def hire(self, **hiring: Any) -> None:
        """The worker leaves and another one, with these settings, will follow; it reads the whole tail again."""
        if self.active:
            await self.active.ownership.leave()
        self.active, self.hiring = None, hiring

    async def work(self) -> int:
        """One batch, all the way but for the sweeping."""
        entries = await self._batch()
        await self.learn_rows()
        self.model.published(self.names_in(entries))
        return len(entries)

    async def _batch(self) -> list[Entry]:
        worker = await self.staffed()
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        if entries:
            await worker.handle(owned, entries)
        return entries

    async def work_off(self) -> None:
        """All there is, several batches at a time."""
        worker = await self.staffed()
        waiting = await self.state.journals.read([(p, 0, 10_000) for p in worker.owned])
        while await worker.step(batches=3):
            pass
        await self.learn_rows()
        self.model.published(self.names_in([entry for entries in waiting for entry in entries]))

    async def sweep(self) -> None:
        """The settle time passes, in which nobody was left holding an older copy."""
        worker = await self.staffed()
        await worker.sweeper.sweep(time.monotonic() + self.state.settings.settle)
        await worker.sweeper.trim(list(worker.owned.values()))

    async def die(self, where: str) -> None:
        """The worker ends at a named point of its next batch."""
        worker = await self.staffed()
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        if where == "before commit":
            await self._die_in_the_transaction(owned, entries)
        elif where == "between commit and publish":
            await persist(self.state.postgres, owned, fresh_of(owned, entries))
        elif entries:  # between publish and trim
            await worker.handle(owned, entries)
        await self.learn_rows()
        if where == "between publish and trim":
            self.model.published(self.names_in(entries))
        self.active = None

    async def _die_in_the_transaction(self, owned: dict[int, Partition], entries: Sequence[Entry]) -> None:
        fresh = fresh_of(owned, entries)
        heads = {entry.partition: entry.version for entry in fresh}
        with suppress(Crash):
            async with self.state.postgres.transaction() as transaction:
                await advance(transaction, {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()})
                await apply(transaction, [parse(entry) for entry in fresh])
                raise Crash

    async def fall_asleep(self, *, committed: bool) -> None:
        """The worker stops for longer than its lease, with a batch in its hands."""
        worker = await self.staffed()
        owned = dict(worker.owned)
        entries = await worker.read(owned)
        if committed:
            await persist(self.state.postgres, owned, fresh_of(owned, entries))
            await self.learn_rows()
        self.sleepers.append(Sleeper(worker, owned, entries, committed))
        self.active = None

    async def wake(self) -> None:
        """A sleeper goes on where it stopped, after somebody else has taken over: it commits nothing."""
        sleeper = self.sleepers.pop()
        await self.staffed()
        before, fenced = await self.everything_stored(), False
        fresh = not sleeper.committed and fresh_of(sleeper.owned, sleeper.entries)
        if sleeper.committed:
            await publish(self.state, [parse(entry) for entry in sleeper.entries], set())
        elif sleeper.entries:
            fenced = await self._is_fenced(sleeper)
        assert fenced == bool(fresh)
        assert await self.everything_stored() == before
        if not fenced:
            self.model.published(self.names_in(sleeper.entries))
        await sleeper.worker.sweeper.sweep(time.monotonic() + self.state.settings.settle)
        await sleeper.worker.sweeper.trim(list(sleeper.worker.owned.values()))

    async def _is_fenced(self, sleeper: Sleeper) -> bool:
        try:
            await sleeper.worker.handle(sleeper.owned, sleeper.entries)
        except Fenced:
            return True
        return False

    # What must be true.

    async def quiet(self) -> None:
        """Everything is drained, and then everything agrees: model, API, rows, counters, caches, log."""
        await self.work_off()
        await self.sweep()
        assert self.model.rows == {p: s for p, s in self.model.acknowledged.states.items() if s or p in self.model.rows}
        for user in self.users:
            await self.look(user)
            await self._check_lists(user)
            assert not (await self.state.pending.get(self.refs[user].entity_id)).histories
        assert await self._counter_rows() == {n: c for n in self.refs if (c := self._counted(n, self.model.rows))}
        await self.check_cache()
        await self._check_log()
        lengths = await self.state.journals.lengths(range(4))
        assert (await self.staffed()).state.settings.tail or not any(lengths), lengths

    async def forget_redis(self) -> None:
        """Redis loses everything, at a moment when all of it is in Postgres."""
        await self.quiet()
        await self.system.empty_redis()
        self.model.cached.clear()
        self.model.acknowledged.remembered.clear()

    async def learn_rows(self) -> None:
        """The committed reactions, as Postgres has them."""
        rows = await self.system.rows("SELECT user_id, business_id, entity_id, state FROM reactions")
        self.model.rows = {
            (self.names[EntityRef(USERS, user)], self.names[EntityRef(business, entity)]): state
            for user, business, entity, state in rows
        }

    async def check_cache(self) -> None:
        """Every cached counter is what the rows said when it was published or filled; nothing else is cached."""
        found = await self._cached_counts()
        expected = {n: self._counted(n, self.model.cached[n]) if n in self.model.cached else None for n in self.refs}
        assert found == expected, {
            name: (found[name], expected[name]) for name in found if found[name] != expected[name]
        }

    async def everything_stored(self) -> list[Any]:
        """All that workers write to Postgres."""
        return [
            await self.system.rows("SELECT * FROM reactions ORDER BY user_id, business_id, entity_id"),
            await self.system.rows("SELECT * FROM counters ORDER BY business_id, entity_id, kind"),
            await self.system.rows("SELECT p, owner, epoch, head FROM partitions ORDER BY p"),
            await self.system.rows("SELECT user_id, version FROM like_log ORDER BY user_id, version"),
        ]

    def names_in(self, entries: Sequence[Entry]) -> set[str]:
        """The things and owners that entries are about."""
        events = [event for entry in entries if isinstance(event := parse(entry), Reacted)]
        owners = {EntityRef(USERS, event.owner_id) for event in events if event.owner_id}
        return {self.names[ref] for ref in {event.ref for event in events} | owners}

    def _counted(self, name: str, rows: States) -> dict[CounterKind, int]:
        """The counters of a thing or an owner over these rows; zeros are left out."""
        things = [thing for thing in self.model.things if name in (thing.id, thing.owner)]
        likes = sum(others(rows, "", thing, 1) for thing in things)
        dislikes = 0 if name in self.users else sum(others(rows, "", thing, 2) for thing in things)
        liked = CounterKind.LIKES_RECEIVED if name in self.users else CounterKind.LIKES
        return {kind: value for kind, value in ((liked, likes), (CounterKind.DISLIKES, dislikes)) if value}

    async def _counter_rows(self) -> dict[str, dict[CounterKind, int]]:
        found: dict[str, dict[CounterKind, int]] = {}
        for business, entity, kind, value in await self.system.rows(
            "SELECT business_id, entity_id, kind, value FROM counters WHERE value <> 0"
        ):
            found.setdefault(self.names[EntityRef(business, entity)], {})[CounterKind(kind)] = value
        return found

    async def _cached_counts(self) -> dict[str, dict[CounterKind, int] | None]:
        cached: list[Cached | None] = await self.state.cache.get_many([keys.counts(ref) for ref in self.refs.values()])
        return {
            name: {CounterKind(k): c.value for k, c in counts.decode(value).kinds.items() if c.value} if value else None
            for name, value in zip(self.refs, cached, strict=True)
        }

    async def _check_lists(self, user: str) -> None:
        things = self.model.things
        data = await self.clients[user, "phone"].ask(LISTS, things=[t.id for t in things], user=self.user_ids[user])
        for thing, node in zip(things, data["nodes"], strict=True):
            likers = [one["id"] for one in node["likers"]["nodes"]]
            assert sorted(likers) == sorted(self.user_ids[who] for who in self.model.likers(thing)), thing
        for business, page in data["node"].items():
            assert sorted(one["id"] for one in page["nodes"]) == sorted(self.model.liked(user, business)), business

    async def _check_log(self) -> None:
        """The log of each (user, thing) leads from nothing to their reaction without a gap."""
        at: States = {}
        rows = await self.system.rows(
            "SELECT user_id, business_id, entity_id, was, state FROM like_log ORDER BY version"
        )
        for user, business, entity, was, state in rows:
            place = (self.names[EntityRef(USERS, user)], self.names[EntityRef(business, entity)])
            assert at.get(place, 0) == was, place
            at[place] = state
        assert at == self.model.rows


@dataclass
class Trial:
    """One order in which concurrent requests may have been done."""

    end: Acknowledged
    codes: dict[int, str | None]
    after: dict[int, set[int]]
    """Per request, the reactions its author had to its thing from then on."""

    @classmethod
    def of(cls, start: Acknowledged, requests: Sequence[Request], order: Sequence[int]) -> "Trial":
        trial = cls(start.copy(), {}, {})
        for i in order:
            trial.codes[i] = trial.end.apply(requests[i])
            trial.after[i] = set()
            for done, states in trial.after.items():
                states.add(trial.end.states.get((requests[done].user, requests[done].thing.id), 0))
        return trial

    def explains(self, payloads: Sequence[Any], shown: dict[str, States]) -> bool:
        """Whether it leads to these answers and these reactions."""
        # Which of two reasons a refusal gives depends on which of them was found first: both are true.
        told = all(bool(code) == bool(code_of(payloads[i])) for i, code in self.codes.items())
        seen = {place: state for states in shown.values() for place, state in states.items()}
        return told and all(self.end.states.get(place, 0) == state for place, state in seen.items())


def check_view(shown: dict[str, Any], request: Request, own: set[int], copies: Sequence[States]) -> None:
    """A thing as one of several concurrent requests answered it: with any copy there was, and any own state since."""
    assert reaction_of(shown) in own, (request, shown, own)
    for name, state in (("likeCount", 1), ("dislikeCount", 2)):
        allowed = {others(copy, request.user, request.thing, state) + (one == state) for copy in copies for one in own}
        assert shown[name] in allowed, (request, shown, allowed)


def reaction_of(shown: dict[str, Any]) -> int:
    return next(state for state, name in NAMES.items() if name == shown["viewerReaction"])


def code_of(payload: dict[str, Any]) -> str | None:
    """The code of a payload's user error."""
    return payload["userErrors"][0]["code"] if payload["userErrors"] else None


async def nothing() -> list[Entry]:
    """What nobody has handled."""
    return []


def fresh_of(owned: dict[int, Partition], entries: Sequence[Entry]) -> list[Entry]:
    """The entries that are not committed yet, as far as their owner knows."""
    return [entry for entry in entries if entry.version > owned[entry.partition].head]
