"""Members of a user's own sets: what the user likes, saves, follows, blocks or mutes."""

from typing import NamedTuple

from models.counters import EntityRef


class Member(NamedTuple):
    """An object in a user's own set. Members are ordered by the moments of their last changes, then by object."""

    moment: int
    ref: EntityRef
    state: int
    text: str = ""
    """The text that the set stores with the object. It contains a space, if there is one."""
