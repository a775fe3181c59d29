"""Posts and comments that may be hidden, viewers, and the rules of docs/build/moderation.md for who sees what."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import httpx

from tests.features.visibility.permitted_fields import permitted
from tests.support.system import Person


class State(Enum):
    """What became of something, as everybody finds it once it is published."""

    WAITING = "waiting"
    PUBLIC = "public"
    REJECTED = "rejected"
    DELETED = "deleted"


class Sight(Enum):
    """How much of something somebody sees."""

    ALL = "all"
    PLACE = "place"
    """A tombstone: neither text nor author."""
    NOTHING = "nothing"


@dataclass
class Viewer(Person):
    """Somebody who looks, with the businesses that their token lets them moderate."""

    name: str = ""
    moderates: frozenset[str] = frozenset()
    businesses: frozenset[str] | None = None
    """Those of a restricted token."""

    async def send(self, query: str, **variables: Any) -> httpx.Response:
        """The raw response to as much of the document as the token may use."""
        if self.businesses is not None:
            query, used = permitted(query, self.businesses)
            variables = {name: value for name, value in variables.items() if name in used}
        return await super().send(query, **variables)

    def sees_own(self, business: str) -> bool:
        """Whether the token shows what is private to its user in a business."""
        return self.businesses is None or business in self.businesses


@dataclass
class Thing:
    """A post or comment. `fate` is what becomes of it once everything has been public; WAITING: it never was."""

    business: str
    author: str
    text: str
    fate: State
    id: str = ""
    state: State = State.WAITING
    replies: list["Thing"] = field(default_factory=list)
    subject: str = ""
    """What it is on; nothing for a post."""
    on: "Thing | None" = None
    """The post that it is on, where that may be hidden."""
    root: str | None = None
    """The comment that it is below."""
    above: "Thing | None" = None
    """What it answers, where that may be hidden."""
    kept: bool = False
    """Whether it can be found, to the end, wherever it once could be found."""

    def sight(self, viewer: Viewer) -> Sight:
        """What somebody sees of it as it is now."""
        if self.on and self.business not in viewer.moderates and self.on.sight(viewer) is not Sight.ALL:
            return Sight.NOTHING
        if self.state is State.PUBLIC:
            return Sight.ALL
        if self.state is not State.DELETED and (
            (viewer.handle == self.author and viewer.sees_own(self.business)) or self.business in viewer.moderates
        ):
            return Sight.ALL
        return Sight.PLACE if any(reply.state is State.PUBLIC for reply in self.replies) else Sight.NOTHING
