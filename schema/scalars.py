"""The scalar types, and the enums of reactions and of the moderation status."""

from datetime import datetime
from enum import Enum
from typing import NewType

import orjson
import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from domain import custom, times
from domain.errors import BadInput
from domain.moderation.verdicts import AuditStatus
from models import likes
from schema.enums import describe_enum

Count = NewType("Count", int)
JSON = NewType("JSON", str)
_LARGEST = (1 << 63) - 1


def _serialize_count(value: object) -> int:
    if isinstance(value, int) and 0 <= value <= _LARGEST:
        return value
    raise GraphQLError(f"Count cannot represent {value!r}.")


def _parse_custom(value: object) -> str:
    try:
        return custom.encoded(value)
    except BadInput as error:
        raise GraphQLError(error.message) from None


def _parse_time(value: object) -> datetime:
    try:
        return times.parse(value)
    except BadInput as error:
        raise GraphQLError(error.message) from None


SCALARS: dict[object, ScalarDefinition] = {
    Count: strawberry.scalar(
        name="Count",
        description="A non-negative integer below 2^63, sent as a JSON number. It can be too large for a 32-bit "
        "integer.",
        serialize=_serialize_count,
    ),
    JSON: strawberry.scalar(
        name="JSON",
        description="Custom data: a JSON object of your choice, which Plaudit stores and returns and does not "
        "interpret. At most 4096 bytes of JSON without white space, and at most 5 levels of objects and lists. Another "
        "value is refused, and so is a text with the character NUL or with a lone surrogate.",
        serialize=orjson.loads,
        parse_value=_parse_custom,
    ),
    datetime: strawberry.scalar(
        name="DateTime",
        description="A date and time in the format of RFC 3339, such as `2026-05-01T12:00:00.000Z`. Output is in UTC "
        "with milliseconds. Input may have any offset from UTC and any number of decimals; decimals after the sixth "
        "are ignored. Input in another ISO 8601 format, or with the year 0000, fails. A leap second, `23:59:60` in UTC "
        "on the last day of a month, counts as the second after it.",
        serialize=times.formatted,
        parse_value=_parse_time,
    ),
}


class Reaction(Enum):
    """The reaction of a user to an object. The API returns null for the stored value NONE."""

    LIKE = likes.Reaction.LIKE
    DISLIKE = likes.Reaction.DISLIKE


describe_enum(
    Reaction,
    "The reaction of a user to an object.",
    LIKE="The user likes the object.",
    DISLIKE="The user dislikes the object.",
)


describe_enum(
    AuditStatus,
    "The moderation status of a post or a comment.",
    PENDING="Moderation has not decided yet. Only the author and moderators can see the post or comment.",
    APPROVED="Moderation has approved the post or comment. All users can see it, except a comment on a post that is "
    "not approved. The tombstone of a deleted comment has this status too.",
    REJECTED="Moderation has rejected the post or comment. Only the author and moderators can see it. The author can "
    "edit the post, or the comment within the edit window, and moderation then decides again.",
)
