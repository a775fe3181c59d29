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
    """The most followers, and the most friends, of a user that are cached. The newest are cached."""
    posts: Items = 800
    """The most posts of an author, of all authors together, and of a topic that are cached. The newest are cached."""
    comments: Items = 800
    """The most comments of a subject, newest and oldest, and the most oldest replies of a comment that are cached."""
    hot_comments: Annotated[int, Field(ge=10, le=10_000)] = 1000
    """The most comments of a subject that are ordered by hot score. The others follow, newest first."""
    inbox_posts: Annotated[int, Field(ge=10, le=10_000)] = 800
    """The most posts in a user's inbox for the home timeline. Older posts are read from Postgres."""
    saves: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """The most saves of a user that are cached. Older saves are read from Postgres."""
    hot_reads: Annotated[int, Field(ge=64, le=LARGEST)] = 100
    """A value that a process reads this often within two seconds is *hot*: the process keeps a copy, if the value is
    the same for all users. Only one in eight reads is counted, so numbers below 64 would not be reliable.
    """
