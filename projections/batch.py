"""A batch: the events that one transaction applies, and what projections hand to each other while they apply them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow
from models.counters import EntityRef
from models.posts import PostRow
from models.statements import StatementRow
from projections.events import Event
from state import State
from store.groups import grouped
from store.moderation import log
from store.moderation.log import LogLine
from store.moderation.statements import ContentAppeal
from store.notifications.untold import UntoldEvents
from store.outgoing.new_events import NOT_TRACED, OutgoingEvents, Traceparents
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas
from store.write_log.journal import ClientTrace

Row = TypeVar("Row", PostRow, CommentRow)
E = TypeVar("E", bound=Event)


@dataclass(slots=True)
class RowChange(Generic[Row]):
    """A post or comment that a batch changes: its row before the batch (None if it is new) and after the batch."""

    before: Row | None
    after: Row
    partition: int
    """The partition of the first event of this batch that changes the row."""
    trace: ClientTrace | None = None
    """The client that sent a new post or comment; None for an existing one."""
    moderated: int | None = None
    """The version of the change that the moderation rules checked, or of the moderator's decision; None if neither is
    in this batch.
    """
    deleted_by: int | None = None
    """The id of the user who deletes the post or comment; None if it is not deleted in this batch."""
    source: CaseSource | None = None
    """The reason for the case in the moderation queue that this batch opens, if the status is PENDING. None stands for
    the moderation rules.
    """
    ground: str | None = None
    """The name of the ground of the newest moderation decision in this batch; None if it names none."""
    deleted_as: str | None = None
    """The role in which the user deletes a comment: author, owner or moderator."""
    through: int = 0
    """The version of the newest event of this batch that changes the row."""
    facts: str | None = None
    """Why the newest event of this batch has set labels without a moderator; None if it has set none."""
    replaced: list[tuple[Row, int]] = field(default_factory=list)
    """The row before each edit in this batch, with the version of the edit."""

    @property
    def appears(self) -> bool:
        """Returns whether the post or comment becomes public in this batch."""
        return self.after.is_public and not (self.before and self.before.is_public)

    @property
    def disappears(self) -> bool:
        """Returns whether the post or comment was public before this batch and is not public after it."""
        return self.before is not None and self.before.is_public and not self.after.is_public

    @property
    def was_rejected(self) -> bool:
        """Returns whether the post or comment was rejected before this batch. Then its author may have appealed."""
        return self.before is not None and self.before.status is AuditStatus.REJECTED

    @property
    def rejected(self) -> bool:
        """Returns whether this batch rejects the post or comment. Then its author must be notified."""
        was = self.before and self.before.status
        return self.after.status is AuditStatus.REJECTED is not was

    @property
    def shows_new_text(self) -> bool:
        """Returns whether this batch makes new text public: the post or comment becomes public, or its public text was
        edited.
        """
        return self.appears or (
            self.after.is_public and self.before is not None and self.before.text != self.after.text
        )

    @property
    def notification_version(self) -> int:
        """Returns the version to store with notifications about this change: `moderated` or, if that is None, the
        newest version of the row.
        """
        return self.moderated or self.after.newest


class Batch:
    """The events that one transaction applies. Projections write rows in the transaction. They add to the batch what is
    written after all rows: counter changes (`deltas`), events to be delivered as notifications (`untold`), outgoing
    events, and lines of the moderation log.
    """

    def __init__(
        self, state: State, transaction: Transaction, events: Sequence[Event], traceparents: Traceparents = NOT_TRACED
    ) -> None:
        through = {event.partition: event.version for event in sorted(events, key=attrgetter("version"))}
        self._partition = min(through, default=0)
        self._events = grouped((type(event), event) for event in events)
        self.state = state
        self.transaction = transaction
        self.deltas = CounterDeltas(through)
        self.untold = UntoldEvents()
        self.outgoing = OutgoingEvents(state.keys.partition_of, traceparents)
        """The outgoing events. There is one event for each row that the batch changes, also if a later change in the
        batch undoes an earlier one, so that the row stays as it was. The event is needed if Postgres stored and sent
        the earlier change before, and lost it in a failover: it corrects what destinations were told.
        """
        self.log: list[LogLine] = []
        """The lines to add to the moderation log."""
        self.statements: list[StatementRow] = []
        """Statements of reasons that do not follow from lines of the moderation log (projections/statements.py)."""
        self.content_appeals: list[tuple[ContentAppeal, str]] = []
        """The new appeals against rejections of posts and comments, with their texts."""
        self.closed_content_appeals: list[tuple[ContentAppeal, AppealStatus]] = []
        """The appeals against rejections of posts and comments that this batch closes, with their outcomes."""
        self.rows: dict[EntityRef, PostRow | CommentRow] = {}
        """The posts and comments that the batch has locked or changed, as they are after the batch."""
        self.changes: list[RowChange[Any]] = []
        """The changes of posts and comments in this batch."""
        self.without_effect: set[tuple[EntityRef, int]] = set()
        """The decisions that change nothing, each as its target and its version: about posts and comments, and those
        about appeals that lift no restriction.
        """
        self.appeal_states: dict[EntityRef, tuple[bool, int]] = {}
        """By post or comment: whether it has an open appeal after the batch, and the version of the appeal or of the
        change that closed it. Has only posts and comments whose appeals may have changed.
        """

    def of(self, kind: type[E]) -> list[E]:
        """Returns the events of a type, in the order of the batch."""
        return cast("list[E]", self._events.get(kind, []))

    def add(self, rows: Iterable[PostRow | CommentRow], changes: Iterable[RowChange[Any]] = ()) -> None:
        """Adds locked posts and comments to `rows`, and changes of posts and comments to `changes`."""
        self.rows |= {row.ref: row for row in rows}
        self.changes += changes
        self.rows |= {change.after.ref: change.after for change in self.changes}

    async def write(self) -> None:
        """Writes the moderation log, the events to be delivered as notifications, the outgoing events, and then the
        counters. Counters come last, because many batches change the same counters and would wait for their locks.
        """
        if self.log:
            await log.write(self.transaction, self.log)
        await self.untold.write(self.transaction, self._partition, self.outgoing)
        await self.outgoing.write(self.transaction)
        await self.deltas.write(self.transaction)
