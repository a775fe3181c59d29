"""Posts and comments that may be hidden, viewers, and the rules of docs/build/moderation.md for who sees what."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import httpx

from tests.features.visibility.permitted_fields import permitted
from tests.support.system import Person


class State(Enum):
    """The stored state of a post or comment."""

    WAITING = "waiting"
    PUBLIC = "public"
    REJECTED = "rejected"
    DELETED = "deleted"


class Sight(Enum):
    """How much of a thing a viewer sees."""

    ALL = "all"
    TOMBSTONE = "tombstone"
    """The place of the thing, without text and author."""
    NOTHING = "nothing"


@dataclass
class Viewer(Person):
    """A user or an anonymous visitor, with the businesses that the token permits to moderate."""

    name: str = ""
    moderates: frozenset[str] = frozenset()
    businesses: frozenset[str] | None = None
    """The businesses of a restricted token."""

    async def send(self, query: str, **variables: Any) -> httpx.Response:
        """Sends the fields of the document that the token may use. Returns the raw response."""
        if self.businesses is not None:
            query, used = permitted(query, self.businesses)
            variables = {name: value for name, value in variables.items() if name in used}
        return await super().send(query, **variables)

    def sees_own(self, business: str) -> bool:
        """Returns whether the token shows private things of its user in a business."""
        return self.businesses is None or business in self.businesses


@dataclass
class Thing:
    """A post or comment. `fate` is its state after the withdrawal. A thing with the fate WAITING is never public."""

    business: str
    author: str
    text: str
    fate: State
    id: str = ""
    state: State = State.WAITING
    replies: list["Thing"] = field(default_factory=list)
    subject: str = ""
    """The id of a comment's subject. Empty for a post."""
    on: "Thing | None" = None
    """The post that is the subject, if the post can be hidden."""
    root: str | None = None
    """The id of the root comment of a reply."""
    above: "Thing | None" = None
    """The comment that a reply answers, if that comment can be hidden."""
    kept: bool = False
    """Whether all lists that have the thing once have it to the end."""

    def sight(self, viewer: Viewer) -> Sight:
        """Returns how much of the thing the viewer sees in its present state."""
        if self.on and self.business not in viewer.moderates and self.on.sight(viewer) is not Sight.ALL:
            return Sight.NOTHING
        if self.state is State.PUBLIC:
            return Sight.ALL
        if self.state is not State.DELETED and (
            (viewer.handle == self.author and viewer.sees_own(self.business)) or self.business in viewer.moderates
        ):
            return Sight.ALL
        return Sight.TOMBSTONE if any(reply.state is State.PUBLIC for reply in self.replies) else Sight.NOTHING
