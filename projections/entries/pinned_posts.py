"""Pins of posts. The newest change of each pin wins."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from models.counters import EntityRef
from models.patches import PINNED_POST, PinPatch, Published
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, Publication
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

    @property
    def settled(self) -> Published:
        """Returns the user's patch, to be removed some time after this event was published."""
        return Published(self.actor_id, self.ref, self.version)


def _parse(entry: Entry, data: dict[str, Any]) -> list[PinChanged]:
    return [PinChanged(*head_of(entry, data), PinPatch.parse(entry.version, data))]


async def _apply(batch: Batch, events: Sequence[PinChanged]) -> None:
    """Writes the changed pins."""
    await rows.write(batch.transaction, [event.patch for event in events])


async def _publish(publication: Publication, events: Sequence[PinChanged]) -> None:
    """Replaces the cached pinned posts of these users with what the rows say."""
    state, users = publication.state, sorted({event.actor_id for event in events})
    await rows.publish(state.cache, await rows.by_user(state.postgres, users))


PROJECTION = Projection((PinChanged,), {PINNED_POST: _parse}, _apply, publish=_publish)
