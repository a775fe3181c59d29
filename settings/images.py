"""Settings of image hosts, and of the keys that sign image URLs (docs/build/images.md)."""

from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from settings.part import Part
from settings.uploads import UploadSettings

EXAMPLE_HOST = "images.example.com"
"""A host name that is reserved for examples (RFC 2606)."""
DEMO_HOST = "demo.plaudit.invalid"
"""The host of the demo data's images. The host does not exist; in development the API serves the images
(seed/pictures.py).
"""
DEMO_PATH = "/demo"


class ImageKey(Part):
    """A key that signs image URLs. Each signed URL contains the id of its key."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$")]
    """The id in URLs: at most 16 letters, digits, `-` and `_`."""
    secret: Annotated[SecretStr, Field(min_length=32)]
    """At least 32 characters."""


class ImageSettings(Part):
    """The hosts of images, the keys that sign image URLs, and the time for which signed URLs are valid
    (docs/build/images.md).
    """

    hosts: tuple[Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9][0-9]{0,4})?$")], ...] = ()
    """The hosts of images, in lower case, with a port unless it is 443."""
    keys: tuple[ImageKey, ...] = ()
    """The signing keys. The first signs URLs; all verify them."""
    lifetime: Annotated[int, Field(ge=60, le=366 * 86_400)] = 86_400
    """The least seconds for which a signed URL is valid."""
    bucket: Annotated[int, Field(ge=1, le=366 * 86_400)] = 21_600
    """Seconds for which an image keeps its signed URL. URLs may be valid for this much longer than `lifetime`."""

    uploads: UploadSettings | None = None
    """The store of uploaded files. Without it, users cannot upload."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len({key.id for key in self.keys}) < len(self.keys):
            raise ValueError("two keys share an id")
        if any(host.endswith(":443") for host in self.hosts):
            raise ValueError("443 is the port of https and is left out")
        return self
