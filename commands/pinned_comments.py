"""pinComment and unpinComment: the author of a post or the owner of an entity pins one comment on it."""

import orjson

from commands import targets
from commands.changes import Patch
from commands.targets import Subject
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from domain.ids import CommentId
from models.comments import CommentRow
from models.patches import COMMENT_SETTINGS


async def set_pinned(context: Context, pins: bool, comment_id: str, idempotency_key: str | None) -> Subject:
    """Pins a comment on a post by the viewer or on an entity that the viewer owns or, if `pins` is false, unpins the
    comment. A post or entity has one pinned comment: a pin replaces an earlier one. Returns the post or entity.
    Unpinning a comment that is not pinned succeeds and changes nothing.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable, Forbidden if the token is for other businesses; Refused
    with TARGET_NOT_FOUND, TARGET_DELETED, NOT_ALLOWED, SUSPENDED, IDEMPOTENCY_MISMATCH, or INVALID for a reply or a
    comment that is not approved.
    """
    name = "pinComment" if pins else "unpinComment"
    async with Write(context, name, idempotency_key, comment_id, unless_suspended=pins) as write:
        subject, comment = await _find(context, write.actor_id, pins, comment_id)
        await write.ready()
        changes = pins or await _is_pinned(context, subject, comment)
        about = {"actor": write.actor_id, "business": subject.business_id, "entity": subject.entity_id}
        setting = {"key": subject.subject_key[1], "pinned" if pins else "unpinned": comment.comment_id}
        entry = orjson.dumps({"op": COMMENT_SETTINGS, **about, **setting, **context.client.trace})
        await write.append(Patch(COMMENT_SETTINGS, subject.ref, entry, changes))
    context.forget()
    return subject


async def _find(context: Context, viewer_id: int, pins: bool, comment_id: str) -> tuple[Subject, CommentRow]:
    """Returns the post or entity that a comment is about, and the comment. `pins` tells whether the viewer wants to pin
    or to unpin the comment. Raises Refused if the viewer may not do that.
    """
    context.own.boundaries.ask()
    if not pins and (found := await _unpinnable(context, viewer_id, comment_id)):
        return found
    comment = await targets.comment(context, comment_id, "commentId")
    subject = await _subject(context, comment)
    if subject is None:
        raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no comment with this id.", "commentId")
    targets.check_business(context, subject.business)
    if subject.owner_id != viewer_id:
        message = "The post or entity of this comment belongs to another user."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "commentId")
    if pins and (comment.root_id or not targets.is_approved(comment)):
        raise Refused.because(UserErrorCode.INVALID, "Only an approved root comment can be pinned.", "commentId")
    return subject, comment


async def _unpinnable(context: Context, viewer_id: int, comment_id: str) -> tuple[Subject, CommentRow] | None:
    """Returns a comment that the viewer has pinned, and the post or entity that it is about, even if the comment was
    deleted or hidden since. Also returns a deleted comment that was public, so that an unpin can be repeated. Returns
    None for every other comment.
    """
    targets.check_business(context, CommentId.business)
    comment = await targets.find(context, comment_id, CommentId, lambda content: content.kept_comments)
    subject = await _subject(context, comment) if comment and comment.global_id == comment_id else None
    if comment is None or subject is None or subject.owner_id != viewer_id or not context.is_for(subject.business):
        return None
    was_public = comment.deleted and comment.floor is not None
    return (subject, comment) if was_public or await _is_pinned(context, subject, comment) else None


async def _subject(context: Context, comment: CommentRow) -> Subject | None:
    if comment.post_id is not None:
        return await context.content.posts.load(comment.post_id)
    return await context.content.entities_by_id.load(comment.subject)


async def _is_pinned(context: Context, subject: Subject, comment: CommentRow) -> bool:
    settings = await context.content.comment_settings.load(subject.subject_key)
    return settings.pinned_id == comment.comment_id
