"""Remembers ids in pins, comment policies and notifications that a process has read.

The next read of a pin loads the pinned post or comment in the same round trip. The next read of a policy loads whether
the owner follows the viewer. The next read of notifications loads what decides whether their user may see them.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

from models.comment_settings import SubjectKey

K = TypeVar("K", bound=Hashable)
_MOST = 20_000


class Hints(Generic[K]):
    """Ids by key, as the process last read them. A hint may be old: it decides what is read early, never what a reader
    sees.
    """

    def __init__(self) -> None:
        self._ids: LRUCache[K, tuple[int, ...]] = LRUCache(_MOST)

    def of(self, keys: Iterable[K]) -> list[int]:
        """Returns the remembered ids of these keys, each once."""
        return list(dict.fromkeys(id_ for key in keys for id_ in self._ids.get(key, ())))

    def remember(self, found: Iterable[tuple[K, Sequence[int]]]) -> None:
        """Remembers these ids by key. Forgets a key without ids."""
        for key, ids in found:
            if ids:
                self._ids[key] = tuple(ids)
            else:
                self._ids.pop(key, None)


class NotifiedOf(NamedTuple):
    """The ids of what decides whether a user may see some notifications."""

    users: Sequence[int]
    posts: Sequence[int]
    comments: Sequence[int]

    def is_within(self, other: "NotifiedOf") -> bool:
        """Tells whether `other` contains all ids."""
        return all(set(mine) <= set(others) for mine, others in zip(self, other, strict=True))


@dataclass(frozen=True, slots=True)
class AllHints:
    """The hints of a process."""

    pinned_comments: Hints[SubjectKey] = field(default_factory=Hints)
    """The pinned comments of posts and entities."""
    pinned_posts: Hints[int] = field(default_factory=Hints)
    """The pinned posts of users."""
    followers_comment: Hints[SubjectKey] = field(default_factory=Hints)
    """The owners of posts and entities with the policy FOLLOWED."""
    notified: LRUCache[int, NotifiedOf] = field(default_factory=lambda: LRUCache(10_000))
    """The ids that the last check of each user's notifications read."""

    def remember_notified(self, user_id: int, about: NotifiedOf) -> None:
        """Remembers what was read to check notifications of a user, unless more is remembered."""
        known = self.notified.get(user_id)
        if known is None or not about.is_within(known):
            self.notified[user_id] = about
