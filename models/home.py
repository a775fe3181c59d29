"""What the entries of a home timeline are: their kinds, filters by kind, and the reasons why a post is in the timeline
although the user does not follow its author.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from models.counters import EntityRef
from models.topics import TopicRow


class HomeReasonKind(Enum):
    """What brings a post into a home timeline."""

    REPOST = "REPOST"
    TOPIC = "TOPIC"
    ENTITY = "ENTITY"


class HomeReason(NamedTuple):
    """Why a post is in a home timeline."""

    kind: HomeReasonKind
    user_id: int = 0
    """The user whose repost brings the post to its place; 0 for other kinds."""
    topic: TopicRow | None = None
    """The topic that brings the post into the timeline; None for other kinds."""
    entity: EntityRef | None = None
    """The entity that the post refers to and that brings it into the timeline; None for other kinds."""


class HomeKind(Enum):
    """The kind of an entry of a home timeline."""

    POSTS = "POSTS"
    REPOSTS = "REPOSTS"


class HomeFilter(Protocol):
    """Which entries of a home timeline a reader wants. A value of another type in place of a list or a truth value
    means that the reader did not choose.
    """

    @property
    def kinds(self) -> Sequence[HomeKind] | None:
        """The kinds of entries; all kinds if there is no list, or an empty one."""

    @property
    def has_images(self) -> bool | None:
        """True for only posts with images, false for only posts without, None for all posts."""


@dataclass(frozen=True)
class _Kinds:
    kinds: Sequence[HomeKind] | None = None
    has_images: bool | None = None


EVERYTHING: HomeFilter = _Kinds()
ONLY_POSTS: HomeFilter = _Kinds([HomeKind.POSTS])
