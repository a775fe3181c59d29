"""Follows: the script that changes follows, the cached set of a user's followees, and the rows of all lists."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import orjson
from sqlalchemy import text

from models.counters import EntityRef
from settings import USERS
from store import keys
from store.cache import lists, membership
from store.cache.lists import Item
from store.cache.membership import NEVER
from store.cache.values import Cache
from store.content.items import page
from store.gather import gather_all
from store.groups import grouped
from store.keys import Keys
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.redis.client import Redis
from store.scripts import FILL_OWN_SET
from store.scripts import FOLLOW as FOLLOW_SCRIPT
from store.write_log import operations
from store.write_log.journal import moment_of
from store.write_log.operations import Operation, Outcome
from store.write_log.pending import FOLLOW, field_of

_WEEK_MS = 7 * 86_400_000

_FOLLOWING = text(
    "SELECT moment, followee_id FROM following WHERE user_id = :user ORDER BY moment DESC, followee_id DESC"
)
_FOLLOWING_PAGE = text("""
    SELECT moment, followee_id FROM following
    WHERE user_id = :user AND (moment, followee_id) < (:moment, :member)
    ORDER BY moment DESC, followee_id DESC LIMIT :count
""")
_FOLLOWERS_PAGE = text("""
    SELECT moment, follower_id FROM followers
    WHERE user_id = :user AND (moment, follower_id) < (:moment, :member)
    ORDER BY moment DESC, follower_id DESC LIMIT :count
""")
_FRIENDS_PAGE = text("""
    SELECT friends_moment, followee_id FROM following
    WHERE user_id = :user AND friends_moment IS NOT NULL AND (friends_moment, followee_id) < (:moment, :member)
    ORDER BY friends_moment DESC, followee_id DESC LIMIT :count
""")
_IS_FULL = text("""
    SELECT NOT EXISTS (SELECT FROM following WHERE user_id = :user AND followee_id = :followee)
       AND (SELECT count(*) FROM following WHERE user_id = :user) >= :limit
""")
_PAIRS = text("""
    SELECT f.lo, f.hi, f.lo_follows, f.hi_follows, f.lo_version, f.hi_version, f.moment
    FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[])) AS wanted(lo, hi) JOIN follows f USING (lo, hi)
""")


class FollowsNotCached(NamedTuple):
    """The result of a script that changed nothing, because the actor's set of followees is not cached, or the actor's
    boundaries are not. `asked_ms` is the time of the script's Redis server, in milliseconds since the Unix epoch.
    """

    asked_ms: int
    boundaries: bool


class Pair(NamedTuple):
    """A row about two users, `lo` and `hi` (the lower and the higher id): whether each follows the other, with the
    version of the last change of each direction. The version of a direction that never changed is 0.
    """

    lo: int
    hi: int
    lo_follows: bool
    hi_follows: bool
    lo_version: int
    hi_version: int
    moment: int

    @property
    def directions(self) -> tuple[tuple[int, int, bool, int], tuple[int, int, bool, int]]:
        """Returns both directions as (follower, followee, follows, version of the last change)."""
        return (
            (self.lo, self.hi, self.lo_follows, self.lo_version),
            (self.hi, self.lo, self.hi_follows, self.hi_version),
        )

    @property
    def marks(self) -> list[tuple[int, int, int]]:
        """Returns (follower, followee, moment of the last change) of each direction that ever changed. The moment is
        negative if the change was an unfollow.
        """
        return [
            (follower, followee, moment_of(version) if follows else -moment_of(version))
            for follower, followee, follows, version in self.directions
            if version
        ]

    @property
    def friends_since(self) -> int | None:
        """Returns the moment at which the two users became friends; None if they are not friends."""
        return self.moment if self.lo_follows and self.hi_follows else None


class Follows:
    """The followees of each user: a script changes them, a complete cached set answers questions about them, and a cold
    set is rebuilt from rows.
    """

    def __init__(
        self, redis: Redis, keys: Keys, postgres: Postgres, *, limit: int, pending_ms: int, journal_max_entries: int
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._limit = limit
        self._pending_ms = pending_ms
        self._journal_bound = journal_max_entries

    async def follow(
        self,
        actor_id: int,
        follows: bool,
        followee_id: int,
        operation: Operation,
        entry: bytes,
        *,
        unknown: bool = False,
    ) -> Outcome | FollowsNotCached:
        """Follows or unfollows a user and appends `entry` to the journal, atomically.

        If `unknown` is true, the change is made even if the actor's set of followees or boundaries are not cached. The
        limit on the number of followees and the boundaries are then not checked.
        """
        named = [
            self._keys.follows(actor_id),
            self._keys.pending_follows(actor_id),
            self._keys.operation(actor_id, operation.digest),
            self._keys.blocks(actor_id),
            self._keys.blockers(actor_id),
        ]
        args = [
            *(int(follows), followee_id, field_of(FOLLOW, EntityRef(USERS, followee_id))),
            *(operation.fingerprint, operation.life_ms),
            *(self._limit, _WEEK_MS, self._journal_bound, "?" if unknown else "", entry),
        ]
        answer = await operations.run(self._redis, self._keys, FOLLOW_SCRIPT, actor_id, named, args)
        if answer[0] == b"COLD":
            return FollowsNotCached(int(answer[1]), answer[2] == b"boundaries")
        return Outcome.parse(answer)

    def key(self, user_id: int) -> str:
        """Returns the key of a user's set of followees. The set is a list of store/cache/lists.py."""
        return self._keys.follows(user_id)

    async def forget(self, users: Iterable[int]) -> None:
        """Removes the cached sets of followees of these users. The sets can be rebuilt from rows."""
        await self._redis.gather([("DEL", self.key(user)) for user in users], write=True)

    async def held(self, user_id: int, users: Sequence[int]) -> dict[int, bool] | None:
        """Returns for each of `users` whether `user_id` follows that user, in one command; None if the cached set of
        followees is cold.
        """
        complete, *scores = await self._redis("ZMSCORE", self.key(user_id), 0, *users)
        return {user: score is not None for user, score in zip(users, scores, strict=True)} if complete else None

    async def followees(self, user_id: int) -> set[int] | None:
        """Returns the ids of all followees of a user, in one command; None if the cached set is cold."""
        members = set(map(int, await self._redis("ZRANGE", self.key(user_id), 0, -1)))
        return members - {0} if 0 in members else None

    async def warm(self, user_id: int, asked_ms: int | None = None) -> list[Item]:
        """Reads all followees of a user, newest first, in one query, and fills the cached set with them.

        `asked_ms` is the time of the Redis server that has the set, read before the query. If it is None, this function
        reads the time.
        """
        if asked_ms is None:
            asked_ms = await self._redis.clock_ms(self.key(user_id))
        generation = self._redis.generation
        items = await following_of(self._postgres, user_id)
        if self._redis.generation != generation:
            return items
        args = [asked_ms, self._pending_ms, 0, self._limit, _WEEK_MS, f"{FOLLOW}:{USERS}:"]
        keys = [self.key(user_id), self._keys.pending_follows(user_id)]
        await self._redis.run(FILL_OWN_SET, keys, [*args, *chain.from_iterable(items)])
        return items


async def is_full(transaction: Transaction, user_id: int, followee_id: int, limit: int) -> bool:
    """Tells whether a user follows `limit` users already and `followee_id` is not among them."""
    return bool((await transaction.execute(_IS_FULL, user=user_id, followee=followee_id, limit=limit))[0][0])


async def following_of(postgres: Postgres, user_id: int) -> list[Item]:
    """Reads the ids of all followees of a user from Postgres, newest first."""
    return [Item(*row) for row in await postgres.read(_FOLLOWING, user=user_id)]


async def followees_among(postgres: Postgres, user_id: int, users: Sequence[int]) -> dict[int, bool]:
    """Reads from Postgres, for each of `users`, whether `user_id` follows that user."""
    directions = [one for pair in await _pairs_with(postgres, user_id, users) for one in pair.directions]
    followed = {followee for follower, followee, follows, _ in directions if follower == user_id and follows}
    return {user: user in followed for user in users}


async def followers_among(postgres: Postgres, user_id: int, users: Sequence[int]) -> list[Item]:
    """Reads from Postgres, for each of `users`, the moment of the last change by which that user followed `user_id`.
    The moment is negative if the change was an unfollow, and NEVER if there was no change.
    """
    pairs = await _pairs_with(postgres, user_id, users)
    found = {follower: mark for pair in pairs for follower, followee, mark in pair.marks if followee == user_id}
    return [Item(found.get(user, NEVER), user) for user in users]


async def _pairs_with(postgres: Postgres, user_id: int, users: Sequence[int]) -> list[Pair]:
    return await pairs_of(postgres, [(min(user_id, user), max(user_id, user)) for user in users if user != user_id])


async def following_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` followees of a user that come after `before` in the list, newest follow first."""
    return await page(postgres, _FOLLOWING_PAGE, before, count, user=user.entity_id)


async def followers_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` followers of a user that come after `before` in the list, newest follow first."""
    return await page(postgres, _FOLLOWERS_PAGE, before, count, user=user.entity_id)


async def friends_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` friends of a user that come after `before` in the list, newest friendship first. Friends
    follow each other.
    """
    return await page(postgres, _FRIENDS_PAGE, before, count, user=user.entity_id)


async def pairs_of(postgres: Postgres, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """Reads the rows of these pairs (lo, hi). Pairs without a row are left out."""
    if not pairs:
        return []
    rows = await postgres.read(_PAIRS, **columns(pairs, "los", "his"))
    return [Pair(*row) for row in rows]


def ended(follower_id: int, followee_id: int) -> bytes:
    """Returns the journal entry, as JSON, of a follow that another user's block or removal ends."""
    return orjson.dumps({"actor": follower_id, "followee": followee_id, "ended": True})


def followers_key(user: EntityRef) -> str:
    """Returns the key of the cached list of a user's followers."""
    return keys.followers(user.entity_id)


def friends_key(user: EntityRef) -> str:
    """Returns the key of the cached list of a user's friends."""
    return keys.friends(user.entity_id)


followed_by_key = keys.followed_by
"""Returns the key of a user's membership cache: users who are known to follow the user, or not to."""


async def friend_moments(cache: Cache, user_id: int, friends: Sequence[int]) -> dict[int, int]:
    """Returns, for each of `friends` that the user's cached list of friends contains, the moment at which the
    friendship began, or minus the moment at which it ended. Returns no moments if Redis is down.
    """
    return await lists.scores(cache, keys.friends(user_id), friends)


async def drop_lists(cache: Cache, users: Iterable[int]) -> None:
    """Removes the cached lists of followers and friends and the membership caches of these users, because they are
    wrong.
    """
    await cache.drop([key(user) for user in users for key in (keys.followers, keys.friends, keys.followed_by)])


async def publish_end(cache: Cache, follower_id: int, followee_id: int, moment: int, *, cap: int) -> None:
    """Removes a follower from the cached lists and the membership cache, before the end of the follow is stored."""
    gone = [Item(-moment, follower_id)]
    await gather_all(
        *[lists.publish(cache, [(key(followee_id), gone)], cap=cap) for key in (keys.followers, keys.friends)],
        membership.add(cache, keys.followed_by(followee_id), gone),
    )


async def publish_pairs(cache: Cache, pairs: Iterable[Pair], *, cap: int) -> None:
    """Updates the cached lists of followers and friends, and the membership caches, to agree with these pairs."""
    followers: list[tuple[int, Item]] = []
    friends: list[tuple[int, Item]] = []
    for pair in pairs:
        followers += [(followee, Item(moment, follower)) for follower, followee, moment in pair.marks]
        if pair.lo_version and pair.hi_version:  # otherwise the two were never friends
            since = pair.friends_since or -pair.moment
            friends += [(pair.lo, Item(since, pair.hi)), (pair.hi, Item(since, pair.lo))]
    for key, items in ((keys.followers, followers), (keys.friends, friends)):
        await lists.publish(cache, grouped((key(user), item) for user, item in items).items(), cap=cap)
    await membership.publish(cache, grouped((keys.followed_by(user), item) for user, item in followers).items())
