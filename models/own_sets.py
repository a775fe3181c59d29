"""A user's own sets, and changes of these sets.

An own set contains what one user likes, saves, follows, blocks or mutes, or the user's collections. Each member is an
object with the user's state about it, such as LIKE. Redis caches the sets.
"""

from dataclasses import dataclass
from typing import NamedTuple

from models.counters import EntityRef
from models.likes import Step

NO_TEXT = " "
"""The expected text of an object with which the set stores no text, or that is not in the set."""


def state_after(was: int, to: int, only: int | None) -> int:
    """Returns the state of an object after a change to the state `to`. `was` is the state before. If `only` is not
    None, the change applies only to the state `only`; other states stay.
    """
    return to if only in (None, was) else was


class Member(NamedTuple):
    """An object in a user's own set, with the user's state about it. Members are ordered by `moment`, the moment of
    their last change, and then by object.
    """

    moment: int
    ref: EntityRef
    state: int
    text: str = ""
    """A text that the set stores with the object, such as the name of a collection. Empty, or a text that contains a
    space.
    """


@dataclass(frozen=True, slots=True)
class Transition:
    """A change of the state of one user about one object. `kind` is the kind of the own set."""

    kind: str
    ref: EntityRef
    to: int
    """The state after the change; 0 if the object leaves the set."""
    data: bytes
    """The data of the journal entry that records the change, as JSON."""
    only: int | None = None
    """The state to which the change applies; in every other state nothing changes. None if it applies
    to every state.
    """
    must_be: bool = False
    """Whether the change is refused, with the status ABSENT, if the present state is 0."""
    blind: bool = False
    """Whether the change is made although the present state is unknown, because Redis does not have it and Postgres is
    down.
    """
    text: str = ""
    """The text to store with the object in the set."""
    expected: str = ""
    """The text that the set must have with the object; otherwise the change is refused, with the status CHANGED.
    `NO_TEXT`: the set must have no text with the object.
    """
    likes: int = 0
    """If this is not 0, states have several kinds of reactions: the change removes the kinds `only` and adds the kinds
    `to`, and `likes` are the kinds that count as a like (`models.likes.Step`).
    """
    value: str = ""
    """The value that the result of the change reports. If it is empty, the result reports the id of the
    journal entry.
    """

    def after(self, was: int) -> int:
        """Returns the state of the object after the change. `was` is the state before."""
        if self.likes:
            return Step(self.to, self.only or 0, self.likes).after(was)
        return state_after(was, self.to, self.only)
