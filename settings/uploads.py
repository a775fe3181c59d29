"""Settings of the S3-compatible store to which users upload files (docs/build/images.md)."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from settings.part import Part

UploadType = Literal[
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
    "image/avif",
    "video/mp4",
    "video/webm",
    "audio/mpeg",
    "audio/mp4",
    "audio/ogg",
    "audio/wav",
]


class UploadSettings(Part):
    """The S3-compatible store to which users upload files, and the files that they may upload."""

    endpoint: Annotated[str, Field(pattern=r"^https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?$")]
    """The URL of the store, without a path, such as `https://s3.eu-central-1.amazonaws.com`."""
    bucket: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")]
    """The bucket for the files."""
    region: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")] = "us-east-1"
    """The region of the bucket."""
    access_key: Annotated[str, Field(pattern=r"^[A-Za-z0-9/+=_-]{1,128}$")]
    """The id of an access key with only the rights to write, read, delete and list objects of the bucket."""
    secret_key: SecretStr
    """The secret of the access key."""
    public_url: Annotated[
        str,
        Field(
            pattern=r"^(https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?|http://(localhost|127\.0\.0\.1))"
            r"(:[1-9][0-9]{0,4})?(/[A-Za-z0-9_~-]+)*$"
        ),
    ]
    """The URL under which readers get the files, without a slash at its end: `https`, or in development `http` on this
    machine. Its host joins `hosts`.
    """
    max_bytes: Annotated[int, Field(ge=1, le=2_000_000_000)] = 10_000_000
    """The most bytes of a file."""
    types: Annotated[tuple[UploadType, ...], Field(min_length=1)] = (
        "image/jpeg",
        "image/png",
        "image/gif",
        "image/webp",
        "image/avif",
    )
    """The media types of the files."""
    lifetime: Annotated[int, Field(ge=60, le=86_400)] = 600
    """Seconds for which a user can upload a file after `createUpload`."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        for url in (self.endpoint, self.public_url):
            parts = urlsplit(url)
            if parts.port == {"https": 443, "http": 80}[parts.scheme]:
                raise ValueError(f"{parts.port} is the port of {parts.scheme} and is left out")
        return self

    @property
    def host(self) -> str:
        """Returns the host of the files' URLs, with a port unless it is 443."""
        return urlsplit(self.public_url).netloc
