"""Collections of saves, and decisions of moderators about them. A change with a newer version replaces an older one.

A moderator can make a public collection private. Then the row is held: a change by its owner cannot make it public. The
owner's own set in Redis, which readers see, may still say that it is public. So publishing appends a change to the
owner's journal after which it is private.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from domain.digests import digest
from domain.moderation.statements import Restriction
from domain.versions import moment_of
from models.collections import COLLECTION, CollectionRow
from models.counters import EntityRef
from models.moderation_log import ModerationAction, ModerationRole
from models.own_sets import Transition
from projections.batch import Batch
from projections.events import FLAGS, Event, RemovableChange
from projections.projection import Projection, Publication, nothing, own_change
from settings import COLLECTIONS
from state import State
from store.moderation import collection_reviews, statements
from store.moderation.log import LogLine
from store.moderation.statements import Ended
from store.reactions import collections
from store.reactions.collections import Judged
from store.write_log.journal import Entry
from store.write_log.operations import Operation, Status

_ATTEMPTS = 4
"""How often a change of an own set is tried. An attempt fails if the owner changes the collection at the same time."""
_REMEMBERED_MS = 10_000
"""Milliseconds in which the same change is not appended again."""


class CollectionChanged(NamedTuple):
    """An event: an actor created, changed or deleted a collection. The fields say how the collection is after the
    event.
    """

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    name: str
    is_public: bool
    deleted: bool


class CollectionJudged(NamedTuple):
    """An event: a moderator made a collection private (`holds`), or decided that its owner may make it public."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    owner_id: int
    holds: bool
    reason: str
    ground: str | None = None
    """The name of the ground that the moderator names; None for none."""

    @property
    def place(self) -> collections.Place:
        """Returns the key of the collection."""
        return self.owner_id, self.ref.entity_id


CollectionEvent = CollectionChanged | CollectionJudged


def _parse(entry: Entry, data: dict[str, Any]) -> list[CollectionChanged]:
    ref = EntityRef(COLLECTIONS, int(data["collection"]))
    left = (str(data["name"]), bool(data["public"]), False) if FLAGS[entry.fields[b"state"]] else ("", False, True)
    return [CollectionChanged(entry.partition, entry.version, int(data["actor"]), ref, *left)]


async def _apply(batch: Batch, events: Sequence[CollectionEvent]) -> None:
    """Writes the last state of each collection, and then what moderators have decided. Queues collections that have
    become public, or have another name, for the external reviewer, and ends the statements of reasons about them.
    Raises ValueError for a decision about a collection that is missing in Postgres.
    """
    changed = [event for event in events if isinstance(event, CollectionChanged)]
    last = {(event.actor_id, event.ref): event for event in sorted(changed, key=attrgetter("version"))}
    rows = [(e.actor_id, e.ref.entity_id, e.name, e.is_public, e.deleted, e.version) for e in last.values()]
    if rows:
        shown, state = await collections.write(batch.transaction, rows), batch.state
        if shown:
            await statements.end(batch.transaction, [_shown_again(*one) for one in shown])
        if shown and state.moderation.has_reviewer:
            wanted = [(user, id_, state.keys.partition_of(user), version) for user, id_, version in shown]
            await collection_reviews.ask(batch.transaction, wanted)
    if judged := [event for event in events if isinstance(event, CollectionJudged)]:
        await _judge(batch, judged)


def _shown_again(owner_id: int, collection_id: int, version: int) -> Ended:
    """Returns the end of the restriction of a collection that its owner has made public again."""
    return Ended(owner_id, EntityRef(COLLECTIONS, collection_id), Restriction.MADE_PRIVATE, moment_of(version))


async def _judge(batch: Batch, events: Sequence[CollectionJudged]) -> None:
    """Writes decisions of moderators. Notifies the owner, and adds a line to the moderation log, if a decision changes
    whether the collection is held.
    """
    found = await collections.lock(batch.transaction, {event.place for event in events})
    after = dict[collections.Place, Judged]()
    for event in sorted(events, key=attrgetter("version")):
        row = after.get(event.place) or found.get(event.place)
        if row is None and event.holds:
            raise ValueError(f"{event.ref} has no row yet")
        if row is None or row.deleted or event.version <= row.version or event.actor_id == event.owner_id:
            continue
        if (event.ref, event.version) in batch.without_effect:
            continue
        after[event.place] = Judged(row.is_public and not event.holds, event.holds, event.version, deleted=False)
        if row.held != event.holds:
            _tell(batch, event, row)
    if after:
        await collections.judge(batch.transaction, after)


def _tell(batch: Batch, event: CollectionJudged, before: Judged) -> None:
    action = ModerationAction.REJECTED if event.holds else ModerationAction.APPROVED
    what = moment_of(event.version), action, ModerationRole.MODERATOR, event.actor_id, event.ref, event.owner_id
    was, now = {"public": before.is_public, "held": before.held}, {"public": False, "held": event.holds}
    batch.log.append(LogLine(*what, was, now, event.reason, event.ground))
    begin = "Your collection was made private: " if event.holds else "You may make your collection public again: "
    batch.untold.moderated(event.owner_id, event.ref, event.version, begin + event.reason)


async def _publish(publication: Publication, events: Sequence[CollectionEvent]) -> None:
    """Makes held collections private in the own sets of their owners."""
    places = {event.place for event in events if isinstance(event, CollectionJudged) and event.holds}
    places |= {(e.actor_id, e.ref.entity_id) for e in events if isinstance(e, CollectionChanged) and e.is_public}
    if places:
        for owner_id, collection_id in sorted(await collections.held_among(publication.state.postgres, places)):
            await hide(publication.state, owner_id, collection_id)


async def hide(state: State, owner_id: int, collection_id: int, name: str | None = None) -> bool:
    """Appends to the owner's journal that a collection is private, unless the owner's own set says so. With `name`,
    does nothing and returns False if the collection is public and has another name. Also returns False if the owner
    changes it again and again. Raises RedisDown, PostgresDown, Moved or Unavailable; the call can then be repeated.
    """
    ref = EntityRef(COLLECTIONS, collection_id)
    for _ in range(_ATTEMPTS):
        members = (await state.own_sets.of_users(COLLECTION, [owner_id], collections.of_users))[owner_id]
        member = next((one for one in members if one.ref == ref and one.text), None)
        if member is None or not (row := CollectionRow.of(owner_id, member)).is_public:
            return True
        if name not in (None, row.name):
            return False
        after = replace(row, is_public=False)
        entry = orjson.dumps({"actor": owner_id, "collection": collection_id, "name": row.name, "public": False})
        transition = Transition(COLLECTION, ref, 1, entry, must_be=True, text=after.text, expected=row.text)
        key = digest("collection hidden", str(owner_id), str(collection_id), str(member.moment))
        outcome = await state.own_sets.change(owner_id, transition, Operation(key, "", _REMEMBERED_MS))
        if outcome.status is not Status.CHANGED:
            return True
    return False


def _pending(event: Event) -> RemovableChange:
    return own_change(COLLECTION)(event) if isinstance(event, CollectionChanged) else None


PROJECTION: Projection[CollectionEvent] = Projection(
    (CollectionChanged, CollectionJudged), {COLLECTION: _parse}, _apply, nothing, _publish, pending=_pending
)
