"""Parts that all mutation payloads share: user errors and their codes."""

from typing import Any

import strawberry

from domain.errors import UserErrorCode
from schema.enums import describe_enum

describe_enum(
    UserErrorCode,
    "The reason why a mutation was refused.",
    TARGET_NOT_FOUND="No object of the required type has this id, or the viewer may not see it.",
    TARGET_DELETED="The comment was deleted, or the post that is edited. Also returned if the idempotency key belongs "
    "to a post or comment that was deleted since.",
    NOT_ALLOWED="The post or comment belongs to another user, and the viewer may not change it.",
    CANNOT_FOLLOW_SELF="The id is the viewer's own. You cannot follow yourself.",
    FOLLOW_LIMIT_REACHED="The viewer follows the maximum number of users. The message states the number.",
    DISLIKE_DISABLED="Dislikes are disabled for the business of the object.",
    TEXT_EMPTY="The text is empty or has no visible characters. A post needs a text or an image.",
    TEXT_TOO_LONG="The text has too many characters. The message states the maximum.",
    TEXT_INVALID="The text contains control characters other than line breaks and tabs.",
    TOO_MANY_IMAGES="The post has too many images. The message states the maximum.",
    IMAGE_NOT_ALLOWED="The image URL is not https, is on a host that the operator does not allow, or has a form that "
    "is not allowed. The message states why.",
    TOO_MANY_TOPICS="The post has too many topics. The message states the maximum.",
    TOPIC_INVALID="The topic is not 1 to 50 letters, digits, `_` and `-`.",
    COMMENTS_CLOSED="The post or entity refuses new comments.",
    ACTION_UNKNOWN="`action` is not the name of a counter of this kind of content.",
    IDEMPOTENCY_MISMATCH="The idempotency key was used before with another input. Use a new key.",
    HANDLE_TAKEN="The handle belongs to another user, was given up by another user recently, or is reserved.",
    TEXT_NOT_ALLOWED="The moderation rules do not allow this text. The message states why.",
    INVALID="The value is not valid for this field. The message states why.",
)


@strawberry.type(description="A reason why a mutation was refused. The caller can correct the input.")
class UserError:
    code: UserErrorCode = strawberry.field(description="The code of the error, for programs.")
    message: str = strawberry.field(
        description="The explanation of the error in English, for developers. It may change between versions."
    )
    field: list[str] | None = strawberry.field(
        description='The path of the input field that caused the error, such as `["images", "0", "url"]`. Null if the '
        "error is not about one field."
    )


def user_errors() -> Any:
    """Declares the field `userErrors`, the last field of each payload."""
    return strawberry.field(
        description="The reasons why the mutation was refused. Empty on success; otherwise nothing was changed."
    )
