"""What every mutation's payload has in common."""

from typing import Any

import strawberry

from domain.errors import UserErrorCode
from schema.enums import describe_enum

describe_enum(
    UserErrorCode,
    "Why a mutation changed nothing.",
    TARGET_NOT_FOUND="Nothing of the kind has this id, or nothing that the viewer may see.",
    TARGET_DELETED="It was there, and has been deleted.",
    NOT_ALLOWED="It is somebody else's.",
    CANNOT_FOLLOW_SELF="Nobody follows themselves.",
    FOLLOW_LIMIT_REACHED="The viewer follows as many as anybody may.",
    DISLIKE_DISABLED="Its business has no dislikes.",
    TEXT_EMPTY="There is nothing to be seen.",
    TEXT_TOO_LONG="More characters than the field may have; the message tells how many that are.",
    TEXT_INVALID="It has control characters, other than line breaks and tabs.",
    TOO_MANY_IMAGES="More than a post may have.",
    IMAGE_NOT_ALLOWED="Not a plain https address on one of this deployment's image hosts.",
    TOO_MANY_TOPICS="More than a post may have.",
    TOPIC_INVALID="Not a topic: letters, digits, _ and -, at most 50.",
    COMMENTS_CLOSED="Nobody may comment on it any more.",
    IDEMPOTENCY_MISMATCH="The key was used before with another input. Use a new key for what is new.",
    HANDLE_TAKEN="Somebody else has this handle, or had it until lately, or it is reserved.",
    TEXT_NOT_ALLOWED="The rules of moderation do not allow this text; the message tells why.",
    INVALID="Not what the field is for; the message tells why.",
)


@strawberry.type(description="Why nothing was changed, in terms the caller can act on.")
class UserError:
    code: UserErrorCode = strawberry.field(description="For programs.")
    message: str = strawberry.field(description="For people.")
    field: list[str] | None = strawberry.field(description="The path of the input it is about.")


def user_errors() -> Any:
    """The field every payload ends with."""
    return strawberry.field(description="Empty when it was done; otherwise nothing has changed.")
