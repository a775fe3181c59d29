"""Scalars of the contract, and the enums that rows do not already have."""

from datetime import UTC, datetime
from enum import Enum
from typing import NewType

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from domain.moderation.verdicts import AuditStatus
from models import likes
from schema.enums import describe_enum

Count = NewType("Count", int)
_LARGEST = (1 << 63) - 1


def _serialize_count(value: object) -> int:
    if isinstance(value, int) and 0 <= value <= _LARGEST:
        return value
    raise GraphQLError(f"Count cannot represent {value!r}.")


def _serialize_time(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


SCALARS: dict[object, ScalarDefinition] = {
    Count: strawberry.scalar(
        name="Count",
        description="A 64-bit non-negative integer, as a JSON number.",
        serialize=_serialize_count,
    ),
    datetime: strawberry.scalar(
        name="DateTime",
        description="A moment, as RFC 3339 in UTC.",
        serialize=_serialize_time,
        parse_value=datetime.fromisoformat,
    ),
}


@strawberry.enum(description="How a user feels about something.")
class Reaction(Enum):
    LIKE = likes.Reaction.LIKE
    DISLIKE = likes.Reaction.DISLIKE


describe_enum(
    AuditStatus,
    "What moderation says of it; other than APPROVED few may see it.",
    PENDING="Not decided yet: a moment after it was written, or until a moderator has looked.",
    APPROVED="Everybody sees it.",
    REJECTED="Its author and moderators see it. Who wrote a post may change it, and it is judged anew.",
)
