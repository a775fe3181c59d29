"""Reads follows: whom a user follows, which of some users follow a user, and the lists of followers, of friends, of
follow requests and of followed users.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from domain.degraded import Degraded
from loaders.lists import ListKind, ListPage
from loaders.loader import tried
from loaders.pending import Coming
from models.counters import EntityRef
from models.follows import FOLLOW, FollowState
from models.own_sets import Member
from state import State
from store.cache import lists, membership
from store.cache.lists import Item
from store.people import follows
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown

_FILLS = 300


async def all_followees(state: State, user_id: int, pending: Coming) -> set[int]:
    """Returns the ids of all users whom a user follows now. The result includes the user's pending changes: follows and
    unfollows that are accepted and may not be stored yet. `pending` is an awaitable for these changes.

    While writes are direct (Redis is not used), reads only Postgres. Raises RedisDown or PostgresDown.
    """
    if state.redis.is_suspended:
        stored = await state.own_sets.from_rows(FOLLOW, user_id, (), asked_ms=None, newest=True)
        return _followed(stored.values())
    if (found := await state.own_sets.ids(FOLLOW, user_id)) is None:
        found = _followed(await state.own_sets.warm(FOLLOW, user_id))
    for ref, history in (await pending).all_of(FOLLOW).items():
        (found.add if history.latest == FollowState.FOLLOWS else found.discard)(ref.entity_id)
    return found


def _followed(members: Iterable[Member]) -> set[int]:
    return {member.ref.entity_id for member in members if member.state == FollowState.FOLLOWS}


async def followed_by(state: State, user_id: int, users: Sequence[int]) -> list[bool]:
    """Returns for each of `users` whether that user follows the user `user_id`: from the cache, else from Postgres.
    Raises PostgresDown.
    """
    try:
        known = await membership.read(state.cache, follows.followed_by_key(user_id), users)
    except RedisDown:
        known = [None] * len(users)
    unknown = [user for user, mark in zip(users, known, strict=True) if mark is None]
    found = await _ask(state, user_id, unknown) if unknown else {}
    return [found[user] if mark is None else mark for user, mark in zip(users, known, strict=True)]


async def _ask(state: State, user_id: int, users: Sequence[int]) -> dict[int, bool]:
    """Reads from Postgres which of `users` follow `user_id`. Caches the answers, unless one may have changed during the
    read.
    """
    key = follows.followed_by_key(user_id)
    token = await state.cache.lease_of(key)
    asked = await follows.followers_among(state.postgres, user_id, users)
    if token:
        with suppress(RedisDown):  # the answer is known; only the next reader must query again
            await membership.fill(state.cache, key, asked, token=token)
    return {mark.member: mark.score > 0 for mark in asked}


def _cap(state: State, _: EntityRef) -> int:
    return state.settings.caches.followers


FOLLOWERS = ListKind(follows.followers_key, _cap, follows.followers_page, _FILLS)
"""The followers of a user, newest follow first."""
REQUESTS = ListKind(follows.requests_key, _cap, follows.requests_page, _FILLS)
"""The users who have asked to follow a private user, newest request first."""
FRIENDS = ListKind(follows.friends_key, _cap, follows.friends_page, _FILLS)
"""The friends of a user (followers who are followed back), newest friendship first."""


async def following(state: State, degraded: Degraded, pages: Sequence[ListPage]) -> list[list[Item] | PostgresDown]:
    """Returns pages of the users whom a user follows, newest follow first. PostgresDown is in the place of a page that
    cannot be read.

    Reads the user's cached follow set, or Postgres if the set is not cached. Does not cache what it reads: only
    requests of the set's own user fill the set. A page from Postgres lacks follows that are not stored yet. If Redis is
    down, `User.following` is listed in `extensions.degraded`.
    """
    sets = [state.own_sets.key(FOLLOW, page.of.entity_id) for page in pages]
    try:
        cached = await lists.read(state.redis, sets, [page.before for page in pages], [page.most for page in pages])
    except RedisDown as error:
        degraded.incomplete("User.following", error)
        cached = [None] * len(pages)
    rest = [page for page, held in zip(pages, cached, strict=True) if held is None]
    rows = [tried(follows.following_page(state.postgres, page.of, page.before, page.most)) for page in rest]
    read = iter(await asyncio.gather(*rows) if rows else ())
    return [next(read) if held is None else held.items for held in cached]
