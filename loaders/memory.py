"""The ids that a process remembers from earlier reads, so that the next read loads more in the same round trip.

Example: a post names its author. The process remembers both ids, and the next read of the post loads the author beside
it.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from models.comment_settings import SubjectKey
from models.counters import EntityRef

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Remembers values by key, as the process last read them.

    The values may be outdated. They decide what is read early, never what a user sees.
    """

    def __init__(self, most: int) -> None:
        """Makes an empty memory. Once it has more than `most` keys, it forgets all of them."""
        self._known: dict[K, V] = {}
        self._most = most

    def of(self, keys: Iterable[K]) -> list[V]:
        """Returns the remembered values of these keys. Leaves out keys that are not remembered."""
        known = self._known
        return [known[key] for key in keys if key in known]

    def of_all(self, keys: Sequence[K]) -> list[V]:
        """Returns the remembered values of these keys; an empty list if any of the keys is not remembered."""
        found = self.of(keys)
        return found if len(found) == len(keys) else []

    def remember(self, found: Mapping[K, V | None]) -> None:
        """Remembers values by key. Forgets the keys whose value is None."""
        if len(self._known) > self._most:
            self._known.clear()
        for key, value in found.items():
            if value is None:
                self._known.pop(key, None)
            else:
                self._known[key] = value


class Notified(NamedTuple):
    """The ids of the users, posts and comments that decide whether a user may see some notifications."""

    users: Sequence[int]
    posts: Sequence[int]
    comments: Sequence[int]

    def is_within(self, other: "Notified") -> bool:
        """Returns whether `other` contains all these ids."""
        return all(set(mine) <= set(others) for mine, others in zip(self, other, strict=True))


class Memories:
    """All that one process remembers."""

    def __init__(self) -> None:
        self.authors = Memory[int, int](200_000)
        """The authors of posts and comments, by the id of the post or comment; 0 for a deleted comment, which has
        none.
        """
        self.commented = Memory[int, EntityRef](20_000)
        """The entities that comments are about, by the id of the comment. Comments on posts are left out."""
        self.pinned_comments = Memory[SubjectKey, int](20_000)
        """The id of the pinned comment of each post or entity."""
        self.pinned_posts = Memory[int, tuple[int, ...]](20_000)
        """The ids of the pinned posts of users, by the id of the user."""
        self.followers_comment = Memory[SubjectKey, int](20_000)
        """For each post or entity on which only users whom its author or owner follows may comment (the policy
        FOLLOWED): the id of the author or owner.
        """
        self.sees_reposts = Memory[int, bool](100_000)
        """Has the ids of users whose inboxes have the flag that followed users have reposted; the values are True."""
        self.notified = Memory[int, Notified](10_000)
        """For each user, the ids that were read when it was last checked which notifications the user may see."""
