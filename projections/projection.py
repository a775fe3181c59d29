"""Defines projections. A projection turns journal entries of some kinds into rows, and publishes changed values."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from models.comments import CommentRow
from models.counters import EntityRef
from models.patches import Published
from models.posts import PostRow
from projections.batch import Batch
from projections.events import Event, RemovableChange
from state import State
from store.moderation.reports import Closing
from store.write_log.journal import Entry
from store.write_log.pending import PublishedChange

E = TypeVar("E", bound=Event)
Parser = Callable[[Entry, dict[str, Any]], Sequence[Event]]
"""Parses a journal entry and its decoded data. Returns the event of the entry and the events that follow from
it. Raises KeyError, ValueError, TypeError or OverflowError if the entry is invalid.
"""


class Publication:
    """Collects what committed events may have changed. Projections fill it before anything is published."""

    def __init__(self, state: State, moved: Iterable[EntityRef]) -> None:
        self.state = state
        self.counted = {*moved}
        """The objects whose counters may have changed."""
        self.scored = set[EntityRef]()
        """The objects that were changed or got reactions: hot scores of posts and comments here may have changed."""
        self.notified = set[int]()
        """The users whose cached notifications may be old. For example, a worker stored new ones and died before it
        updated the cache.
        """
        self.closings: list[Closing] = []
        """The decisions and deletions that closed reports. The reporters may have new notifications."""
        self.posts: Sequence[PostRow] = ()
        """The current rows of changed posts."""
        self.comments: Sequence[CommentRow] = ()
        """The current rows of changed comments, and of their root comments."""
        self.hidden_of = set[int]()
        """The authors whose hidden comments (visible to their authors only) may have changed."""


async def count_targets(publication: Publication, events: Sequence[Event]) -> None:
    """Adds the objects of events to those of the publication whose counters may have changed."""
    publication.counted.update(event.ref for event in events)


async def nothing(_: Publication, __: Sequence[Event]) -> None:
    """Does nothing."""


def own_change(kind: str) -> Callable[[Event], RemovableChange]:
    """Returns a function for `Projection.pending`, for events that each change the state of one object in one of the
    actor's own sets. `kind` is the name of the kind of set.
    """
    return lambda event: PublishedChange(event.actor_id, (kind, event.ref), event.version)


def patch_of(event: Event) -> RemovableChange:
    """Returns the actor's pending patch. For `Projection.pending`, if each event is a patch."""
    return Published(event.actor_id, event.ref, event.version)


@dataclass(frozen=True, slots=True, eq=False)
class Projection(Generic[E]):
    """Turns journal entries of some kinds into rows, then publishes changed values. Each function may run again for the
    same events: versions of rows show what is stored already.
    """

    events: tuple[type[E], ...]
    """The types of the events that this projection applies and publishes."""
    parsers: Mapping[str, Parser]
    """The parsers of journal entries, by kind of entry."""
    apply: Callable[[Batch, Sequence[E]], Awaitable[None]]
    """Writes rows, and adds counter changes, notifications, outgoing events and lines of the moderation log to the
    batch. Raises ValueError for an event that cannot be applied, which becomes a dead letter.
    """
    collect: Callable[[Publication, Sequence[E]], Awaitable[None]] = nothing
    """After the commit, before anything is published: adds what may have changed to the publication."""
    publish: Callable[[Publication, Sequence[E]], Awaitable[None]] = nothing
    """Writes the changed values to caches."""
    pending: Callable[[E], RemovableChange] = lambda _: None
    """Returns the actor's pending change, to be removed some time after the event was published; None for an event that
    leaves no pending change.
    """
    rank: int = 0
    """A batch applies projections by rank, lowest first, then by module name. A projection that reads what another one
    left in the batch has a higher rank.
    """
    also: tuple[type[Event], ...] = ()
    """The types of other events with which `apply` runs, too, because it works on what their projections left."""
