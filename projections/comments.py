"""Writes comments to rows, in the transaction of the batch. Applies new comments, deletions and moderation decisions in
order.

Comments that become public get a floor. Counters change when comments become public or stop being public. A deleted
root comment is a tombstone while it has visible replies. A root comment is locked whenever one of its replies changes,
so its visible replies can be counted reliably.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from models.comments import CommentRow
from models.counters import CounterKind, EntityRef
from projections.content import (
    Change,
    Contents,
    apply_changes,
    assign_versions,
    notify_authors,
    notify_mentioned,
)
from projections.events import ContentEvent
from projections.events.content import ContentChanged, ModerationDecided
from projections.events.reactions import Reacted
from projections.moderation import ModerationPass
from settings import COMMENTS
from state import State
from store.content import comment_lists, comment_rows, comments, post_rows
from store.moderation import reviews
from store.notifications.outbox import COMMENT, REPLY, NotificationOutbox
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas
from store.write_log import claims

CommentChanges = dict[int, Change[CommentRow]]


async def apply(
    state: State,
    transaction: Transaction,
    events: Sequence[ContentEvent],
    moderation: ModerationPass,
    deltas: CounterDeltas,
    outbox: NotificationOutbox,
    contents: Contents,
) -> None:
    """Writes the changed comments of the batch. Adds the resulting counter changes to `deltas`, notifications to
    `outbox`, and the comments to `contents`.
    """
    claimed = await claims.claim(transaction, [e.claim for e in events if isinstance(e, ContentChanged) and e.claim])
    rows = await comment_rows.lock(transaction, {event.ref.entity_id for event in events} | roots_named(events))
    changes: CommentChanges = apply_changes(events, rows, claimed, moderation, contents)
    if changes:
        first = await _assign_floors(transaction, changes)
        await _settle_roots(transaction, changes, rows)
        ordered = [changes[comment_id] for comment_id in sorted(changes)]
        await _write(state, transaction, ordered, deltas)
        await _notify(transaction, first, ordered, outbox)
        notify_authors(ordered, outbox)


def roots_named(events: Iterable[ContentEvent]) -> set[int]:
    """Returns the ids of the root comments to which new replies in the batch belong. The rows of existing replies
    contain the ids of their root comments.
    """
    patches = (event.patch for event in events if isinstance(event, ContentChanged))
    beginnings = (patch.beginning for patch in patches if isinstance(patch, comments.CommentPatch))
    return {one.root_id for one in beginnings if one and one.root_id}


async def _assign_floors(transaction: Transaction, changes: CommentChanges) -> list[Change[CommentRow]]:
    """Gives floors to comments that become public for the first time, in the order of approval. Returns
    these comments.
    """
    approved = [one for one in changes.values() if one.after.is_public and one.after.floor is None]
    if not approved:
        return []
    approved.sort(key=lambda change: (change.moderated or 0, change.after.comment_id))
    floors = await comment_rows.issue_floors(transaction, Counter(change.after.list_of for change in approved))
    for change in approved:
        place = change.after.list_of
        change.after = replace(change.after, floor=floors[place])
        floors[place] += 1
    return approved


async def _settle_roots(transaction: Transaction, changes: CommentChanges, rows: dict[int, CommentRow]) -> None:
    """Updates whether each root comment has visible replies (`answered`).

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
            change = changes.get(root.comment_id) or Change(root, root, replies[0].partition)
            change.after = replace(root, answered=not root.answered)
            change.through = max([change.through, *(reply.through for reply in replies)])
            changes[root.comment_id] = change


async def _write(
    state: State, transaction: Transaction, changes: Sequence[Change[CommentRow]], deltas: CounterDeltas
) -> None:
    assign_versions(changes)
    await comment_rows.write(transaction, [(change.after, change.trace) for change in changes])
    deletions = [(one.after.comment_id, one.deleted_by, one.deleted_as) for one in changes if one.deleted_by]
    if deletions:
        await comment_rows.write_deletions(transaction, deletions)
    for change in changes:
        if delta := change.appears - change.disappears:
            for ref, kind in _counted(change.after):
                deltas.add(ref, kind, delta, change.partition)
    await reviews.ask_for_review(transaction, [change.after for change in changes], state.keys.partition_of)


async def _notify(
    transaction: Transaction,
    first: Sequence[Change[CommentRow]],
    changes: Sequence[Change[CommentRow]],
    outbox: NotificationOutbox,
) -> None:
    """Adds to the outbox the notifications about comments that become public for the first time: for the owner of the
    subject, the author of the parent comment, and mentioned users. Other users that an edited text mentions are
    notified when that text becomes public. Skips comments whose post is no longer public.
    """
    new_texts = [change for change in changes if change.shows_new_text]
    posts = {change.after.post_id for change in new_texts if change.after.post_id}
    hidden = await post_rows.hidden(transaction, posts) if posts else set()
    told = {change.after.comment_id for change in first}
    shown = [change for change in new_texts if change.after.post_id not in hidden]
    first = [change for change in shown if change.after.comment_id in told]
    for change in first:
        row = change.after
        said = row.author_id, change.notification_version, row.threads, row.comment_id
        outbox.said(COMMENT, row.subject_owner, row.subject, *said)
        if row.parent_id:
            outbox.said(REPLY, row.replied_to, EntityRef(COMMENTS, row.parent_id), *said)
    await notify_mentioned(transaction, first, outbox)
    edited = [change for change in shown if change.after.comment_id not in told]
    await notify_mentioned(transaction, edited, outbox, but_concerned=True)


def _counted(row: CommentRow) -> list[tuple[EntityRef, CounterKind]]:
    """Returns the counters that count a comment while it is public, each as the counter's entity and kind."""
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
    """Returns the subjects and root comments whose counters may have changed because of these comments."""
    return {ref for row in rows for ref, _ in _counted(row)}


async def publish(state: State, rows: Sequence[CommentRow]) -> None:
    """Writes these rows to the cached comments and to the cached lists of comments."""
    await comments.publish(state.cache, rows, state.document_life_ms(COMMENTS))
    await comment_lists.publish(state.cache, rows, cap=state.settings.caches.comments)


async def publish_hidden(state: State, rows: Sequence[CommentRow], events: Sequence[ContentEvent]) -> None:
    """Removes the cached lists of hidden comments (visible to their authors only) that these rows may have changed."""
    judged = {event.ref.entity_id for event in events if isinstance(event, ModerationDecided) or event.edits}
    authors = {row.author_id for row in rows if not row.is_public or row.comment_id in judged}
    await comments.void_hidden(state.cache, sorted(authors))


def rescored(rows: Iterable[CommentRow], reacted: Iterable[Reacted]) -> set[int]:
    """Returns the ids of comments whose hot scores may have changed: root comments, and comments with new reactions."""
    liked = {event.ref.entity_id for event in reacted if event.ref.business_id == COMMENTS}
    return liked | {row.comment_id for row in rows if row.root_id is None}
