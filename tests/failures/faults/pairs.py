"""Pairs of users who follow, block, mute and remove each other, and whom a moderator suspends.

The users of a pair act one after the other, so that the order of their changes is known. If the second script of a
block or removal is lost, a worker writes it to the other user's slot later, where it may end a newer follow.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.failures.faults.authors import FOLLOW, OutcomeUnknown
from tests.failures.faults.client import Answer, Client
from tests.support.boundaries import CHANGE, MUTE
from tests.support.suggestions import DISMISS
from tests.support.suspensions import REINSTATE, SUSPEND, SUSPENSION

Direction = tuple[int, int]
"""The ids of the user who acts and of the other user."""
State = tuple[str, Direction, bool]
"""A kind of relation, its direction, and whether it exists."""
QUARRELS = (
    *(*["follow"] * 4, "unfollow", *["block"] * 3, *["unblock"] * 3),
    *("removeFollower", "mute", "unmute", "dismissSuggestion"),
)
SUSPENSIONS = ("suspend", "reinstate", "follow", "unfollow")
SEEN = "query ($id: ID!) { node(id: $id) { ... on User { viewerBlocks viewerMutes viewerRelation } } }"
SHOWN = ("follow", "request", "block", "mute")
"""The kinds of relations that a user is shown with the profile of the other user."""
KINDS = (*SHOWN, "dismissSuggestion")
HIDDEN = ("TARGET_NOT_FOUND", "BLOCKED", "SUSPENDED")
"""The codes of refused follows and unfollows, if there may be a block or a suspension."""


def following(seen: Mapping[str, Any]) -> bool:
    """Returns whether the viewer follows the user that is shown."""
    return seen["viewerRelation"] in ("FOLLOWING", "FRIENDS")


@dataclass
class Relations:
    """The possible states of everything between the users of pairs. If an outcome is unknown, there are several."""

    states: dict[tuple[str, Direction], set[bool]] = field(default_factory=dict)
    """By kind (`KINDS`) and direction."""
    suspended: dict[int, set[str | None]] = field(default_factory=dict)
    """The possible modes of each user."""

    def add(self, one: int, other: int) -> None:
        """Adds a pair of users without relations."""
        for direction in ((one, other), (other, one)):
            self.states |= {(kind, direction): {False} for kind in KINDS}
            self.suspended[direction[0]] = {None}


@dataclass
class Pair:
    """Two users, and the moderator who suspends them."""

    clients: Mapping[int, Client]
    moderator: Client
    relations: Relations
    names: Iterator[str]
    verbs: Sequence[str]
    late: dict[Direction, str] = field(default_factory=dict)
    """Follows that the second script of a `block` or a `removal` may still end."""
    unblocked: set[Direction] = field(default_factory=set)
    """Follows that may still be refused, because the slot of the follower may not know yet that a block has ended."""
    repeated_modes: dict[int, set[str | None]] = field(default_factory=dict)
    """The modes of suspensions, and None for reinstatements, whose request was sent more than once, by user."""

    async def act(self) -> None:
        """Performs one random change. Raises OutcomeUnknown if its outcome stays unknown."""
        verb, (user, other) = random.choice(self.verbs), random.sample(list(self.clients), 2)
        if verb in ("suspend", "reinstate"):
            await self._suspend(user, verb)
        elif verb in ("follow", "unfollow"):
            await self._follow((user, other), verb)
        else:
            await self._separate((user, other), verb)

    async def _suspend(self, user: int, verb: str) -> None:
        mode = random.choice(["READ_ONLY", "HIDDEN", "SHADOW"]) if verb == "suspend" else None
        self.relations.suspended[user].add(mode)
        ground = "spam" if mode == "SHADOW" else None
        more = {"mode": mode, "until": None, "reason": "a test", "ground": ground} if mode else {}
        query, name = SUSPEND if mode else REINSTATE, next(self.names)
        if await self.moderator.insist(name, query, id=f"User:{user}", **more) is None:
            raise OutcomeUnknown
        if name in self.moderator.repeated:  # without a key, an API that was halted may execute the first request later
            self.repeated_modes.setdefault(user, set()).add(mode)
        self.relations.suspended[user] = {mode} | self.repeated_modes.get(user, set())
        await self._look_at_suspension(user)

    async def _look_at_suspension(self, user: int) -> None:
        """Reads the suspension of a user after a decision was acknowledged, and records a deviation."""
        answer = await self.moderator.read(SUSPENSION, id=f"User:{user}")
        if answer is None or not answer.whole:
            return
        mode = (answer.value["suspension"] or {}).get("mode")
        if mode not in self.relations.suspended[user]:
            possible = self.relations.suspended[user]
            self.moderator.broken.append(f"the suspension of {user} is shown as {mode} instead of {possible}")

    async def _follow(self, there: Direction, verb: str) -> None:
        """Follows or unfollows. A follow during a block is refused, or ends when the block reaches the follower."""
        back, key, states = there[::-1], ("follow", there), self.relations.states
        is_blocked = True in states["block", there] | states["block", back]
        before, follows = states[key], verb == "follow"
        states[key] = before | {follows}
        hidden = is_blocked or there in self.late or there in self.unblocked or "suspend" in self.verbs
        repeated = self.clients[there[0]].repeated
        sent_before = len(repeated)
        answer = await self._send(there, verb, *(HIDDEN if hidden else ()))
        if answer.value["userErrors"]:  # a repetition may be refused although the first request was accepted
            states[key] = before if len(repeated) == sent_before or is_blocked else states[key]
        elif not follows or not is_blocked:
            if answer.value["user"]:  # otherwise the other user is still hidden
                self.unblocked.discard(there)
            states[key] = {follows} | ({False} if there in self.late else set())
        else:
            states[key] = before
            self.late.setdefault(there, "block")

    async def _separate(self, there: Direction, verb: str) -> None:
        """Blocks, mutes, dismisses, or removes a follower, or ends a block or mute."""
        back, states = there[::-1], self.relations.states
        followed, value = states["follow", back] == {True}, not verb.startswith("un")
        changes: list[State] = [(verb.removeprefix("un"), there, value)] if verb != "removeFollower" else []
        if verb in ("block", "removeFollower"):
            changes.append(("follow", back, False))
        if verb == "block":
            changes.append(("follow", there, False))
        if verb == "unblock":
            self.unblocked.add(back)
        if verb == "unblock" and back in self.late:
            states["follow", back] = {True, False}  # the block may never have reached the other user
        for kind, direction, state in changes:
            states[kind, direction] = states[kind, direction] | {state}
        await self._send(there, verb)
        for kind, direction, state in changes:
            states[kind, direction] = {state}
        await self._look(there)
        if verb in ("block", "removeFollower"):
            await self._see_end(back, is_block=verb == "block", followed=followed)

    async def _look(self, there: Direction) -> None:
        """Reads the other user after an own change, and records a deviation."""
        (user, other), states = there, self.relations.states
        answer = await self.clients[user].read(SEEN, id=f"User:{other}")
        if answer is None or not answer.whole:
            return
        if answer.value and states["block", there] == {True}:
            self.clients[user].broken.append(f"{user} sees {other}, whom they block")
        if answer.value and answer.value["viewerMutes"] not in states["mute", there]:
            self.clients[user].broken.append(f"{user} mutes {other}: {answer.value['viewerMutes']}")

    async def _see_end(self, follow: Direction, *, is_block: bool, followed: bool) -> None:
        """Lets the other user look whether a block or removal has reached their slot."""
        answer = await self.clients[follow[0]].read(SEEN, id=f"User:{follow[1]}")
        seen = answer.value if answer and answer.whole else {}
        if not is_block:
            if not (followed and seen and not following(seen)):
                self.late[follow] = "removal"
        elif seen is not None:
            self.late.setdefault(follow, "block")
        elif self.late.get(follow) == "block":
            del self.late[follow]

    async def _send(self, there: Direction, verb: str, *refusals: str) -> Answer:
        special = {"mute": MUTE, "dismissSuggestion": DISMISS}
        name, query = next(self.names), special.get(verb, (FOLLOW if "follow" in verb else CHANGE) % verb)
        variables = {"id": f"User:{there[1]}", "key": name} | ({"until": None} if verb == "mute" else {})
        answer = await self.clients[there[0]].insist(name, query, *refusals, **variables)
        if answer is None:
            raise OutcomeUnknown
        return answer
