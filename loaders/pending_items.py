"""Applies the viewer's own likes and follows to pages of lists of users: likers, followers, friends.

The cached lists are the same for all viewers, and contain a change a moment after it was accepted. The user who made
the change sees it at once. Until the lists contain it, the change is called pending.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import chain

from domain.versions import moment_of
from loaders.lists import ListPage
from loaders.loader import Loader, tried
from models.counters import EntityRef
from models.follows import FOLLOW, FollowState
from models.likes import Reaction, counts_as
from store.cache.lists import Item
from store.cache.values import Cache
from store.people.follows import friend_moments
from store.postgres.client import PostgresDown
from store.write_log.pending import Pending, PendingHistory

OwnItems = Mapping[int, Item | None]
"""How the viewer's pending changes alter a list. The keys are the ids of the members that are added, moved or removed;
the value is the member's item in the list, None for a member that is removed.
"""
PageLoader = Loader[ListPage, list[Item]]


def likes(state: int) -> bool:
    """Returns whether a state counts as a like. A follow has the number of a like."""
    return counts_as(state) == Reaction.LIKE


def joined(
    pending: Pending, what: str, viewer_id: int, ref: EntityRef, joins: Callable[[int], bool] = likes
) -> OwnItems:
    """Returns how the viewer's pending like or follow of `ref` alters the list of users who like or follow `ref`; an
    empty mapping if no such change is pending. `what` is the kind of the change. `joins` tells whether the list has
    users in a state.
    """
    history = pending.histories.get((what, ref))
    return {viewer_id: _place(history, viewer_id, joins=joins)} if history else {}


async def befriended(
    cache: Cache, pending: Pending, followed_by: Loader[int, bool], viewer_id: int, users: Sequence[EntityRef]
) -> list[OwnItems]:
    """Returns how the viewer's pending follows and unfollows alter the friend list of each user. Friends follow each
    other. The viewer may be one of the users. `followed_by` loads whether users follow the viewer.

    A followed user becomes a friend only if that user follows the viewer. If a pending change concerns one of the
    users, this takes one more round trip, to read who follows the viewer.
    """
    follows = pending.all_of(FOLLOW)
    own = EntityRef(users[0].business_id, viewer_id)
    concerned = [follows if user == own else {ref: follows[ref] for ref in [user] if ref in follows} for user in users]
    if not any(concerned):
        return [{} for _ in users]
    others = sorted({ref.entity_id for some in concerned for ref in some})
    moments_known = (
        friend_moments(cache, user.entity_id, [_friend(user, ref, viewer_id) for ref in some])
        for user, some in zip(users, concerned, strict=True)
    )
    backs, known = await asyncio.gather(followed_by.ask(others), asyncio.gather(*moments_known))
    back = dict(zip(others, backs, strict=True))
    return [
        {
            (friend := _friend(user, ref, viewer_id)): _place(history, friend, moments.get(friend, 0))
            for ref, history in some.items()
            if back[ref.entity_id] or history.latest != FollowState.FOLLOWS
        }
        for user, some, moments in zip(users, concerned, known, strict=True)
    ]


def _friend(user: EntityRef, followed: EntityRef, viewer_id: int) -> int:
    """Returns the user who joins the friend list of `user` when the viewer follows `followed`: the followed user if the
    list is the viewer's own, otherwise the viewer.
    """
    return followed.entity_id if user.entity_id == viewer_id else viewer_id


def _place(history: PendingHistory, member: int, known: int = 0, joins: Callable[[int], bool] = likes) -> Item | None:
    """Returns a member's item in the list. Its moment, which is its position, is that of the last pending change, or
    `known` if that is later. Returns None if the change removes the member.
    """
    if not joins(history.latest):
        return None
    return Item(max(known, moment_of(history.version)), member)


async def overlaid(
    source: PageLoader, own: Callable[[Sequence[EntityRef]], Awaitable[Sequence[OwnItems]]], pages: Sequence[ListPage]
) -> list[list[Item] | PostgresDown]:
    """Returns pages of a list of users with the viewer's pending changes applied. `source` loads the pages. `own`
    returns, for each owner of a list, how the changes alter the list; it is read in the same round trips.

    PostgresDown is in the place of a page that cannot be read. Raises RedisDown if the changes cannot be read.
    """
    asked = source.ask([page._replace(most=page.most + 1) for page in pages], each=True)  # room for one removed member
    changes = await own([page.of for page in pages])
    found = await asked
    return [await _page(source, *one) for one in zip(pages, found, changes, strict=True)]


async def _page(
    source: PageLoader, page: ListPage, items: list[Item] | PostgresDown, own: OwnItems
) -> list[Item] | PostgresDown:
    if not isinstance(items, PostgresDown) and len(items) > page.most and sum(i.member in own for i in items) > 1:
        items = await tried(source.load(page._replace(most=page.most + len(own))))
    if isinstance(items, PostgresDown):
        return items
    if not own:
        return items[: page.most]
    listed = {item.member: item for item in items}
    there = [max(item, listed.get(item.member, item)) for item in own.values() if item]
    kept = (item for item in items if item.member not in own)
    own_here = (item for item in there if page.before is None or item < page.before)
    return sorted(chain(kept, own_here), reverse=True)[: page.most]
