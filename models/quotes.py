"""Quotes: posts that show another post, and what is in the place of a quoted post that is not shown."""

from dataclasses import dataclass, fields
from enum import Enum, IntEnum

from models.posts import PostRow


class QuotePolicy(IntEnum):
    """Who may quote the posts of a user, besides the user. The numbers are stored in the place of the policies of
    comments (models/comment_settings.py), in the settings whose subject is the user: never reuse one.
    """

    EVERYONE = 0
    FOLLOWERS = 1
    NOBODY = 3


class QuoteMissing(Enum):
    """Why a quoted post is not shown."""

    REMOVED_BY_AUTHOR = "REMOVED_BY_AUTHOR"
    DELETED = "DELETED"
    NOT_VISIBLE = "NOT_VISIBLE"
    NESTED = "NESTED"


class QuotedRow(PostRow):
    """A post in the place where another post quotes it. What it quotes is not shown there."""

    @classmethod
    def of(cls, row: PostRow) -> "QuotedRow":
        """Returns a copy of a post for the place where another post quotes it."""
        return cls(*(getattr(row, field.name) for field in fields(row)))


@dataclass(frozen=True, slots=True)
class Quote:
    """What a post quotes: a post, or why it is not shown."""

    post: PostRow | None
    missing: QuoteMissing | None
