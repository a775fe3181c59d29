"""A model of follows: the follows that must exist after the acknowledged requests."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

Direction = tuple[str, str]
"""Follower and followee."""


class Request(NamedTuple):
    """A follow or unfollow, from one of the user's devices."""

    user: str
    device: str
    verb: str
    target: str
    key: str | None = None


@dataclass
class Acknowledged:
    """The acknowledged follows, oldest first, and the outcomes stored under idempotency keys."""

    follows: list[Direction] = field(default_factory=list)
    changes: Counter[Direction] = field(default_factory=Counter)
    """The number of effective changes of each direction."""
    remembered: dict[tuple[str, str, str], tuple[str, str | None]] = field(default_factory=dict)

    def copy(self) -> "Acknowledged":
        return Acknowledged([*self.follows], Counter(self.changes), dict(self.remembered))

    def apply(self, request: Request) -> str | None:
        """Applies a request. Returns the code of the user error that it must get, None if it must succeed."""
        refusal = "CANNOT_FOLLOW_SELF" if request.user == request.target else None
        if request.key is not None:
            name = (request.user, request.verb, request.key)
            if name in self.remembered:
                earlier, code = self.remembered[name]
                return code if earlier == request.target else "IDEMPOTENCY_MISMATCH"
            self.remembered[name] = (request.target, refusal)
        if refusal is None:
            self._set((request.user, request.target), request.verb == "follow")
        return refusal

    def _set(self, direction: Direction, follows: bool) -> None:
        if follows == (direction in self.follows):
            return
        self.changes[direction] += 1
        if follows:
            self.follows.append(direction)
        else:
            self.follows.remove(direction)


def followees(follows: Iterable[Direction], user: str) -> list[str]:
    """Returns the followees of a user, newest first if `follows` are oldest first."""
    return [target for who, target in follows if who == user][::-1]


def followers(follows: Iterable[Direction], user: str) -> set[str]:
    """Returns the followers of a user."""
    return {who for who, target in follows if target == user}


def friends(follows: Iterable[Direction], user: str) -> set[str]:
    """Returns the followers that a user follows back."""
    directions = set(follows)
    return {other for other in followers(directions, user) if (user, other) in directions}
