"""Writes posts to rows, in the transaction of the batch. Applies authors' changes and moderation decisions in order.

Outboxes, topics, counters and fan-outs change when posts become public or stop being public.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from models.counters import CounterKind, EntityRef
from models.posts import PostRow
from models.topics import SQUARE, TopicRow, topic_id
from projections.content import (
    Change,
    Contents,
    apply_changes,
    assign_versions,
    notify_authors,
    notify_mentioned,
)
from projections.events import ContentEvent
from projections.events.content import ContentChanged
from projections.moderation import ModerationPass
from settings import POSTS, TOPICS, USERS
from state import State
from store.content import big_accounts, outboxes, post_rows, posts, topics
from store.moderation import reviews
from store.notifications.outbox import NotificationOutbox
from store.people import users
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas
from store.write_log import claims


async def apply(
    state: State,
    transaction: Transaction,
    events: Sequence[ContentEvent],
    moderation: ModerationPass,
    deltas: CounterDeltas,
    outbox: NotificationOutbox,
    contents: Contents,
) -> None:
    """Writes the changed posts of the batch. Adds the resulting counter changes to `deltas`, notifications to `outbox`,
    and the posts to `contents`.
    """
    claimed = await claims.claim(transaction, [e.claim for e in events if isinstance(e, ContentChanged) and e.claim])
    rows = await post_rows.lock(transaction, {event.ref.entity_id for event in events})
    changes = apply_changes(events, rows, claimed, moderation, contents)
    if changes:
        ordered = [changes[post_id] for post_id in sorted(changes)]
        await _write(state, transaction, ordered, deltas)
        await notify_mentioned(transaction, [change for change in ordered if change.shows_new_text], outbox)
        notify_authors(ordered, outbox)


async def _write(
    state: State, transaction: Transaction, changes: Sequence[Change[PostRow]], deltas: CounterDeltas
) -> None:
    assign_versions(changes)
    await post_rows.write(transaction, [(change.after, change.trace) for change in changes])
    await outboxes.write(transaction, [change.after for change in changes])
    for change in changes:
        author = EntityRef(USERS, change.after.author_id)
        deltas.add(author, CounterKind.POSTS, change.appears - change.disappears, change.partition)
    await outboxes.ask_for_fanout(
        transaction,
        [change.after for change in changes if change.appears or (change.before and change.after.deleted)],
        state.keys.partition_of,
        state.settings.push_follower_limit,
    )
    await reviews.ask_for_review(transaction, [change.after for change in changes], state.keys.partition_of)


async def write_topics(
    transaction: Transaction, changes: Iterable[Change[Any]], suspended: Collection[int], deltas: CounterDeltas
) -> None:
    """Adds posts to the topics that list them now, removes posts from the topics that do not list them any more, and
    adds the changes of the topics' counters to `deltas`. Skips changes of comments.

    Locks the authors of posts that appear in topics. The batch locks the users in `suspended` next, so this is called
    after all other rows of the batch were locked.
    """
    there: list[topics.TopicPlace] = []
    gone: list[tuple[int, int]] = []
    for change in changes:
        if isinstance(change.after, PostRow):
            before, after = _shown(change.before), _shown(change.after)
            there += [(after[key], change.after) for key in sorted(after.keys() - before.keys())]
            gone += [(topic_id(key), change.after.post_id) for key in before.keys() - after.keys()]
    authors = {post.author_id for name, post in there if name != SQUARE}
    uncounted = await users.uncounted_among(transaction, authors, changing=suspended)
    for topic, delta in await topics.write(transaction, there, gone, uncounted):
        deltas.add(EntityRef(TOPICS, topic), CounterKind.POSTS, delta)


def _shown(row: PostRow | None) -> dict[str, str]:
    """Returns the names of the topics that list a post, by key, including the square. Returns an empty mapping if the
    post is not public.
    """
    return {SQUARE: SQUARE, **row.names_by_topic} if row and row.is_public else {}


async def current_rows(state: State, events: Sequence[ContentEvent]) -> list[PostRow]:
    """Returns the current rows of the posts in these events."""
    ids = sorted({event.ref.entity_id for event in events})
    return list((await posts.by_id(state.postgres, ids)).values()) if ids else []


def counted(rows: Iterable[PostRow], events: Iterable[ContentEvent]) -> set[EntityRef]:
    """Returns the authors and topics whose counters may have changed with these posts, including topics that an edit
    has removed.
    """
    topics = {name for row in rows for name in row.topic_names}
    topics |= {name for event in events if isinstance(event, ContentChanged) for name in event.left}
    return {TopicRow(name).ref for name in topics} | {EntityRef(USERS, row.author_id) for row in rows}


async def publish(state: State, rows: Sequence[PostRow]) -> None:
    """Writes these rows to the cached posts and to the cached lists of posts, and updates the cached topics and big
    accounts.
    """
    await posts.publish(state.cache, rows, state.document_life_ms(POSTS))
    public = [row for row in rows if row.is_public]
    if known := {key for row in public for key in row.names_by_topic}:
        await topics.publish(state.cache, await topics.names(state.postgres, known))
    await outboxes.publish(state.cache, rows, cap=state.settings.caches.posts)
    await big_accounts.publish(state.cache, await big_accounts.newest_among(state.postgres, public))
