"""The model of the random walk over boundaries: the state that users must see after follows, requests, blocks, mutes,
removals, suspensions, likes, comments and pins.
"""

NAMES = ("alice", "bob", "carol")
PRIVATE = "carol"
Pair = tuple[str, str]
_ENDINGS = ("unfollow", "rejectFollow", "removeFollower")


class Model:
    """The relations, suspensions, likes, comments and pins that users expect."""

    def __init__(self) -> None:
        self.follows: set[Pair] = set()
        self.requests: set[Pair] = set()
        """Requests to follow."""
        self.blocks: set[Pair] = set()
        self.mutes: set[Pair] = set()
        self.known: set[Pair] = set()
        """The blocks that the slots of the blocked users know."""
        self.ends_by_block: set[Pair] = set()
        """Follows that end when a worker writes the block to the follower's slot, unless an unblock comes first."""
        self.ends_by_removal: set[Pair] = set()
        """Follows that end when a worker writes the removal to the slot of the follower."""
        self.modes: dict[str, str] = {}
        """The suspended users, with the modes of their suspensions."""
        self.likes: set[Pair] = set()
        """Users who like the post of the second user."""
        self.pinned: set[str] = set()
        """Users whose post is pinned."""
        self.comments: dict[str, int] = dict.fromkeys(NAMES, 0)
        """The number of comments on each user's post."""

    def apply(self, verb: str, actor: str, other: str, lost: bool, mode: str) -> str | None:
        """Applies a request. Returns the code of the refusal, if it must be refused."""
        if refused := self._refusal(verb, actor, other):
            return refused
        pair, back = (actor, other), (other, actor)
        if verb == "follow" and pair not in self.follows:
            (self.requests if other == PRIVATE else self.follows).add(pair)
        elif verb == "acceptFollow":
            self.follows.add(back)
            self.requests.discard(back)
        elif verb in _ENDINGS:
            self._end_follow(verb, pair, lost)
        elif verb in ("block", "unblock") and (verb == "block") != (pair in self.blocks):
            self._block(verb, pair, lost)
        else:
            self._mark(verb, pair, mode)
        return None

    def _end_follow(self, verb: str, pair: Pair, lost: bool) -> None:
        back = pair[1], pair[0]
        if verb == "unfollow":
            self._end(pair)
        elif verb == "rejectFollow":
            self.requests.discard(back)
        else:
            self._end_later(back, lost, self.ends_by_removal)

    def _mark(self, verb: str, pair: Pair, mode: str) -> None:
        if verb in ("mute", "unmute"):
            (self.mutes.add if verb == "mute" else self.mutes.discard)(pair)
        elif verb in ("like", "unlike"):
            (self.likes.add if verb == "like" else self.likes.discard)(pair)
        elif verb in ("pinPost", "unpinPost"):
            (self.pinned.add if verb == "pinPost" else self.pinned.discard)(pair[0])
        elif verb == "comment":
            self.comments[pair[1]] += 1
        elif verb in ("suspend", "reinstate"):
            self.modes = {name: old for name, old in self.modes.items() if name != pair[1]}
            self.modes |= {pair[1]: mode} if verb == "suspend" else {}

    def _refusal(self, verb: str, actor: str, other: str) -> str | None:
        back = (other, actor)
        is_refused = self.modes.get(actor) in ("READ_ONLY", "HIDDEN")
        if verb == "comment" and is_refused:  # before the target is checked
            return "SUSPENDED"
        if verb in ("follow", "acceptFollow") and self.hides_user(actor, other):
            return "TARGET_NOT_FOUND"
        if verb in ("like", "comment") and self.hides_post(actor, other):
            return "TARGET_NOT_FOUND"
        if verb in ("follow", "acceptFollow", "like", "pinPost") and is_refused:
            return "SUSPENDED"
        if verb == "acceptFollow" and back not in self.follows | self.requests:
            return "REQUEST_NOT_FOUND"
        return None

    def hides_user(self, viewer: str, other: str) -> bool:
        """Returns whether a user is hidden, as far as the viewer's slot knows."""
        is_blocked = (viewer, other) in self.blocks or (other, viewer) in self.known
        return is_blocked or self.modes.get(other) in ("HIDDEN", "SHADOW")

    def hides_post(self, viewer: str, other: str) -> bool:
        """Returns whether the post of a user is hidden, as far as the viewer's slot knows."""
        return self.hides_user(viewer, other) or (other == PRIVATE and (viewer, other) not in self.follows)

    def relation(self, pair: Pair) -> str:
        """Returns the relation of the first user of a pair to the second."""
        if pair in self.requests:
            return "REQUESTED"
        follows, followed = pair in self.follows, (pair[1], pair[0]) in self.follows
        return ("FRIENDS" if followed else "FOLLOWING") if follows else "FOLLOWED_BY" if followed else "NONE"

    def _block(self, verb: str, pair: Pair, lost: bool) -> None:
        back = pair[1], pair[0]
        self.blocks ^= {pair}
        if verb == "block":
            self._end(pair)
            self._end_later(back, lost, self.ends_by_block)
        if not lost:
            self.ends_by_block.discard(back)
            (self.known.add if pair in self.blocks else self.known.discard)(pair)

    def _end(self, pair: Pair) -> None:
        self.follows.discard(pair)
        self.requests.discard(pair)

    def _end_later(self, pair: Pair, lost: bool, later: set[Pair]) -> None:
        if lost:
            later.add(pair)
        else:
            self._end(pair)

    def worker_ran(self) -> None:
        """All slots know everything."""
        for pair in self.ends_by_block | self.ends_by_removal:
            self._end(pair)
        self.ends_by_block.clear()
        self.ends_by_removal.clear()
        self.known = set(self.blocks)
