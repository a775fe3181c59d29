"""Decisions of moderators to hold topics, and to open them again: writes them to the rows of topics and to the
moderation log, and drops the cached lists that have these topics.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.versions import moment_of
from models.counters import EntityRef
from models.moderation_log import ModerationAction, ModerationRole
from models.moderation_steps import TOPIC_STATE
from models.topics import TopicRow, TopicState
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, Publication
from store.content import topic_search, topics, trends
from store.content.topics import Held
from store.moderation.log import LogLine
from store.write_log.journal import Entry


class TopicDecided(NamedTuple):
    """An event: a moderator held a topic, or opened it again."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The topic."""
    name: str
    state: TopicState
    reason: str | None


def _parse(entry: Entry, data: dict[str, Any]) -> list[TopicDecided]:
    topic, head = TopicRow(str(data["name"])), head_of(entry, data)
    if topic.ref != head[-1]:
        raise ValueError(f"{topic.name!r} is not the name of {head[-1]}")
    reason = None if data["reason"] is None else f"{data['reason']}"
    return [TopicDecided(*head, topic.name, TopicState(data["state"]), reason)]


async def _apply(batch: Batch, events: Sequence[TopicDecided]) -> None:
    """Writes the newest decision about each topic, and adds a line to the moderation log for each decision that changes
    something, or that came too late to have an effect.
    """
    rows = await topics.lock(batch.transaction, {event.ref.entity_id: event.name for event in events})
    for event in sorted(events, key=lambda event: event.version):
        was, is_held = rows[event.ref.entity_id], event.state is TopicState.HELD
        if event.version <= was.version:
            batch.log += [_line(event, was, None)] if is_held != was.is_held else []
            continue
        after = rows[event.ref.entity_id] = Held(was.name, is_held, event.version)
        batch.log += [_line(event, was, after)] if is_held != was.is_held else []
    await topics.hold(batch.transaction, rows)


def _line(event: TopicDecided, before: Held, after: Held | None) -> LogLine:
    action = ModerationAction.TOPIC_HELD if event.state is TopicState.HELD else ModerationAction.TOPIC_OPENED
    what = moment_of(event.version), action, ModerationRole.MODERATOR, event.actor_id, event.ref, None
    return LogLine(*what, _state(before), after and _state(after), event.reason)


def _state(row: Held) -> dict[str, Any]:
    state = TopicState.HELD if row.is_held else TopicState.OPEN
    return {"state": state.value, "name": row.name}


async def _publish(publication: Publication, events: Sequence[TopicDecided]) -> None:
    """Drops the cached trends, and the cached lists of topics that may have these topics."""
    of_names = (key for event in events for key in topic_search.cached_with(event.name))
    await publication.state.cache.drop({*trends.cached(), *of_names})


PROJECTION = Projection((TopicDecided,), {TOPIC_STATE: _parse}, _apply, publish=_publish)
