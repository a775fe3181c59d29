"""A real system and its model: users follow each other, and workers crash or run concurrently."""

import asyncio
from collections.abc import Collection, Sequence
from itertools import permutations
from typing import Any

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from projections.entries.follows import Followed
from projections.registry import events_of
from settings import USERS
from store import keys
from store.write_log.journal import Entry
from tests.support.concurrent_reactions import code_of
from tests.support.follow_checks import Shown, check_log, check_rows, counts, follow, pages_of_rows, relation, shown
from tests.support.follow_model import Acknowledged, Request, followees, followers, friends
from tests.support.reaction_example import DEVICES
from tests.support.reaction_harness import ReactionHarness, nothing
from tests.support.reaction_model import Model, States
from tests.support.system import System

CACHES = {
    "counts": lambda user: keys.counts(EntityRef(USERS, user)),
    "fans": keys.followers,
    "friends": keys.friends,
    "rev": keys.followed_by,
}


class FollowHarness(ReactionHarness):
    """The harness of reactions, with its workers that crash and pause, whose users follow each other instead."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.acknowledged = Acknowledged()

    async def begin(self) -> None:
        self.examples += 1
        await self._empty_stores()
        self.users = [await self._newcomer(*place) for place in (("alice", 0), ("bob", 1), ("carol", 0), ("dave", 1))]
        self.clients = {(user, d): self.system.person(user, device_id=d) for user in self.users for d in DEVICES}
        self.model, self.acknowledged = Model(()), Acknowledged()
        self.active, self.suspended, self.worker_settings = None, [], {}
        await self._learn_ids()

    async def _empty_stores(self) -> None:
        async with self.state.postgres.transaction() as transaction:
            await transaction.execute(text("TRUNCATE follows, following, followers, follow_log"))
        await super()._empty_stores()

    @property
    def by_id(self) -> dict[int, str]:
        return {ref.entity_id: name for ref, name in self.names.items()}

    # Rows and caches.

    async def learn_rows(self) -> None:
        names = self.by_id
        rows = await self.system.rows("SELECT lo, hi, lo_follows, hi_follows FROM follows")
        self.model.rows = {(names[lo], names[hi]): 1 for lo, hi, follows, _ in rows if follows}
        self.model.rows |= {(names[hi], names[lo]): 1 for lo, hi, _, follows in rows if follows}

    async def everything_stored(self) -> list[Any]:
        tables = ("follows", "following", "followers", "follow_log", "counters", "dead_letters")
        stored = [await self.system.stored(table) for table in tables]
        return [*stored, await self.system.rows("SELECT p, owner, epoch, head FROM partitions ORDER BY p")]

    def names_in(self, entries: Sequence[Entry]) -> set[str]:
        """Returns the followers and the followed users of the entries."""
        events = [event for entry in entries for event in events_of(entry) if isinstance(event, Followed)]
        return {self.names[EntityRef(USERS, user)] for event in events for user in event.pair}

    def counted(self, name: str, rows: States) -> dict[CounterKind, int]:
        kinds = (CounterKind.FOLLOWERS, CounterKind.FOLLOWING, CounterKind.FRIENDS)
        return {kind: value for kind, value in zip(kinds, counts(rows, name), strict=True) if value}

    async def work_concurrently(self) -> None:
        """Handles two batches concurrently, each of half of the partitions."""
        worker = await self.current_worker()
        owned = sorted(worker.owned.items())
        halves = [dict(owned[half::2]) for half in range(2)]
        batches = [await worker.read(half) for half in halves]
        await asyncio.gather(*[worker.handle(half, batch) for half, batch in zip(halves, batches, strict=True)])
        await self.learn_rows()
        self.model.published(self.names_in([entry for batch in batches for entry in batch]))

    async def evict(self, caches: Collection[str], user: str) -> None:
        """Evicts some of a user's cached values. The cached follows are evicted only while none is pending."""
        ref = self.refs[user]
        evicted = [key(ref.entity_id) for name, key in CACHES.items() if name in caches]
        if "follows" in caches and user not in await self.pending():
            evicted.append(self.state.keys.own_set("follow", ref.entity_id))
        if "counts" in caches:
            self.model.cached.pop(user, None)
        await self.state.redis.gather([("DEL", key) for key in evicted], write=True)

    # Requests and answers.

    async def change(self, request: Request) -> Any:
        """Sends a request. Returns its payload."""
        client, target = self.clients[request.user, request.device], self.refs[request.target].entity_id
        return await follow(client, request.verb, target, request.key)

    async def send_change(self, request: Request) -> None:
        """Sends a request and expects the exact answer of the model."""
        payload = await self.change(request)
        refused = self.acknowledged.apply(request)
        assert code_of(payload) == refused, (request, payload)
        own = self.model.seen(request.user)
        self._check_payload(request, payload, [own if refused else self.model.seen(request.target)])

    def _check_payload(self, request: Request, payload: Any, copies: Sequence[States]) -> None:
        """Expects the follows of the requesting user, and the target's followers with or without that user."""
        follows = followees(self.acknowledged.follows, request.user)
        assert payload["viewer"]["user"] == {"followingCount": len(follows)}, (request, payload)
        if target := payload["user"]:
            mine = request.target in follows
            assert target["id"] == self.user_ids[request.target]
            assert (target["viewerRelation"] in ("FOLLOWING", "FRIENDS")) == mine, (request, payload)
            others = {len(followers(copy, request.target) - {request.user}) for copy in copies}
            assert target["followerCount"] - mine in others, (request, payload, others)

    async def send_changes_concurrently(self, requests: Sequence[Request], *, working: bool = False) -> None:
        """Sends concurrent requests, perhaps while the worker runs. Expects that some order explains all answers."""
        before, cached = self.model.rows, dict(self.model.cached)
        *payloads, handled = await asyncio.gather(*map(self.change, requests), self._batch() if working else nothing())
        await self._sync(handled)
        await self.check_cache()
        self.acknowledged = await self._explanation(requests, [code_of(payload) for payload in payloads])
        for request, payload in zip(requests, payloads, strict=True):
            if [one.user for one in requests].count(request.user) == 1:
                copies = [cached.get(request.target, before), self.model.rows]
                self._check_payload(request, payload, copies)
        for user in {request.user for request in requests}:
            await self.check_view(user)

    async def _explanation(self, requests: Sequence[Request], codes: Sequence[str | None]) -> Acknowledged:
        following = {user: await self._following(user) for user in {request.user for request in requests}}
        for order in permutations(range(len(requests))):
            trial = self.acknowledged.copy()
            refusals = {i: trial.apply(requests[i]) for i in order}
            ends = {user: followees(trial.follows, user) for user in following}
            if ends == following and all(code == codes[i] for i, code in refusals.items()):
                return trial
        raise AssertionError((requests, codes, following))

    async def _following(self, user: str) -> list[str]:
        seen = await shown(self.clients[user, "laptop"], self.by_id)
        for name in self.users:
            self.model.seen(name)
        return seen[user].pages[0]

    async def pending(self) -> dict[str, int]:
        """Returns the users with pending changes, with the version of the newest change."""
        pending = await asyncio.gather(
            *[self.state.pending.get_of(self.refs[user].entity_id, "follow") for user in self.users]
        )
        return {
            user: max(history.version for history in one.histories.values())
            for user, one in zip(self.users, pending, strict=True)
            if one.histories
        }

    async def unpublished(self) -> set[str]:
        """Returns the users whose pending changes the active worker has not published."""
        done = {p: partition.done for p, partition in self.active.owned.items()} if self.active else {}
        partition_of = self.state.keys.partition_of
        return {
            user
            for user, version in (await self.pending()).items()
            if version > done.get(partition_of(self.refs[user].entity_id), 0)
        }

    async def check_view(self, user: str, device: str = "phone") -> None:
        await self.page(user, device)

    async def page(self, user: str, device: str) -> dict[str, Shown]:
        """Reads the pages of all users. Expects all changes of the viewer, and the published changes of other users."""
        page, unpublished = await shown(self.clients[user, device], self.by_id), await self.unpublished()
        for other in self.users:
            self._check_counts(user, other, page[other], alone=unpublished <= {user})
            self._check_relation(user, other, page[other], published=other not in unpublished)
            self._check_pages(other, page[other], unpublished)
        return page

    def _check_relation(self, viewer: str, user: str, seen: Shown, *, published: bool) -> None:
        expected = relation(self.acknowledged.follows, viewer, user)
        if published or viewer == user:
            assert seen.relation == expected, (viewer, user, seen)
        forward = ("FOLLOWING", "FRIENDS")
        assert (seen.relation in forward) == (expected in forward), (viewer, user, seen)

    def _check_counts(self, viewer: str, user: str, seen: Shown, *, alone: bool) -> None:
        """Expects the counts of a user. `alone` says that no other user than the viewer has unpublished changes."""
        rows, follows = self.model.seen(user), self.acknowledged.follows
        mine = (viewer, user) in follows
        assert seen.counts[0] == len(followers(rows, user) - {viewer}) + mine, (viewer, user, seen)
        assert seen.counts[1] == len(followees(follows if viewer == user else rows, user)), (viewer, user, seen)
        if viewer != user:
            assert seen.counts[2] == len(friends(rows, user)), (viewer, user, seen)
        elif alone:
            assert seen.counts[2] == len(friends(follows, user)), (viewer, user, seen)

    def _check_pages(self, user: str, seen: Shown, unpublished: set[str]) -> None:
        following, followed, befriended = seen.pages
        follows = self.acknowledged.follows
        assert following == followees(follows, user), (user, seen)
        assert set(followed) - unpublished == followers(follows, user) - unpublished, (user, seen)
        if user not in unpublished:
            assert set(befriended) - unpublished == friends(follows, user) - unpublished, (user, seen)
        assert [len(set(page)) for page in seen.pages] == [len(page) for page in seen.pages]

    # Invariants.

    async def drain_and_check(self) -> None:
        """Drains the system and expects that API, rows, counters, caches and log agree with the model."""
        await self.handle_all()
        await self.sweep()
        assert not await self.pending()
        names, ordered = self.by_id, await pages_of_rows(self.system, self.by_id)
        await check_rows(self.system, names, self.acknowledged.follows)
        await check_log(self.system, names, self.acknowledged.changes)
        for user in self.users:
            page = await self.page(user, "laptop")
            assert {name: seen.pages for name, seen in page.items()} == ordered
        await self.check_cache()
        assert await self.system.rows("SELECT * FROM dead_letters") == []
        lengths = await self.state.journals.lengths(range(4))
        assert (await self.current_worker()).state.settings.journal_tail_seconds or not any(lengths), lengths

    async def forget_redis(self) -> None:
        await super().forget_redis()
        self.acknowledged.remembered.clear()
