"""The authors of posts and comments that a process remembers."""

from collections.abc import Iterable, Mapping, Sequence

_MOST = 200_000


class AuthorMemory:
    """The author of each post and comment that the process has loaded. An author never changes, so entries are always
    correct. With them, authors are read in the round trip of their posts.
    """

    def __init__(self) -> None:
        self._author_of: dict[int, int] = {}

    def of(self, ids: Iterable[int]) -> set[int]:
        """Returns the ids of the authors of these posts and comments. Leaves out authors that are not remembered."""
        return {author for id_ in ids if (author := self._author_of.get(id_))}

    def of_all(self, ids: Sequence[int]) -> set[int]:
        """Returns the ids of the authors of these posts and comments, or none if an author is not remembered: a second
        read would be needed for that author anyway.
        """
        known = self._author_of
        return {known[id_] for id_ in ids} - {0} if all(id_ in known for id_ in ids) else set()

    def remember(self, authors: Mapping[int, int]) -> None:
        """Remembers authors, by the id of the post or comment; 0 for a deleted comment, which has none. Forgets all
        others if they are too many.
        """
        if len(self._author_of) > _MOST:
            self._author_of.clear()
        self._author_of.update(authors)
