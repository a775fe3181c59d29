"""Reposts: their rows, counters, notifications and fan-outs. A change with a newer version replaces an older one."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.counters import CounterKind, EntityRef
from models.reposts import REPOST
from projections.batch import Batch
from projections.events import FLAGS, head_of
from projections.projection import Projection, Publication, own_change
from settings import POSTS
from store.content import big_accounts
from store.content.inboxes import REPOSTS
from store.outgoing.events.reposts import REPOST_CHANGED
from store.reactions import reposts
from store.write_log.journal import Entry

_STATES = {**FLAGS, b"?": None}


class Reposted(NamedTuple):
    """An event: an actor reposted a post or, if `stands` is false, removed the repost."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    author_id: int | None
    was: bool | None
    """Whether the repost stood before the event; None if it could not be read, because Redis or Postgres was down."""
    stands: bool


def _parse(entry: Entry, data: dict[str, Any]) -> list[Reposted]:
    head = head_of(entry, data)
    if head[3].business_id != POSTS:
        raise ValueError(f"{head[3]} is not a post")
    author = None if data["owner"] is None else int(data["owner"])
    return [Reposted(*head, author, _STATES[entry.fields[b"was"]], FLAGS[entry.fields[b"state"]])]


async def _apply(batch: Batch, events: Sequence[Reposted]) -> None:
    """Writes the last repost of each post by each user. Adds counter changes, notifications about first reposts and
    outgoing events to the batch, and requests the fan-outs of new reposts.
    """
    last = {(event.actor_id, event.ref.entity_id): event for event in sorted(events, key=attrgetter("version"))}
    rows = [(*place, event.author_id, event.stands, event.version) for place, event in sorted(last.items())]
    was: dict[tuple[int, int], bool] = {}
    pushed: list[tuple[int, int, int]] = []
    for user, post, before, had in await reposts.write(batch.transaction, rows):
        event = last[user, post]
        was[user, post] = before
        batch.deltas.add(event.ref, CounterKind.REPOSTS, event.stands - before, event.partition)
        if event.stands and not before:
            pushed.append((user, post, event.version))
            if not had:
                batch.untold.reposted(event.author_id, event.ref, user, event.version)
    for event in events:
        # The batch may undo this change. The watermark shows readers that the counter includes it, as of likes.
        if event.was != event.stands and (event.actor_id, event.ref.entity_id) in was:
            batch.deltas.add(event.ref, CounterKind.REPOSTS, 0, event.partition)
    places = [((event.actor_id, event.ref.entity_id), event.stands) for event in events]
    for place in sorted({place for place, stands in places if was.get(place, stands) != stands}):
        event = last[place]
        values = {"author": event.author_id, "stands": event.stands}
        batch.outgoing.add(REPOST_CHANGED, event.actor_id, POSTS, event.version, place, **values)
    state = batch.state
    await reposts.ask_for_fanout(batch.transaction, pushed, state.keys.partition_of, state.settings.push_follower_limit)


async def _collect(publication: Publication, events: Sequence[Reposted]) -> None:
    """Adds to the publication the posts, whose counters and hot scores may have changed, and their authors, who may
    have new notifications.
    """
    refs = {event.ref for event in events}
    publication.counted |= refs
    publication.scored |= refs
    publication.notified |= {event.author_id for event in events if event.stands and event.author_id}


async def _publish(publication: Publication, events: Sequence[Reposted]) -> None:
    """Updates the cached lists of reposters and of users' reposts, and the cached list of big accounts, with what the
    rows say.
    """
    state, places = publication.state, sorted({(event.actor_id, event.ref.entity_id) for event in events})
    await reposts.publish(state.cache, state.postgres, places, cap=REPOSTS)
    await big_accounts.publish(state.cache, await reposts.pulled_among(state.postgres, places))


PROJECTION = Projection((Reposted,), {REPOST: _parse}, _apply, _collect, _publish, pending=own_change(REPOST))
