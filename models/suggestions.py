"""Suggestions: users whom a user may want to follow, each with the reason."""

from enum import Enum
from typing import NamedTuple

from models.counters import EntityRef
from models.users import UserRow
from settings import SUGGESTIONS


class SuggestionReason(Enum):
    """Why a user is suggested."""

    FOLLOWED_BY_FOLLOWED = "FOLLOWED_BY_FOLLOWED"
    SIMILAR_LIKES = "SIMILAR_LIKES"
    POPULAR_IN_TOPIC = "POPULAR_IN_TOPIC"
    NEW_MEMBER = "NEW_MEMBER"

    def allows(self, user: UserRow, now_ms: int) -> bool:
        """Returns whether a user may be suggested for this reason at the time `now_ms`, in milliseconds since the Unix
        epoch. Users whom a suspension or deletion hides may not. The posts and likes of private users are hidden, so
        these may not be a reason.
        """
        is_shown = not user.is_private or self is SuggestionReason.FOLLOWED_BY_FOLLOWED
        return is_shown and not user.is_hidden(now_ms)


class Suggestion(NamedTuple):
    """A user who is suggested. A higher `score` comes first."""

    user_id: int
    reason: SuggestionReason
    score: float
    followed_by: tuple[int, ...] = ()
    """The ids of up to three users who follow the suggested user and whom the viewer follows, newest follow of the
    viewer first.
    """
    followed_by_count: int = 0
    """The number of all such users, of those that the computation reads."""
    topic: str = ""
    """The name of the followed topic in which the suggested user is popular."""


def dismissal(user_id: int) -> EntityRef:
    """Returns the object whose mute as a thread says that the user `user_id` is not suggested any more."""
    return EntityRef(SUGGESTIONS, user_id)
