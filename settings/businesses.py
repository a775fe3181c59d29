"""Businesses: the lines of content of a deployment, and their settings. Posts and comments are built in; external
businesses, such as videos or articles, are configured in the businesses file.
"""

import tomllib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from settings.limits import Rate
from settings.moderation import ModerationSettings
from settings.part import Part
from settings.reactions import ReactionKind, ambiguous_reactions

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

SUGGESTIONS = 6
"""The built-in business whose entities are users who may be suggested to a user. It exists for suggestions that users
dismiss: they are stored like muted threads.
"""

FIRST_EXTERNAL = 100
"""The lowest id of an external business. Lower ids are for built-in businesses."""

FIRST_OWN_COUNTER = 100
"""The lowest id of a counter that a business defines. Lower ids are for built-in counters."""

BusinessKind = Literal["reactions", "comments", "actions", "entities", "moderation"]
"""The kinds of writes whose rate limits a business can set."""


class OwnCounter(Part):
    """A counter that a business defines, such as a counter of plays or downloads."""

    id: Annotated[int, Field(ge=FIRST_OWN_COUNTER, le=32767)]
    """100 to 32767, unique in all businesses. **Never change it, and never use it again.**"""
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """The action in `recordActions` and `actionCount`: lower-case letters, digits and underscores, at most 32."""
    once_per_hour: bool = False
    """Whether an action counts at most once an hour for each target and user or device."""


class Business(Part):
    """The settings of one line of content in a deployment, such as videos. Businesses are isolated from each other."""

    id: Annotated[int, Field(ge=1, le=32767)]
    """100 to 32767. All keys and rows contain it: **never change it, and never use it again for another business.**"""
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    """Lower-case letters, digits and underscores, at most 32."""
    dislikes: bool = True
    """Whether users can dislike the entities."""
    comments: bool = True
    """Whether new comments are accepted. Existing comments stay."""
    comment_edit_minutes: Annotated[int, Field(ge=0)] | Literal["unlimited"] = 15
    """Minutes for which authors can edit a new comment. 0: never. `unlimited`: always. Not in `[comment]`."""
    edit_history: Literal["moderators", "public"] = "moderators"
    """Who reads the earlier versions of edited comments, and in `[post]` also of posts: `moderators` and the author, or
    `public`: all who see the content. Versions that moderation had not approved are never public. Not in `[comment]`.
    """
    moderation: bool = True
    """Whether moderation rules and the external reviewer check new comments. Otherwise these are public at once. Not in
    `[post]` and `[comment]`.
    """
    in_feeds: bool = False
    """Whether posts of the owner announce new entities with an owner and a title, in lists of posts. If you switch it
    off, these posts are hidden. Not in `[post]` and `[comment]`.
    """
    counters: Annotated[tuple[OwnCounter, ...], Field(max_length=16)] = ()
    """Counters of this business, at most 16. Not in `[comment]`."""
    reactions: Annotated[tuple[ReactionKind, ...], Field(max_length=24)] = ()
    """Kinds of reactions beside likes and dislikes, at most 24."""
    many_reactions: bool = False
    """Whether a user can give several kinds to one object. Otherwise a new reaction replaces the old one. A dislike
    always replaces likes and the kinds that count as a like, and they replace it.
    """
    recent_reactions: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Cached reactions of a user. Older ones are read from Postgres."""
    look_up_old_reactions: bool = True
    """Whether pages look up the viewer's old, not cached reactions in Postgres. Otherwise, `viewerReaction` of old
    entities may be null, with the reason `NOT_LOOKED_UP`.
    """
    cached_likers: Annotated[int, Field(ge=1, le=1000)] = 200
    """Cached likers of an entity."""
    reactions_idle_days: Annotated[int, Field(ge=1)] = 30
    """Days after a user's last reaction for which reactions stay cached."""
    counts_days: Annotated[int, Field(ge=1)] = 7
    """Days after the last read or write for which counters stay cached."""
    content_days: Annotated[int, Field(ge=1)] = 1
    """Days for which posts, comments or entities stay cached."""
    writes: dict[str, dict[BusinessKind, Rate]] = Field(default_factory=dict)
    """The [rate limits](limits.md#writes) of writes in this business, by role or scope."""

    def counter(self, name: str) -> OwnCounter | None:
        """Returns the counter with this name that the business defines, or None if there is none."""
        return next((counter for counter in self.counters if counter.name == name), None)


def read_businesses(file: Path, budgets: Collection[str], moderation: ModerationSettings) -> tuple[Business, ...]:
    """Returns the businesses that users can react to: posts, comments, then the external businesses in the businesses
    file.

    Raises OSError if the file cannot be read. Raises ValueError, KeyError or TypeError if the file is invalid or names
    a budget that is not in `budgets`, or if `moderation` names a business that does not exist or is not moderated.
    """
    tables = tomllib.loads(file.read_text())
    external = [Business.model_validate(table) for table in tables["business"]]
    if own := [business.name for business in external if business.id < FIRST_EXTERNAL]:
        raise ValueError(f"{file}: {own[0]} needs an id of {FIRST_EXTERNAL} or more")
    post = Business(**tables.get("post", {}), id=POSTS, name="post")
    comment = Business(**tables.get("comment", {}), id=COMMENTS, name="comment")
    businesses = (post, comment, *external)
    problem = _contradiction(businesses, budgets) or _ignored(post, comment) or _not_moderated(moderation, external)
    if problem or (problem := _ambiguous_counters(businesses) or _ambiguous_reactions(businesses)):
        raise ValueError(f"{file}: {problem}")
    return businesses


def _contradiction(businesses: Sequence[Business], budgets: Collection[str]) -> str | None:
    """Returns an error message if a budget does not exist or an id or name is used twice, otherwise None."""
    if strange := {payer for business in businesses for payer in business.writes} - set(budgets):
        return f"no budget is called {min(strange)}"
    if _repeats([one.id for one in businesses]) or _repeats([one.name for one in businesses]):
        return "two businesses share an id or a name"
    return None


def _ambiguous_counters(businesses: Sequence[Business]) -> str | None:
    """Returns an error message if two counters share an id, or a name within a business, otherwise None."""
    if _repeats([counter.id for business in businesses for counter in business.counters]):
        return "two counters share an id"
    for business in businesses:
        if _repeats([counter.name for counter in business.counters]):
            return f"two counters of {business.name} share a name"
    return None


def _ambiguous_reactions(businesses: Sequence[Business]) -> str | None:
    """Returns an error message if two kinds of reactions of a business share an id or a name, otherwise None."""
    for business in businesses:
        if problem := ambiguous_reactions(business.reactions):
            return f"two kinds of reactions of {business.name} {problem}"
    return None


def _repeats(values: Sequence[object]) -> bool:
    return len(set(values)) < len(values)


def _ignored(post: Business, comment: Business) -> str | None:
    """Returns an error message if the built-in businesses `post` and `comment` set options that have no effect for
    them, otherwise None.
    """
    for business in (post, comment):
        if not business.moderation:
            return f"[{business.name}] cannot switch moderation off; only a [[business]] can"
        if business.in_feeds:
            return f"[{business.name}] cannot have in_feeds; only a [[business]] can"
    if "comment_edit_minutes" in comment.model_fields_set:
        return "[comment] cannot have comment_edit_minutes; only posts and entities can be commented on"
    if "edit_history" in comment.model_fields_set:
        return "[comment] cannot have edit_history; only posts and entities can be commented on"
    return "[comment] cannot have counters; only posts and entities can be counted" if comment.counters else None


def _not_moderated(settings: ModerationSettings, external: Iterable[Business]) -> str | None:
    """Returns an error message if a moderation setting names a business that does not exist or that is not moderated,
    otherwise None.
    """
    moderated = {"post": True} | {business.name: business.moderation for business in external}
    named = ("premoderate", settings.premoderate.businesses), ("hide_reported", settings.hide_reported)
    for setting, name in [(setting, name) for setting, names in named for name in sorted(names)]:
        if name not in moderated:
            return f"{setting} in PLAUDIT_MODERATION names {name}, which is neither post nor a [[business]]"
        if not moderated[name]:
            return f"{setting} in PLAUDIT_MODERATION names {name}, whose moderation is off"
    return None
