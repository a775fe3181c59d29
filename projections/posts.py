"""Writes posts to rows, in the transaction of the batch. Applies authors' changes and moderation decisions in order.

When a post becomes public or stops being public, its author's lists of posts (the outbox) and counters change, and a
fan-out is requested, which updates the inboxes of followers.
"""

from collections.abc import Iterable, Sequence

from models.counters import CounterKind, EntityRef
from models.posts import PostRow
from models.topics import TopicRow
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
from settings import POSTS, USERS
from state import State
from store.content import big_accounts, outboxes, post_rows, posts, topics
from store.moderation import reviews
from store.notifications.untold import QUOTE
from store.people import bells


async def apply(batch: Batch, events: Sequence[ContentEvent], moderation: ModerationPass) -> None:
    """Applies events to posts. Writes the changed posts, outboxes and requests for fan-outs. Adds the posts, their
    counter changes, notifications and lines of the moderation log to the batch. `moderation` runs the moderation rules.

    Raises ValueError for an event about a post or content that is missing in Postgres.
    """
    owned = await claimed(batch, events)
    rows = await post_rows.lock(batch.transaction, {event.ref.entity_id for event in events})
    changes = apply_changes(batch, events, rows, owned, moderation)
    if changes:
        ordered = [changes[post_id] for post_id in sorted(changes)]
        await _write(batch, ordered)
        notify_mentioned(batch, [change for change in ordered if change.shows_new_text])
        notify_authors(batch, ordered)
        _notify_quoted(batch, ordered)


async def _write(batch: Batch, changes: Sequence[RowChange[PostRow]]) -> None:
    state, transaction = batch.state, batch.transaction
    await write(batch, changes)
    await keep_replaced(transaction, changes)
    await outboxes.ask_for_fanout(
        transaction,
        [change.after for change in changes if change.appears or (change.before and change.after.deleted)],
        state.keys.partition_of,
        state.settings.push_follower_limit,
    )
    await reviews.ask_for_review(transaction, [change.after for change in changes], state.keys.partition_of)
    await bells.ring(transaction, [(change.after, change.notification_version) for change in changes if change.appears])


async def write(batch: Batch, changes: Sequence[RowChange[PostRow]]) -> None:
    """Writes changed posts to their rows and to the outboxes of their authors, and adds the changes of the authors'
    counters to the batch. `changes` are in the order of the posts' ids.
    """
    await name_mentioned(batch.transaction, changes)
    assign_versions(changes)
    await post_rows.write(batch.transaction, [(change.after, change.trace) for change in changes])
    await release_files(batch, changes)
    await outboxes.write(batch.transaction, [change.after for change in changes])
    await ask_to_index(batch.transaction, changes)
    for change in changes:
        author = EntityRef(USERS, change.after.author_id)
        batch.deltas.add(author, CounterKind.POSTS, change.appears - change.disappears, change.partition)
        was, now = change.before and change.before.quoted_ref, change.after.quoted_ref
        if ref := was or now:
            batch.deltas.add(ref, CounterKind.QUOTES, bool(now) - bool(was), change.partition)


def _notify_quoted(batch: Batch, changes: Iterable[RowChange[PostRow]]) -> None:
    """Adds to the batch a notification for each author of a post that these posts quote."""
    for change in changes:
        row, quoted = change.after, change.after.quoted_ref
        if change.appears and quoted:
            threads = *row.threads, quoted
            batch.untold.said(QUOTE, row.quote_owner, row.ref, row.author_id, change.notification_version, threads)


async def current_rows(state: State, events: Sequence[ContentEvent]) -> list[PostRow]:
    """Returns the current rows of the posts in these events."""
    ids = sorted({event.ref.entity_id for event in events})
    return list((await posts.by_id(state.postgres, ids)).values()) if ids else []


def counted(rows: Iterable[PostRow], events: Iterable[ContentEvent]) -> set[EntityRef]:
    """Returns the authors, topics and quoted posts whose counters may have changed because of changes of these posts,
    including topics that an edit has removed.
    """
    topics = {name for row in rows for name in row.topic_names}
    topics |= {name for event in events if isinstance(event, ContentChanged) for name in event.left}
    quoted = {EntityRef(POSTS, row.quote_of) for row in rows if row.quote_of}
    return {TopicRow(name).ref for name in topics} | {EntityRef(USERS, row.author_id) for row in rows} | quoted


async def publish(state: State, rows: Sequence[PostRow]) -> None:
    """Writes these rows to the cached posts and the cached lists of posts. Also updates the cached topics, and the
    cached list of big accounts, whose posts are not pushed into inboxes.
    """
    await posts.publish(state.cache, rows, state.document_life_ms(POSTS))
    public = [row for row in rows if row.is_public]
    if known := {key for row in public for key in row.names_by_topic}:
        await topics.publish(state.cache, await topics.names(state.postgres, known))
    await outboxes.publish(state.cache, rows, cap=state.settings.caches.posts)
    await big_accounts.publish(state.cache, await big_accounts.newest_among(state.postgres, public))
