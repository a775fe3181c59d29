"""setCommentPolicy: the author of a post or the owner of an entity chooses who may comment on it."""

import orjson

from commands import targets
from commands.changes import Patch
from commands.targets import Subject
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from models.comment_settings import CommentPolicy
from models.patches import COMMENT_SETTINGS
from models.posts import PostRow


async def set_policy(context: Context, subject_id: str, policy: CommentPolicy, idempotency_key: str | None) -> Subject:
    """Sets who may comment on a post by the viewer, or on an entity that the viewer owns. Existing comments stay.
    Returns the post or entity. Suspended users may do this, because it only protects them.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable, Forbidden if the token is for other businesses; Refused
    with TARGET_NOT_FOUND, NOT_ALLOWED, IDEMPOTENCY_MISMATCH, or INVALID for MENTIONED on an entity, which has no text.
    """
    async with Write(context, "setCommentPolicy", idempotency_key, subject_id, policy.name) as write:
        context.own.boundaries.ask()
        (target,) = await targets.subjects(context, [subject_id], "subjectId")
        subject = await targets.content(context, target, "subjectId")
        if subject.owner_id != write.actor_id:
            message = "This post or entity belongs to another user."
            raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "subjectId")
        if policy is CommentPolicy.MENTIONED and not isinstance(subject, PostRow):
            raise Refused.because(UserErrorCode.INVALID, "An entity has no text that mentions users.", "policy")
        about = {"actor": write.actor_id, "business": subject.business_id, "entity": subject.entity_id}
        change = {"op": COMMENT_SETTINGS, "key": subject.subject_key[1], "policy": int(policy)}
        entry = orjson.dumps({**about, **change, **context.client.trace})
        await write.append(Patch(COMMENT_SETTINGS, subject.ref, entry))
    context.forget()
    return target
