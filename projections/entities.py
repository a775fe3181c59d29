"""Writes the labels that moderators set on entities, in the transaction of the batch."""

from collections.abc import Sequence
from operator import attrgetter

from models.counters import EntityRef
from projections import moderation_log, outgoing
from projections.batch import Batch
from projections.content_events import LabelsSet
from projections.content_rows import tell_of_labels
from state import State
from store.content import entities


async def apply(batch: Batch, events: Sequence[LabelsSet]) -> None:
    """Sets the labels of entities. Adds the lines of the moderation log, notifications of the owners, and outgoing
    events to the batch. Raises ValueError for an event about an entity that is missing in Postgres.
    """
    state, transaction = batch.state, batch.transaction
    rows = await state.entities.lock(transaction, {event.ref for event in events})
    for event in sorted(events, key=attrgetter("version")):
        if (event.ref, event.version) in batch.without_effect:
            continue
        before = rows.get(event.ref)
        if before is None:
            raise ValueError(f"{event.ref} has no row yet")
        after = await state.entities.label(transaction, event.ref, event.labels, event.version)
        batch.log.append(moderation_log.labeled(event, before, after, state.labels))
        if after and after.moderator_labels != before.moderator_labels:
            outgoing.entity(batch.outgoing, after, state.labels)
            if after.owner_id is not None:
                tell_of_labels(batch, event, after.owner_id, after.business)
        rows[event.ref] = after or before


async def publish(state: State, refs: Sequence[EntityRef]) -> None:
    """Drops the cached copies of these entities."""
    rows = await state.entities.by_id(refs)
    await state.cache.drop(entities.cache_keys(rows.values()))
