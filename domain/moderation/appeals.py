"""Appeals: the author of a rejected post or comment asks another moderator to decide again."""

from enum import IntEnum


class AppealStatus(IntEnum):
    """The state of an appeal. The numbers are stored: never reuse one."""

    OPEN = 0
    GRANTED = 1
    DENIED = 2
    MOOT = 3
    """The post was edited, or the post or comment was deleted, before a moderator had decided."""
