"""Warnings of users by moderators. A warning is a notification and a line of the moderation log."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.versions import moment_of
from models.counters import EntityRef
from models.moderation_log import ModerationAction, ModerationRole
from models.moderation_steps import WARN
from projections.batch import Batch
from projections.events import ground_of, head_of
from projections.projection import Projection, Publication, count_targets
from projections.statements import with_title
from store.moderation.log import LogLine
from store.write_log.journal import Entry


class Warned(NamedTuple):
    """An event: a moderator warned a user."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user."""
    reason: str
    ground: str | None = None
    """The name of the ground that the moderator names; None for none."""


def _parse(entry: Entry, data: dict[str, Any]) -> list[Warned]:
    return [Warned(*head_of(entry, data), f"{data['reason']}", ground_of(data))]


async def _apply(batch: Batch, events: Sequence[Warned]) -> None:
    for event in events:
        user_id, moment = event.ref.entity_id, moment_of(event.version)
        message = with_title(f"A moderator warned you: {event.reason}", event.ground, batch.state.settings)
        batch.untold.moderated(user_id, event.ref, event.version, message)
        what = moment, ModerationAction.WARNED, ModerationRole.MODERATOR, event.actor_id, event.ref, user_id
        batch.log.append(LogLine(*what, None, {"warned": True}, event.reason, event.ground))


async def _collect(publication: Publication, events: Sequence[Warned]) -> None:
    await count_targets(publication, events)
    publication.notified |= {event.ref.entity_id for event in events}


PROJECTION = Projection((Warned,), {WARN: _parse}, _apply, _collect)
