"""A user who asks to follow a private user, and the private user, who accepts or rejects the requests."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.failures.faults.authors import FOLLOW, OutcomeUnknown
from tests.failures.faults.client import Answer, Client
from tests.failures.faults.pairs import Direction, Relations

VERBS = (*["follow"] * 3, "unfollow", *["acceptFollow"] * 2, "rejectFollow")
ANSWERS = ("acceptFollow", "rejectFollow")
NONE, REQUESTED, FOLLOWING = "NONE", "REQUESTED", "FOLLOWING"
_AFTER = {
    "follow": {NONE: REQUESTED},
    "unfollow": {REQUESTED: NONE, FOLLOWING: NONE},
    "acceptFollow": {REQUESTED: FOLLOWING},
    "rejectFollow": {REQUESTED: NONE},
}
"""The changes of the relation by each mutation."""


@dataclass
class Asking:
    """Two users, of whom only the first asks, and only the second answers. They act one after the other."""

    asking: Client
    asked: Client
    there: Direction
    relations: Relations
    names: Iterator[str]
    relation: str = NONE
    _last: str = ""
    """The name of the last write."""

    async def act(self) -> None:
        """Performs one random change. Raises OutcomeUnknown if its outcome stays unknown."""
        verb = random.choice(VERBS)
        after = _AFTER[verb].get(self.relation, self.relation)
        refused = verb == "acceptFollow" and after == NONE
        self._note({self.relation, after})
        # While Redis is down, a request that only a journal has cannot be accepted (ADR 42).
        answer = await self._send(verb, *(["REQUEST_NOT_FOUND"] if verb == "acceptFollow" else []))
        if answer.value["userErrors"] and not refused:
            if self.asked.repeated[-1:] == [self._last]:  # an earlier attempt may have been accepted
                raise OutcomeUnknown
            self._note({self.relation})
            return
        self._note({after})
        self.relation = after
        if verb not in ANSWERS and answer.whole:
            self._check(answer.value["user"]["viewerRelation"], f"the answer to {verb}")
        elif refused and not answer.value["userErrors"]:
            self.asked.broken.append(f"{self.there[1]} accepted a request that did not exist")

    def _note(self, relations: set[str]) -> None:
        """Records the possible relations of the user who asks to the private user."""
        self.relations.states["request", self.there] = {relation == REQUESTED for relation in relations}
        self.relations.states["follow", self.there] = {relation == FOLLOWING for relation in relations}

    def _check(self, shown: str, where: str) -> None:
        if shown != self.relation:
            self.asking.broken.append(f"{where} shows {shown} to {self.there[0]}, whose relation is {self.relation}")

    async def _send(self, verb: str, *refusals: str) -> Answer:
        client, other = (self.asked, self.there[0]) if verb in ANSWERS else (self.asking, self.there[1])
        name = self._last = next(self.names)
        answer = await client.insist(name, FOLLOW % verb, *refusals, id=f"User:{other}", key=name)
        if answer is None:
            raise OutcomeUnknown
        return answer
