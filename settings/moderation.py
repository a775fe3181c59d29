"""The rules of moderation and the external reviewer (docs/build/moderation.md)."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, Field, HttpUrl, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict


class ReviewerSettings(BaseModel):
    """The external reviewer: a service that decides about submissions to which no rule objected."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    url: HttpUrl
    """The address of the service: `https`, or `http` on this machine."""
    secret: Annotated[SecretStr, Field(min_length=16)]
    """Signs requests; at least 16 characters."""
    timeout: Annotated[float, Field(gt=0, le=60)] = 3.0
    """Seconds from the connection to the end of the answer."""
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    """Requests that a worker sends at once."""
    max_bytes: Annotated[int, Field(ge=64)] = 16_384
    """Bytes of an answer; a longer one is invalid."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.url.scheme != "https" and self.url.host not in ("127.0.0.1", "localhost", "[::1]"):
            raise ValueError("what people write goes to another machine by https only")
        return self


class ModerationSettings(BaseModel):
    """The rules for what is published without a moderator's decision (docs/build/moderation.md)."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    words_file: Path = Path(__file__).parents[1] / "domain" / "moderation" / "words.txt"
    """The file of listed words."""
    reviewer: ReviewerSettings | None = None
    """The external reviewer, if there is one."""
    window: Annotated[float, Field(ge=3600)] = 86_400.0
    """Seconds for which submissions of an author are compared with later ones."""
    traces: Annotated[int, Field(ge=1, le=1000)] = 100
    """How many of an author's newest submissions in the window are compared."""
    same_text: Annotated[int, Field(ge=1)] = 2
    """How often the same text may be posted; further ones wait for a moderator."""
    same_text_waits: Annotated[int, Field(ge=1)] = 5
    """How often the same text may be posted before it is rejected."""
    links: Annotated[int, Field(ge=0)] = 5
    """Links of one text; a text with more waits for a moderator."""
    same_link: Annotated[int, Field(ge=1)] = 5
    """How often the same link may be posted; further ones wait for a moderator."""
    new_account: Annotated[float, Field(ge=0)] = 86_400.0
    """Seconds for which an account is new; 0 for never."""
    new_posts_per_hour: Annotated[int, Field(ge=0)] = 5
    """Posts and comments of a new account in an hour; further ones wait for a moderator."""
    new_links: Annotated[int, Field(ge=0)] = 0
    """Links of one text of a new account; a text with more waits for a moderator."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.same_text_waits < self.same_text:
            raise ValueError("same_text_waits is less than same_text: nothing would ever wait")
        if self.traces < max(self.same_text_waits, self.same_link, self.new_posts_per_hour):
            raise ValueError("traces is less than what is counted in them: some limit would never be reached")
        return self
