"""A model of follows, blocks, mutes, suspensions, likes and comments: what users must be shown, and which requests must
be refused.
"""

from dataclasses import dataclass, field

Pair = tuple[str, str]
"""The user who acts, and the other user; for likes and comments, the author of the post."""
FOLLOWS = 1
READ_ONLY, HIDDEN, SHADOW = "READ_ONLY", "HIDDEN", "SHADOW"
WRITES = {"follow", "like", "comment"}
"""The verbs that suspended users may not use."""
SEES_OTHER = {"follow", "unfollow", "like", "unlike", "comment"}
"""The verbs that a user may use only on users who are not hidden from the user."""


@dataclass
class Model:
    """The state of all users after the acknowledged requests, and what Redis knows of it.

    To add a verb, add it to `apply`, and to `WRITES` or `SEES_OTHER` if these apply.
    """

    follows: dict[Pair, int] = field(default_factory=dict)
    """The state of each follow; no entry if there is none."""
    blocks: set[Pair] = field(default_factory=set)
    mutes: set[Pair] = field(default_factory=set)
    likes: set[Pair] = field(default_factory=set)
    comments: list[Pair] = field(default_factory=list)
    suspended: dict[str, str] = field(default_factory=dict)
    """The mode of each suspended user."""
    marks: dict[Pair, int] = field(default_factory=dict)
    """The moment of the newest change of each block that the blocked user's slot knows; negative for an unblock."""
    received: set[tuple[Pair, str]] = field(default_factory=set)
    """The changes that the slots of other users have received."""

    def apply(self, verb: str, who: str, other: str) -> str | None:
        """Applies a request in the slot of the user who sends it. Returns the code of the refusal, if there is one."""
        if refusal := self.refusal(verb, who, other):
            return refusal
        pair = who, other
        match verb:
            case "follow":
                self.follows[pair] = FOLLOWS
            case "unfollow":
                self.follows.pop(pair, None)
            case "block":
                self.blocks.add(pair)
                self.follows.pop(pair, None)
            case "comment":
                self.comments.append(pair)
            case "unblock" | "mute" | "unmute" | "like" | "unlike":
                held = {"unblock": self.blocks, "mute": self.mutes, "unmute": self.mutes}.get(verb, self.likes)
                (held.discard if verb.startswith("un") else held.add)(pair)
        return None

    def refusal(self, verb: str, who: str, other: str) -> str | None:
        """Returns the code of the user error that a request must get, if it must be refused."""
        if verb in SEES_OTHER and self.hides(who, other):
            return "TARGET_NOT_FOUND"
        if verb in WRITES and self.suspended.get(who) in (READ_ONLY, HIDDEN):
            return "SUSPENDED"
        return None

    def receive(self, blocked: str, blocker: str, mark: int, change: str) -> None:
        """Applies a second script, which tells a slot of another user's change, for the first time or again."""
        pair, name = (blocker, blocked), ((blocker, blocked), change)
        is_news = abs(mark) > abs(self.marks.get(pair, 0))
        if is_news:
            self.marks[pair] = mark
        if (is_news or not mark) and name not in self.received:
            self.received.add(name)
            if mark >= 0:
                self.follows.pop((blocked, blocker), None)

    def hides(self, viewer: str, other: str) -> bool:
        """Returns whether a user is hidden from a viewer, as far as the viewer's slot knows."""
        if viewer == other:
            return False
        is_suspended = self.suspended.get(other) in (HIDDEN, SHADOW)
        return is_suspended or (viewer, other) in self.blocks or self.marks.get((other, viewer), 0) > 0

    def leaves_out(self, viewer: str, other: str) -> bool:
        """Returns whether lists of many authors leave out a user."""
        return self.hides(viewer, other) or (viewer, other) in self.mutes

    def followers(self, user: str) -> set[str]:
        """Returns the users who follow a user."""
        return {who for (who, other), state in self.follows.items() if other == user and state == FOLLOWS}

    def followees(self, user: str) -> set[str]:
        """Returns the users whom a user follows."""
        return {other for (who, other), state in self.follows.items() if who == user and state == FOLLOWS}

    def relation(self, viewer: str, other: str) -> str:
        """Returns the `viewerRelation` that a viewer must be shown."""
        both = other in self.followees(viewer), other in self.followers(viewer)
        return {(True, True): "FRIENDS", (True, False): "FOLLOWING", (False, True): "FOLLOWED_BY"}.get(both, "NONE")
