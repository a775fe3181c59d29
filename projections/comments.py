"""Writes comments to rows, in the transaction of the batch. Applies new comments, deletions and moderation decisions in
order.

A comment gets a floor, which is its number in the list, when it becomes public for the first time. Counters change when
comments become public or stop being public. A deleted root comment is shown without its content while it has visible
replies. A root comment is locked whenever one of its replies changes, so its visible replies can be counted reliably.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from models.comments import CommentRow
from models.counters import CounterKind, EntityRef
from models.patches import CommentPatch
from projections.batch import Batch, RowChange
from projections.content_events import ContentChanged, ContentEvent
from projections.content_rows import (
    apply_changes,
    ask_to_index,
    assign_versions,
    claimed,
    keep_replaced,
    name_mentioned,
    notify_authors,
    notify_mentioned,
    release_files,
)
from projections.moderation import ModerationPass
from settings import COMMENTS
from state import State
from store.content import comment_lists, comment_rows, comments, post_rows
from store.moderation import reviews
from store.notifications.untold import COMMENT, REPLY
from store.postgres.client import Transaction

CommentChanges = dict[int, RowChange[CommentRow]]


async def apply(batch: Batch, events: Sequence[ContentEvent], moderation: ModerationPass) -> None:
    """Applies events to comments. Writes the changed comments, and adds them, their counter changes, notifications and
    lines of the moderation log to the batch. `moderation` runs the moderation rules.

    Raises ValueError for an event about a comment or content that is missing in Postgres.
    """
    owned = await claimed(batch, events)
    ids = {event.ref.entity_id for event in events} | roots_named(events)
    rows = await comment_rows.lock(batch.transaction, ids)
    changes: CommentChanges = apply_changes(batch, events, rows, owned, moderation)
    if changes:
        first, ordered = await write(batch, changes, rows)
        await _notify(batch, first, ordered)
        notify_authors(batch, ordered)


async def write(
    batch: Batch, changes: CommentChanges, rows: dict[int, CommentRow]
) -> tuple[list[RowChange[CommentRow]], list[RowChange[CommentRow]]]:
    """Gives floors to comments that become public for the first time, updates root comments, and writes all changed
    comments. `rows` are the rows before the batch, by id, which are locked. Returns the changes of the comments that
    got floors, and all changes in the order of the comments' ids.
    """
    first = await _assign_floors(batch.transaction, changes)
    await _settle_roots(batch.transaction, changes, rows)
    ordered = [changes[comment_id] for comment_id in sorted(changes)]
    await _write(batch, ordered)
    return first, ordered


def roots_named(events: Iterable[ContentEvent]) -> set[int]:
    """Returns the ids of the root comments to which the new replies among these events belong. Existing replies are not
    considered: their rows contain the ids of their root comments.
    """
    patches = (event.patch for event in events if isinstance(event, ContentChanged))
    beginnings = (patch.beginning for patch in patches if isinstance(patch, CommentPatch))
    return {one.root_id for one in beginnings if one and one.root_id}


async def _assign_floors(transaction: Transaction, changes: CommentChanges) -> list[RowChange[CommentRow]]:
    """Gives floors (numbers in their list) to comments that become public for the first time, in order of approval.
    Returns the changes of these comments.
    """
    approved = [one for one in changes.values() if one.after.is_public and one.after.floor is None]
    if not approved:
        return []
    approved.sort(key=lambda change: (change.moderated or 0, change.after.moment, change.after.comment_id))
    floors = await comment_rows.issue_floors(transaction, Counter(change.after.list_of for change in approved))
    for change in approved:
        place = change.after.list_of
        change.after = replace(change.after, floor=floors[place])
        floors[place] += 1
    return approved


async def _settle_roots(transaction: Transaction, changes: CommentChanges, rows: dict[int, CommentRow]) -> None:
    """Updates in `changes` whether each root comment has visible replies (`answered`). Adds a change for a root comment
    that has no other change. `rows` are the rows before the batch, by id.

    A new root comment may already have replies, if a failover lost its row before. If such a reply is stored at the
    same time, neither transaction sees the other. Therefore the replies are checked again when the root comment
    disappears, which is when the result matters.
    """
    replies = [change for change in changes.values() if change.after.root_id is not None]
    touched = {change.after.root_id for change in replies if change.appears or change.disappears}
    touched |= {id_ for id_, change in changes.items() if change.before is None or change.disappears}
    known = rows | {id_: change.after for id_, change in changes.items()}
    roots = [row for id_, row in known.items() if id_ in touched and row.root_id is None]
    now = {change.after.root_id for change in replies if change.after.is_public}
    if unknown := [root for root in roots if root.comment_id not in now]:
        now |= await comment_rows.answered(transaction, unknown, [change.after.comment_id for change in replies])
    for root in roots:
        if root.answered != (root.comment_id in now):
            change = changes.get(root.comment_id) or RowChange(root, root, replies[0].partition)
            change.after = replace(root, answered=not root.answered)
            change.through = max([change.through, *(reply.through for reply in replies)])
            changes[root.comment_id] = change


async def _write(batch: Batch, changes: Sequence[RowChange[CommentRow]]) -> None:
    transaction = batch.transaction
    await name_mentioned(transaction, changes)
    assign_versions(changes)
    await comment_rows.write(transaction, [(change.after, change.trace) for change in changes])
    await keep_replaced(transaction, changes)
    await ask_to_index(transaction, changes)
    await release_files(batch, changes)
    deletions = [(one.after.comment_id, one.deleted_by, one.deleted_as) for one in changes if one.deleted_by]
    if deletions:
        await comment_rows.write_deletions(transaction, deletions)
    for change in changes:
        if delta := change.appears - change.disappears:
            for ref, kind in _counted(change.after):
                batch.deltas.add(ref, kind, delta, change.partition)
    await reviews.ask_for_review(transaction, [change.after for change in changes], batch.state.keys.partition_of)


async def _notify(
    batch: Batch, first: Sequence[RowChange[CommentRow]], changes: Sequence[RowChange[CommentRow]]
) -> None:
    """Adds notifications to the batch. A comment in `first` becomes public for the first time: the owner of the
    subject, the author of the parent comment, and mentioned users are notified. Another comment in `changes` that shows
    new text notifies mentioned users only, except that owner and that author. Skips comments whose post is no longer
    public.
    """
    new_texts = [change for change in changes if change.shows_new_text]
    posts = {change.after.post_id for change in new_texts if change.after.post_id}
    hidden = await post_rows.hidden(batch.transaction, posts) if posts else set()
    told = {change.after.comment_id for change in first}
    shown = [change for change in new_texts if change.after.post_id not in hidden]
    first = [change for change in shown if change.after.comment_id in told]
    for change in first:
        row = change.after
        said = row.author_id, change.notification_version, row.threads, row.comment_id
        batch.untold.said(COMMENT, row.subject_owner, row.subject, *said)
        if row.parent_id:
            batch.untold.said(REPLY, row.replied_to, EntityRef(COMMENTS, row.parent_id), *said)
    notify_mentioned(batch, first)
    edited = [change for change in shown if change.after.comment_id not in told]
    notify_mentioned(batch, edited, but_concerned=True)


def _counted(row: CommentRow) -> list[tuple[EntityRef, CounterKind]]:
    """Returns the counters that count a comment while it is public, each as the object that has the counter and the
    kind of counter.
    """
    kind = CounterKind.ROOT_COMMENTS if row.root_id is None else CounterKind.REPLIES
    return [(row.subject, CounterKind.COMMENTS), (row.list_of, kind)]


async def current_rows(state: State, events: Sequence[ContentEvent]) -> list[CommentRow]:
    """Reads the rows of the comments in these events, and of their root comments, as they are now."""
    if not events:
        return []
    rows = await comments.by_id(state.postgres, sorted({event.ref.entity_id for event in events}))
    if roots := sorted({row.root_id for row in rows.values() if row.root_id and row.root_id not in rows}):
        rows |= await comments.by_id(state.postgres, roots)
    return list(rows.values())


def counted(rows: Iterable[CommentRow]) -> set[EntityRef]:
    """Returns the subjects and root comments whose counters may have changed because of changes of these comments."""
    return {ref for row in rows for ref, _ in _counted(row)}


async def publish(state: State, rows: Sequence[CommentRow]) -> None:
    """Writes these rows to the cached comments and to the cached lists of comments."""
    await comments.publish(state.cache, rows, state.document_life_ms(COMMENTS))
    await comment_lists.publish(state.cache, rows, cap=state.settings.caches.comments)


def with_hidden(rows: Iterable[CommentRow], events: Iterable[ContentEvent] = ()) -> set[int]:
    """Returns the ids of the authors whose hidden comments may have changed because of these rows and events. A hidden
    comment is one that only its author sees.
    """
    judged = {one.ref.entity_id for one in events if not isinstance(one, ContentChanged) or one.edits}
    return {row.author_id for row in rows if not row.is_public or row.comment_id in judged}
