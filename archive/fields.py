"""Types of the fields of records: times, texts, and references to users, entities, posts and comments."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.alias_generators import to_camel

from domain import times

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""The earliest time that a record can have."""


class Json(BaseModel):
    """The base class of the JSON objects in an archive. Instances are immutable. The names of fields are in camel case
    in JSON, and a field with an unknown name is an error.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


Time = Annotated[
    AwareDatetime,
    Field(strict=True, ge=EARLIEST),
    PlainSerializer(times.formatted, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A time: in JSON a text in the format of RFC 3339, such as `2020-02-01T10:00:00Z`, not before the year 2000. Digits
after the milliseconds are dropped.
"""

_CONTROL = r"\x00-\x1f\x7f-\x9f"
_ID = rf"^[^\s{_CONTROL}](?:[^{_CONTROL}]*[^\s{_CONTROL}])?$"
ExternalId = Annotated[str, Field(min_length=1, max_length=255, pattern=_ID)]
"""The id that a user, post, comment or collection has in the system from which an archive comes: 1 to 255 characters,
without control characters, and without white space at its beginning and end.
"""


class IssuedUser(Json):
    """A user of a named issuer."""

    issuer: Annotated[ExternalId, Field(description="The claim `iss` of the user's tokens.")]
    external_id: Annotated[ExternalId, Field(description="The claim `sub` of the user's tokens.")]


UserRef = Annotated[
    ExternalId | IssuedUser,
    Field(
        description="A user: the external id of a user of the default issuer, or an object with the issuer.",
        union_mode="left_to_right",
    ),
]


class EntityTarget(Json):
    """A reference to an entity, such as a video."""

    business: Annotated[str, Field(description="The name of the business, as in the businesses file.")]
    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9._~-]{1,64}$")]


class PostTarget(Json):
    """A reference to a post."""

    post: Annotated[ExternalId, Field(description="The `id` of the post's record.")]


class CommentTarget(Json):
    """A reference to a comment."""

    comment: Annotated[ExternalId, Field(description="The `id` of the comment's record.")]


class TopicTarget(Json):
    """A reference to a topic."""

    topic: Annotated[str, Field(description="The name of the topic.")]


# The types of a union have no field in common. So the first one that fits is the right one, which is faster to find
# than the best one.
_FIRST = Field(union_mode="left_to_right")
Target = Annotated[EntityTarget | PostTarget | CommentTarget, _FIRST]
Subject = Annotated[EntityTarget | PostTarget, _FIRST]

ContentWarning = Annotated[str | None, Field(description="What the author says before the text.")]
Labels = Annotated[tuple[str, ...], Field(description="The names of the labels.")]
ModeratorLabels = Annotated[tuple[str, ...], Field(description="The names of the labels that moderators have set.")]
Custom = Annotated[
    dict[str, Any] | None, Field(description="Custom data: a JSON object of at most 4096 bytes and five levels.")
]


class Image(Json):
    """An image, video or audio file of a post or comment."""

    url: Annotated[str, Field(description="The unsigned URL.")]
    alt: Annotated[str | None, Field(description="The alternative text.")] = None
    kind: Literal["IMAGE", "VIDEO", "AUDIO"] = "IMAGE"
    width: Annotated[int | None, Field(description="In pixels.")] = None
    height: Annotated[int | None, Field(description="In pixels.")] = None
    blurhash: str | None = None
    mime_type: str | None = None
    poster_url: Annotated[
        str | None, Field(description="The unsigned URL of the picture of a video or audio file.")
    ] = None
    duration_ms: Annotated[int | None, Field(description="The duration in milliseconds.")] = None
