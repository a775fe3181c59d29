"""addComment and deleteComment: each checks its input and appends one change to the write log, which acknowledges the
change. editComment is in comment_edits.py.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from commands import comment_permission, images, suspended, targets, uploads
from commands.appeals import check_may_decide
from commands.changes import Patch
from commands.labels import NOT_WARNED, Warned
from commands.targets import Subject
from commands.write import Write, read_back
from context import Context
from domain import ids, texts
from domain.custom import comparable
from domain.digests import digest
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.ids import CommentId
from domain.moderation.verdicts import AuditStatus
from identity.permissions import ModeratorRole
from models.attachments import Attachment, plain
from models.comments import CommentRow
from models.counters import EntityRef
from models.patches import COMMENT, overlaid
from settings import COMMENTS, POSTS
from store.write_log.claims import Name
from store.write_log.operations import Status


@dataclass(frozen=True, slots=True)
class CommentContent:
    """The content of a new comment, or the changes to an existing comment. In a change, None leaves a field as
    it is.
    """

    text: str | None = None
    images: Sequence[Attachment] | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes it."""
    images_field: str = "images"
    """The input field with the attachments, for errors."""
    warned: Warned = NOT_WARNED
    """The content warning and the labels."""

    def checked(self, context: Context) -> "CommentContent":
        """Returns a copy with every value in the form in which it is stored. Raises Refused for an invalid value."""
        settings = context.state.settings
        return CommentContent(
            None if self.text is None else texts.user_text(self.text, settings.content.comment_characters, "text"),
            self.images and images.check(context, self.images, settings.content.comment_images, self.images_field),
            self.custom,
            warned=self.warned.checked(context),
        )

    def fields(self, context: Context) -> dict[str, Any]:
        """Returns the content as fields of a journal entry. Leaves out values that are None, except the text."""
        fields: dict[str, Any] = {"text": self.text, **self.warned.fields(context)}
        if self.images is not None:
            fields["images"] = plain(self.images)
        return fields if self.custom is None else {**fields, "custom": self.custom}


def check_not_empty(text: str | None, images: Sequence[Attachment] | None) -> None:
    """Raises Refused with TEXT_EMPTY if a comment has neither text nor images."""
    if not images and not text:
        raise Refused.because(UserErrorCode.TEXT_EMPTY, "A comment needs text or an image.", "text")


class _NewComment(NamedTuple):
    """The checked input of addComment: the subject, the comment that is replied to (None for a root comment), and the
    content.
    """

    subject: Subject
    parent: CommentRow | None
    content: CommentContent


async def add(
    context: Context, subject_id: str, reply_to_id: str | None, content: CommentContent, idempotency_key: str
) -> CommentRow | Unavailable:
    """Adds a comment by the viewer, at most once per idempotency key. Returns the comment as its author sees it;
    Unavailable if the comment was written but cannot be read back.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable, Forbidden if the token is for other businesses;
    Refused with TARGET_NOT_FOUND, TARGET_DELETED, BLOCKED, SUSPENDED, COMMENTS_CLOSED, COMMENTS_RESTRICTED, TEXT_EMPTY,
    TEXT_TOO_LONG, TEXT_INVALID, TOO_MANY_IMAGES, IMAGE_NOT_ALLOWED, INVALID for a label, or IDEMPOTENCY_MISMATCH.
    """
    custom = content.custom and comparable(content.custom)
    shown = plain(content.images or ()) or None
    parts = subject_id, reply_to_id, content.text, shown, custom or None, *content.warned.parts
    async with Write(context, "addComment", idempotency_key, *parts, unless_suspended=True) as write:
        name = Name(write.actor_id, COMMENTS, digest(idempotency_key))
        was_claimed, new = await asyncio.gather(
            write.was_claimed(name), _check_input(context, subject_id, reply_to_id, content), return_exceptions=True
        )
        if isinstance(was_claimed, BaseException):
            raise was_claimed
        if isinstance(new, BaseException) and not isinstance(new, (Refused, Unavailable)):
            raise new
        if not was_claimed:
            # A repeated comment has its first outcome although its subject was closed, or cannot be read now.
            if isinstance(new, (Refused, Unavailable)):
                await write.ready()
            if isinstance(new, BaseException):
                raise new
            comment_id = context.state.new_id()
            claim = {"key": name.key, "fingerprint": write.operation.fingerprint}
            entry = entry_of(context, write.actor_id, comment_id, "add", **_content_fields(context, new), **claim)
            await write.append(Patch(COMMENT, EntityRef(COMMENTS, comment_id), entry))
    outcome = write.outcome
    assert outcome.value  # the id of the comment, also when a retry is answered
    context.forget()
    is_new = outcome.status is Status.DONE
    return await read_back(read_acknowledged(context, write.actor_id, int(outcome.value), is_new=is_new))


async def _check_input(
    context: Context, subject_id: str, reply_to_id: str | None, content: CommentContent
) -> _NewComment:
    """Returns the input of a new comment in the form in which it is stored, with the subject and the parent. Raises
    BadInput or Forbidden; Refused if a value is invalid or the viewer may not comment there; Unavailable.
    """
    checked = content.checked(context)
    check_not_empty(checked.text, checked.images)
    _prefetch(context, reply_to_id)
    comment_permission.ask(context, subject_id)
    context.own.boundaries.ask()
    (subject,) = await targets.subjects(context, [subject_id], "subjectId")
    await targets.check_owner(context, subject, "subjectId")
    subject = await targets.content(context, subject, "subjectId")
    parent = None if reply_to_id is None else await targets.comment(context, reply_to_id, "replyToId")
    if parent:
        await targets.check_owner(context, parent, "replyToId")
    if parent and parent.subject != subject.ref:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "This comment is on another post or entity.", "replyToId")
    if comment_permission.comments_closed(context, subject):
        raise Refused.because(UserErrorCode.COMMENTS_CLOSED, "This post or entity refuses new comments.", "subjectId")
    if parent and parent.status is AuditStatus.REJECTED:
        raise Refused.because(UserErrorCode.COMMENTS_CLOSED, "This comment was rejected.", "replyToId")
    await comment_permission.check(context, subject, "subjectId")
    await uploads.check(context, checked.images or (), content.images_field)
    return _NewComment(subject, parent, checked)


def _prefetch(context: Context, comment_id: str | None) -> None:
    """Requests a comment from its loader without waiting, so that it arrives in the round trip in which the command
    reads other objects. Does nothing for None or for an id of another type.
    """
    parsed = comment_id and ids.parse_id(comment_id)
    if isinstance(parsed, CommentId):
        context.content.comments.ask([parsed.id])


async def read_acknowledged(context: Context, author_id: int, comment_id: int, *, is_new: bool) -> CommentRow:
    """Returns a comment of the author right after it was added or edited, with the changes that workers have not stored
    yet. If this request has added the comment (`is_new`), makes it of these changes alone, without reading a row.

    Raises Refused with TARGET_DELETED if the comment has been deleted since.
    """
    if is_new and (patches := (await context.own.patched_in(COMMENTS).patches()).comments.get(comment_id)):
        comment = overlaid(comment_id, author_id, None, patches)
    else:
        comment = await context.content.kept_comments.load(comment_id)
    if comment is None or comment.deleted:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This comment was deleted.")
    return comment


def _content_fields(context: Context, checked_input: _NewComment) -> dict[str, Any]:
    subject, parent = checked_input.subject, checked_input.parent
    return {
        "subject": [*subject.ref],
        "owner": subject.owner_id,
        "root": parent and (parent.root_id or parent.comment_id),
        "parent": parent and parent.comment_id,
        "replied_to": parent and parent.author_id,
        **checked_input.content.fields(context),
    }


async def delete(context: Context, comment_id: str) -> CommentRow:
    """Deletes a comment permanently. Returns the comment without its content. Deleting a comment again succeeds.

    The author, the current owner of the subject, and moderators may delete a comment.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND; NOT_ALLOWED for other
    users, and for a moderator if another moderator must decide about an appeal; or SUSPENDED for a moderator.
    """
    async with Write(context, "deleteComment", None, comment_id) as write:
        comment, role = await _deletable(context, write.actor_id, comment_id)
        if not comment.deleted:
            entry = entry_of(context, write.actor_id, comment.comment_id, "delete", role=role)
            await write.append(Patch(COMMENT, comment.ref, entry))
    context.forget()
    return comment.masked


async def _deletable(context: Context, viewer_id: int, comment_id: str) -> tuple[CommentRow, str]:
    """Returns a comment, and the role in which the viewer may delete the comment: `author`, `owner` (of the subject) or
    `moderator`.

    Also returns comments that are already deleted. Raises Refused if the viewer may not delete or see the comment.
    """
    missing = Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no comment with this id.", "commentId")
    _prefetch(context, comment_id)
    kept = await targets.find(context, comment_id, CommentId, lambda content: content.kept_comments)
    if kept is None or kept.global_id != comment_id:
        raise missing
    if kept.author_id == viewer_id:
        return kept, "author"
    if CommentId.business in context.moderates and context.has_role(ModeratorRole.MODERATOR):
        await suspended.check_viewer(context)
        await check_may_decide(context, kept, "commentId")
        return kept, "moderator"
    visible, owner_id = await asyncio.gather(
        context.content.comments.load(kept.comment_id), _owner(context, kept.subject)
    )
    visibility = context.content.visibility_in(None)
    if owner_id == viewer_id and kept.is_public and await visibility.hidden_users([kept.author_id]):
        return kept, "owner"  # a block or a suspension hides the comment from the owner
    was_visible = kept.deleted and kept.floor is not None  # only comments that were once public have a floor
    if (visible or was_visible) and owner_id == viewer_id:
        return visible or kept, "owner"
    if visible is None:
        raise missing
    raise Refused.because(UserErrorCode.NOT_ALLOWED, "This comment belongs to another user.", "commentId")


async def _owner(context: Context, subject: EntityRef) -> int | None:
    """Returns the id of the user who currently owns a subject; None if the subject has no owner or does not exist. The
    viewer need not be allowed to see the subject.
    """
    row: Subject | None = (
        await context.content.kept_posts.load(subject.entity_id)
        if subject.business_id == POSTS
        else await context.content.entities_by_id.load(subject)
    )
    return row.owner_id if row else None


def entry_of(context: Context, actor_id: int, comment_id: int, op: str, **more: Any) -> bytes:
    """Returns the journal entry, as JSON, of a change of a comment. `op` is `add`, `edit` or `delete`; `more` are the
    other fields of the entry.
    """
    return orjson.dumps({"actor": actor_id, "comment": comment_id, "op": op, **more, **context.client.trace})
