"""Follows: the rows of a user's own follows (store/own_sets/kinds/); the rows and the cached lists of followers,
friends and follow requests; and the membership caches, which tell whether one user follows another.
"""

from collections.abc import Collection, Iterable, Sequence

import orjson
from sqlalchemy import text

from models.counters import EntityRef
from models.follows import Pair
from models.own_sets import Member
from settings import USERS
from store import keys
from store.cache import lists, membership
from store.cache.lists import Item
from store.cache.membership import NEVER
from store.cache.values import Cache
from store.content.items import page
from store.gather import gather_all
from store.groups import grouped
from store.postgres.client import Postgres, Reader
from store.postgres.columns import columns

_FOLLOW_SET = text("""
    SELECT moment, followee_id FROM following WHERE user_id = :user
    UNION ALL
    SELECT -moment, followee_id FROM requested_follows WHERE user_id = :user
    ORDER BY moment DESC, followee_id DESC
""")
_COUNT = text("""
    SELECT count(*) FROM (
        SELECT followee_id FROM following WHERE user_id = :user
        UNION ALL
        SELECT followee_id FROM requested_follows WHERE user_id = :user
    ) AS followed
""")
_FOLLOWS_AMONG = text("""
    SELECT moment, followee_id FROM following
    WHERE user_id = :user AND followee_id = ANY(CAST(:others AS bigint[]))
    UNION ALL
    SELECT -moment, followee_id FROM requested_follows
    WHERE user_id = :user AND followee_id = ANY(CAST(:others AS bigint[]))
""")
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
_REQUESTS_PAGE = text("""
    SELECT moment, follower_id FROM follow_requests
    WHERE user_id = :user AND (moment, follower_id) < (:moment, :member)
    ORDER BY moment DESC, follower_id DESC LIMIT :count
""")
_FOLLOWING_AMONG = text("""
    SELECT f.user_id, f.followee_id
    FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[])) AS w(user_id, followee_id)
    JOIN following f USING (user_id, followee_id)
""")
_PAIRS = text("""
    SELECT f.lo, f.hi, f.lo_follows, f.hi_follows, f.lo_version, f.hi_version, f.moment, f.lo_requests, f.hi_requests
    FROM unnest(CAST(:los AS bigint[]), CAST(:his AS bigint[])) AS wanted(lo, hi) JOIN follows f USING (lo, hi)
""")


async def own_rows(source: Reader, user_id: int, _: int, refs: Sequence[EntityRef], newest: int) -> list[Member]:
    """Reads from Postgres which of the users in `refs` a user follows (state 1) or has asked to follow (state 2); if
    `newest` is not 0, reads all whom the user follows or has asked to follow.
    """
    if newest:
        rows = await source.read(_FOLLOW_SET, user=user_id)
    else:
        rows = await source.read(_FOLLOWS_AMONG, user=user_id, others=[ref.entity_id for ref in refs])
    return [Member(abs(moment), EntityRef(USERS, other), 1 if moment > 0 else 2) for moment, other in rows]


async def following_among(source: Reader, pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Returns those of these pairs of users of which the first user follows the second."""
    rows = await source.read(_FOLLOWING_AMONG, **columns(sorted(pairs), "users", "others"))
    return {(user, other) for user, other in rows}


async def count(source: Reader, user_id: int, _: int) -> int:
    """Returns the number of users that a user follows, plus the number of follow requests that wait for an answer."""
    return int((await source.read(_COUNT, user=user_id))[0][0])


async def followers_among(postgres: Postgres, user_id: int, users: Sequence[int]) -> list[Item]:
    """Reads from Postgres, for each of `users`, the moment at which that user last followed or unfollowed `user_id`:
    negative for an unfollow, NEVER if the user did neither. Returns items (moment, user).
    """
    pairs = await _pairs_with(postgres, user_id, users)
    found = {follower: mark for pair in pairs for follower, followee, mark in pair.marks if followee == user_id}
    return [Item(found.get(user, NEVER), user) for user in users]


async def _pairs_with(postgres: Postgres, user_id: int, users: Sequence[int]) -> list[Pair]:
    return await pairs_of(postgres, [(min(user_id, user), max(user_id, user)) for user in users if user != user_id])


async def following_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` users whom a user follows, newest follow first: those after `before` in this
    list (None: the first). Items are (moment, user id).
    """
    return await page(postgres, _FOLLOWING_PAGE, before, count, user=user.entity_id)


async def followers_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` followers of a user, newest follow first: those after `before` in this list
    (None: the first). Items are (moment, user id).
    """
    return await page(postgres, _FOLLOWERS_PAGE, before, count, user=user.entity_id)


async def requests_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` users who have asked to follow a private user, newest request first: those
    after `before` in this list (None: the first). Items are (moment, user id).
    """
    return await page(postgres, _REQUESTS_PAGE, before, count, user=user.entity_id)


async def friends_page(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` friends of a user, newest friendship first: those after `before` in this list
    (None: the first). Friends are users who follow each other. Items are (moment, user id).
    """
    return await page(postgres, _FRIENDS_PAGE, before, count, user=user.entity_id)


async def pairs_of(source: Reader, pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    """Reads the rows of these pairs of users, each given as (lower id, higher id). Pairs without a row are left out."""
    if not pairs:
        return []
    rows = await source.read(_PAIRS, **columns(pairs, "los", "his"))
    return [Pair(*row) for row in rows]


def ended(follower_id: int, followee_id: int) -> bytes:
    """Returns the data, as JSON, of the journal entry that ends a follow or a follow request, because the followee has
    blocked, removed or rejected the follower.
    """
    return orjson.dumps({"actor": follower_id, "followee": followee_id, "ended": True})


def accepted(follower_id: int, followee_id: int) -> bytes:
    """Returns the data, as JSON, of the journal entry that turns an accepted follow request into a follow."""
    return orjson.dumps({"actor": follower_id, "followee": followee_id, "accepted": True})


def followers_key(user: EntityRef) -> str:
    """Returns the key of the cached list of a user's followers."""
    return keys.followers(user.entity_id)


def friends_key(user: EntityRef) -> str:
    """Returns the key of the cached list of a user's friends."""
    return keys.friends(user.entity_id)


def requests_key(user: EntityRef) -> str:
    """Returns the key of the cached list of the users who have asked to follow a user."""
    return keys.follow_requests(user.entity_id)


followed_by_key = keys.followed_by
"""Returns the key of a user's membership cache: users who are known to follow the user, or not to."""


async def friend_moments(cache: Cache, user_id: int, friends: Sequence[int]) -> dict[int, int]:
    """Returns, for each of `friends` that the user's cached list of friends contains, the moment at which the
    friendship began, or minus the moment at which it ended. Returns no moments if Redis is down.
    """
    return await lists.scores(cache, keys.friends(user_id), friends)


async def drop_lists(cache: Cache, users: Iterable[int]) -> None:
    """Removes the cached lists of followers, friends and follow requests, and the membership caches of these users.
    Call it when they are wrong. Raises RedisDown.
    """
    lists_of = keys.followers, keys.friends, keys.follow_requests, keys.followed_by
    await cache.drop([key(user) for user in users for key in lists_of])


async def publish_end(cache: Cache, follower_id: int, followee_id: int, moment: int, *, cap: int) -> None:
    """Removes a user from the followee's cached lists of followers, friends and follow requests, and caches that the
    user is no follower. Call it before the end of the follow or request is stored in Postgres. `moment` is that of the
    end, and `cap` how many items a list keeps (details: `lists.publish`). Raises RedisDown.
    """
    gone = [Item(-moment, follower_id)]
    listed = keys.followers, keys.friends, keys.follow_requests
    await gather_all(
        *[lists.publish(cache, [(key(followee_id), gone)], cap=cap) for key in listed],
        membership.add(cache, keys.followed_by(followee_id), gone),
    )


async def publish_acceptance(cache: Cache, follower_id: int, followee_id: int, moment: int, *, cap: int) -> None:
    """Moves a user from the followee's cached follow requests to the cached followers, and caches that the user is a
    follower. Call it before the follow is stored in Postgres. `moment` is that of the acceptance, and `cap` how many
    items a list keeps (details: `lists.publish`). Raises RedisDown.
    """
    new, gone = [Item(moment, follower_id)], [Item(-moment, follower_id)]
    await gather_all(
        lists.publish(cache, [(keys.followers(followee_id), new)], cap=cap),
        lists.publish(cache, [(keys.follow_requests(followee_id), gone)], cap=cap),
        membership.add(cache, keys.followed_by(followee_id), new),
    )


async def publish_pairs(cache: Cache, pairs: Iterable[Pair], *, cap: int) -> None:
    """Updates the cached lists of followers, friends and follow requests, and the membership caches, to agree with
    these pairs of users. Lists and answers that are not cached stay uncached. `cap` is how many items a list keeps
    (details: `lists.publish`). Raises RedisDown.
    """
    followers: list[tuple[int, Item]] = []
    friends: list[tuple[int, Item]] = []
    requests: list[tuple[int, Item]] = []
    for pair in pairs:
        followers += [(followee, Item(moment, follower)) for follower, followee, moment in pair.marks]
        requests += [(followee, Item(moment, follower)) for follower, followee, moment in pair.requests]
        if pair.lo_version and pair.hi_version:  # otherwise the two were never friends
            since = pair.friends_since or -pair.moment
            friends += [(pair.lo, Item(since, pair.hi)), (pair.hi, Item(since, pair.lo))]
    for key, items in ((keys.followers, followers), (keys.friends, friends), (keys.follow_requests, requests)):
        await lists.publish(cache, grouped((key(user), item) for user, item in items).items(), cap=cap)
    await membership.publish(cache, grouped((keys.followed_by(user), item) for user, item in followers).items())
