"""The people and things of one Hypothesis example over real stores, and reads of what the stores hold."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from models.likes import Verb
from models.own_sets import state_after
from projections.entries.likes import Reacted
from projections.registry import events_of
from settings import USERS
from store import keys
from store.cache.values import Cached
from store.reactions import counts
from store.write_log.journal import Entry
from tests.support.reaction_model import Model, States, Thing, others
from tests.support.system import Person, System

DEVICES = ("phone", "laptop")
LISTS = """query ($things: [ID!]!, $user: ID!) {
  nodes(ids: $things) { ... on Reactable { likers(first: 50) { nodes { id } } } }
  node(id: $user) { ... on User {
    tiny: likes(business: "tiny", first: 50) { nodes { id } }
    video: likes(business: "video", first: 50) { nodes { id } }
    article: likes(business: "article", first: 50) { nodes { id } } } } }"""


class ReactionExample:
    """One application for any number of examples. Each begins with new users and things over empty stores."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.state = system.state
        self.examples = 0
        self.users: list[str] = []
        self.model = Model(())
        self.clients: dict[tuple[str, str], Person] = {}
        self.user_ids: dict[str, str] = {}
        self.refs: dict[str, EntityRef] = {}
        self.names: dict[EntityRef, str] = {}
        """The inverse of `refs`, whose keys are ids of things and names of owners."""

    async def begin(self) -> None:
        """Empties the stores and registers new users and things."""
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

    async def _empty_stores(self) -> None:
        async with self.state.postgres.transaction() as transaction:
            await transaction.execute(text("TRUNCATE reactions, counters, like_log, dead_letters, workers"))
            await transaction.execute(text("UPDATE partitions SET owner = NULL, lease_until = '-infinity', head = 0"))
        await self.system.empty_redis()

    async def _newcomer(self, name: str, partition: int) -> str:
        """Registers a user whose changes go to a given partition, so that every run uses the same partitions."""
        for attempt in count():
            handle = f"{name}{self.examples}x{attempt}"
            viewer = (await self.system.person(handle).ask("{ viewer { id } }"))["viewer"]
            if self.state.keys.partition_of(int(viewer["id"].partition(":")[2])) == partition:
                return handle
        raise AssertionError

    async def _learn_ids(self) -> None:
        service = self.system.person("service", "users:read")
        found = await service.ask("query ($u: [String!]!) { users(externalIds: $u) { id } }", u=self.users)
        self.user_ids = {user: one["id"] for user, one in zip(self.users, found["users"], strict=True)}
        self.refs = {user: EntityRef(USERS, int(id_.partition(":")[2])) for user, id_ in self.user_ids.items()}
        for business, key, entity in await self.system.rows("SELECT business_id, key, entity_id FROM entities"):
            name = next((b.name for b in self.state.settings.businesses if b.id == business), "")
            self.refs[f"Entity:{name}:{key}"] = EntityRef(business, entity)
        self.names = {ref: name for name, ref in self.refs.items()}

    def _phone(self, user: int) -> Person:
        return self.clients[self.users[user], "phone"]

    async def learn_rows(self) -> None:
        """Reads the committed reactions from Postgres into the model."""
        rows = await self.system.rows("SELECT user_id, business_id, entity_id, state FROM reactions")
        self.model.rows = {
            (self.names[EntityRef(USERS, user)], self.names[EntityRef(business, entity)]): state
            for user, business, entity, state in rows
        }

    async def check_cache(self) -> None:
        """Checks every cached counter against the rows at its last publication or fill."""
        found = await self.cached_counts()
        expected = {n: self.counted(n, self.model.cached[n]) if n in self.model.cached else None for n in self.refs}
        assert found == expected, {
            name: (found[name], expected[name]) for name in found if found[name] != expected[name]
        }

    async def everything_stored(self) -> list[Any]:
        """Returns every row that workers write."""
        return [
            await self.system.rows("SELECT * FROM reactions ORDER BY user_id, business_id, entity_id"),
            await self.system.rows("SELECT * FROM counters ORDER BY business_id, entity_id, kind"),
            await self.system.rows("SELECT p, owner, epoch, head FROM partitions ORDER BY p"),
            await self.system.rows("SELECT user_id, version FROM like_log ORDER BY user_id, version"),
        ]

    def names_in(self, entries: Sequence[Entry]) -> set[str]:
        """Returns the things and owners that entries change."""
        events = [event for entry in entries for event in events_of(entry) if isinstance(event, Reacted)]
        owners = {EntityRef(USERS, event.owner_id) for event in events if event.owner_id}
        return {self.names[ref] for ref in {event.ref for event in events} | owners}

    def counted(self, name: str, rows: States) -> dict[CounterKind, int]:
        """Returns the counters of a thing or an owner over these rows, without zeros."""
        things = [thing for thing in self.model.things if name in (thing.id, thing.owner)]
        likes = sum(others(rows, "", thing, 1) for thing in things)
        dislikes = 0 if name in self.users else sum(others(rows, "", thing, 2) for thing in things)
        liked = CounterKind.LIKES_RECEIVED if name in self.users else CounterKind.LIKES
        return {kind: value for kind, value in ((liked, likes), (CounterKind.DISLIKES, dislikes)) if value}

    async def counter_rows(self) -> dict[str, dict[CounterKind, int]]:
        found: dict[str, dict[CounterKind, int]] = {}
        for business, entity, kind, value in await self.system.rows(
            "SELECT business_id, entity_id, kind, value FROM counters WHERE value <> 0"
        ):
            found.setdefault(self.names[EntityRef(business, entity)], {})[CounterKind(kind)] = value
        return found

    async def cached_counts(self) -> dict[str, dict[CounterKind, int] | None]:
        cached = await self.state.cache.redis.get_many([keys.counts(ref) for ref in self.refs.values()])
        return {
            name: {CounterKind(k): c.value for k, c in counts.decode(Cached.parse(raw)).kinds.items() if c.value}
            if raw
            else None
            for name, raw in zip(self.refs, cached, strict=True)
        }

    async def check_lists(self, user: str) -> None:
        things = self.model.things
        data = await self.clients[user, "phone"].ask(LISTS, things=[t.id for t in things], user=self.user_ids[user])
        for thing, node in zip(things, data["nodes"], strict=True):
            likers = [one["id"] for one in node["likers"]["nodes"]]
            assert sorted(likers) == sorted(self.user_ids[who] for who in self.model.likers(thing)), thing
        for business, page in data["node"].items():
            assert sorted(one["id"] for one in page["nodes"]) == sorted(self.model.liked(user, business)), business

    async def check_log(self) -> None:
        """Checks that the log of each (user, thing) leads to their reaction without a gap."""
        at: States = {}
        rows = await self.system.rows("SELECT user_id, business_id, entity_id, verb FROM like_log ORDER BY version")
        for user, business, entity, word in rows:
            place = (self.names[EntityRef(USERS, user)], self.names[EntityRef(business, entity)])
            before = at.get(place, 0)
            verb = Verb(word)
            at[place] = state_after(before, verb.to, verb.only)
            assert at[place] != before, place
        assert at == self.model.rows
