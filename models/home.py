"""Reasons: why a post is in a user's home timeline although the user does not follow its author."""

from enum import Enum
from typing import NamedTuple

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
