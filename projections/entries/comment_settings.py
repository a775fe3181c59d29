"""Settings of the comments on posts and entities: who may comment, and which comment is pinned. For each of the two,
the newest change wins.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from models.counters import EntityRef
from models.patches import COMMENT_SETTINGS, CommentSettingsPatch
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, Publication, patch_of
from store.content import comment_settings as rows
from store.write_log.journal import Entry


class CommentSettingsChanged(NamedTuple):
    """An event: the author of a post, or the owner of an entity, changed the settings of its comments."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or entity."""
    patch: CommentSettingsPatch


def _parse(entry: Entry, data: dict[str, Any]) -> list[CommentSettingsChanged]:
    return [CommentSettingsChanged(*head_of(entry, data), CommentSettingsPatch.parse(entry.version, data))]


async def _apply(batch: Batch, events: Sequence[CommentSettingsChanged]) -> None:
    """Writes the changed settings."""
    await rows.write(batch.transaction, [event.patch for event in events])


async def _publish(publication: Publication, events: Sequence[CommentSettingsChanged]) -> None:
    """Replaces the cached settings of these posts and entities with what the rows say."""
    state, subjects = publication.state, sorted({event.patch.subject for event in events})
    await rows.publish(state.cache, await rows.by_subject(state.postgres, subjects))


PROJECTION = Projection(
    (CommentSettingsChanged,), {COMMENT_SETTINGS: _parse}, _apply, publish=_publish, pending=patch_of
)
