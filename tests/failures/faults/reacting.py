"""A user who gives several kinds of reactions to entities and takes them back; and the check of rows and counters."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import text

from models.likes import Reaction, counter_of, ids_in
from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Client
from tests.support.reactions import REACT_KIND, UNREACT_KIND, shown
from tests.support.system import Api

KINDS = {"like": 1, "dislike": 2, "love": 3, "😂": 4, "sad": 5}
"""The kinds of the business `chat` in tests/businesses.toml, in which a user can give several."""
LIKES = {"like", "love"}
_ROWS = text("""
    SELECT e.key, r.state, r.kinds FROM reactions r JOIN entity_keys e USING (business_id, entity_id)
    WHERE r.user_id = :user
""")
_COUNTED = text("""
    SELECT e.key, c.kind, c.value FROM counters c JOIN entity_keys e USING (business_id, entity_id)
    WHERE e.key = ANY(:keys) AND c.kind = ANY(:kinds)
""")
Given = frozenset[str]


@dataclass
class Reacting:
    """One user. Nobody else reacts to the targets. `given` has the possible kinds of each target."""

    client: Client
    user_id: int
    given: dict[str, set[Given]]
    names: Iterator[str]

    async def act(self) -> None:
        """Gives a kind, or takes back one or all. Raises OutcomeUnknown if the outcome stays unknown."""
        target, kind = random.choice([*self.given]), random.choice([*KINDS])
        (now,) = self.given[target]
        gives, takes_all = random.random() < 0.7, random.random() < 0.2
        after = _after(now, kind) if gives else now - (frozenset(KINDS) if takes_all else {kind})
        self.given[target].add(after)
        name, query = next(self.names), REACT_KIND if gives else UNREACT_KIND
        asked = None if takes_all and not gives else kind
        answer = await self.client.insist(name, query, id=target, kind=asked, key=name)
        if answer is None:
            raise OutcomeUnknown
        self.given[target] = {after}
        seen = answer.value["target"]
        if answer.whole and seen and set(seen["viewerReactions"]) != after:
            self.client.broken.append(f"the answer to {name} shows {seen} where {set(after)} was given")


def _after(now: Given, kind: str) -> Given:
    opposite = LIKES if kind == "dislike" else {"dislike"} if kind in LIKES else set[str]()
    return now - opposite | {kind}


async def reactor(api: Api, client: Client, prefix: str, names: Iterator[str]) -> Reacting:
    """Registers a user, and entities to which only this user reacts."""
    user_id = int((await client.person.id()).rpartition(":")[2])
    targets = await api.videos(*(f"{prefix}-r{n}" for n in range(8)), business="chat")
    return Reacting(client, user_id, {target: {frozenset()} for target in targets}, names)


async def reacting_violations(stores: State, api: Api, reacting: Sequence[Reacting]) -> list[str]:
    """Returns a sentence for each reaction that is not as its user has left it, and for each wrong counter."""
    found: list[str] = []
    by_id = {id_: name for name, id_ in KINDS.items()}
    for one in reacting:
        rows = {
            f"Entity:chat:{key}": frozenset(by_id[id_] for id_ in ids_in(kinds or state))
            for key, state, kinds in await stores.postgres.read(_ROWS, user=one.user_id)
        }
        counted = {
            (f"Entity:chat:{key}", number): value
            for key, number, value in await stores.postgres.read(
                _COUNTED, keys=[target.rpartition(":")[2] for target in one.given], kinds=[1, 2, *range(31, 81)]
            )
        }
        for target, possible in one.given.items():
            row = rows.get(target, frozenset())
            if row not in possible:
                found.append(f"{one.user_id} has given {row} to {target} where {possible} was acknowledged")
            expected: dict[int, int] = {Reaction.LIKE: int(bool(row & LIKES)), Reaction.DISLIKE: int("dislike" in row)}
            expected |= {counter_of(KINDS[kind]): int(kind in row) for kind in ("love", "😂", "sad")}
            stored = {number: counted.get((target, number), 0) for number in expected}
            if stored != expected:
                found.append(f"the counters of {target} are {stored} where {row} was given")
            seen = await shown(api.person(one.client.handle), target)
            if set(seen["viewerReactions"]) != row or Counter(row) != {
                each["kind"]: each["count"] for each in seen["reactionCounts"]
            }:
                found.append(f"{one.user_id} is shown {seen} where {row} was given")
    return found
