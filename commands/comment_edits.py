"""editComment: checks the changes and appends them to the write log, which acknowledges them."""

from commands import targets, uploads
from commands.changes import Patch
from commands.comments import CommentContent, check_not_empty, entry_of, read_acknowledged
from commands.write import Write, read_back
from context import Context
from domain.custom import comparable
from domain.errors import Refused, Unavailable, UserErrorCode
from models.attachments import plain
from models.comments import CommentRow
from models.patches import COMMENT


async def edit(
    context: Context, comment_id: str, content: CommentContent, idempotency_key: str | None
) -> CommentRow | Unavailable:
    """Edits a comment by the viewer: changes the fields of `content` that are not None. Moderation checks the comment
    again. Returns the comment as its author sees it; Unavailable if the edit was written but the comment cannot be read
    back.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable, Forbidden if the token is for other businesses; Refused
    with TARGET_NOT_FOUND, TARGET_DELETED, NOT_ALLOWED for the comment of another user, BLOCKED, SUSPENDED,
    EDIT_WINDOW_OVER if the comment is too old to be edited, TEXT_EMPTY, TEXT_TOO_LONG, TEXT_INVALID, TOO_MANY_IMAGES,
    IMAGE_NOT_ALLOWED, INVALID for a label, or IDEMPOTENCY_MISMATCH.
    """
    # Appended only if present, so that requests without custom data keep the fingerprints that are already stored.
    custom = [] if content.custom is None else [comparable(content.custom)]
    images = None if content.images is None else plain(content.images)
    parts = [comment_id, content.text, images, *custom, *content.warned.parts]
    async with Write(context, "editComment", idempotency_key, *parts, unless_suspended=True) as write:
        comment, checked = await _editable(context, write.actor_id, comment_id, content)
        await write.ready()
        _check_edit_window(context, comment)  # now, so that a repeated edit succeeds after the end of the window
        await uploads.check(context, checked.images or (), content.images_field, comment.images)
        entry = entry_of(context, write.actor_id, comment.comment_id, "edit", **checked.fields(context))
        await write.append(Patch(COMMENT, comment.ref, entry))
    context.forget()
    return await read_back(read_acknowledged(context, write.actor_id, comment.comment_id, is_new=False))


async def _editable(
    context: Context, author_id: int, comment_id: str, content: CommentContent
) -> tuple[CommentRow, CommentContent]:
    """Returns the comment to edit, and `content` in the form in which it is stored. Raises BadInput or Forbidden;
    Refused if the viewer may not edit the comment, or if a value of `content` is invalid.
    """
    context.own.boundaries.ask()
    comment = await targets.comment(context, comment_id, "commentId")
    if comment.author_id != author_id:
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "This comment belongs to another user.", "commentId")
    if comment.post_id is None and (entity := await context.content.entities_by_id.load(comment.subject)):
        await targets.check_owner(context, entity, "commentId")
    await _check_answered(context, comment)
    checked = content.checked(context)
    said = comment.text if checked.text is None else checked.text
    check_not_empty(said, comment.images if checked.images is None else checked.images)
    return comment, checked


async def _check_answered(context: Context, comment: CommentRow) -> None:
    """Raises Refused with BLOCKED if the comment is a reply, and there is a block between the viewer and the author of
    the comment that it replies to.
    """
    if comment.replied_to and await context.own.boundaries.hidden_among([comment.replied_to]):
        message = "You cannot do this, because of a block between you and the author of the answered comment."
        raise Refused.because(UserErrorCode.BLOCKED, message, "commentId")


def _check_edit_window(context: Context, comment: CommentRow) -> None:
    """Raises Refused with EDIT_WINDOW_OVER if the comment is too old to be edited. The limit is a setting of the
    business that the comment's subject belongs to.
    """
    minutes = context.state.businesses_by_id[comment.subject_business].comment_edit_minutes
    if minutes != "unlimited" and context.state.now_ms() - (comment.moment >> 10) >= minutes * 60_000:
        message = f"A comment can be edited for {minutes} minutes." if minutes else "Comments cannot be edited."
        raise Refused.because(UserErrorCode.EDIT_WINDOW_OVER, message, "commentId")
