"""Publishes a batch after its commit: reads the values that the batch changed from Postgres, and writes them to the
caches.

Publishing reads current values from rows and writes whole values, so it can be repeated, delayed, or done by another
worker.

Lists are published before counters, so that a client that has read "nine comments" finds nine comments. Lists are also
published before the hidden comments of authors: a comment that becomes public is removed from the hidden comments only
when the lists have it.
"""

from collections.abc import Iterable, Sequence

from models.counters import EntityRef
from projections import hot_scores
from projections.entries import notifications
from projections.events import Event
from projections.projection import Publication
from projections.registry import by_projection
from settings import USERS
from state import State
from store.content import comments
from store.gather import gather_all
from store.groups import chunks, grouped
from store.reactions import counts

_CHUNK = 400


async def publish(state: State, events: Sequence[Event], moved: Iterable[EntityRef]) -> None:
    """Publishes committed events: delivers their notifications, and updates the hot scores and the cached values that
    they may have changed. Then notifies subscribers. `moved` are the objects whose counters changed.
    """
    publication = Publication(state, moved)
    found = [(projection, some) for projection, some in by_projection(events).items() if some]
    for projection, some in found:
        await projection.collect(publication, some)
    recipients = await notifications.deliver(publication, {event.partition for event in events})
    published = gather_all(
        *[projection.publish(publication, some) for projection, some in found],
        hot_scores.publish(state, publication.scored),
        notifications.publish(state, recipients),
    )
    try:
        await published
        if publication.hidden_of:
            await comments.void_hidden(state.cache, sorted(publication.hidden_of))
    finally:  # counters and subscribers are served even if something else could not be published
        try:
            await publish_counts(state, sorted(publication.counted))
        finally:
            await notify_subscribers(state, publication.counted, recipients)


async def publish_counts(state: State, refs: Sequence[EntityRef]) -> None:
    """Reads the counters of these objects from Postgres, and replaces cached copies that are older."""
    await gather_all(*[_publish_chunk(state, some) for some in chunks(refs, _CHUNK)])


async def _publish_chunk(state: State, refs: Sequence[EntityRef]) -> None:
    fresh = await counts.read_encoded(state.postgres, refs)
    by_life = grouped((state.counts_life_ms(ref.business_id), (ref, one)) for ref, one in fresh.items())
    for life_ms, values in by_life.items():
        await counts.publish(state.cache, dict(values), life_ms)


async def notify_subscribers(state: State, refs: Iterable[EntityRef], recipients: Iterable[int]) -> None:
    """Sends a message to the subscribers of each object in `refs`, whose counters changed, and of each user in
    `recipients`, who has new notifications. Call it when other requests can read the changes.

    Skips the users in `refs`, because clients cannot subscribe to counters of users.
    """
    things = [ref for ref in refs if ref.business_id != USERS]
    await state.events.publish([*things, *(EntityRef(USERS, user_id) for user_id in recipients)])
