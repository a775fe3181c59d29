"""Pairs of users who follow, block, mute and remove each other, and whom a moderator suspends.

The two users of a pair act in turns, so that the order of their changes is known. A change whose second script may
have been lost is written to the other user's slot later, by a worker. Until it is seen there, it may end a newer
follow.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Client
from tests.support.boundaries import CHANGE, MUTE
from tests.support.suspensions import REINSTATE, SUSPEND

Direction = tuple[int, int]
"""The ids of the user who acts and of the other user."""
CHANGES = ("follow", "follow", "follow", "unfollow", "block", "block", "unblock", "unblock", "mute", "unmute")
SUSPENSIONS = ("suspend", "reinstate", "follow", "unfollow")
SEEN = "query ($id: ID!) { node(id: $id) { ... on User { viewerBlocks viewerMutes viewerRelation } } }"
FORWARD = ("FOLLOWING", "FRIENDS")
"""The relations of a viewer who follows the user."""
_HIDING = {"TARGET_NOT_FOUND", "BLOCKED", "SUSPENDED"}


@dataclass
class Relations:
    """The possible states of the follows, blocks and mutes of all pairs, and of all suspensions. Before a change is
    acknowledged, there may be several.
    """

    follows: dict[Direction, set[bool]] = field(default_factory=dict)
    blocks: dict[Direction, set[bool]] = field(default_factory=dict)
    mutes: dict[Direction, set[bool]] = field(default_factory=dict)
    suspended: dict[int, set[str | None]] = field(default_factory=dict)
    unchecked: set[Direction] = field(default_factory=set)
    """Follows that were acknowledged during a block, while the boundaries could not be read. They may stand."""

    def add(self, users: Sequence[int]) -> None:
        """Adds a pair without relations."""
        for direction in ((users[0], users[1]), (users[1], users[0])):
            for states in (self.follows, self.blocks, self.mutes):
                states[direction] = {False}
        self.suspended |= {user: {None} for user in users}


@dataclass
class Pair:
    """Two users who act in turns."""

    clients: Sequence[Client]
    users: Sequence[int]
    moderator: Client
    relations: Relations
    names: Iterator[str]
    verbs: Sequence[str]
    late: set[Direction] = field(default_factory=set)
    """Follows that a late second script may end."""

    async def act(self) -> None:
        """Performs one random change. Raises OutcomeUnknown if its outcome stays unknown."""
        number = random.randrange(2)
        verb = random.choice(self.verbs)
        if verb in ("suspend", "reinstate"):
            await self._suspend(self.users[number], verb)
        elif verb in ("follow", "unfollow"):
            await self._follow(number, verb)
        else:
            await self._change(number, verb)

    async def _suspend(self, user: int, verb: str) -> None:
        mode = random.choice(["READ_ONLY", "HIDDEN", "SHADOW"]) if verb == "suspend" else None
        states = self.relations.suspended[user]
        states.add(mode)
        reason = {"mode": mode, "until": None, "reason": "a test"} if mode else {}
        answer = await self.moderator.insist(next(self.names), SUSPEND if mode else REINSTATE, id=_id(user), **reason)
        if answer is None:
            raise OutcomeUnknown
        states.intersection_update({mode})

    async def _follow(self, number: int, verb: str) -> None:
        """Follows or unfollows. A follow during a block is refused, or it ends when the block reaches the follower."""
        there, back = self._directions(number)
        relations, follows = self.relations, verb == "follow"
        is_blocked = True in relations.blocks[there] | relations.blocks[back]
        before = set(relations.follows[there])
        relations.follows[there].add(follows)
        answer = await self._send(number, verb, _HIDING if self._may_refuse(there, back) else set())
        if answer.value["userErrors"]:
            relations.follows[there] = before
        elif not (follows and is_blocked):
            relations.follows[there] = {follows, False} if there in self.late else {follows}
        elif answer.whole:
            relations.follows[there] = before
            self.late.add(there)
        else:
            relations.unchecked.add(there)

    def _may_refuse(self, there: Direction, back: Direction) -> bool:
        states = (self.relations.blocks[there], self.relations.blocks[back])
        return any(True in of for of in states) or "suspend" in self.verbs or back in self.late

    async def _change(self, number: int, verb: str) -> None:
        there, back = self._directions(number)
        relations, state = self.relations, not verb.startswith("un")
        ends = verb in ("block", "removeFollower")
        was = set(relations.follows[back])
        if verb != "removeFollower":
            held = relations.mutes if verb.endswith("mute") else relations.blocks
            held[there].add(state)
        for direction in (there, back)[verb == "removeFollower" :] if ends else ():
            relations.follows[direction].add(False)
        answer = await self._send(number, verb, set())
        if verb != "removeFollower":
            held[there].intersection_update({state})
        for direction in (there, back)[verb == "removeFollower" :] if ends else ():
            relations.follows[direction] = {False}
        if ends and not await self._is_received(1 - number, verb, was):
            self.late.add(back)
        del answer

    def _directions(self, number: int) -> tuple[Direction, Direction]:
        one, other = self.users[number], self.users[1 - number]
        return (one, other), (other, one)
