"""What a process remembers of pins and policies, to read what they name in their own round trip."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cachetools import LRUCache

from models.comment_settings import SubjectKey

K = TypeVar("K", bound=Hashable)
_MOST = 20_000


class Hints(Generic[K]):
    """The ids that values named when the process last read them, by the keys of the values. A hint may be old: it
    decides what is read early, never what a reader sees.
    """

    def __init__(self) -> None:
        self._ids: LRUCache[K, tuple[int, ...]] = LRUCache(_MOST)

    def of(self, keys: Iterable[K]) -> list[int]:
        """Returns the ids that the values of these keys are known to name, each once."""
        return list(dict.fromkeys(id_ for key in keys for id_ in self._ids.get(key, ())))

    def remember(self, found: Iterable[tuple[K, Sequence[int]]]) -> None:
        """Remembers the ids of values by key, and forgets the keys of values without ids."""
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
    """The owners of posts and entities on which only users whom the owner follows may comment."""
