"""Notices in a batch: stores new ones, and closes those about targets that a moderator has decided or that were
deleted. The projection of reports runs this, because a decision closes the reports and the notices of a target alike.
"""

from collections.abc import Iterable, Set
from typing import Any, NamedTuple

from domain.moderation.reports import ReportStatus
from domain.notice_numbers import NoticePlace
from domain.versions import moment_of
from models.counters import EntityRef
from models.notices import NoticeRow
from models.reports import TRUSTED_WEIGHT
from projections.batch import Batch
from projections.events import TEXTS, head_of
from store.moderation import notices
from store.moderation.notices import ClosedNotice
from store.moderation.reports import Closing
from store.outgoing.events.notices import NOTICE_DECIDED, NOTICE_RECEIVED
from store.write_log.journal import Entry


class Noticed(NamedTuple):
    """An event: somebody sent a notice about a post, comment, user or entity."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The target."""
    about: int
    """The business that the notice is about: for a comment, that of its subject; otherwise that of the target."""
    author_id: int | None
    """The author or owner of the target; None for an entity without owner."""
    notice_id: int
    law: str
    explanation: str
    name: str | None
    email: str | None
    is_trusted: bool

    @property
    def place(self) -> NoticePlace:
        """Returns the key of the notice."""
        return NoticePlace(*self.ref, self.notice_id)

    @property
    def row(self) -> NoticeRow:
        """Returns the notice as an open one."""
        texts = self.law, self.explanation, self.name, self.email
        return NoticeRow(self.ref, self.notice_id, self.version, *texts, self.is_trusted, ReportStatus.OPEN)


def parse(entry: Entry, data: dict[str, Any]) -> list[Noticed]:
    """Returns the event of a journal entry. Raises KeyError, ValueError or TypeError if the entry is invalid."""
    author = None if data["owner"] is None else int(data["owner"])
    name, email = data["name"], data["email"]
    if not {type(name), type(email)} <= TEXTS:
        raise TypeError(f"{name!r} or {email!r} is not a text")
    said = f"{data['law']}", f"{data['explanation']}", name, email
    return [
        Noticed(*head_of(entry, data), int(data["about"]), author, int(data["notice"]), *said, data["trusted"] is True)
    ]


class NoticeChanges:
    """The changes of one batch to notices: made in memory, one event after the other, then written."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._of_targets: dict[EntityRef, dict[int, NoticeRow]] = {}
        self._new: dict[NoticePlace, NoticeRow] = {}
        self._closed: dict[NoticePlace, ClosedNotice] = {}

    async def read(self, noticed: Iterable[Noticed], closed: Set[EntityRef]) -> None:
        """Reads the notices that the batch may change: those of its events, and all open ones about the targets in
        `closed`. There may be many open ones about other targets; a new notice does not need them. The cases of the
        targets must be locked.
        """
        places = {event.place for event in noticed}
        if places or closed:
            self._of_targets = await notices.stored(self._batch.transaction, places, closed)

    def open(self, event: Noticed) -> int | None:
        """Opens a notice. Returns the weight that it adds to the case of its target; None if it is stored already."""
        of_target = self._of_targets.setdefault(event.ref, {})
        if event.notice_id in of_target:
            return None
        of_target[event.notice_id] = self._new[event.place] = event.row
        return _weight(event.row)

    def close(self, closing: Closing) -> tuple[int, int]:
        """Closes the open notices about a target, as `closing` says. Adds their outgoing events to the batch. Returns
        the number of closed notices, and the weight that they had in the case.
        """
        of_target = self._of_targets.get(closing.ref, {})
        how = ClosedNotice(closing.status, moment_of(closing.version), closing.reason or None)
        closed = [row for row in of_target.values() if closing.closes(row)]
        for row in closed:
            place = NoticePlace(*row.ref, row.notice_id)
            of_target[row.notice_id] = after = row._replace(
                status=how.status, decided=how.decided, decision=how.decision
            )
            if place in self._new:
                self._new[place] = after
            else:
                self._closed[place] = how
            self._add_outgoing(NOTICE_DECIDED, after, closing.version)
        return len(closed), sum(map(_weight, closed))

    def is_open(self, ref: EntityRef) -> bool:
        """Returns whether there are open notices about a target that `read` has read."""
        return any(row.is_open for row in self._of_targets.get(ref, {}).values())

    async def write(self) -> None:
        """Writes the changed notices to rows, and adds the outgoing events of new ones to the batch."""
        if self._new:
            await notices.add(self._batch.transaction, self._new.values())
        for row in self._new.values():
            self._add_outgoing(NOTICE_RECEIVED, row, row.version)
        if self._closed:
            await notices.close(self._batch.transaction, self._closed)

    def _add_outgoing(self, kind: Any, row: NoticeRow, version: int) -> None:
        self._batch.outgoing.add(
            *(kind, row.ref.entity_id, row.ref.business_id, version, (*row.ref, row.notice_id)),
            law=row.law,
            explanation=row.explanation,
            name=row.name,
            email=row.email,
            trusted=row.is_trusted,
            status=int(row.status),
            decision=row.decision,
            received_ms=row.version >> 20,
        )


def _weight(row: NoticeRow) -> int:
    return TRUSTED_WEIGHT if row.is_trusted else 0
