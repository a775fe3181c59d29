"""Hidden posts and muted words: writes their rows."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from domain import muted_words
from models.counters import EntityRef
from models.hidden_posts import HIDDEN, HIDDEN_POST, LESS
from models.muted_words import MUTED_WORDS, WORDS_REF
from projections.batch import Batch
from projections.events import RemovableChange, head_of
from projections.projection import Projection
from settings import POSTS
from store.people import hidden_posts
from store.write_log.journal import Entry
from store.write_log.pending import PublishedChange


class PostHidden(NamedTuple):
    """An event: an actor hid a post or, if `state` is 0, stopped hiding it."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post."""
    state: int
    """HIDDEN, LESS or 0 (models/hidden_posts.py)."""


class WordsMuted(NamedTuple):
    """An event: an actor changed the actor's muted words."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The member of the own set of muted words, always WORDS_REF."""
    words: str
    """All words after the change, as one text; empty if the account is being deleted."""


HiddenEvent = PostHidden | WordsMuted


def _parse(entry: Entry, data: dict[str, Any]) -> list[PostHidden]:
    event = PostHidden(*head_of(entry, data), int(entry.fields[b"state"]))
    if event.ref.business_id != POSTS or event.state not in (0, HIDDEN, LESS):
        raise ValueError(f"{event.ref} cannot be hidden with the state {event.state}")
    return [event]


def _parse_words(entry: Entry, data: dict[str, Any]) -> list[WordsMuted]:
    words = data.get("words", "")
    if not isinstance(words, str):
        raise TypeError(f"{words!r} is not a text")
    muted_words.loads(words)  # what cannot be read must not be stored
    event = WordsMuted(*head_of(entry, data), words)
    if event.ref != WORDS_REF:
        raise ValueError(f"{event.ref} is not the member of a set of muted words")
    return [event]


async def _apply(batch: Batch, events: Sequence[HiddenEvent]) -> None:
    """Writes the last state of each hidden post and of the muted words of each user."""
    ordered = sorted(events, key=attrgetter("version"))
    posts = {(event.actor_id, event.ref): event for event in ordered if isinstance(event, PostHidden)}
    words = {event.actor_id: event for event in ordered if isinstance(event, WordsMuted)}
    if posts:
        rows = [(event.actor_id, event.ref.entity_id, event.state, event.version) for event in posts.values()]
        await hidden_posts.write(batch.transaction, rows)
    if words:
        rows_of_words = [(event.actor_id, event.words, event.version) for event in words.values()]
        await hidden_posts.write_words(batch.transaction, rows_of_words)


def _pending(event: HiddenEvent) -> RemovableChange:
    kind = HIDDEN_POST if isinstance(event, PostHidden) else MUTED_WORDS
    return PublishedChange(event.actor_id, (kind, event.ref), event.version)


PROJECTION: Projection[HiddenEvent] = Projection(
    (PostHidden, WordsMuted), {HIDDEN_POST: _parse, MUTED_WORDS: _parse_words}, _apply, pending=_pending
)
