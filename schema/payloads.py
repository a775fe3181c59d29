"""The definitions that all mutation payloads share: user errors and their codes, the texts about idempotency keys, and
the function that runs a command and makes the payload.
"""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import strawberry

from domain.errors import Refused, UserErrorCode
from domain.errors import UserError as Reason
from domain.idempotency import LIFE_HOURS
from schema.enums import describe_enum
from settings import RetentionSettings

T = TypeVar("T")

describe_enum(
    UserErrorCode,
    "The reason why a mutation was refused and changed nothing.",
    TARGET_NOT_FOUND="No object of the required type has this id, or the viewer may not see it.",
    TARGET_DELETED="The comment was deleted or, for `editPost`, `pinPost` and `appeal`, the post. From `deleteUser` "
    "and `cancelDeletion`: the data of the account is being removed or was removed. From `registerEntities`: the "
    "entity is being erased. From `publishPost`, "
    "`addComment`, `createCollection` and `updateCollection`, the code can also mean that the idempotency key belongs "
    "to a post, comment or collection that was deleted since.",
    NOT_ALLOWED="The post, comment or entity belongs to another user, and the viewer may not change it. From `appeal`: "
    "the post or comment is not rejected, nobody can appeal against this kind of statement, the restriction was lifted "
    "or replaced, or the time for an appeal is over. From `updateCollection`: a moderator has made the collection "
    "private. From `setLabelPreferences`: the viewer's age band fixes the visibility of the label. From mutations of "
    "moderators: the target is the viewer or belongs to the viewer, or its author appeals against a decision of the "
    "viewer. From `decideAppeal`: the statement has no open appeal, or is about a rejected post or comment.",
    CANNOT_FOLLOW_SELF="The id is that of the viewer. A user cannot follow themselves.",
    FOLLOW_LIMIT_REACHED="The viewer follows, or has asked to follow, the maximum number of users. The message states "
    "the number.",
    REQUEST_NOT_FOUND="This user has no open request to follow the viewer. It may have been withdrawn or rejected, or "
    "ended by a block.",
    BLOCKED="The viewer blocks the owner of this entity, or the owner blocks the viewer. From `editComment`, the code "
    "can also mean a block with the author of the answered comment. From `follow`: one of the two users "
    "blocks the other; mostly `follow` answers `TARGET_NOT_FOUND` in this case.",
    SUSPENDED="A suspension of the viewer forbids this. The message states the end of the suspension, if it has one.",
    CANNOT_BLOCK_SELF="The id is that of the viewer. A user cannot block themselves.",
    CANNOT_MUTE_SELF="The id is that of the viewer. A user cannot mute themselves.",
    BLOCK_LIMIT_REACHED="The viewer blocks the maximum number of users. The message states the number.",
    MUTE_LIMIT_REACHED="The viewer mutes the maximum number of users or words, mutes words that are too long together, "
    "hides the maximum number of posts, or has the maximum number of muted threads, muted reposts and dismissed "
    "suggestions together. The message states the number.",
    COLLECTION_LIMIT_REACHED="The viewer has the maximum number of collections. The message states the number.",
    PIN_LIMIT_REACHED="The viewer has pinned the maximum number of posts. The message states the number.",
    DISLIKE_DISABLED="Dislikes are disabled for this kind of content.",
    REACTION_UNKNOWN="The input `kind` is not a kind of reaction that users can give here. The message names the "
    "kinds.",
    TEXT_EMPTY="The text is empty or has no visible characters. A post or comment needs a text or an image.",
    TEXT_TOO_LONG="The text has too many characters. The message states the maximum.",
    TEXT_INVALID="The text contains control characters other than line breaks and tabs.",
    TOO_MANY_IMAGES="The post or comment has too many images. The message states the maximum.",
    IMAGE_NOT_ALLOWED="The image URL is not https, has a host that the operator of this deployment does not allow, or "
    "has a form that is not allowed. The message states why.",
    TOO_MANY_TOPICS="The post has too many topics. The message states the maximum.",
    TOPIC_INVALID="A topic must have 1 to 50 letters, digits, `_` and `-`. Single apostrophes, middle dots and "
    "hyphens may stand between letters.",
    COMMENTS_CLOSED="The post or entity refuses new comments, or moderation has rejected the comment to reply to.",
    COMMENTS_RESTRICTED="The author of the post or the owner of the entity allows comments of some users only, and the "
    "viewer is none of them. `commentPolicy` has the rule.",
    EDIT_WINDOW_OVER="The comment is too old to be edited. The message states for how long a comment can be edited.",
    ACTION_UNKNOWN="The input `action` is not the name of a counter of this kind of content.",
    IDEMPOTENCY_MISMATCH="The idempotency key was used before with another input. Use a new key for each change.",
    HANDLE_TAKEN="Another user has this handle or had it recently, or it is reserved.",
    TEXT_NOT_ALLOWED="The moderation rules do not allow this text, or this display name is reserved. The message "
    "states why.",
    CANNOT_REPORT_SELF="The target is the viewer, or belongs to the viewer.",
    ALREADY_APPEALED="The viewer has appealed against this decision before.",
    CASE_ASSIGNED="The case is assigned to another moderator.",
    CASE_NOT_FOUND="The target has no open case in the moderation queue.",
    EXPORT_LIMIT_REACHED="The account was exported too recently. The message states when it can be exported again.",
    QUEUE_LIMIT_REACHED="The viewer has saved the maximum number of queues. The message states the number.",
    INVALID="The value is not valid for this field. The message states why.",
)


IF_TARGET_IS_GONE = (
    "If the target, or the object that the first request created, was deleted or hidden in the meantime, the repeated "
    "request can have the user error `TARGET_DELETED` or `TARGET_NOT_FOUND`. This does not mean that the first request "
    "failed."
)


def key_description(what: str, effect: str) -> str:
    """Returns the description of an input field `idempotencyKey`. `what` is what the client chooses the key for, and
    `effect` says until when the key is known, and what a repeated request does.
    """
    return (
        f"A key of 1 to 128 characters that you choose for this {what}, such as a UUID. If you repeat the request with "
        f"the same key and input {effect}. {IF_TARGET_IS_GONE} The same key with another input is refused with "
        "`IDEMPOTENCY_MISMATCH`."
    )


WHILE_KNOWN = f"within {LIFE_HOURS} hours (after 1000 keys in an hour: within a minute)"
WHILE_STORED = f"within {RetentionSettings().idempotency_days:g} days (operators can change this)"
IDEMPOTENCY_KEY = key_description(
    "change", f"{WHILE_KNOWN}, the change is not made twice, and the response has the same user errors"
)
"""The description of the optional input field `idempotencyKey`."""


@strawberry.type(description="A reason why a mutation was refused and changed nothing. Another input may be accepted.")
class UserError:
    code: UserErrorCode = strawberry.field(
        description="The code of the error. Programs should decide by this code, not by the message."
    )
    message: str = strawberry.field(
        description="The explanation of the error in English, for developers. It can change between versions."
    )
    field: list[str] | None = strawberry.field(
        description='The path of the input field that caused the error, such as `["images", "0", "url"]`. Null if the '
        "error is not about one field."
    )


def user_errors() -> Any:
    """Declares the field `userErrors`, which each payload has as its last field."""
    return strawberry.field(
        description="The reasons why the mutation was refused; then nothing was changed. Empty on success."
    )


@dataclass(frozen=True, slots=True)
class Payload(Generic[T]):
    """The result of a mutation: `subject` on success, `user_errors` if it was refused and nothing changed.

    After a success `subject` may be an exception: the change was made, but the object cannot be read now.
    """

    subject: T | None
    user_errors: tuple[Reason, ...] = ()


async def payload(command: Awaitable[T]) -> Any:
    """Runs a command. Returns a payload with the command's result, or with the user errors of the exception Refused.
    Raises all other exceptions of the command.
    """
    try:
        return Payload(await command)
    except Refused as refused:
        return Payload(None, refused.errors)
