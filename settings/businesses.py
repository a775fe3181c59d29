"""Businesses: the built-in lines of content, and the settings of external ones."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field
from pydantic_settings import SettingsConfigDict

from settings.limits import Rate, with_current_kinds

USERS = 1
"""The built-in business whose entities are users, for their counters."""

POSTS = 2
"""The built-in business of posts."""
TOPICS = 3
"""The built-in business whose entities are topics, for their counters."""

COMMENTS = 4
"""The built-in business of comments."""

FIRST_EXTERNAL = 100
"""The first id of external businesses; lower ones are for built-in businesses."""

FIRST_OWN_COUNTER = 100
"""The first id of counters that businesses have of their own; lower ones are for built-in counters."""

BusinessKind = Literal["reactions", "comments", "actions", "entities", "moderation"]
"""The kinds of writes that have rate limits by business."""


class OwnCounter(BaseModel):
    """A counter that a business has of its own, such as one of plays or downloads."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: Annotated[int, Field(ge=FIRST_OWN_COUNTER, le=32767)]
    """100 to 32767, different from the ids of all other counters, also of other businesses. In rows and journal
    entries: never change or reuse it.
    """
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """The action that `recordActions` counts and `actionCount` reads: lower-case letters, digits and underscores, at
    most 32.
    """
    once_per_hour: bool = False
    """Whether an action counts once per target, user or device, and hour. Otherwise every action counts."""


class Business(BaseModel):
    """One line of content inside a deployment, isolated from the others."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: Annotated[int, Field(ge=1, le=32767)]
    """100 to 32767. In every key and row: never change or reuse it."""
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """Lower-case letters, digits and underscores, at most 32."""
    dislikes: bool = True
    """Whether things can be disliked."""
    comments: bool = True
    """Whether new comments are accepted. Existing ones stay."""
    moderation: bool = True
    """Whether the moderation rules and the external reviewer judge new comments on the entities of this business.
    Otherwise they are public at once. Not allowed in `[post]` and `[comment]`.
    """
    counters: Annotated[tuple[OwnCounter, ...], Field(max_length=16)] = ()
    """Counters of this business's own, at most 16. Not allowed in `[comment]`."""
    recent_reactions: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Newest reactions of a user in the cache; older ones come from Postgres."""
    pages_ask_truth: bool = True
    """Whether pages look up old reactions of the viewer in Postgres. Otherwise `viewerReaction` of old things may be
    null on pages, with the reason `NOT_LOOKED_UP`; a single thing is always looked up.
    """
    cached_likers: Annotated[int, Field(ge=1, le=1000)] = 200
    """Newest likers of a thing in the cache."""
    reactions_idle_days: Annotated[int, Field(ge=1)] = 30
    """Days after a user's last reaction for which their reactions stay in the cache."""
    counts_days: Annotated[int, Field(ge=1)] = 7
    """Days after the last read or write for which counters stay in the cache."""
    document_days: Annotated[int, Field(ge=1)] = 1
    """Days for which documents stay in the cache."""
    writes: dict[str, Annotated[dict[BusinessKind, Rate], BeforeValidator(with_current_kinds)]] = {}
    """Rate limits of this business by role: `user`, `ip`, `device`, `anonymous` or a scope."""

    def counter(self, name: str) -> OwnCounter | None:
        """Returns this business's own counter with this name, or None."""
        return next((counter for counter in self.counters if counter.name == name), None)
