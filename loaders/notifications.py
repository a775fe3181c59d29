"""Notifications as their user sees them: from the cache or from rows, with the user's pending read mark applied."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from domain.errors import Unavailable
from loaders.read_through import ReadThrough
from loaders.visibility import Visibility
from models.notifications import OWN_KINDS, Newest, NotificationRow
from state import State
from store.cache.lists import Item
from store.notifications import notifications


async def newest(state: State, stored: ReadThrough[int, Newest], users: Sequence[int]) -> list[Newest]:
    """Reads the newest notifications of each user. The user's own pending read mark is applied to them."""
    marks = [state.read_marks.pending(user) for user in users]
    found = await stored.get_many(users)
    return [await _marked(state, user, one, await mark) for user, one, mark in zip(users, found, marks, strict=True)]


async def _marked(state: State, user_id: int, stored: Newest, mark: int) -> Newest:
    """Returns a user's newest notifications with the user's pending read mark applied. If the mark is older than all
    cached notifications, unread notifications that are not cached are counted in rows.
    """
    if mark <= stored.read_moment:
        return stored
    rows = tuple(replace(row, read=row.moment <= mark) for row in stored.rows)
    unread = sum(not row.read for row in rows)
    if not stored.whole and mark < stored.rows[-1].moment:
        unread += await notifications.between(state.postgres, user_id, mark, stored.rows[-1].moment)
    return replace(stored, rows=rows, read_moment=mark, unread=unread)


async def page(state: State, user_id: int, newest: Newest, before: Item | None, count: int) -> list[NotificationRow]:
    """Reads up to `count` notifications of a user that follow the item `before` in the newest-first list: first those
    in `newest`, then rows.
    """
    found = [row for row in newest.rows if before is None or row.moment < before.moment][:count]
    if newest.whole or len(found) == count:
        return found
    below = found[-1].moment if found else before.moment if before else newest.rows[-1].moment
    return found + await notifications.page(state.postgres, user_id, below, count - len(found), newest.read_moment)


async def by_ids(state: State, user_id: int, newest: Newest, ids: Sequence[int]) -> dict[int, NotificationRow]:
    """Reads notifications of a user by id. The result also contains all notifications in `newest`. It lacks
    notifications of other users.
    """
    found = {row.notification_id: row for row in newest.rows}
    missing = [id_ for id_ in ids if id_ not in found]
    if missing and not newest.whole:
        rows = await notifications.by_id(state.postgres, user_id, missing, newest.read_moment)
        found |= {row.notification_id: row for row in rows}
    return found


class Visible(NamedTuple):
    """The notifications that a user may see."""

    rows: Sequence[NotificationRow]
    unreadable: Unavailable | None = None
    """Why profiles could not be read, so that their users are left out. None if all could be read."""


async def visible(visibility: Visibility, rows: Sequence[NotificationRow]) -> Visible:
    """Leaves out notifications about threads that the viewer mutes. Removes actors from the others if a block or a
    suspension hides the actor, if the viewer mutes the actor, or if the actor's profile cannot be read. Returns the
    notifications that have an actor left.
    """
    silent = await visibility.silent_among({row.ref for row in rows if row.kind not in OWN_KINDS})
    if silent:
        rows = [row for row in rows if row.kind in OWN_KINDS or row.ref not in silent]
    actors = {actor for row in rows for actor in row.actors}
    unwanted = await visibility.unwanted_among(actors) if actors else {}
    if not unwanted:
        return Visible(rows)
    found: list[NotificationRow] = []
    for row in rows:
        kept = tuple(actor for actor in row.actors if actor not in unwanted)
        if kept or not row.actors:
            count = row.actor_count - (len(row.actors) - len(kept))
            found.append(replace(row, actors=kept, actor_count=count))
    error = next(filter(None, unwanted.values()), None)
    if error is not None and not isinstance(error, Unavailable):
        raise error
    return Visible(found, error)
