"""Images, videos and audio files of posts and comments."""

from collections.abc import Sequence

import strawberry
from strawberry import UNSET

import resolvers.media as resolve
from domain.errors import BadInput
from models import attachments
from models.attachments import AttachmentKind
from schema.enums import describe_enum
from schema.fields import given, listed

describe_enum(
    AttachmentKind,
    "The kind of an attachment.",
    IMAGE="An image.",
    VIDEO="A video.",
    AUDIO="An audio file.",
)


@strawberry.type(description="An image of a post or comment.")
class Image:
    url: str = listed(
        resolve.signed,
        description="The signed URL of the file. It is valid for at least 24 hours by default; after that, read this "
        "field again. All users get the same URL for up to 6 hours by default, so that caches can reuse the file.",
    )
    alt: str | None = strawberry.field(
        description="The alternative text: a description of the file in words. Null if the author gave none."
    )
    width: int | None = strawberry.field(description="The width in pixels. Null if the author's client gave none.")
    height: int | None = strawberry.field(description="The height in pixels. Null if the author's client gave none.")
    blurhash: str | None = strawberry.field(
        description="A BlurHash: a short text from which clients draw a blurred placeholder while the file, or the "
        "poster of a video, is loading. Null if the author's client gave none."
    )
    mime_type: str | None = strawberry.field(
        description="The media type of the file, such as `image/png`, as the author's client gave it. Null if it gave "
        "none."
    )


@strawberry.type(description="An image, video or audio file of a post or comment.")
class Attachment(Image):
    kind: AttachmentKind = strawberry.field(description="The kind of this attachment.")
    poster_url: str | None = listed(
        resolve.signed_posters,
        description="The signed URL of the picture to show before a video or audio file plays. Null if the author "
        "gave none.",
    )
    duration_seconds: float | None = strawberry.field(
        description="The duration of a video or audio file in seconds. Null if the author's client gave none."
    )


@strawberry.input(description="An image to show in a post or comment.")
class ImageInput:
    url: str = strawberry.field(
        description="The https URL of the file, at most 2000 characters. The host must be one that the operator of "
        "this deployment allows."
    )
    alt: str | None = strawberry.field(
        default=UNSET, description="The alternative text: a description of the file in words, at most 500 characters."
    )
    width: int | None = strawberry.field(default=UNSET, description="The width in pixels: 1 to 100000.")
    height: int | None = strawberry.field(default=UNSET, description="The height in pixels: 1 to 100000.")
    blurhash: str | None = strawberry.field(
        default=UNSET, description="A BlurHash of the image, or of the poster of a video."
    )
    mime_type: str | None = strawberry.field(
        default=UNSET, description="The media type of the file in lower case, such as `image/png`."
    )

    def attachment(self) -> attachments.Attachment:
        """Returns the image in the form that commands take."""
        return attachments.Attachment(
            self.url,
            given(self.alt),
            width=given(self.width),
            height=given(self.height),
            blurhash=given(self.blurhash),
            mime_type=given(self.mime_type),
        )


@strawberry.input(description="An image, video or audio file to show in a post or comment.")
class AttachmentInput(ImageInput):
    kind: AttachmentKind = strawberry.field(description="The kind of the attachment.")
    poster_url: str | None = strawberry.field(
        default=UNSET,
        description="The https URL of a picture to show before a video or audio file plays. The rules of `url` apply.",
    )
    duration_seconds: float | None = strawberry.field(
        default=UNSET, description="The duration of a video or audio file in seconds: 0.001 to 86400."
    )

    def attachment(self) -> attachments.Attachment:
        """Returns the attachment in the form that commands take. Raises BadInput for a duration that is no number."""
        seconds, poster = given(self.duration_seconds), given(self.poster_url)
        duration_ms = None if seconds is None else _milliseconds(seconds)
        return super().attachment()._replace(kind=self.kind, poster_url=poster, duration_ms=duration_ms)


def _milliseconds(seconds: float) -> int:
    """Returns a duration in milliseconds. A number that is too large becomes one that no file can have."""
    return round(min(max(seconds, -1.0), 1e9) * 1000)


def rows(
    images: Sequence[ImageInput] | None, others: Sequence[AttachmentInput] | None
) -> tuple[list[attachments.Attachment] | None, str]:
    """Returns the attachments of an input in the form that commands take, and the name of the input field that has
    them; None if it has none. `images` and `others` are the input fields `images` and `attachments`. Raises BadInput if
    both have something.
    """
    if images and others:
        raise BadInput("Send images or attachments, not both.")
    inputs, field = (images, "images") if others is None else (others, "attachments")
    return None if inputs is None else [one.attachment() for one in inputs], field
