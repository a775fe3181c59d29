"""Fields of `data` that several kinds of outgoing events share, and functions that make their values from what is
stored about a change.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from domain.ids import UserId
from models.attachments import AttachmentKind, from_plain
from models.base import at
from store.outgoing.event_kinds import Data, Id, Json

Custom = Annotated[dict[str, Any] | None, Field(description="Custom data of the product; null if there is none.")]

ContentWarning = Annotated[str | None, Field(description="What the author says before the text; null for nothing.")]
Labels = Annotated[
    tuple[str, ...], Field(description="The names of the labels that the author or a service, and moderation, set.")
]


class Image(Json):
    """An image of a post or comment."""

    url: Annotated[str, Field(description="The unsigned URL.")]
    alt: str | None


class Attachment(Image):
    """An image, video or audio file of a post or comment. A fact that the client did not give is null."""

    kind: Literal["IMAGE", "VIDEO", "AUDIO"]
    width: Annotated[int | None, Field(description="In pixels.")]
    height: Annotated[int | None, Field(description="In pixels.")]
    blurhash: str | None
    mime_type: str | None
    poster_url: Annotated[str | None, Field(description="The unsigned URL of the picture of a video or audio file.")]
    duration_seconds: float | None


class Removed(Json):
    """A post or comment that is not public."""

    id: Id
    author_id: Id
    by_moderation: Annotated[bool, Field(description="Whether moderation hides it. If false, it was deleted.")]


def user(id_: int | None) -> str | None:
    """Returns the global id of the user with this internal id; None if `id_` is None."""
    return None if id_ is None else UserId.text(id_)


def custom(data: Data) -> Any:
    """Returns the custom data that the product has attached to the changed object, decoded from JSON; None if there is
    none.
    """
    text = data["custom"]
    return None if text is None else orjson.loads(text)


def images(data: Data) -> list[Data]:
    """Returns the images of a stored post or comment, as the objects `{"url", "alt"}` of an event."""
    found = from_plain(data["images"])
    return [{"url": one.url, "alt": one.alt} for one in found if one.kind is AttachmentKind.IMAGE]


def attachments(data: Data) -> list[Data]:
    """Returns the images, videos and audio files of a stored post or comment, as objects of an event."""
    return [
        {
            "url": one.url,
            "alt": one.alt,
            "kind": one.kind.value,
            "width": one.width,
            "height": one.height,
            "blurhash": one.blurhash,
            "mimeType": one.mime_type,
            "posterUrl": one.poster_url,
            "durationSeconds": one.duration_seconds,
        }
        for one in from_plain(data["images"])
    ]


def created_at(data: Data) -> datetime:
    """Returns the time at which a stored post or comment was created."""
    return at(data["moment"] >> 10)


def edited_at(data: Data) -> datetime | None:
    """Returns the time at which a stored post or comment was last edited; None if it never was."""
    return None if data["edited_ms"] is None else at(data["edited_ms"])
