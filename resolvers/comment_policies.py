"""Who may comment: Commentable.commentPolicy and Commentable.viewerCanComment."""

from collections.abc import Sequence

from commands import comment_permission, suspended
from commands.targets import Subject
from context import Context
from domain.errors import Refused, Unavailable
from domain.ids import CommentId
from models.comment_settings import CommentPolicy, CommentSettings
from models.users import UserRow


async def policies(context: Context, subjects: Sequence[Subject]) -> list[CommentPolicy | Exception]:
    """Resolves Commentable.commentPolicy: who may comment on each post or entity. The result has an exception in place
    of a policy that cannot be read.
    """
    found = await context.content.comment_settings.ask([one.subject_key for one in subjects], each=True)
    return [
        comment_permission.policy_of(one, settings) if isinstance(settings, CommentSettings) else settings
        for one, settings in zip(subjects, found, strict=True)
    ]


async def viewer_can_comment(context: Context, subjects: Sequence[Subject]) -> list[bool | Unavailable | None]:
    """Resolves Commentable.viewerCanComment: whether the viewer may comment on each post or entity; None if no user is
    signed in, Unavailable if this cannot be read. The same rules refuse new comments (commands/comments.py).
    """
    if context.viewer is None:
        return [None] * len(subjects)
    owners = {one.owner_id for one in subjects if one.owner_id}
    asked = context.content.kept_users.ask([context.viewer.user_id], each=True)
    try:
        permitted = await comment_permission.permitted_on(context, subjects)
        blocked = await context.own.boundaries.hidden_among(owners)
    except Unavailable as error:
        return [error] * len(subjects)
    (viewer,) = await asked
    if isinstance(viewer, Unavailable):
        return [viewer] * len(subjects)
    writes = context.is_for(CommentId.business) and not _is_suspended(context, viewer)
    return [
        answer
        if isinstance(answer, Unavailable)
        else answer
        and writes
        and context.is_for(one.business)
        and not comment_permission.comments_closed(context, one)
        and one.owner_id not in blocked
        for one, answer in zip(subjects, permitted, strict=True)
    ]


def _is_suspended(context: Context, viewer: UserRow | None) -> bool:
    try:
        if viewer:
            suspended.check(context, viewer)
    except Refused:
        return True
    return False
