"""A user's own sets: what the user likes, saves, follows, blocks or mutes, and changes of these sets."""

from dataclasses import dataclass
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
    """The text that the set stores with the object. Empty, or a text that contains a space."""


@dataclass(frozen=True, slots=True)
class Transition:
    """A change of one user's state about one object."""

    kind: str
    ref: EntityRef
    to: int
    """The state after the change."""
    data: bytes
    """The JSON of the journal entry."""
    only: int | None = None
    """The change is made only if the current state is `only`. None: in every state."""
    must_be: bool = False
    """Whether the change is refused with ABSENT if the state is 0."""
    blind: bool = False
    """Whether the change is made without the current state if Redis does not have it and Postgres is down."""
    text: str = ""
    """The text that the set stores with the object."""
    expected: str = ""
    """The text that the set must have with the object; otherwise the change is refused with CHANGED."""
    value: str = ""
    """The value of the outcome; the id of the journal entry if this is empty."""
