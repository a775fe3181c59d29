"""Leaves out the notifications that their user may not see."""

from array import array
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from domain.errors import Unavailable
from loaders.memory import Notified
from loaders.request.content import Content
from loaders.request.own import Own
from models.comments import CommentRow
from models.counters import EntityRef
from models.notifications import OF_POSTS, OWN_KINDS, Newest, NotificationRow, is_judged
from models.posts import PostRow
from settings import COMMENTS, POSTS
from store.gather import gather_all

Rows = Sequence[NotificationRow]


async def newest(own: Own, content: Content, viewer_id: int) -> Newest:
    """Returns the newest notifications of the viewer, also those that the viewer may not see. In the same round trip,
    starts to read the users, posts and comments that `visible` will need, as far as this process remembers them.
    """
    asked = own.notifications.ask([viewer_id])
    content.kept_users.ask([viewer_id], each=True)  # whose language `Notification.message` needs
    for about in content.shared.memories.notified.of([viewer_id]):
        _ask_for_contents(content, about)
    newest: Newest
    (newest,) = await asked
    return newest


class Visible(NamedTuple):
    """The result of `visible`: the notifications that the user may see."""

    rows: Rows
    unreadable: Unavailable | None = None
    """Why profiles, posts or comments could not be read, so that they are left out. None if all could be read."""


def _ask_for_contents(content: Content, about: Notified) -> None:
    """Starts to read the profiles, posts and comments that decide which notifications the viewer may see."""
    content.kept_users.ask(about.users, each=True)
    content.posts.ask(about.posts, each=True)
    content.comments.ask(about.comments, each=True)


async def visible(content: Content, viewer_id: int, rows: Rows) -> Visible:
    """Returns those of `rows` that the viewer may see.

    Always keeps decisions about the viewer's own content and reports (`OWN_KINDS`). Leaves out other notifications if
    the viewer mutes their thread, or may not or does not want to see their post or comment. Removes actors whom the
    viewer mutes or may not see, and those whose comments the viewer does not want to see; leaves out a notification if
    no actor remains. Also leaves out what cannot be read; `unreadable` of the result says why.

    Raises Unavailable if the viewer's blocks and mutes cannot be read, or, if the viewer mutes threads or words, a
    comment.
    """
    if not rows:
        return Visible(())
    needed = _needed(rows)
    _ask_for_contents(content, needed)
    visibility = content.visibility_in(None)
    silent = await visibility.silent_among({row.ref for row in rows if row.kind not in OWN_KINDS})
    hidden = dict[EntityRef, Exception | None](dict.fromkeys(silent))
    hidden |= await _hidden_contents(content, viewer_id, needed)
    texts = await texts_of(content, rows)
    hidden |= dict.fromkeys(texts.unwanted)
    likers = {actor for row in rows if row.kind in OF_POSTS for actor in row.actors}
    others = {actor for row in rows if row.kind not in OF_POSTS for actor in row.actors}
    unwanted_likers = await visibility.unwanted_among(likers, likes=True) if likers else {}
    unwanted = await visibility.unwanted_among(others) if others else {}
    found: list[NotificationRow] = []
    for row in rows:
        if row.kind in OWN_KINDS:
            found.append(row)
            continue
        if row.ref in hidden:
            continue
        kept = row.without(unwanted_likers if row.kind in OF_POSTS else unwanted)
        if texts.unwanted:
            kept = kept.without(texts.only_unwanted(row))
        if kept.actors:
            found.append(kept)
    errors = filter(None, (*hidden.values(), *unwanted_likers.values(), *unwanted.values()))
    error = next(errors, None)
    if error is not None and not isinstance(error, Unavailable):
        raise error
    return Visible(found, error)


class Texts(NamedTuple):
    """The posts and comments that caused notifications: the author of each of them, and those that the viewer does not
    want to see.
    """

    authors: Mapping[EntityRef, int]
    unwanted: Collection[EntityRef]

    def only_unwanted(self, row: NotificationRow) -> set[int]:
        """Returns the users of whose comments in a notification the viewer wants to see none."""
        refs = [ref for ref in row.texts if ref in self.authors]
        wanted = {self.authors[ref] for ref in refs if ref not in self.unwanted}
        return {self.authors[ref] for ref in refs} - wanted


async def texts_of(content: Content, rows: Rows) -> Texts:
    """Returns the posts and comments that caused the notifications `rows`, and which of them the viewer does not want
    to see: they contain a word that the viewer mutes, or the viewer hides the post. Reads nothing if the viewer mutes
    no words and hides no posts. Raises Unavailable if this cannot be read.
    """
    found = await content.own.boundaries.get()
    if not found.words and not found.hidden_posts:
        return Texts({}, ())
    refs = {ref for row in rows if row.kind not in OWN_KINDS for ref in row.texts}
    posts, comments = ([ref.entity_id for ref in refs if ref.business_id == one] for one in (POSTS, COMMENTS))
    read: Sequence[Sequence[PostRow | CommentRow | None]]
    read = await gather_all(content.posts.ask(posts), content.comments.ask(comments))
    texts = [row for some in read for row in some if row and row.author_id not in (0, content.reader.viewer_id)]
    return Texts({row.ref: row.author_id for row in texts}, await content.unwanted_among(texts) if texts else ())


def _needed(rows: Rows) -> Notified:
    users = {actor for row in rows for actor in row.actors}
    refs = {row.ref for row in rows if is_judged(row.kind, row.business_id)}
    posts, comments = ([ref.entity_id for ref in refs if ref.business_id == one] for one in (POSTS, COMMENTS))
    return Notified(array("q", users), array("q", posts), array("q", comments))


async def _hidden_contents(content: Content, viewer_id: int, needed: Notified) -> dict[EntityRef, Exception | None]:
    """Returns those of the needed posts and comments that the viewer may not see. The value is the exception if the
    post or comment cannot be read, otherwise None. Remembers the ids that were read, so that `newest` can read them
    early.
    """
    posts = await content.posts.ask(needed.posts, each=True)
    comments = await content.comments.ask(needed.comments, each=True)
    commented = {row.post_id for row in comments if isinstance(row, CommentRow) and row.post_id}
    read = needed._replace(posts=array("q", {*needed.posts, *commented}))
    notified = content.shared.memories.notified
    if not any(read.is_within(known) for known in notified.of([viewer_id])):
        notified.remember({viewer_id: read})
    rows: list[tuple[EntityRef, PostRow | CommentRow | Exception | None]] = [
        *((EntityRef(POSTS, id_), post) for id_, post in zip(needed.posts, posts, strict=True)),
        *((EntityRef(COMMENTS, id_), comment) for id_, comment in zip(needed.comments, comments, strict=True)),
    ]
    return {
        ref: row if isinstance(row, Exception) else None
        for ref, row in rows
        if not isinstance(row, (PostRow, CommentRow)) or row.deleted
    }
