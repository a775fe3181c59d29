"""Resolvers of comments: Commentable.commentsClosed, Comment.subject and Comment.repliedTo."""

from collections.abc import Sequence

from commands.comment_permission import comments_closed
from commands.targets import Subject
from context import Context
from models.comments import CommentRow
from models.users import UserRow
from settings import POSTS


async def closed(context: Context, subjects: Sequence[Subject]) -> list[bool]:
    """Resolves Commentable.commentsClosed: whether each post or entity refuses all new comments."""
    return [comments_closed(context, subject) for subject in subjects]


async def subjects(context: Context, comments: Sequence[CommentRow]) -> list[Subject | None]:
    """Resolves Comment.subject: the post or entity of each comment; None if the viewer may not see it, an exception if
    it cannot be read.
    """
    refs = {comment.subject for comment in comments}
    posts = [ref for ref in refs if ref.business_id == POSTS]
    entities = [ref for ref in refs if ref.business_id != POSTS]
    rows = context.content.posts.ask([ref.entity_id for ref in posts], each=True)
    others = context.content.entities_by_id.ask(entities, each=True)
    found: dict[tuple[int, int], Subject | None] = dict(zip(posts, await rows, strict=True))
    found |= dict(zip(entities, await others, strict=True))
    return [found[comment.subject] for comment in comments]


async def replied_to(context: Context, comments: Sequence[CommentRow]) -> list[UserRow | None]:
    """Resolves Comment.repliedTo: for each comment, the author of the comment that it answers.

    The result has None for a root comment, and if the answered comment is deleted, or the viewer may not see it or its
    author.
    """
    answered = [comment.parent_id for comment in comments if comment.parent_id]
    parents = await context.content.comments.ask(answered)
    authors = {parent.comment_id: parent.shown_author for parent in parents if parent}
    ids = [authors.get(comment.parent_id) if comment.parent_id else None for comment in comments]
    users = await context.content.users.ask([author for author in ids if author])
    found = {user.user_id: user for user in users if user}
    return [found.get(author) if author else None for author in ids]
