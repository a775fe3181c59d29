"""Whose images posts may show, and how their URLs are signed (docs/build/images.md)."""

from typing import Annotated, Self

from pydantic import BaseModel, Field, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

EXAMPLE_HOST = "images.example.com"
"""There is no such host, and never will be (RFC 2606)."""
DEMO_HOST = "demo.plaudit.invalid"
"""Whose images the seed's posts show. There is no such host; in development the API serves them (seed/pictures.py)."""
DEMO_PATH = "/demo"


class ImageKey(BaseModel):
    """What image URLs are signed with: they name the key by its id."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$")]
    secret: Annotated[SecretStr, Field(min_length=32)]


class ImageSettings(BaseModel):
    """Whose images posts may show, and for how long a URL that was given away is good (docs/build/images.md)."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    hosts: tuple[Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9][0-9]{0,4})?$")], ...] = ()
    """In lower case, with a port where it is not 443."""
    keys: tuple[ImageKey, ...] = ()
    """The first one signs, all verify."""
    lifetime: Annotated[int, Field(ge=60, le=366 * 86_400)] = 86_400
    bucket: Annotated[int, Field(ge=1, le=366 * 86_400)] = 21_600
    """For so long a URL is signed to the same characters, which is how much longer than `lifetime` it may be good."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len({key.id for key in self.keys}) < len(self.keys):
            raise ValueError("two keys share an id")
        if any(host.endswith(":443") for host in self.hosts):
            raise ValueError("443 is the port of https and is left out")
        return self
