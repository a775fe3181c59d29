"""What users must be shown of reactions: a model that only knows sets of names."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

LIKES = {"like", "love", "❤️"}
"""The kinds that count as a like."""
Place = tuple[str, str]
"""A user and a thing."""


@dataclass
class Model:
    """The kinds that each user has given to each thing. `many` says whether users can give several."""

    many: bool
    given: dict[Place, set[str]] = field(default_factory=dict)

    def apply(self, user: str, thing: str, verb: str, kind: str | None) -> None:
        """Makes a change that a request asks for."""
        now = self.given.setdefault((user, thing), set())
        if verb == "react":
            assert kind
            if not self.many:
                now.clear()
            elif kind == "dislike":
                now -= LIKES
            elif kind in LIKES:
                now -= {"dislike"}
            now.add(kind)
        elif verb == "unlike":
            now -= LIKES
        elif kind is None:
            now.clear()
        else:
            now.discard(kind)

    def counts(self, thing: str) -> Mapping[str, int]:
        """Returns the number of users by kind."""
        return Counter(kind for (_, one), kinds in self.given.items() if one == thing for kind in kinds)

    def likers(self, thing: str) -> set[str]:
        """Returns the users who have given a kind that counts as a like."""
        return {user for (user, one), kinds in self.given.items() if one == thing and kinds & LIKES}

    def reaction(self, user: str, thing: str) -> str | None:
        """Returns the value of `viewerReaction`."""
        now = self.given.get((user, thing), set())
        return "DISLIKE" if "dislike" in now else "LIKE" if now & LIKES else None
