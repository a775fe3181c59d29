"""Follows: the actor script, the cached set of whom a user follows, and the rows behind all lists."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from sqlalchemy import TextClause, text

from models.counters import EntityRef
from settings import USERS
from store import keys
from store.cache import lists, membership
from store.cache.lists import NEWEST, Item
from store.cache.membership import NEVER
from store.cache.values import Cache
from store.keys import Keys
from store.postgres.client import Postgres, Transaction
from store.redis.client import Redis
from store.scripts import FOLLOW as FOLLOW_SCRIPT
from store.scripts import INSTALL
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
    """The script did not know whom the actor follows, and changed nothing. `asked_ms` is its server's clock."""

    asked_ms: int


class Pair(NamedTuple):
    """Two users and what truth says of them by now; versions are 0 where a direction was never touched."""

    lo: int
    hi: int
    lo_follows: bool
    hi_follows: bool
    lo_version: int
    hi_version: int
    moment: int

    @property
    def directions(self) -> tuple[tuple[int, int, bool, int], tuple[int, int, bool, int]]:
        """(follower, followee, whether, version of the last change) of both."""
        return (
            (self.lo, self.hi, self.lo_follows, self.lo_version),
            (self.hi, self.lo, self.hi_follows, self.hi_version),
        )

    @property
    def marks(self) -> list[tuple[int, int, int]]:
        """(follower, followee, signed moment) of each direction that was ever touched."""
        return [
            (follower, followee, moment_of(version) if follows else -moment_of(version))
            for follower, followee, follows, version in self.directions
            if version
        ]

    @property
    def friends_since(self) -> int | None:
        """When they became friends, None while they are not."""
        return self.moment if self.lo_follows and self.hi_follows else None


class Follows:
    """Whom users follow: changed by one script, read from one complete set, rebuilt from rows."""

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
        """Follows or unfollows atomically, with `entry` as what the journal shall say about it; whomever they follow
        already if that is `unknown`.
        """
        named = [
            self._keys.follows(actor_id),
            self._keys.pending(actor_id),
            self._keys.operation(actor_id, operation.digest),
        ]
        args = [
            *(int(follows), followee_id, field_of(FOLLOW, EntityRef(USERS, followee_id))),
            *(operation.fingerprint, operation.life_ms),
            *(self._limit, _WEEK_MS, self._journal_bound, "?" if unknown else "", entry),
        ]
        answer = await operations.run(self._redis, self._keys, FOLLOW_SCRIPT, actor_id, named, args)
        return FollowsNotCached(int(answer[1])) if answer[0] == b"COLD" else Outcome.parse(answer)

    def key(self, user_id: int) -> str:
        """Where the set of a user lies; a list as store/cache/lists.py knows them."""
        return self._keys.follows(user_id)

    async def forget(self, users: Iterable[int]) -> None:
        """Removes the cached sets of whom these users follow; the rows know."""
        await self._redis.gather([("DEL", self.key(user)) for user in users], write=True)

    async def held(self, user_id: int, users: Sequence[int]) -> dict[int, bool] | None:
        """Whether a user follows each of these, in one command; None where the set is cold."""
        complete, *scores = await self._redis("ZMSCORE", self.key(user_id), 0, *users)
        return {user: score is not None for user, score in zip(users, scores, strict=True)} if complete else None

    async def everybody(self, user_id: int) -> set[int] | None:
        """All whom a user follows, in one command; None where the set is cold."""
        members = set(map(int, await self._redis("ZRANGE", self.key(user_id), 0, -1)))
        return members - {0} if 0 in members else None

    async def warm(self, user_id: int, asked_ms: int | None = None) -> list[Item]:
        """Everybody a user follows, newest first, from one query; their set is complete from then on.

        `asked_ms` is the clock of the set's server, asked for when it is not known.
        """
        if asked_ms is None:
            asked_ms = await self._redis.clock_ms(self.key(user_id))
        generation = self._redis.generation
        items = await following_of(self._postgres, user_id)
        if self._redis.generation != generation:
            return items
        args = [asked_ms, self._pending_ms, 0, self._limit, _WEEK_MS, f"{FOLLOW}:{USERS}:"]
        keys = [self.key(user_id), self._keys.pending(user_id)]
        await self._redis.run(INSTALL, keys, [*args, *chain.from_iterable(items)])
        return items


async def is_full(transaction: Transaction, user_id: int, followee_id: int, limit: int) -> bool:
    """Whether a user follows so many that they may not follow this one, too."""
    return bool((await transaction.execute(_IS_FULL, user=user_id, followee=followee_id, limit=limit))[0][0])


async def following_of(postgres: Postgres, user_id: int) -> list[Item]:
    """Everybody a user follows, newest first."""
    return [Item(*row) for row in await postgres.read(_FOLLOWING, user=user_id)]


async def followees_among(postgres: Postgres, user_id: int, users: Sequence[int]) -> dict[int, bool]:
    """Whether a user follows each of these."""
    directions = [one for pair in await _pairs_with(postgres, user_id, users) for one in pair.directions]
    followed = {followee for follower, followee, follows, _ in directions if follower == user_id and follows}
    return {user: user in followed for user in users}


async def followers_among(postgres: Postgres, user_id: int, users: Sequence[int]) -> list[Item]:
    """Who of these follows a user, as marks: since when, or negative since when no longer, or NEVER."""
    pairs = await _pairs_with(postgres, user_id, users)
    found = {follower: mark for pair in pairs for follower, followee, mark in pair.marks if followee == user_id}
    return [Item(found.get(user, NEVER), user) for user in users]


async def _pairs_with(postgres: Postgres, user_id: int, users: Sequence[int]) -> list[Pair]:
    return await pairs_of(postgres, [(min(user_id, user), max(user_id, user)) for user in users if user != user_id])


async def following_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Whom a user follows, newest first, older than `before`."""
    return await _page(postgres, _FOLLOWING_PAGE, user, before, count)


async def followers_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Who follows a user, newest first, older than `before`."""
    return await _page(postgres, _FOLLOWERS_PAGE, user, before, count)


async def friends_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Who follows a user and is followed by them, newest friends first, older than `before`."""
    return await _page(postgres, _FRIENDS_PAGE, user, before, count)


async def _page(
    postgres: Postgres, statement: TextClause, user: EntityRef, before: Item | None, count: int
) -> list[Item]:
    moment, member = before or NEWEST
    rows = await postgres.read(statement, user=user.entity_id, moment=moment, member=member, count=count)
    return [Item(*row) for row in rows]


async def pairs_of(postgres: Postgres, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """What rows say of each (lo, hi) by now."""
    if not pairs:
        return []
    rows = await postgres.read(_PAIRS, los=[lo for lo, _ in pairs], his=[hi for _, hi in pairs])
    return [Pair(*row) for row in rows]


def followers_key(user: EntityRef) -> str:
    """Names the cached list of a user's followers."""
    return keys.followers(user.entity_id)


def friends_key(user: EntityRef) -> str:
    """Names the cached list of a user's friends."""
    return keys.friends(user.entity_id)


followed_by_key = keys.followed_by
"""Names the cached set of those who are known to follow a user, or not to."""


async def friend_moments(cache: Cache, user_id: int, friends: Sequence[int]) -> dict[int, int]:
    """Returns since when each is a user's friend, as far as the cached list knows. Without Redis it returns none."""
    return await lists.scores(cache, keys.friends(user_id), friends)


async def drop_lists(cache: Cache, users: Iterable[int]) -> None:
    """Removes the cached lists and memberships of these users, which are wrong."""
    await cache.drop([key(user) for user in users for key in (keys.followers, keys.friends, keys.followed_by)])


async def publish_pairs(cache: Cache, pairs: Iterable[Pair], *, cap: int) -> None:
    """Changes the cached lists of followers and friends, and the cached memberships, to what these pairs say."""
    followers: dict[str, list[Item]] = {}
    friends: dict[str, list[Item]] = {}
    followed_by: dict[str, list[Item]] = {}
    for pair in pairs:
        for follower, followee, moment in pair.marks:
            followers.setdefault(keys.followers(followee), []).append(Item(moment, follower))
            followed_by.setdefault(keys.followed_by(followee), []).append(Item(moment, follower))
        if pair.lo_version and pair.hi_version:  # else they never were friends
            since = pair.friends_since or -pair.moment
            friends.setdefault(keys.friends(pair.lo), []).append(Item(since, pair.hi))
            friends.setdefault(keys.friends(pair.hi), []).append(Item(since, pair.lo))
    for by_key in (followers, friends):
        await lists.publish(cache, by_key.items(), cap=cap)
    await membership.publish(cache, followed_by.items())
