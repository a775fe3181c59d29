"""Runs the moderation rules on the submissions of a batch: its new and edited posts and comments.

The rules compare a submission with the author's earlier ones. This history includes posts and comments, and each
submission in the batch is added to it.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from domain.moderation import spam
from domain.moderation.pipeline import Pipeline
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import AuditStatus, LabelVerdict, SubmissionHistory
from models.comments import CommentRow
from models.devices import known_network
from models.patches import CommentPatch, PostPatch
from models.posts import PostRow
from projections.content_events import ContentChanged
from projections.cpu_limit import limited, seconds_for
from projections.events import Event
from projections.submission_facts import SubmissionFacts
from state import State
from store.moderation import submissions
from store.moderation.log import LogLine
from store.moderation.submissions import Submitted
from store.postgres.client import Transaction
from store.write_log.journal import ClientTrace

Row = TypeVar("Row", PostRow, CommentRow)


def _subject_of(event: ContentChanged) -> int | None:
    """Returns the number of the business of the post or entity that a new comment is about, or of the entity that a
    post announces; None for other changes.
    """
    if isinstance(event.patch, PostPatch):
        return event.patch.about.business_id if event.patch.about and event.patch.announces else None
    beginning = event.patch.beginning if isinstance(event.patch, CommentPatch) else None
    return beginning.subject.business_id if beginning else None


async def read_ahead(state: State, events: Sequence[Event]) -> None:
    """Lets the moderation rules read the texts of these events in advance, because reading takes CPU time and the
    transaction that stores the events should be short. Other tasks run between two texts. Raises TooSlow if one text
    takes too much CPU time.
    """
    if texts := [text for event in events if isinstance(event, ContentChanged) for text in event.patch.texts]:
        await limited(_read_ahead(state, texts), seconds_for(1))


async def _read_ahead(state: State, texts: Iterable[str]) -> None:
    for text in texts:
        state.moderation.read_ahead(text)
        await asyncio.sleep(0)


class ModerationPass:
    """The moderation of one batch: runs the moderation rules on submissions, and stores digests of the submissions,
    with which later submissions are compared.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        unmoderated: frozenset[int],
        histories: Mapping[int, SubmissionHistory],
        facts: SubmissionFacts,
        since_ms: int,
    ) -> None:
        self._pipeline = pipeline
        self._unmoderated = unmoderated
        self._histories = dict(histories)
        self._facts = facts
        self._since_ms = since_ms
        self._submitted: list[Submitted] = []

    @classmethod
    async def read(cls, state: State, transaction: Transaction, events: Iterable[Event]) -> "ModerationPass":
        """Reads what the rules must know about the authors of these events, and about the networks and devices from
        which the events were sent. Returns a moderation pass with this knowledge.
        """
        settings = state.settings.moderation
        changed = [event for event in events if isinstance(event, ContentChanged)]
        changes = [event for event in changed if event.patch.publishes or event.edits]
        authors = {event.actor_id for event in changes}
        since_ms = state.now_ms() - int(settings.window * 1000)
        known = await submissions.histories(transaction, sorted(authors), since_ms, settings.traces) if authors else {}
        unmoderated = frozenset(business.id for business in state.external.values() if not business.moderation)
        moderated = [event for event in changes if _subject_of(event) not in unmoderated]
        facts = await SubmissionFacts.read(state, transaction, moderated)
        return cls(state.moderation, unmoderated, known, facts, since_ms)

    def moderated(self, row: Row, client: ClientTrace) -> tuple[Row, CaseSource | None, Sequence[LabelVerdict]]:
        """Runs the moderation rules on a row that its author has just changed. Returns the row with the verdict, the
        source of the verdict, and the labels to set. `client` is the client that sent the change. Adds the submission
        to the author's history.

        Comments on entities of businesses without moderation, and posts that announce such entities, are approved;
        their source is None. No digests of them are stored, so that they do not count against their authors in other
        businesses.
        """
        audit_version = max(row.audit_version, row.content_version)
        if self._is_unmoderated(row):
            return replace(row, status=AuditStatus.APPROVED, reason=None, audit_version=audit_version), None, ()
        submission = self._facts.about(row, known_network(client.ip), client.device)
        history: SubmissionHistory = self._histories.get(row.author_id, ())
        verdict = self._pipeline.check(submission, history)
        trace = spam.trace(submission)
        self._histories[row.author_id] = (*history, trace)
        self._submitted.append(Submitted(row.author_id, row.ref, trace, *self._facts.counted_by(submission)))
        after = replace(row, status=verdict.status, reason=verdict.reason or None, audit_version=audit_version)
        return after, verdict.source, verdict.labels

    def _is_unmoderated(self, row: PostRow | CommentRow) -> bool:
        if isinstance(row, PostRow):
            return row.announced is not None and row.announced.business_id in self._unmoderated
        return row.subject_business in self._unmoderated

    def remember(self, line: LogLine) -> None:
        """Adds a decision that is made in this batch to what the rules know, so that it counts for later submissions of
        the same author.
        """
        self._facts.remember(line)

    async def write(self, transaction: Transaction) -> None:
        """Stores digests of the batch's submissions, with which later submissions are compared."""
        if self._submitted:
            await submissions.write(transaction, self._submitted, self._since_ms)
