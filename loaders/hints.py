"""Remembers the ids in pins and comment policies that a process has read. The next read of a pin loads the pinned post
or comment in the same round trip; the next read of a policy loads whether the owner follows the viewer.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

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


@dataclass(frozen=True, slots=True)
class AllHints:
    """The hints of a process."""

    pinned_comments: Hints[SubjectKey] = field(default_factory=Hints)
    """The pinned comments of posts and entities."""
    pinned_posts: Hints[int] = field(default_factory=Hints)
    """The pinned posts of users."""
    followers_comment: Hints[SubjectKey] = field(default_factory=Hints)
    """The owners of posts and entities with the policy FOLLOWED."""
