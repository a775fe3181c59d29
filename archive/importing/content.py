"""Functions that the imports of posts and of comments share: they check the content, choose ids, compare stored content
with that of the archive, and write topics, cases and counters.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from archive.fields import Image as ImageField
from archive.importing.run import Import, Invalid
from archive.records import Comment, Post
from commands.images import checked as checked_attachment
from commands.labels import LONGEST_WARNING
from domain import texts
from domain.custom import encoded
from domain.errors import Refused, UserErrorCode
from domain.ids import CommentId, PostId, born_ms
from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.attachments import Attachment, AttachmentKind
from models.base import ms
from models.comments import CommentRow
from models.posts import PostRow
from projections.batch import Batch
from projections.entries import reports, visibility
from store.archive import imported_ids, new_ids
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas

Row = TypeVar("Row", PostRow, CommentRow)
_LONGEST_REASON = 1000


class Content(NamedTuple):
    """The checked content of a post or comment, and its versions."""

    text: str
    images: tuple[Attachment, ...]
    custom: str | None
    created: int
    """The version of the creation."""
    content_version: int
    """The version of the last change of the content: the creation, an edit or the deletion."""
    edited_ms: int | None
    deleted: bool
    status: AuditStatus
    reason: str | None
    warning: str | None
    labels: int
    """The labels of the author, as bits."""
    moderator_labels: int
    """The labels of moderators, as bits."""

    @property
    def labeled(self) -> dict[str, Any]:
        """Returns the fields of a new row about labels and the content warning."""
        return {
            "content_warning": self.warning,
            "labels": self.labels,
            "moderator_labels": self.moderator_labels,
            "labels_version": self.created if self.moderator_labels else 0,
        }

    @property
    def moment(self) -> int:
        """Returns the moment by which lists order the post or comment."""
        return moment_of(self.created)

    @property
    def created_ms(self) -> int:
        """Returns the time of the creation, in milliseconds since the Unix epoch."""
        return self.moment >> 10


def checked(run: Import, record: Post | Comment, longest: int, most_images: int) -> Content:
    """Returns the content of a record in the form in which it is stored. Raises an exception of REJECTED if the content
    is invalid: a text of more than `longest` characters, more than `most_images` images, or neither text nor image.
    """
    text = texts.user_text(record.text, longest, "text")
    if len(record.images) > most_images:
        raise Refused.because(UserErrorCode.TOO_MANY_IMAGES, f"At most {most_images} images.", "images")
    images = tuple(_image(run, image) for image in record.images)
    if not (text or images or record.deleted_at):
        raise Invalid("The record has neither text nor images.")
    created = run.version(record.created_at)
    changes = [time for time in (record.edited_at, record.deleted_at) if time]
    return Content(
        text,
        images,
        None if record.custom is None else encoded(record.custom),
        created,
        max([created, *map(run.version, changes)]),
        ms(record.edited_at) if record.edited_at else None,
        record.deleted_at is not None,
        AuditStatus[record.status],
        record.reason and texts.line(record.reason, _LONGEST_REASON, "reason"),
        record.content_warning and texts.user_text(record.content_warning, LONGEST_WARNING, "contentWarning"),
        run.state.labels.bits_of(record.labels, "labels", author=False),
        run.state.labels.bits_of(record.moderator_labels, "moderatorLabels", author=False),
    )


def _image(run: Import, image: ImageField) -> Attachment:
    return checked_attachment(run.state, Attachment(**{**image.model_dump(), "kind": AttachmentKind(image.kind)}))


def changed(before: Row, content: Content, **more: Any) -> Row | None:
    """Returns the stored row `before` with the content of the archive. Returns None if the stored content has the same
    or a newer version, or if the post or comment is deleted. A decision of a moderator about the row stays,
    and so do the labels of moderators.
    """
    if before.deleted or before.content_version >= content.content_version:
        return None
    is_decided = before.audit_version > before.content_version
    return replace(
        before,
        text=content.text,
        mentioned=before.mentioned if content.text == before.text else None,
        images=content.images,
        custom=content.custom,
        content_warning=content.warning,
        labels=content.labels,
        edited_ms=content.edited_ms,
        deleted=content.deleted,
        status=before.status if is_decided else content.status,
        reason=before.reason if is_decided else content.reason,
        content_version=content.content_version,
        audit_version=before.audit_version if is_decided else content.content_version,
        **more,
    )


async def assign(
    run: Import,
    transaction: Transaction,
    kind: str,
    table: str,
    of: type[PostId] | type[CommentId],
    wanted: Mapping[str, int],
) -> dict[str, int]:
    """Returns the ids of posts or comments in Plaudit, by their ids in the archive. `wanted` has the time at which each
    was created, in milliseconds since the Unix epoch.

    A post or comment that was imported before has its id already. If the id in the archive is a global id, such as
    `Post:123`, the object has this id, whether it exists in Plaudit or not. All others get new ids.
    """
    await imported_ids.hold(transaction)
    known = await run.library.ids(kind, set(wanted), of)
    stored = await imported_ids.taken(transaction, table, known.values())
    found = {name: id_ for name, id_ in known.items() if id_ in stored}
    chosen = await new_ids.choose(
        {name: created_ms for name, created_ms in wanted.items() if name not in found},
        partial(imported_ids.taken, transaction, table),
        {name: id_ for name, id_ in known.items() if born_ms(id_) <= run.state.now_ms()},
    )
    await imported_ids.claim(transaction, kind, chosen)
    return found | chosen


def batch_of(run: Import, transaction: Transaction) -> Batch:
    """Returns an empty batch. Its counter changes come from no journal, so they have no watermarks
    (store/reactions/counts.py).
    """
    batch = Batch(run.state, transaction, ())
    batch.deltas = CounterDeltas(defaultdict(int))
    return batch


async def finish(run: Import, batch: Batch) -> None:
    """Opens cases in the moderation queue for content with the status PENDING, adds posts to their topics, and writes
    the outgoing events, if the import sends them, and the counters. Writes no notifications and no lines of the
    moderation log.
    """
    await reports.PROJECTION.apply(batch, [])
    await visibility.PROJECTION.apply(batch, [])
    if run.sends_events:
        await batch.outgoing.write(batch.transaction)
    await batch.deltas.write(batch.transaction)
