"""Checks that an idle system holds exactly what its users were promised.

`violations` knows only the responses that clients received (history.py) and the contents of the stores. It compares
rows with acknowledgements, the log with operations, counters with rows, and caches and the API's responses with both.
An operation without a response may have happened once or not at all.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import httpx
from sqlalchemy import text

import state
from domain.versions import version_of
from models.counters import CounterKind, Counts, EntityRef
from settings import USERS
from state import State
from store import keys
from store.cache.values import Cached
from store.postgres.client import PostgresDown
from store.reactions import counts
from store.redis.client import RedisDown
from tests.failures.faults.changing import change_violations
from tests.failures.faults.client import PatientApi
from tests.failures.faults.content_checks import content_violations, number
from tests.failures.faults.deleting import deletion_violations, deletions_finished
from tests.failures.faults.history import DISLIKE, LIKE, NAMES, Fate, History, Op
from tests.failures.faults.moderating import moderation_violations
from tests.failures.faults.reacting import reacting_violations
from tests.failures.faults.relation_checks import relation_violations
from tests.failures.faults.reposting import repost_violations
from tests.failures.faults.restricting import restriction_violations
from tests.failures.faults.saving import saving_violations
from tests.failures.faults.search_checks import search_violations
from tests.support.deployment import Deployment
from tests.support.system import Person

VIEWERS = 3
DRAIN_SECONDS = 60
PAGE = 100

_HEADS = text("SELECT p, head FROM partitions")
_IDS = text("SELECT key, entity_id FROM entity_keys WHERE business_id = 100 AND key = ANY(:keys)")
_ROWS = text("SELECT user_id, entity_id, state, version FROM reactions WHERE user_id = ANY(:users)")
_LOG = text("""
    SELECT user_id, entity_id, verb, source FROM like_log WHERE user_id = ANY(:users) ORDER BY version
""")
_OWNER = text("SELECT user_id FROM handles WHERE handle = :handle")
_HOME = text("""
    SELECT text FROM posts
    WHERE (author_id = :user OR author_id IN (SELECT user_id FROM followers WHERE follower_id = :user)) AND NOT deleted
    ORDER BY moment DESC, post_id DESC LIMIT 100
""")
_DEAD = text("SELECT p, version, error FROM dead_letters")
_DRIFT = text("""
    WITH truth AS (
        SELECT business_id, entity_id, state AS kind, count(*) AS value FROM reactions WHERE state IN (1, 2)
        GROUP BY business_id, entity_id, state
        UNION ALL
        SELECT 1, owner_id, 5, count(*) FROM reactions WHERE state = 1 AND owner_id IS NOT NULL GROUP BY owner_id
    )
    SELECT business_id, entity_id, kind, coalesce(t.value, 0) AS rows, coalesce(c.value, 0) AS counted
    FROM truth t FULL JOIN (SELECT * FROM counters WHERE kind IN (1, 2, 5)) c USING (business_id, entity_id, kind)
    WHERE coalesce(t.value, 0) <> coalesce(c.value, 0) AND entity_id = ANY(:entities)
""")


class Inconsistent(AssertionError):
    """Raised if stored data deviates from what users were promised."""


async def assert_consistent(deployment: Deployment, history: History) -> None:
    """Waits until all changes are stored and published. Raises Inconsistent if `violations` finds any."""
    found = await violations(deployment, history)
    if found:
        more = f"\n… and {len(found) - 40} more" if len(found) > 40 else ""
        raise Inconsistent("\n".join(found[:40]) + more)


async def violations(deployment: Deployment, history: History) -> list[str]:
    """Returns a sentence for each deviation from what users were promised."""
    async with state.opened(deployment.settings, "checker", makes_ids=False) as stores:
        if history.deleting:
            await deletions_finished(stores)
        await drained(stores)
        check = Check(stores, deployment, history)
        await check.everything()
        users = [user.user_id for user in history.users]
        written = await content_violations(stores, users, history.library)
        async with httpx.AsyncClient(base_url=deployment.url, timeout=10, trust_env=False) as http:
            api = PatientApi(http, deployment.settings)
            related = await relation_violations(stores, api, history.relations)
            saved = await saving_violations(stores, api, history.saving)
            reposted = await repost_violations(stores, api, history.reposting)
            reacted = await reacting_violations(stores, api, history.reacting)
            restricted = await restriction_violations(stores, api, history.restricting)
            changed = await change_violations(stores, api, history.changing)
            authors = {user.user_id: user.client.handle for user in history.users}
            if history.changing:
                changed += await search_violations(stores, api, authors, history.changing, history.deleting)
            deleted = await deletion_violations(stores, api, history.deleting)
        judged = await moderation_violations(stores, history.moderated)
        return (
            history.broken
            + check.found
            + related
            + saved
            + reposted
            + reacted
            + restricted
            + changed
            + deleted
            + written
            + judged
        )


async def drained(stores: State) -> None:
    """Returns when all journals are committed and no change is pending. Raises TimeoutError."""
    async with asyncio.timeout(DRAIN_SECONDS):
        while True:
            with suppress(PostgresDown, RedisDown):  # the machine may be busy
                if await _stored(stores) and await _nothing_pending(stores):
                    return
            await asyncio.sleep(0.1)


async def _stored(stores: State) -> bool:
    heads = {p: head for p, head in await stores.postgres.read(_HEADS)}  # noqa: C416 - rows are not pairs to mypy
    ends = [(p, await stores.redis("XREVRANGE", stores.keys.journal(p), "+", "-", "COUNT", 1)) for p in heads]
    return all(heads[p] >= version_of(end[0][0]) for p, end in ends if end)


async def _nothing_pending(stores: State) -> bool:
    async for _ in stores.redis.client.scan_iter("*:pending:*", count=1000):
        return False
    return True


class Check:
    """One check of one history."""

    def __init__(self, stores: State, deployment: Deployment, history: History) -> None:
        self._stores = stores
        self._deployment = deployment
        self._history = history
        self._users = [user.user_id for user in history.users]
        self._targets: dict[int, str] = {}
        self._states: dict[tuple[int, str], int] = {}
        self.found: list[str] = []

    async def everything(self) -> None:
        """Runs all checks and fills `found`."""
        rows = await self._stores.postgres.read(_IDS, keys=[target.split(":")[2] for target in self._history.targets])
        self._targets = {entity_id: f"Entity:video:{key}" for key, entity_id in rows}
        await self._rows()
        await self._log()
        await self._counters()
        await self._cached()
        await self._answers()
        for p, version, error in await self._stores.postgres.read(_DEAD):
            self.found.append(f"{p}/{version} is a dead letter: {error}")

    def _expect(self, what: str, expected: object, got: object) -> None:
        if expected != got:
            self.found.append(f"{what}: {got} instead of {expected}")

    async def _rows(self) -> None:
        """Checks that each (user, entity) has the last acknowledged state, or that of an unacknowledged operation."""
        for user_id, entity_id, now, _ in await self._stores.postgres.read(_ROWS, users=self._users):
            self._states[user_id, self._targets[entity_id]] = now
        for place, ops in self._by_place().items():
            certain = [op.state for op in ops if op.fate is Fate.ACKNOWLEDGED]
            possible = {certain[-1] if certain else 0} | {op.state for op in ops if op.fate is Fate.UNKNOWN}
            if self._states.get(place, 0) not in possible:
                self.found.append(f"the row of {place} is {self._states.get(place)} where {possible} was acknowledged")

    def _by_place(self) -> dict[tuple[int, str], list[Op]]:
        places: dict[tuple[int, str], list[Op]] = defaultdict(list)
        for op in self._history.ops:
            places[op.user_id, op.target].append(op)
        return places

    async def _log(self) -> None:
        """Checks that the log has every acknowledged change once, in order, with its verb.

        Requests that changed nothing may be in the log once too. Other entries may not.
        """
        logged: dict[tuple[int, str], list[tuple[str, str]]] = defaultdict(list)
        idle = {_line(op) for op in self._history.ops if op.was == op.state}
        found_idle = Counter[tuple[str, str]]()
        for user_id, entity_id, verb, source in await self._stores.postgres.read(_LOG, users=self._users):
            if (line := (source, verb)) in idle:
                found_idle[line] += 1
            else:
                logged[user_id, self._targets[entity_id]].append(line)
        self.found += [f"{line} is in the log {count} times" for line, count in found_idle.items() if count > 1]
        places = self._by_place()
        for place in places.keys() | logged.keys():
            changes = [op for op in places.get(place, []) if op.was != op.state]
            done = [_line(op) for op in changes if op.fate is Fate.ACKNOWLEDGED]
            open_ = [_line(op) for op in changes if op.fate is Fate.UNKNOWN]
            if logged[place] not in (done, done + open_):
                self._explain(place, logged[place], done, open_)

    def _explain(self, place: object, logged: list[Any], done: list[Any], open_: list[Any]) -> None:
        times = Counter(logged)
        lost = [line for line in done if line not in times]
        twice = [line for line, count in times.items() if count > 1]
        extra = [line for line in logged if line not in done and line not in open_]
        order = "" if lost or twice or extra else " (in another order)"
        self.found.append(f"the log of {place} has lost {lost}, has twice {twice}, has beyond that {extra}{order}")

    async def _counters(self) -> None:
        entities = [*self._targets, *(row.user_id for row in await self._owner())]
        for business, entity, kind, rows, counted in await self._stores.postgres.read(_DRIFT, entities=entities):
            name = CounterKind(kind).name
            self.found.append(f"counter {name} of {business}:{entity} is {counted} where the rows say {rows}")

    async def _cached(self) -> None:
        """Checks that all cached values agree with the rows."""
        refs = [EntityRef(100, entity_id) for entity_id in self._targets]
        refs += [EntityRef(USERS, row.user_id) for row in await self._owner()]
        truth = await counts.read(self._stores.postgres, refs)
        held = await self._stores.cache.redis.get_many([keys.counts(ref) for ref in refs])
        for ref, cached in zip(refs, held, strict=True):
            if cached:
                self._expect(
                    f"cached counts of {ref}", _values(truth[ref]), _values(counts.decode(Cached.parse(cached)))
                )

    async def _owner(self) -> Any:
        return await self._stores.postgres.read(_OWNER, handle=self._history.owner_handle)

    async def _answers(self) -> None:
        """Checks that the API's responses to several users and to an anonymous client agree with the rows."""
        async with httpx.AsyncClient(base_url=self._deployment.url, timeout=10, trust_env=False) as http:
            api = PatientApi(http, self._deployment.settings)
            for user in self._history.users[:VIEWERS]:
                viewer = api.person(user.client.handle)
                await self._entities(viewer, user.user_id)
                await self._likes(viewer, user.user_id)
                await self._home(viewer, user.user_id)
            anonymous = api.person(None)
            await self._entities(anonymous, None)
            data = await anonymous.ask(
                "query ($h: String!) { user(handle: $h) { likesReceivedCount } }",
                h=self._history.owner_handle,
            )
            likes = sum(now == LIKE for now in self._states.values())
            self._expect("likesReceivedCount", likes, data["user"]["likesReceivedCount"])

    async def _entities(self, viewer: Person, user_id: int | None) -> None:
        query = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) {
            id likeCount dislikeCount viewerReaction likers(first: 100) { nodes { id } } } }"""
        for some in _pages(list(self._targets.values())):
            data = await viewer.ask(query, keys=[target.split(":")[2] for target in some])
            for seen in data["entities"]:
                self._entity(viewer.handle or "anonymous", user_id, seen)

    def _entity(self, viewer: str, user_id: int | None, seen: dict[str, Any]) -> None:
        target = seen["id"]
        by = {user: now for (user, place), now in self._states.items() if place == target and now}
        where = f"{viewer}'s view of {target}"
        likers = {user for user, now in by.items() if now == LIKE}
        self._expect(f"{where}: likes", len(likers), seen["likeCount"])
        self._expect(f"{where}: dislikes", sum(now == DISLIKE for now in by.values()), seen["dislikeCount"])
        self._expect(f"{where}: own state", by.get(user_id or 0, 0), NAMES[seen["viewerReaction"]])
        self._expect(f"{where}: likers", likers, {number(node["id"]) for node in seen["likers"]["nodes"]})

    async def _likes(self, viewer: Person, user_id: int) -> None:
        query = """query ($h: String!) { user(handle: $h) {
            likes(business: "video", first: 100) { nodes { ... on Entity { id } } } } }"""
        data = await viewer.ask(query, h=viewer.handle)
        liked = {target for (user, target), now in self._states.items() if user == user_id and now == LIKE}
        self._expect(f"{viewer.handle}'s likes", liked, {node["id"] for node in data["user"]["likes"]["nodes"]})

    async def _home(self, viewer: Person, user_id: int) -> None:
        posts = await self._stores.postgres.read(_HOME, user=user_id)
        data = await viewer.ask("{ viewer { home(first: 100) { nodes { text } } } }")
        home = [node["text"] for node in data["viewer"]["home"]["nodes"]]
        self._expect(f"{viewer.handle}'s home", [post.text for post in posts], home)


def _line(op: Op) -> tuple[str, str]:
    return op.name, op.verb


def _values(of: Counts) -> dict[int, int]:
    return {kind: counter.value for kind, counter in of.kinds.items()}


def _pages(items: list[str]) -> Iterable[list[str]]:
    return (items[at : at + PAGE] for at in range(0, len(items), PAGE))
