"""The loaders of one request. A loader keeps what it has loaded until the request ends.

| object | what it loads |
|---|---|
| `lists` | pages of lists, equal for all viewers |
| `own` | what the viewer has done, and counters and lists with the viewer's pending changes |
| `content` | users, entities, posts, comments and topics as the viewer may see them |

`content` uses `own`, and both use `lists`.
"""

from typing import NamedTuple

from domain.degraded import Degraded
from loaders.loader import release
from loaders.request.content import Content
from loaders.request.lists import Lists
from loaders.request.own import Own
from loaders.request.reader import Reader
from loaders.shared import SharedLoaders
from state import State


class Loaders(NamedTuple):
    """The loaders of one request."""

    lists: Lists
    own: Own
    content: Content

    @classmethod
    def of(
        cls, state: State, shared: SharedLoaders, degraded: Degraded, reader: Reader, *, local: bool = True
    ) -> "Loaders":
        """Makes the loaders of a reader. Without `local`, no value comes from the local cache of the process."""
        lists = Lists(state, shared, degraded, reader, local=local)
        own = Own(state, shared, degraded, reader, lists, local=local)
        return cls(lists, own, Content(state, shared, reader, lists, own, local=local))

    def release(self) -> None:
        """Drops everything that was loaded, after the last use of the loaders."""
        for one in self:
            release(one)
