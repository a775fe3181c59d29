"""Businesses: the settings of the built-in and of the external lines of content."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from settings.limits import Rate, with_current_kinds
from settings.part import Part

USERS = 1
"""The built-in business whose entities are users. It exists for the counters of users."""

POSTS = 2
"""The built-in business of posts."""
TOPICS = 3
"""The built-in business whose entities are topics. It exists for the counters of topics."""

COMMENTS = 4
"""The built-in business of comments."""

COLLECTIONS = 5
"""The built-in business whose entities are collections. It exists for the pending changes of collections."""

FIRST_EXTERNAL = 100
"""The lowest id of an external business. Lower ids are for built-in businesses."""

FIRST_OWN_COUNTER = 100
"""The lowest id of a counter that a business defines. Lower ids are for built-in counters."""

BusinessKind = Literal["reactions", "comments", "actions", "entities", "moderation"]
"""The kinds of writes whose rate limits a business can set."""


class OwnCounter(Part):
    """A counter that a business defines, such as a counter of plays or downloads."""

    id: Annotated[int, Field(ge=FIRST_OWN_COUNTER, le=32767)]
    """100 to 32767. No other counter may have the same id, also not in another business. Rows and journal entries
    contain the id: never change it, and never use it again for another counter.
    """
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """The name of the counted action in `recordActions` and `actionCount`: lower-case letters, digits and underscores,
    at most 32.
    """
    once_per_hour: bool = False
    """Whether an action counts at most once an hour for each target and user or device. Otherwise every
    action counts.
    """


class Business(Part):
    """One line of content in a deployment, such as videos. Businesses are isolated from each other."""

    id: Annotated[int, Field(ge=1, le=32767)]
    """100 to 32767. All keys and rows contain the id: never change it, and never use it again for another business."""
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """The name of the business: lower-case letters, digits and underscores, at most 32."""
    dislikes: bool = True
    """Whether users can dislike the entities of this business."""
    comments: bool = True
    """Whether new comments are accepted. Existing comments stay."""
    comment_edit_minutes: Annotated[int, Field(ge=0)] | Literal["unlimited"] = 15
    """Minutes for which authors can edit a new comment on the content of this business. 0 allows no edits, `unlimited`
    allows edits at any time. Not allowed in `[comment]`.
    """
    moderation: bool = True
    """Whether the moderation rules and the external reviewer check new comments on the entities of this business.
    Otherwise new comments are public at once. Not allowed in `[post]` and `[comment]`.
    """
    counters: Annotated[tuple[OwnCounter, ...], Field(max_length=16)] = ()
    """The counters that this business defines, at most 16. Not allowed in `[comment]`."""
    recent_reactions: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """The most reactions of a user that are cached. Older reactions are read from Postgres."""
    pages_ask_truth: bool = True
    """Whether pages look up the viewer's old reactions in Postgres. Otherwise, `viewerReaction` of old entities may be
    null on pages, with the reason `NOT_LOOKED_UP`. For a single entity, the reaction is always looked up.
    """
    cached_likers: Annotated[int, Field(ge=1, le=1000)] = 200
    """The most likers of an entity that are cached."""
    reactions_idle_days: Annotated[int, Field(ge=1)] = 30
    """Days after a user's last reaction for which the user's reactions stay cached."""
    counts_days: Annotated[int, Field(ge=1)] = 7
    """Days after the last read or write for which counters stay cached."""
    document_days: Annotated[int, Field(ge=1)] = 1
    """Days for which documents stay cached."""
    writes: dict[str, Annotated[dict[BusinessKind, Rate], BeforeValidator(with_current_kinds)]] = Field(
        default_factory=dict
    )
    """The rate limits of writes in this business, by role: `user`, `ip`, `device`, `anonymous` or a scope."""

    def counter(self, name: str) -> OwnCounter | None:
        """Returns the counter with this name that the business defines, or None."""
        return next((counter for counter in self.counters if counter.name == name), None)
