"""Pins of posts to the profiles of their authors. The newest change of each pin wins."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from models.counters import EntityRef
from models.patches import PINNED_POST, PinPatch
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, Publication, patch_of
from store.content import pinned_posts as rows
from store.write_log.journal import Entry


class PinChanged(NamedTuple):
    """An event: a user pinned or unpinned a post."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post."""
    patch: PinPatch


def _parse(entry: Entry, data: dict[str, Any]) -> list[PinChanged]:
    return [PinChanged(*head_of(entry, data), PinPatch.parse(entry.version, data))]


async def _apply(batch: Batch, events: Sequence[PinChanged]) -> None:
    """Writes the changed pins."""
    await rows.write(batch.transaction, [event.patch for event in events])


async def _publish(publication: Publication, events: Sequence[PinChanged]) -> None:
    """Replaces the cached pinned posts of these users with what the rows say."""
    state, users = publication.state, sorted({event.actor_id for event in events})
    await rows.publish(state.cache, await rows.by_user(state.postgres, users))


PROJECTION = Projection((PinChanged,), {PINNED_POST: _parse}, _apply, publish=_publish, pending=patch_of)
