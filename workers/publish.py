"""Publishes a batch after its commit: reads the values that the batch changed, and writes them to the caches.

Publishing reads current values from rows and writes whole values, so it can be repeated, delayed, or done by another
worker.

Lists are published before counters, so that a client that has read "nine comments" finds nine comments. Lists are also
published before the hidden comments of authors: a comment that becomes public is removed from the hidden comments only
when the lists have it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from models.counters import EntityRef
from projections import (
    boundaries,
    comment_settings,
    comments,
    follows,
    hot_scores,
    leaderboards,
    likes,
    notifications,
    pinned_posts,
    posts,
    suspensions,
)
from projections.events import BoundaryEvent, ContentEvent, Event, ReportEvent
from projections.events.content import CommentSettingsChanged, PinChanged
from projections.events.moderation import Suspended
from projections.events.notifications import ReadMarked
from projections.events.people import Followed
from projections.events.reactions import CollectionChanged, Reacted
from settings import COMMENTS, POSTS, USERS
from state import State
from store.gather import gather_all
from store.groups import chunks, grouped
from store.reactions import counts
from workers.notify_subscribers import notify_subscribers

E = TypeVar("E")
_CHUNK = 400
_UNCOUNTED = ReadMarked | BoundaryEvent | ReportEvent | CommentSettingsChanged | PinChanged | CollectionChanged
"""Events that change no counter of the object they are about."""


async def publish(state: State, events: Sequence[Event], moved: Iterable[EntityRef]) -> None:
    """Updates the cached counters, lists and notifications that the events may have changed. Then
    notifies subscribers.
    """
    reacted = _only(events, Reacted)
    others = [event for event in events if not isinstance(event, Reacted)]
    wrote = [event for event in others if isinstance(event, ContentEvent)]
    about_posts = [event for event in wrote if event.ref.business_id == POSTS]
    about_comments = [event for event in wrote if event.ref.business_id == COMMENTS]
    boundary_events = [event for event in others if isinstance(event, BoundaryEvent)]
    counted = {*moved, *_counted_by_reactions(reacted), *_counted(others)}
    post_rows = await posts.current_rows(state, about_posts)
    comment_rows = await comments.current_rows(state, about_comments)
    counted |= posts.counted(post_rows, about_posts) | comments.counted(comment_rows)
    recipients = await notifications.deliver(state, events, [*post_rows, *comment_rows])
    published = gather_all(
        likes.publish(state, reacted),
        follows.publish(state, _only(others, Followed)),
        boundaries.publish(state, boundary_events),
        suspensions.publish(state, _only(others, Suspended)),
        posts.publish(state, post_rows),
        comments.publish(state, comment_rows),
        comment_settings.publish(state, _only(others, CommentSettingsChanged)),
        pinned_posts.publish(state, _only(others, PinChanged)),
        hot_scores.publish(state, events),
        hot_scores.publish_comments(state, comments.rescored(comment_rows, reacted)),
        leaderboards.publish(state, reacted),
        notifications.publish(state, recipients),
    )
    try:
        await published
        await comments.publish_hidden(state, comment_rows, about_comments)
    finally:  # counters and subscribers are served even if something else could not be published
        try:
            await publish_counts(state, sorted(counted))
        finally:
            await notify_subscribers(state, counted, recipients)


def _only(events: Iterable[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _counted(events: Sequence[Event]) -> Iterator[EntityRef]:
    """Yields what has counters that the events may have changed, except posts and comments."""
    for event in events:
        if not isinstance(event, _UNCOUNTED):
            yield event.ref
        if isinstance(event, Followed):
            yield EntityRef(USERS, event.actor_id)


def _counted_by_reactions(events: Sequence[Reacted]) -> set[EntityRef]:
    owners = {event.owner_id for event in events}
    return {event.ref for event in events} | {EntityRef(USERS, owner_id) for owner_id in owners if owner_id}


async def publish_counts(state: State, refs: Sequence[EntityRef]) -> None:
    """Reads counters from Postgres, and replaces cached copies that are older."""
    await gather_all(*[_publish_chunk(state, some) for some in chunks(refs, _CHUNK)])


async def _publish_chunk(state: State, refs: Sequence[EntityRef]) -> None:
    fresh = await counts.read_encoded(state.postgres, refs)
    by_life = grouped((state.counts_life_ms(ref.business_id), (ref, one)) for ref, one in fresh.items())
    for life_ms, values in by_life.items():
        await counts.publish(state.cache, dict(values), life_ms)
