"""Notifications: the viewer's list, the fields of a notification, the marks of what is read and seen, and the
subscriptions to new notifications and to the marks.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from commands import languages, notification_preferences
from commands import notifications as commands
from context import Context
from domain.errors import BadCursor, Unavailable
from domain.messages import told
from domain.quiet_hours import QuietHours
from loaders import notifications, visible_notifications
from loaders.visible_notifications import Visible
from models.comments import CommentRow
from models.counters import EntityRef
from models.likes import NO_KINDS, Reaction
from models.notifications import MOST_UNREAD, Newest, NotificationKind, NotificationPreference, NotificationRow
from models.posts import PostRow
from models.users import UserRow, ViewerRow
from resolvers import nodes
from resolvers.nodes import NodeRow
from resolvers.pages import Connection, Edge, PageArguments, Scope, position, window
from settings import COMMENTS, USERS
from store.cache.lists import Above, Item
from store.notifications import preferences


def _scope(user_id: int) -> Scope:
    return Scope(f"notifications:{user_id}")


def _item(row: NotificationRow) -> Item:
    return Item(row.moment, row.notification_id)


async def _newest(context: Context, user_id: int) -> Newest:
    return await visible_notifications.newest(context.own, context.content, user_id)


async def _visible(context: Context, field: str, rows: Sequence[NotificationRow]) -> Sequence[NotificationRow]:
    """Returns those of `rows` that the viewer may see. Leaves out what cannot be read, and then lists `field` (a schema
    coordinate) in `extensions.degraded`.
    """
    found = await visible_notifications.visible(context.content, context.require_viewer().user_id, rows)
    if found.unreadable:
        context.degraded.incomplete(field, found.unreadable)
    return found.rows


async def of_viewer(
    context: Context,
    viewers: Sequence[ViewerRow],
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
) -> list[Connection[NotificationRow] | BadCursor]:
    """Resolves Viewer.notifications: a page of the viewer's notifications, newest first; BadCursor if `after` or
    `before` is not a cursor of the list. There is one viewer per request: the caller. Raises BadInput as `pages.window`
    does; Unavailable if the page cannot be read or filled.
    """
    page = await _page(context, viewers[0].user_id, PageArguments(first, after, last, before))
    return [page] * len(viewers)


async def _page(context: Context, user_id: int, asked: PageArguments) -> Connection[NotificationRow] | BadCursor:
    cursors, scope = context.state.cursors, _scope(user_id)
    try:
        wanted = window(cursors, scope, asked)
    except BadCursor as error:
        return error
    rows = await _visible_page(context, user_id, wanted.start, wanted.most + 1)
    return wanted.page(cursors, scope.name, list(map(_item, rows)), {row.notification_id: row for row in rows})


async def unread(context: Context, viewers: Sequence[ViewerRow]) -> list[int]:
    """Resolves Viewer.unreadNotificationCount: how many notifications that the viewer may see are unread. Counts up to
    MOST_UNREAD (100).
    """
    return await _count(
        context, viewers, "Viewer.unreadNotificationCount", lambda row: not row.read, lambda newest: newest.unread
    )


async def unseen(context: Context, viewers: Sequence[ViewerRow]) -> list[int]:
    """Resolves Viewer.unseenNotificationCount: how many notifications that the viewer may see are not seen. Counts up
    to MOST_UNREAD (100).
    """
    return await _count(
        context, viewers, "Viewer.unseenNotificationCount", lambda row: not row.is_seen, lambda newest: newest.unseen
    )


async def _count(
    context: Context,
    viewers: Sequence[ViewerRow],
    field: str,
    counts: Callable[[NotificationRow], bool],
    total: Callable[[Newest], int],
) -> list[int]:
    """Counts the notifications that the viewer may see and for which `counts` is true, up to MOST_UNREAD. `total`
    returns their number with those that the viewer may not see. Lists `field` as degraded if some cannot be read.
    """
    context.own.boundaries.ask()
    user_id = viewers[0].user_id
    newest = await _newest(context, user_id)
    read: Sequence[NotificationRow] = newest.rows
    rows = [row for row in read if counts(row)]
    count, older = 0, total(newest) - len(rows)
    while True:
        count += len(await _visible(context, field, rows))
        if older <= 0 or count >= MOST_UNREAD or not read or read[-1].moment <= newest.read_moment:
            return [min(count, MOST_UNREAD)] * len(viewers)
        most = MOST_UNREAD if len(rows) < len(read) else min(older, MOST_UNREAD)
        read = await notifications.page(context.state, user_id, newest, _item(read[-1]), most)
        rows = [row for row in read if counts(row)]
        older -= len(rows)


async def preferences_of(context: Context, viewers: Sequence[ViewerRow]) -> list[list[NotificationPreference]]:
    """Resolves Viewer.notificationPreferences: for every kind of notification, whether the viewer wants it. Reads
    Postgres.
    """
    unwanted, only = await preferences.unwanted(context.state.postgres, viewers[0].user_id)
    found = [NotificationPreference(kind, kind not in unwanted, kind in only) for kind in NotificationKind]
    return [found] * len(viewers)


async def quiet_hours_of(context: Context, viewers: Sequence[ViewerRow]) -> list[QuietHours | None]:
    """Resolves Viewer.quietHours: the quiet hours of the viewer; None without. Reads Postgres."""
    found = await preferences.quiet_hours(context.state.postgres, [viewer.user_id for viewer in viewers])
    return [found.get(viewer.user_id) for viewer in viewers]


_MOST_ROUNDS = 30
_MOST_AT_ONCE = 400


async def _visible_page(context: Context, user_id: int, before: Item | None, count: int) -> list[NotificationRow]:
    """Returns up to `count` notifications that the viewer may see and that follow `before` (or precede it, nearest
    first, if it is an Above). Reads more while some are left out. Raises Unavailable if too many are left out.
    """
    context.own.boundaries.ask()
    newest, kept, most = await _newest(context, user_id), list[NotificationRow](), count
    for _ in range(_MOST_ROUNDS):
        rows = await notifications.page(context.state, user_id, newest, before, most)
        kept += await _visible(context, "Viewer.notifications", rows)
        if len(kept) >= count or len(rows) < most:
            return kept[:count]
        before = Above(*_item(rows[-1])) if isinstance(before, Above) else _item(rows[-1])
        most = min(max(2 * most, 100), _MOST_AT_ONCE)
    raise Unavailable("This page cannot be filled: too many notifications are hidden from you.")


async def actors(context: Context, rows: Sequence[NotificationRow]) -> list[list[UserRow]]:
    """Resolves Notification.actors: the newest users who caused each notification. Leaves out users that do not exist
    or that the viewer may not see.
    """
    ids = list(dict.fromkeys(actor for row in rows for actor in row.actors))
    users = dict(zip(ids, await context.content.users.ask(ids), strict=True))
    return [[user for actor in row.actors if (user := users[actor])] for row in rows]


async def subjects(context: Context, rows: Sequence[NotificationRow]) -> list[NodeRow | Exception | None]:
    """Resolves Notification.subject: the object that each notification is about; None if the viewer may not see it, an
    exception if it cannot be read.
    """
    return await nodes.by_refs(context, [row.ref for row in rows])


async def comments(context: Context, rows: Sequence[NotificationRow]) -> list[CommentRow | Exception | None]:
    """Resolves Notification.comment: the newest comment that caused each notification and that the viewer may see; None
    without one, an exception if a comment cannot be read. Leaves out comments of muted users, in muted threads and with
    muted words.
    """
    refs = [*{ref for row in rows for ref in row.texts if ref.business_id == COMMENTS}]
    asked = context.content.comments.ask([ref.entity_id for ref in refs], each=True)
    silent = await context.content.visibility_in(None).silent_among(refs)
    found = dict(zip(refs, await asked, strict=True))
    unwanted = (await visible_notifications.texts_of(context.content, rows)).unwanted
    return [_newest_shown(row, found, {*silent, *unwanted}) for row in rows]


def _newest_shown(
    row: NotificationRow,
    comments: Mapping[EntityRef, CommentRow | Exception | None],
    silent: Collection[EntityRef],
) -> CommentRow | Exception | None:
    for ref in row.texts:
        comment = None if ref in silent else comments.get(ref)
        if isinstance(comment, Exception) or (comment and comment.author_id in row.actors):
            return comment
    return None


async def messages(context: Context, rows: Sequence[NotificationRow]) -> list[str]:
    """Resolves Notification.message: a sentence for each notification in the viewer's language, such as "Ann and 2
    others liked your post." The name is `Somebody` if the newest actor does not exist or the viewer may not see this
    user.
    """
    asked_language = _language(context)
    ids = list(dict.fromkeys(row.actors[0] for row in rows if row.actors))
    users = dict(zip(ids, await context.content.users.ask(ids), strict=True))
    announced, language = await _announced(context, rows), await asked_language
    return [_sentence(context, language, row, users, announced.get(row.entity_id)) for row in rows]


def _language(context: Context) -> Awaitable[str]:
    """Starts to read the language of the viewer's messages, without waiting. If the profile cannot be read, it is the
    language of the request.
    """
    asked = context.content.kept_users.ask([context.require_viewer().user_id], each=True)

    async def chosen() -> str:
        (user,) = await asked
        own = [user.language] if isinstance(user, UserRow) and user.language else []
        return context.state.messages.language([*own, *context.client.languages])

    return chosen()


async def _announced(context: Context, rows: Sequence[NotificationRow]) -> dict[int, int]:
    """Returns the businesses of the entities that new posts announce, by post. `Viewer.notifications` has loaded these
    posts already.
    """
    ids = [row.entity_id for row in rows if row.kind is NotificationKind.NEW_POST]
    posts = await context.content.posts.ask(ids, each=True) if ids else ()
    return {one.post_id: one.announced.business_id for one in posts if isinstance(one, PostRow) and one.announced}


def reactions(context: Context, rows: Sequence[NotificationRow]) -> list[list[str]]:
    """Resolves Notification.reactions: the names of the kinds of reactions that each notification reports."""
    return [_names(context, row) if row.kind is NotificationKind.LIKE else [] for row in rows]


def _names(context: Context, row: NotificationRow) -> list[str]:
    known = context.state.reactions.get(row.business_id, NO_KINDS)
    return known.named(row.reactions or Reaction.LIKE)


def _sentence(
    context: Context, language: str, row: NotificationRow, users: Mapping[int, UserRow | None], announced: int | None
) -> str:
    if row.message is not None:
        return context.state.messages.decision(language, row.message)
    business = context.state.businesses_by_id.get(announced or row.business_id)
    newest, names = users.get(row.actors[0]), _names(context, row) if row.reactions else None
    name, thing = newest.display_name if newest else None, business.name if business else None
    return context.state.messages.text(language, told(row.kind.name, name, row.actor_count - 1, thing, names))


async def mark_read(context: Context, up_to: str) -> ViewerRow:
    """Marks the viewer's notifications as read, up to and including the one with the cursor `up_to`. Returns the
    viewer. Raises BadCursor for a cursor of another list or of another user; Unauthenticated, RateLimited, Unavailable.
    """
    viewer = ViewerRow(context.require_viewer().user_id)
    seen, _ = position(context.state.cursors, _scope(viewer.user_id), up_to)
    assert seen  # `up_to` is required, so there is a cursor.
    await commands.mark_read(context, seen.score)
    return viewer


async def mark_seen(context: Context, up_to: str) -> ViewerRow:
    """Marks the viewer's notifications as seen, up to and including the one with the cursor `up_to`. Returns the
    viewer. Raises as `mark_read`.
    """
    viewer = ViewerRow(context.require_viewer().user_id)
    seen, _ = position(context.state.cursors, _scope(viewer.user_id), up_to)
    assert seen  # `up_to` is required, so there is a cursor.
    await commands.mark_seen(context, seen.score)
    return viewer


@dataclass(frozen=True, slots=True)
class MarkedOne:
    """The result of markNotificationRead: the notification, and the viewer."""

    notification: NotificationRow
    viewer: ViewerRow


async def mark_one_read(context: Context, notification_id: str) -> MarkedOne:
    """Marks one notification of the viewer as read. Raises as `commands.notifications.mark_one_read`."""
    row = await commands.mark_one_read(context, notification_id)
    return MarkedOne(row, ViewerRow(context.require_viewer().user_id))


async def set_preferences(context: Context, wanted: Sequence[NotificationPreference]) -> ViewerRow:
    """Sets which kinds of notifications the viewer wants; other kinds stay as they are. Returns the viewer. Raises
    Unauthenticated, Unavailable; BadInput if a kind is given twice; Refused if MODERATION is to be switched off.
    """
    viewer = ViewerRow(context.require_viewer().user_id)
    await notification_preferences.change(context, wanted)
    return viewer


async def set_quiet_hours(context: Context, hours: notification_preferences.QuietHoursData | None) -> ViewerRow:
    """Sets the quiet hours of the viewer; None ends them. Returns the viewer. Raises as
    `commands.notification_preferences.set_quiet_hours`.
    """
    viewer = ViewerRow(context.require_viewer().user_id)
    await notification_preferences.set_quiet_hours(context, hours)
    return viewer


async def set_language(context: Context, language: str | None) -> ViewerRow:
    """Sets the language of the viewer. Returns the viewer. Raises as `commands.languages.set_language`."""
    viewer = ViewerRow(context.require_viewer().user_id)
    await languages.set_language(context, language)
    return viewer


@dataclass(frozen=True, slots=True)
class Received:
    """An event of Subscription.notificationReceived: the newest notification (`edge`) and its recipient (`viewer`)."""

    edge: Edge[NotificationRow]
    viewer: ViewerRow


async def received(context: Context) -> AsyncIterator[Received]:
    """Resolves Subscription.notificationReceived: yields the viewer's newest notification each time there is a new one,
    or one gets a further event (such as a second like of a post).

    Raises Unauthenticated if no user is signed in.
    """
    user_id = context.require_viewer().user_id
    return _each(context, user_id, _top((await _newest(context, user_id)).rows))


async def _newest_visible(context: Context, user_id: int) -> Visible:
    newest = await _newest(context, user_id)
    return await visible_notifications.visible(context.content, user_id, newest.rows)


def _top(rows: Sequence[NotificationRow]) -> int:
    return rows[0].moment if rows else 0


async def _each(context: Context, user_id: int, reported: int) -> AsyncIterator[Received]:
    with context.state.events.counter_changes([EntityRef(USERS, user_id)]) as changes:
        async for user in changes:
            await context.next_event()
            rows, unreadable = await changes.read_or_retry(user, _newest_visible(context, user_id)) or Visible(())
            if unreadable:
                changes.retry(user)  # a notification that is left out now may be the newest one
            if _top(rows) > reported:
                if unreadable:
                    context.degraded.incomplete("Subscription.notificationReceived", unreadable)
                row, context.changed = rows[0], user
                only = {row.notification_id: row}
                page = Connection(context.state.cursors, _scope(user_id).name, [_item(row)], 0, only, False, False)
                yield Received(page.edges[0], ViewerRow(user_id))
                if context.degraded.was_reported:
                    changes.retry(user)
                else:
                    reported = row.moment


@dataclass(frozen=True, slots=True)
class Marked:
    """An event of Subscription.notificationsRead: the user who marked notifications as read or seen."""

    viewer: ViewerRow


async def marked(context: Context) -> AsyncIterator[Marked]:
    """Resolves Subscription.notificationsRead: yields each time the viewer has marked notifications as read or seen.

    Raises Unauthenticated if no user is signed in.
    """
    user_id = context.require_viewer().user_id
    return _each_mark(context, user_id, (await _newest(context, user_id)).marks)


async def _each_mark(context: Context, user_id: int, reported: int) -> AsyncIterator[Marked]:
    with context.state.events.counter_changes([EntityRef(USERS, user_id)]) as changes:
        async for user in changes:
            await context.next_event()
            newest = await changes.read_or_retry(user, _newest(context, user_id))
            if newest and newest.marks > reported:
                context.changed = user
                yield Marked(ViewerRow(user_id))
                if context.degraded.was_reported:
                    changes.retry(user)
                else:
                    reported = newest.marks
