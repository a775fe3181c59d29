"""Lines of content: the product's own, and how external ones are described."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from pydantic_settings import SettingsConfigDict

from settings.limits import Rate

USERS = 1
"""The built-in business whose entities are the users themselves: their counters live where all counters live."""

POSTS = 2
"""The built-in business of posts."""
TOPICS = 3
"""The built-in business whose entities are topics, for their counters."""

COMMENTS = 4
"""The built-in business of comments."""

FIRST_EXTERNAL = 100
"""Ids below belong to the product's own businesses (users, posts, topics, comments)."""


BusinessKind = Literal["reactions", "comments", "records", "entities", "moderation"]
"""The kinds of writes that are of a business; what people do elsewhere costs nothing here."""


class Business(BaseModel):
    """One line of content inside a deployment, isolated from the others."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    id: Annotated[int, Field(ge=1, le=32767)]
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    dislikes: bool = True
    comments: bool = True
    """Whether its things take new comments; where not, what there is stays."""
    recent_reactions: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """How many of a user's reactions the cache keeps; older ones are answered from Postgres."""
    pages_ask_truth: bool = True
    """Whether a page looks up in Postgres what nothing else tells of the viewer's reactions; one thing by itself always
    does. Where not, `viewerReaction` is null there.
    """
    cached_likers: Annotated[int, Field(ge=1, le=1000)] = 200
    reactions_idle_days: Annotated[int, Field(ge=1)] = 30
    counts_days: Annotated[int, Field(ge=1)] = 7
    document_days: Annotated[int, Field(ge=1)] = 1
    writes: dict[str, dict[BusinessKind, Rate]] = {}
    """Quotas unlike the deployment's, by whose they are: `user`, `ip`, `device`, `anonymous` or a scope."""
