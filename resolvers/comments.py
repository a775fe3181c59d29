"""Resolvers of comments: addComment, editComment, deleteComment, Commentable.commentsClosed, Comment.subject and
Comment.repliedTo.
"""

from collections.abc import Sequence

from commands import comment_edits
from commands import comments as commands
from commands.comment_policies import comments_closed
from commands.comments import CommentContent
from commands.targets import Subject
from context import Context
from domain.errors import Unavailable
from models.comments import CommentRow
from models.users import UserRow
from resolvers.payloads import Payload, payload
from settings import POSTS


async def add(
    context: Context, subject_id: str, reply_to_id: str | None, content: CommentContent, idempotency_key: str
) -> Payload[CommentRow | Unavailable]:
    """Resolves Mutation.addComment."""
    return await payload(commands.add(context, subject_id, reply_to_id, content, idempotency_key))


async def edit(
    context: Context, comment_id: str, content: CommentContent, idempotency_key: str | None
) -> Payload[CommentRow | Unavailable]:
    """Resolves Mutation.editComment."""
    return await payload(comment_edits.edit(context, comment_id, content, idempotency_key))


async def delete(context: Context, comment_id: str) -> Payload[CommentRow]:
    """Resolves Mutation.deleteComment: the deleted comment without text and author."""
    return await payload(commands.delete(context, comment_id))


async def closed(context: Context, subjects: Sequence[Subject]) -> list[bool]:
    """Resolves Commentable.commentsClosed: whether each subject refuses new comments."""
    return [comments_closed(context, subject) for subject in subjects]


async def subjects(context: Context, comments: Sequence[CommentRow]) -> list[Subject | None]:
    """Resolves Comment.subject: the post or entity of each comment, or None if the viewer may not see it."""
    refs = {comment.subject for comment in comments}
    posts = [ref for ref in refs if ref.business_id == POSTS]
    entities = [ref for ref in refs if ref.business_id != POSTS]
    rows = context.content.posts.ask([ref.entity_id for ref in posts], each=True)
    others = context.content.entities_by_id.ask(entities, each=True)
    found: dict[tuple[int, int], Subject | None] = dict(zip(posts, await rows, strict=True))
    found |= dict(zip(entities, await others, strict=True))
    return [found[comment.subject] for comment in comments]


async def replied_to(context: Context, comments: Sequence[CommentRow]) -> list[UserRow | None]:
    """Resolves Comment.repliedTo: for each comment, the author of its parent.

    The result has None for a root comment, and for a parent that is deleted or that the viewer may not see.
    """
    answered = [comment.parent_id for comment in comments if comment.parent_id]
    parents = await context.content.comments.ask(answered)
    authors = {parent.comment_id: parent.shown_author for parent in parents if parent}
    ids = [authors.get(comment.parent_id) if comment.parent_id else None for comment in comments]
    users = await context.content.users.ask([author for author in ids if author])
    found = {user.user_id: user for user in users if user}
    return [found.get(author) if author else None for author in ids]
