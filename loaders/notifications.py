"""Notifications as their user sees them: from the cache or from rows, with the user's pending read mark applied."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from domain.errors import Unavailable
from loaders.hints import NotifiedOf
from loaders.read_through import ReadThrough
from loaders.request_content import ContentLoaders
from models.comments import CommentRow
from models.counters import EntityRef
from models.notifications import OWN_KINDS, Newest, NotificationKind, NotificationRow, is_judged
from models.posts import PostRow
from settings import COMMENTS, POSTS
from state import State
from store.cache.lists import Item
from store.notifications import notifications

LIKE = NotificationKind.LIKE
Rows = Sequence[NotificationRow]


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

    rows: Rows
    unreadable: Unavailable | None = None
    """Why profiles, posts or comments could not be read, so that they are left out. None if all could be read."""


def ask_for_contents(loaders: ContentLoaders, about: NotifiedOf) -> None:
    """Starts to read the profiles, posts and comments that decide which notifications the viewer may see."""
    loaders.kept_users.ask(about.users, each=True)
    loaders.posts.ask(about.posts, each=True)
    loaders.comments.ask(about.comments, each=True)


async def visible(loaders: ContentLoaders, viewer_id: int, rows: Rows) -> Visible:
    """Returns the notifications that the viewer may see. Leaves out those about threads that the viewer mutes, and
    about posts and comments that the viewer may not see. Removes actors that are hidden from the viewer or muted, and
    leaves out notifications without another actor. Leaves out what cannot be read, too.

    Raises Unavailable if the viewer's boundaries cannot be read.
    """
    needed = _needed(rows)
    ask_for_contents(loaders, needed)
    silent = await loaders.visibility.silent_among({row.ref for row in rows if row.kind not in OWN_KINDS})
    hidden = dict[EntityRef, Exception | None](dict.fromkeys(silent))
    hidden |= await _hidden_contents(loaders, viewer_id, needed)
    likers = {actor for row in rows if row.kind is LIKE for actor in row.actors}
    others = {actor for row in rows if row.kind is not LIKE for actor in row.actors}
    unwanted_likers = await loaders.visibility.unwanted_among(likers, likes=True) if likers else {}
    unwanted = await loaders.visibility.unwanted_among(others) if others else {}
    found: list[NotificationRow] = []
    for row in rows:
        if row.kind in OWN_KINDS:
            found.append(row)
        elif row.ref not in hidden and (kept := row.without(unwanted_likers if row.kind is LIKE else unwanted)).actors:
            found.append(kept)
    errors = filter(None, (*hidden.values(), *unwanted_likers.values(), *unwanted.values()))
    error = next(errors, None)
    if error is not None and not isinstance(error, Unavailable):
        raise error
    return Visible(found, error)


def _needed(rows: Rows) -> NotifiedOf:
    users = {actor for row in rows for actor in row.actors}
    refs = {row.ref for row in rows if is_judged(row.kind, row.business_id)}
    posts, comments = ([ref.entity_id for ref in refs if ref.business_id == one] for one in (POSTS, COMMENTS))
    return NotifiedOf(array("q", users), array("q", posts), array("q", comments))


async def _hidden_contents(
    loaders: ContentLoaders, viewer_id: int, needed: NotifiedOf
) -> dict[EntityRef, Exception | None]:
    """Returns the posts and comments that the viewer may not see. The value is the error of one that cannot be read."""
    posts = await loaders.posts.ask(needed.posts, each=True)
    comments = await loaders.comments.ask(needed.comments, each=True)
    commented = {row.post_id for row in comments if isinstance(row, CommentRow) and row.post_id}
    loaders.hints.remember_notified(viewer_id, needed._replace(posts=array("q", {*needed.posts, *commented})))
    rows: list[tuple[EntityRef, PostRow | CommentRow | Exception | None]] = [
        *((EntityRef(POSTS, id_), post) for id_, post in zip(needed.posts, posts, strict=True)),
        *((EntityRef(COMMENTS, id_), comment) for id_, comment in zip(needed.comments, comments, strict=True)),
    ]
    return {
        ref: row if isinstance(row, Exception) else None
        for ref, row in rows
        if not isinstance(row, PostRow | CommentRow) or row.deleted
    }
