"""Members of a user's own sets: what the user likes, saves, follows, blocks or mutes."""

from typing import NamedTuple

from models.counters import EntityRef


def state_after(was: int, to: int, only: int | None) -> int:
    """Returns the state of an object after a change to the state `to`, given the state before. `only` is the state that
    the change applies to; None: all states.
    """
    return to if only in (None, was) else was


class Member(NamedTuple):
    """An object in a user's own set. Members are ordered by the moments of their last changes, then by object."""

    moment: int
    ref: EntityRef
    state: int
    text: str = ""
    """The text that the set stores with the object. It contains a space, if there is one."""
