"""Writes events to the tables: first rows, then the notification outbox and outgoing events, then counters.

Counters come last because many batches change the same counters, and would wait for their locks.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from models.counters import EntityRef
from projections import (
    actions,
    appeals,
    boundaries,
    cases,
    comment_settings,
    comments,
    follows,
    likes,
    outgoing,
    pinned_posts,
    posts,
    saves,
    suspensions,
)
from projections import moderation_log as lines
from projections.content import Contents
from projections.cpu_limit import limited, seconds_for
from projections.events import BoundaryEvent, ContentEvent, Event, ReportEvent
from projections.events.content import CommentSettingsChanged, ModerationDecided, PinChanged
from projections.events.moderation import Appealed, Reported, ReportsResolved, Suspended, Warned
from projections.events.notifications import ReadMarked
from projections.events.people import Followed
from projections.events.reactions import ActionRecorded, CollectionChanged, Reacted, Saved
from projections.moderation import ModerationPass
from settings import COMMENTS, POSTS
from state import State
from store.content import comment_rows, post_rows
from store.moderation import cases as case_rows
from store.moderation import log as moderation_log
from store.moderation import word_lists
from store.notifications.outbox import NotificationOutbox
from store.outgoing.outbox import NOT_TRACED, OutgoingEvents, Traceparents
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas


async def apply(
    state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents = NOT_TRACED
) -> set[EntityRef]:
    """Writes the rows, notification outbox, outgoing events and counter changes of events. Returns the entities whose
    counters changed.

    Raises TooSlow if the events take too much CPU time. The transaction must then be rolled back.
    """
    seconds = seconds_for(len({event.version for event in events}))
    return await limited(_apply(state, transaction, events, traceparents), seconds)


async def _apply(
    state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents
) -> set[EntityRef]:
    through = {event.partition: event.version for event in sorted(events, key=attrgetter("version"))}
    deltas, outbox = CounterDeltas(through), NotificationOutbox()
    events_out = OutgoingEvents(state.keys.partition_of, traceparents)
    if reacted := [event for event in events if isinstance(event, Reacted)]:
        await likes.apply(transaction, reacted, deltas, outbox, events_out)
    events = [event for event in events if not isinstance(event, Reacted)]  # most events are reactions
    about_saves = [event for event in events if isinstance(event, Saved | CollectionChanged)]
    await saves.apply(transaction, about_saves, deltas, events_out)
    if followed := [event for event in events if isinstance(event, Followed)]:
        await follows.apply(transaction, followed, deltas, outbox, events_out)
    await boundaries.apply(transaction, [event for event in events if isinstance(event, BoundaryEvent)])
    if recorded := [event for event in events if isinstance(event, ActionRecorded)]:
        await actions.apply(transaction, recorded, deltas)
    await comment_settings.apply(transaction, [event for event in events if isinstance(event, CommentSettingsChanged)])
    await pinned_posts.apply(transaction, [event for event in events if isinstance(event, PinChanged)])
    await _apply_moderated(state, transaction, events, deltas, outbox, events_out)
    for marked in [event for event in events if isinstance(event, ReadMarked)]:
        outbox.read(marked.actor_id, marked.moment, marked.version)
    await outbox.write(transaction, min(through, default=0), events_out)
    await events_out.write(transaction)
    await deltas.write(transaction)
    return deltas.refs


async def _apply_moderated(
    state: State,
    transaction: Transaction,
    events: Sequence[Event],
    deltas: CounterDeltas,
    outbox: NotificationOutbox,
    events_out: OutgoingEvents,
) -> None:
    """Applies the events of posts, comments, reports, appeals, warnings and suspensions."""
    contents = Contents()
    about_reports = [event for event in events if isinstance(event, ReportEvent)]
    appealed = [event for event in events if isinstance(event, Appealed)]
    wrote = [event for event in events if isinstance(event, ContentEvent)]
    wrote = await _without_unreported(transaction, wrote, about_reports)
    await _lock_reported(transaction, [*about_reports, *appealed], wrote, contents)
    if wrote:
        await _apply_written(state, transaction, wrote, deltas, outbox, contents)
    decided = [event for event in wrote if isinstance(event, ModerationDecided)]
    await appeals.apply(transaction, appealed, decided, contents, outbox)
    new_account_ms = int(state.settings.moderation.new_account * 1000)
    await cases.apply(transaction, about_reports, contents, new_account_ms, outbox, events_out)
    warned = [event for event in events if isinstance(event, Warned)]
    for event in warned:
        outbox.moderated(event.ref.entity_id, event.ref, event.version, f"A moderator warned you: {event.reason}")
    decisions = [event for event in events if isinstance(event, Suspended)]
    await posts.write_topics(transaction, contents.changes, {event.ref.entity_id for event in decisions}, deltas)
    suspended = await suspensions.apply(transaction, decisions, events_out)
    await moderation_log.write(transaction, [*contents.log, *map(lines.warning, warned), *suspended])
    for change in contents.changes:
        outgoing.content(events_out, change)


async def _without_unreported(
    transaction: Transaction, events: list[ContentEvent], about_reports: Iterable[ReportEvent]
) -> list[ContentEvent]:
    """Leaves out decisions to hide what has no open reports any more, because a moderator has decided them."""
    hidden = {event.ref for event in events if isinstance(event, ModerationDecided) and event.by_reports}
    if not hidden:
        return events
    reported = await case_rows.reported_among(transaction, hidden)
    reported -= {event.ref for event in about_reports if isinstance(event, ReportsResolved)}
    settled = hidden - reported
    return [
        event
        for event in events
        if not (isinstance(event, ModerationDecided) and event.by_reports and event.ref in settled)
    ]


async def _lock_reported(
    transaction: Transaction,
    events: Sequence[ReportEvent | Appealed],
    wrote: Sequence[ContentEvent],
    contents: Contents,
) -> None:
    """Locks the posts and comments of reports and appeals, so that they are not deleted before these are stored. Also
    locks those that the batch changes: all posts, then all comments, in the order of their ids, against deadlocks.
    """
    targets = {event.ref for event in events if isinstance(event, Reported | Appealed)}
    if not targets & {ref for ref in targets if ref.business_id in (POSTS, COMMENTS)}:
        return
    targets |= {event.ref for event in wrote}
    if ids := {ref.entity_id for ref in targets if ref.business_id == POSTS}:
        contents.add((await post_rows.lock(transaction, ids)).values())
    if ids := {ref.entity_id for ref in targets if ref.business_id == COMMENTS}:
        about_comments = [event for event in wrote if event.ref.business_id == COMMENTS]
        found = await comment_rows.lock(transaction, ids | comments.roots_named(about_comments))
        contents.add(found.values())


async def _apply_written(
    state: State,
    transaction: Transaction,
    events: Sequence[ContentEvent],
    deltas: CounterDeltas,
    outbox: NotificationOutbox,
    contents: Contents,
) -> None:
    """Writes posts and comments. One ModerationPass checks both, because an author's history of submissions includes
    both.
    """
    await word_lists.follow(transaction, state.moderation)
    moderation = await ModerationPass.read(state, transaction, events)
    if about_posts := [event for event in events if event.ref.business_id == POSTS]:
        await posts.apply(state, transaction, about_posts, moderation, deltas, outbox, contents)
    if about_comments := [event for event in events if event.ref.business_id == COMMENTS]:
        await comments.apply(state, transaction, about_comments, moderation, deltas, outbox, contents)
    await moderation.write(transaction)
