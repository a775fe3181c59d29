"""Imports comments. A reply can only be written after the comment that it answers. If that comment is not imported yet,
the reply is postponed.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from archive.fields import EntityTarget
from archive.importing import content
from archive.importing.content import Content
from archive.importing.known import Known
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Comment
from domain.ids import CommentId
from models.comments import CommentRow
from models.counters import EntityRef
from models.patches import CommentSettingsPatch
from projections import comments
from projections.batch import RowChange
from settings import COMMENTS
from store.archive.content import Comment as Facts
from store.content import comment_rows, comment_settings


class _Checked(NamedTuple):
    """A checked comment: the record, its author, its subject with the owner, and its content."""

    record: Comment
    author_id: int
    subject: EntityRef
    owner_id: int | None
    content: Content
    pinned: int | None
    """The version of the pin; None if the comment is not pinned."""

    @property
    def subject_key(self) -> tuple[int, str]:
        """Returns the key of the settings of the comments on the subject."""
        place = self.record.subject
        key = place.key if isinstance(place, EntityTarget) else str(self.subject.entity_id)
        return self.subject.business_id, key


async def store(run: Import, items: Sequence[Item[Comment]]) -> None:
    """Imports a chunk of comments."""
    records = [record for _, record in items]
    parents = [one.parent for one in records if one.parent is not None]
    known = await run.library.known([one.author for one in records], [one.subject for one in records], parents)
    facts = dict(known.comments)
    found: dict[str, _Checked] = {}
    for item in items:
        record = item.record
        try:
            one = _checked(run, record, known)
            parent = None if record.parent is None else facts.get(record.parent)
            if parent and parent.subject != one.subject:
                raise Invalid(f"The comment {record.parent} is on another post or entity.")
        except REJECTED as error:
            run.reject(item, error)
            continue
        if record.parent is not None and parent is None:
            run.postpone(item)
            continue
        before = found.get(record.id)
        if before is None or before.content.content_version < one.content.content_version:
            found[record.id] = one
        # replies in this chunk find it; the ids are not chosen yet
        facts.setdefault(record.id, Facts(-1, one.author_id, one.subject, parent and (parent.root_id or parent.id)))
    if run.is_check:
        run.declare(
            "comment", ((name, (run.made_up_id(), one.author_id, one.subject, None)) for name, one in found.items())
        )
    elif found:
        run.score(await patiently(partial(_write, run, found, known)))


def _checked(run: Import, record: Comment, known: Known) -> _Checked:
    limits = run.state.settings.content
    subject, owner_id = known.target(record.subject)
    return _Checked(
        record,
        known.user(record.author),
        subject,
        owner_id,
        content.checked(run, record, limits.comment_characters, limits.comment_images),
        run.version(record.pinned_at) if record.pinned_at else None,
    )


async def _write(run: Import, found: dict[str, _Checked], known: Known) -> list[EntityRef]:
    """Writes comments in one transaction. Returns the root comments among those that have changed, and those above
    them.
    """
    state = run.state
    async with run.writing(known) as transaction:
        created = {name: one.content.created_ms for name, one in found.items()}
        ids = await content.assign(run, transaction, "comment", "comment_contents", CommentId, created)
        facts = dict(known.comments)
        rows = dict[str, CommentRow]()
        for name, one in found.items():
            parent = None if one.record.parent is None else facts[one.record.parent]
            rows[name] = row = _row(ids[name], one, parent)
            facts[name] = Facts(ids[name], one.author_id, one.subject, row.root_id)
        locked = await comment_rows.lock(
            transaction, {*ids.values(), *(row.root_id for row in rows.values() if row.root_id)}
        )
        changes = dict[int, RowChange[CommentRow]]()
        for name, row in rows.items():
            one, before = found[name], locked.get(row.comment_id)
            after = row if before is None else _changed(before, one)
            if after:
                change = RowChange(before, after, state.keys.partition_of(one.author_id))
                change.deleted_by, change.deleted_as = _deletion(one)
                changes[row.comment_id] = change
        batch = content.batch_of(run, transaction)
        if changes:
            _, ordered = await comments.write(batch, changes, locked)
            batch.add(locked.values(), ordered)
        pins = [
            CommentSettingsPatch(one.pinned, one.subject_key, pinned_id=ids[name])
            for name, one in found.items()
            if one.pinned
        ]
        await comment_settings.write(transaction, pins)
        await content.finish(run, batch)
    return [EntityRef(COMMENTS, row.root_id or row.comment_id) for row in rows.values()]


def _row(comment_id: int, one: _Checked, parent: Facts | None) -> CommentRow:
    made = one.content
    return CommentRow(
        comment_id=comment_id,
        subject_business=one.subject.business_id,
        subject_id=one.subject.entity_id,
        subject_owner=one.owner_id,
        root_id=parent and (parent.root_id or parent.id),
        parent_id=parent and parent.id,
        replied_to=parent and parent.author_id,
        author_id=one.author_id,
        moment=made.moment,
        text=made.text,
        images=made.images,
        status=made.status,
        reason=made.reason,
        deleted=made.deleted,
        edited_ms=made.edited_ms,
        floor=None,
        answered=False,
        content_version=made.content_version,
        audit_version=made.content_version,
        version=made.content_version,
        custom=made.custom,
        **made.labeled,
    )


def _changed(before: CommentRow, one: _Checked) -> CommentRow | None:
    return content.changed(before, one.content) if before.author_id == one.author_id else None


def _deletion(one: _Checked) -> tuple[int | None, str | None]:
    """Returns who deleted a comment, and in which role. The moderator who deleted it is unknown."""
    if not one.content.deleted:
        return None, None
    by = {"author": one.author_id, "owner": one.owner_id}
    role = one.record.deleted_as or "author"
    return by.get(role), role if by.get(role) else None
