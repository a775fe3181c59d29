"""Settings of the caches: how much of each list Redis keeps, and of which values a process keeps copies."""

from typing import Annotated

from pydantic import Field

from settings.numbers import LARGEST
from settings.part import Part

Items = Annotated[int, Field(ge=100, le=10_000)]


class CacheSettings(Part):
    """How many items of each list Redis keeps, which decides how much memory it needs, and when a process keeps its own
    copy of a value.
    """

    followers: Items = 1000
    """The newest followers, and the newest friends, of a user."""
    posts: Items = 800
    """The newest posts of an author, of all authors together, and of a topic."""
    comments: Items = 800
    """The newest and the oldest comments of a subject, and the oldest replies of a comment."""
    hot_comments: Annotated[int, Field(ge=10, le=10_000)] = 1000
    """The comments of a subject that are ordered by hot score."""
    inbox_posts: Annotated[int, Field(ge=10, le=10_000)] = 800
    """Posts in a user's inbox for home."""
    saves: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """The newest saves of a user."""
    hot_reads: Annotated[int, Field(ge=64, le=LARGEST)] = 100
    """Reads within two seconds after which a process keeps its own copy of a value that is the same for all users. At
    least 64.
    """
