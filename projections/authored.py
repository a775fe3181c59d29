"""What a batch makes of rows that people write and moderation judges: posts and comments alike.

Events enter in order, the rows before and after leave. The first look of moderation is part of it: an author's history
is that of everything they submit, and grows within the batch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from domain import texts
from domain.moderation import risk
from domain.moderation.pipeline import Pipeline
from domain.moderation.verdicts import AuditStatus, SubmissionHistory
from models.comments import CommentRow
from models.counters import EntityRef
from models.posts import PostRow
from projections.events import Authored, Event, Judged
from settings import POSTS
from state import State
from store.moderation import submissions
from store.moderation.submissions import Submitted
from store.notifications.outbox import MENTION, NotificationOutbox
from store.people import users
from store.postgres.client import Transaction
from store.write_log import journal

Row = TypeVar("Row", PostRow, CommentRow)


@dataclass(slots=True)
class Change(Generic[Row]):
    """What a batch has made of something: its row before, None for a new one, and after."""

    before: Row | None
    after: Row
    partition: int
    trace: journal.ClientTrace | None = None
    """Where a new one came from."""
    judged: int | None = None
    """The version of the change that moderation judged, or was; None where nothing was judged."""
    judge_id: int | None = None
    """The moderator who decided last, if it was one."""
    deleted_by: int | None = None
    """The user who deletes it."""
    deleted_as: str | None = None
    """The role in which they delete a comment."""

    @property
    def appears(self) -> bool:
        """Whether everybody may see it from now on."""
        return self.after.is_public and not (self.before and self.before.is_public)

    @property
    def disappears(self) -> bool:
        """Whether only its author may see it from now on, or nobody."""
        return self.before is not None and self.before.is_public and not self.after.is_public

    @property
    def rejected(self) -> bool:
        """Whether its author is to be told that it was rejected."""
        was = self.before and self.before.status
        return self.after.status is AuditStatus.REJECTED is not was and self.judge_id != self.after.author_id

    @property
    def speaks(self) -> bool:
        """Whether everybody may read something from now on that they could not read before."""
        return self.appears or (
            self.after.is_public and self.before is not None and self.before.text != self.after.text
        )

    @property
    def told_by(self) -> int:
        """The version of what is told about it."""
        return self.judged or self.after.newest


class ModerationPass:
    """First looks at what the authors of a batch submit. What is remembered of it is written with the batch."""

    def __init__(self, pipeline: Pipeline, histories: dict[int, SubmissionHistory], since_ms: int) -> None:
        self._pipeline = pipeline
        self._histories = histories
        self._since_ms = since_ms
        self._submitted: list[Submitted] = []

    @classmethod
    async def read(cls, state: State, transaction: Transaction, events: Iterable[Event]) -> "ModerationPass":
        """With what those who write something in these events have submitted lately."""
        settings = state.settings.moderation
        authors = {event.actor_id for event in events if isinstance(event, Authored) and not event.patch.deletes}
        since_ms = state.now_ms() - int(settings.window * 1000)
        known = await submissions.histories(transaction, sorted(authors), since_ms, settings.traces) if authors else {}
        return cls(state.moderation, known, since_ms)

    def judged(self, row: Row) -> Row:
        """A row that its author has just changed, with what the rules say of it."""
        submission = row.submission
        history = self._histories.setdefault(row.author_id, SubmissionHistory())
        verdict = self._pipeline.first_look(submission, history)
        trace = risk.trace(submission)
        self._histories[row.author_id] = history.after(trace)
        self._submitted.append(Submitted(row.author_id, row.ref, trace))
        audit_version = max(row.audit_version, row.content_version)
        return replace(row, status=verdict.status, reason=verdict.reason or None, audit_version=audit_version)

    async def write(self, transaction: Transaction) -> None:
        """Remembers what was submitted."""
        if self._submitted:
            await submissions.write(transaction, self._submitted, self._since_ms)


def changes_of(
    events: Sequence[Authored | Judged], rows: Mapping[int, Row], claimed: set[EntityRef], moderation: ModerationPass
) -> dict[int, Change[Row]]:
    """What events make of locked rows, by id; without publications whose key is not theirs.

    Raises ValueError for an event that is ahead of truth.
    """
    changes: dict[int, Change[Row]] = {}
    for event in events:
        if isinstance(event, Authored) and event.claim and event.ref not in claimed:
            continue
        id_ = event.ref.entity_id
        row = changes[id_].after if id_ in changes else rows.get(id_)
        after: Row | None = _after(event, row)
        if after is not None:
            change = changes.setdefault(id_, Change(rows.get(id_), after, event.partition))
            change.after = after
            if isinstance(event, Judged):
                change.judged, change.judge_id = event.version, None if event.reviewer else event.actor_id
            else:
                _look(event, change, moderation)
    return changes


def _after(event: Authored | Judged, row: Row | None) -> Row | None:
    """The row that an event makes of another, None where it changes nothing: it is old, or not for this one.

    Raises ValueError for one that is ahead of truth: what it follows upon was refused, or lost by a failover. It is
    put aside then, to be tried again after that.
    """
    if isinstance(event, Authored) and event.patch.publishes:
        born: Row = event.patch.born(event.ref.entity_id, event.actor_id)
        return born if row is None else None
    if row is None:
        raise ValueError(f"there is no row yet of {event.ref}")
    if row.deleted:
        return None
    if isinstance(event, Judged):
        return _judged(event, row)
    own = event.actor_id == row.author_id or event.ref.business_id != POSTS
    after: Row = event.patch.applied(row) if own and event.patch.is_news_to(row) else row
    return None if after is row else after


def _judged(event: Judged, row: Row) -> Row | None:
    """A row after a decision, None where it was about something else, or another one stands."""
    if event.content_version > row.content_version:
        raise ValueError(f"{row.global_id} does not say yet what was decided about")
    if event.content_version < row.content_version:
        return None
    if event.reviewer:  # leaves the version alone: a moderator's decision wins, whichever of the two comes first
        return replace(row, status=event.status, reason=event.reason) if row.awaits_review else None
    if event.version <= row.audit_version:
        return None
    return replace(row, status=event.status, reason=event.reason, audit_version=event.version)


def _look(event: Authored, change: Change[Row], moderation: ModerationPass) -> None:
    """What an author has changed is judged anew."""
    if event.patch.publishes:
        change.trace = event.trace
    if event.patch.deletes:
        change.deleted_by, change.deleted_as = event.actor_id, event.patch.role
        return
    change.judged, change.judge_id = event.version, None
    change.after = moderation.judged(change.after)


def numbered(changes: Iterable[Change[Row]]) -> None:
    """Gives the rows after their versions, which only ever grow."""
    for change in changes:
        change.after = replace(change.after, version=max(change.after.version + 1, change.after.newest))


async def tell_mentioned(transaction: Transaction, said: Sequence[Change[Row]], outbox: NotificationOutbox) -> None:
    """Whom something was said about that everybody may read from now on."""
    mentioned = {change.after.ref: texts.mentions(change.after.text) for change in said}
    handles = sorted({handle for some in mentioned.values() for handle in some})
    holders = await users.holding(transaction, handles) if handles else {}
    for change in said:
        row = change.after
        for handle in mentioned[row.ref]:
            outbox.said(MENTION, holders.get(handle), row.ref, row.author_id, change.told_by)


def tell_authors(changes: Iterable[Change[Row]], outbox: NotificationOutbox) -> None:
    """Authors, what was rejected of theirs and why."""
    for change in changes:
        if change.rejected:
            row = change.after
            why = f"Your {row.business} was rejected: {row.reason or 'against the rules'}"
            outbox.moderated(row.author_id, row.ref, change.told_by, why)
