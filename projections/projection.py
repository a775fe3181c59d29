"""Defines what a projection is: it turns journal entries of some kinds into rows, and publishes the changed values to
caches.
"""

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
    """The objects that committed events may have changed, and whose cached values must therefore be updated. All
    projections fill the publication (`Projection.collect`) before anything is published.
    """

    def __init__(self, state: State, moved: Iterable[EntityRef]) -> None:
        self.state = state
        self.counted = {*moved}
        """The objects whose counters may have changed."""
        self.scored = set[EntityRef]()
        """The objects that were changed or got reactions. The hot scores of the posts and comments among them may have
        changed.
        """
        self.notified = set[int]()
        """The ids of users whose cached notifications may be old. For example, a worker stored new ones and died before
        it updated the cache.
        """
        self.closings: list[Closing] = []
        """The decisions and deletions that closed reports. The reporters may have new notifications."""
        self.posts: Sequence[PostRow] = ()
        """The current rows of changed posts."""
        self.comments: Sequence[CommentRow] = ()
        """The current rows of changed comments, and of their root comments."""
        self.hidden_of = set[int]()
        """The ids of authors whose hidden comments (visible to their authors only) may have changed."""


async def count_targets(publication: Publication, events: Sequence[Event]) -> None:
    """Adds the objects of these events to the publication, because their counters may have changed. For
    `Projection.collect`.
    """
    publication.counted.update(event.ref for event in events)


async def nothing(_: Publication, __: Sequence[Event]) -> None:
    """Does nothing. For a projection that has nothing to collect or to publish."""


def own_change(kind: str) -> Callable[[Event], RemovableChange]:
    """Returns a function for `Projection.pending`, for events that each change the state of one object in one of the
    actor's own sets, such as the actor's likes. `kind` is the name of the kind of set.
    """
    return lambda event: PublishedChange(event.actor_id, (kind, event.ref), event.version)


def patch_of(event: Event) -> RemovableChange:
    """Returns the pending change of an event that has a patch: a change of a post, comment, pin or comment settings.
    For `Projection.pending`.
    """
    return Published(event.actor_id, event.ref, event.version)


@dataclass(frozen=True, slots=True, eq=False)
class Projection(Generic[E]):
    """Turns journal entries of some kinds into rows, then publishes the changed values to caches. Each function may run
    again for the same events: versions of rows show what is stored already.
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
    """Adds what the events may have changed to the publication. Runs after the commit, before anything is published."""
    publish: Callable[[Publication, Sequence[E]], Awaitable[None]] = nothing
    """Writes the values that the events have changed to caches."""
    pending: Callable[[E], RemovableChange] = lambda _: None
    """Returns the actor's pending change that an event leaves. It is removed some time after the event was published.
    Returns None if the event leaves none.
    """
    rank: int = 0
    """The place in the order in which a batch applies projections: lowest rank first, then by module name. A projection
    that reads what another one adds to the batch has a higher rank.
    """
    also: tuple[type[Event], ...] = ()
    """Types of events of other projections. If the batch has such events, `apply` runs even without events of its own,
    because it works on what the other projections have added to the batch.
    """
