"""Hosts of images, and the keys that sign their URLs (docs/build/images.md)."""

from typing import Annotated, Self

from pydantic import BaseModel, Field, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

EXAMPLE_HOST = "images.example.com"
"""A host that never exists (RFC 2606)."""
DEMO_HOST = "demo.plaudit.invalid"
"""The host of the seed's images. It does not exist; in development the API serves them (seed/pictures.py)."""
DEMO_PATH = "/demo"


class ImageKey(BaseModel):
    """A key that signs image URLs. A URL names its key by id."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$")]
    """Names the key in URLs: letters, digits, `-` and `_`, at most 16."""
    secret: Annotated[SecretStr, Field(min_length=32)]
    """At least 32 characters."""


class ImageSettings(BaseModel):
    """Hosts of images, keys, and how long signed URLs are valid (docs/build/images.md)."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    hosts: tuple[Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9][0-9]{0,4})?$")], ...] = ()
    """Hosts whose images posts may show: lower case, with a port unless it is 443."""
    keys: tuple[ImageKey, ...] = ()
    """The keys: the first one signs, all verify."""
    lifetime: Annotated[int, Field(ge=60, le=366 * 86_400)] = 86_400
    """Seconds for which a URL is valid, at least."""
    bucket: Annotated[int, Field(ge=1, le=366 * 86_400)] = 21_600
    """Seconds for which a URL stays the same; it may be valid that much longer than `lifetime`."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len({key.id for key in self.keys}) < len(self.keys):
            raise ValueError("two keys share an id")
        if any(host.endswith(":443") for host in self.hosts):
            raise ValueError("443 is the port of https and is left out")
        return self
