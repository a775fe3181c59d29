"""What may be published unseen, and who is asked about it (docs/build/moderation.md)."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, Field, HttpUrl, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict


class ReviewerSettings(BaseModel):
    """A service of somebody else's that is asked about everything that nothing here objects to."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    url: HttpUrl
    """Unencrypted on this machine alone."""
    secret: Annotated[SecretStr, Field(min_length=16)]
    """What requests are signed with."""
    timeout: Annotated[float, Field(gt=0, le=60)] = 3.0
    """From the connection to the end of the answer."""
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    """How many requests a worker has under way."""
    max_bytes: Annotated[int, Field(ge=64)] = 16_384
    """Longer answers are none."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.url.scheme != "https" and self.url.host not in ("127.0.0.1", "localhost", "[::1]"):
            raise ValueError("what people write goes to another machine by https only")
        return self


class ModerationSettings(BaseModel):
    """What may be published without somebody looking at it (docs/build/moderation.md)."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    words_file: Path = Path(__file__).parents[1] / "domain" / "moderation" / "words.txt"
    reviewer: ReviewerSettings | None = None
    window: Annotated[float, Field(ge=3600)] = 86_400.0
    """How far back an author's submissions are compared, and"""
    traces: Annotated[int, Field(ge=1, le=1000)] = 100
    """how many of them, the newest."""
    same_text: Annotated[int, Field(ge=1)] = 2
    """How often the same may be posted; more often it waits,"""
    same_text_waits: Annotated[int, Field(ge=1)] = 5
    """and more often than this it is rejected."""
    links: Annotated[int, Field(ge=0)] = 5
    """How many links one text may have; with more it waits."""
    same_link: Annotated[int, Field(ge=1)] = 5
    """How often the same link may be posted; more often it waits."""
    new_account: Annotated[float, Field(ge=0)] = 86_400.0
    """Accounts younger than this are new. The next two are theirs."""
    new_posts_per_hour: Annotated[int, Field(ge=0)] = 5
    new_links: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.same_text_waits < self.same_text:
            raise ValueError("same_text_waits is less than same_text: nothing would ever wait")
        if self.traces < max(self.same_text_waits, self.same_link, self.new_posts_per_hour):
            raise ValueError("traces is less than what is counted in them: some limit would never be reached")
        return self
