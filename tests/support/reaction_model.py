"""A model of reactions: what every user must be shown after the acknowledged requests and the committed rows."""

from dataclasses import dataclass, field
from typing import NamedTuple

OUTCOMES = {
    "like": {0: 1, 1: 1, 2: 1},
    "dislike": {0: 2, 1: 2, 2: 2},
    "unlike": {0: 0, 1: 0, 2: 2},
    "undislike": {0: 0, 1: 1, 2: 0},
}
NAMES = {0: None, 1: "LIKE", 2: "DISLIKE"}
"""Reactions as the API shows them."""

States = dict[tuple[str, str], int]
"""Reactions by (user, target). A missing entry means no reaction."""


class Thing(NamedTuple):
    """An entity to react to."""

    name: str
    business: str
    owner: str | None

    @property
    def id(self) -> str:
        return f"Entity:{self.business}:{self.name}"


class Request(NamedTuple):
    """A call of one of the four verbs, from one of the user's devices."""

    user: str
    device: str
    verb: str
    thing: Thing
    key: str | None = None
    source: str | None = None


@dataclass
class Acknowledged:
    """The acknowledged reactions, and the outcomes stored under idempotency keys."""

    states: States = field(default_factory=dict)
    remembered: dict[tuple[str, str, str], tuple[tuple[str, str | None], str | None]] = field(default_factory=dict)

    def copy(self) -> "Acknowledged":
        return Acknowledged(dict(self.states), dict(self.remembered))

    def apply(self, request: Request) -> str | None:
        """Applies a request. Returns the code of the user error that it must get, None if it must succeed."""
        given = (request.thing.id, request.source)
        if request.key is not None:
            name = (request.user, request.verb, request.key)
            if name in self.remembered:
                earlier, code = self.remembered[name]
                return code if earlier == given else "IDEMPOTENCY_MISMATCH"
            self.remembered[name] = (given, self._refusal(request))
        if code := self._refusal(request):
            return code
        place = (request.user, request.thing.id)
        self.states[place] = OUTCOMES[request.verb][self.states.get(place, 0)]
        return None

    def _refusal(self, request: Request) -> str | None:
        refused = request.verb == "dislike" and request.thing.business == "article"
        return "DISLIKE_DISABLED" if refused else None


@dataclass
class Model:
    """Acknowledged reactions, committed rows, and the rows behind every cached counter."""

    things: tuple[Thing, ...]
    acknowledged: Acknowledged = field(default_factory=Acknowledged)
    rows: States = field(default_factory=dict)
    cached: dict[str, States] = field(default_factory=dict)
    """Cached states by id of a thing or name of an owner. A cold value has no entry."""

    def seen(self, of: str) -> States:
        """Returns the rows behind the counter that a reader is shown. Reading warms the cache."""
        return self.cached.setdefault(of, self.rows)

    def published(self, of: set[str]) -> None:
        """Records that these counters were published: cached ones now agree with the rows."""
        for name in of & self.cached.keys():
            self.cached[name] = self.rows

    def view(self, user: str, thing: Thing) -> dict[str, object]:
        """Returns a thing as a user must see it: others' reactions as last published, their own as acknowledged."""
        own = self.acknowledged.states.get((user, thing.id), 0)
        likes, dislikes = (others(self.seen(thing.id), user, thing, state) + (own == state) for state in (1, 2))
        return {"id": thing.id, "likeCount": likes, "dislikeCount": dislikes, "viewerReaction": NAMES[own]}

    def received(self, owner: str) -> int:
        """Returns how many likes on everything of an owner each user must see: those that are published."""
        owned = {thing.id for thing in self.things if thing.owner == owner}
        return sum(state == 1 for (_, where), state in self.seen(owner).items() if where in owned)

    def liked(self, user: str, business: str) -> set[str]:
        """Returns what a user likes in a business."""
        mine = {where for (who, where), state in self.acknowledged.states.items() if who == user and state == 1}
        return {thing.id for thing in self.things if thing.id in mine and thing.business == business}

    def likers(self, thing: Thing) -> set[str]:
        """Returns who likes a thing."""
        return {who for (who, where), state in self.acknowledged.states.items() if where == thing.id and state == 1}


def others(states: States, user: str, thing: Thing, state: int) -> int:
    """Returns how many other users have a reaction to a thing."""
    return sum(is_ == state for (who, where), is_ in states.items() if where == thing.id and who != user)
