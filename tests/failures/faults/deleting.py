"""Users who write, ask for the deletion of their accounts and perhaps cancel it; and the check that nothing of deleted
users is left, and that the others have lost nothing.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import text

from models.deletions import DeletionState
from models.users import UserRow
from state import State
from store.people import account_rows, deletions, remains, users
from tests.failures.faults.authors import FOLLOW, OutcomeUnknown
from tests.failures.faults.client import Client
from tests.support.comments import ADD
from tests.support.deletions import CANCEL, DELETE
from tests.support.hiding_words import MUTE_WORDS
from tests.support.posts import PUBLISH
from tests.support.system import REACT, Api

_SECONDS = 60
"""Seconds in which workers must finish the deletions that are due."""
_IDLE = 0.1
_SHOWN = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"
_ROWS = {
    "like": text("SELECT count(*) FROM reactions WHERE user_id = :user AND state <> 0"),
    "follow": text("SELECT count(*) FROM following WHERE user_id = :user"),
    "bell": text("SELECT count(*) FROM bells WHERE user_id = :user AND stands"),
    "mute": text("SELECT count(*) FROM muted_words WHERE user_id = :user AND words <> ''"),
    "publish": text("SELECT count(*) FROM posts WHERE author_id = :user AND NOT deleted AND text <> ''"),
    "comment": text("SELECT count(*) FROM comment_contents WHERE author_id = :user AND NOT deleted AND text <> ''"),
}
"""The statements that count what a user has written, by verb."""
_BELL = """mutation ($id: ID!, $key: String) {
  setPostNotifications(input: {userId: $id, enabled: true, idempotencyKey: $key}) { userErrors { code } } }"""
_CONTENT = "publish", "comment"
"""The verbs whose rows stay with ANONYMIZE."""


@dataclass
class Leaver:
    """A user. `states` are the possible states of the deletion, and `written` says of each verb whether the user may
    have done it; None in `states`: the account is not deleted.
    """

    client: Client
    user_id: int
    mode: str
    states: set[DeletionState | None] = field(default_factory=lambda: {None})
    written: dict[str, set[bool]] = field(default_factory=lambda: {verb: {False} for verb in _ROWS})
    is_done: bool = False
    """Whether the user does nothing any more."""


@dataclass
class Deleting:
    """The users, who act one after the other, and a friend who stays. `target` is an entity that only they like."""

    leavers: Sequence[Leaver]
    friend: Client
    friend_id: str
    post: str
    """The friend's post, on which the users comment."""
    target: str
    names: Iterator[str]

    @property
    def deleted(self) -> int:
        """The number of accounts whose deletion is acknowledged and due at once."""
        return sum(one.states == {DeletionState.DONE} for one in self.leavers)

    @property
    def has_deleted_a_post(self) -> bool:
        """Returns whether an author has asked for the deletion of the account with all posts."""
        erased = [one for one in self.leavers if one.states == {DeletionState.DONE} and one.mode == "ERASE"]
        return any(True in one.written["publish"] for one in erased)

    async def act(self) -> None:
        """Performs one random step of a user. Raises OutcomeUnknown if its outcome stays unknown."""
        active = [one for one in self.leavers if not one.is_done]
        if not active:
            await asyncio.sleep(_IDLE)
            return
        one = random.choice(active)
        left = [verb for verb, done in one.written.items() if done == {False}]
        if DeletionState.PENDING in one.states:
            await random.choice([self._cancel, self._leave])(one)
        elif left and random.random() < 0.7:
            await self._write(one, random.choice(left))
        else:
            await random.choice([self._leave, self._leave_later])(one)

    async def _write(self, one: Leaver, verb: str) -> None:
        requests: dict[str, tuple[str, dict[str, Any]]] = {
            "like": (REACT % "like", {"id": self.target, "source": None}),
            "follow": (FOLLOW % "follow", {"id": self.friend_id}),
            "bell": (_BELL, {"id": self.friend_id}),
            "mute": (MUTE_WORDS, {"words": [{"text": "leaving"}]}),
            "publish": (PUBLISH, {"text": f"by {one.client.handle}", "topics": ["leaving"], "images": []}),
            "comment": (ADD, {"subject": self.post, "to": None, "text": f"from {one.client.handle}"}),
        }
        query, variables = requests[verb]
        one.written[verb] = {False, True}
        await self._send(one, query, **variables)
        one.written[verb] = {True}

    async def _leave(self, one: Leaver) -> None:
        """Asks for a deletion that is due at once."""
        one.is_done = True
        await self._ask(one, DeletionState.DONE, DELETE, user=None, mode=one.mode, days=0)

    async def _leave_later(self, one: Leaver) -> None:
        await self._ask(one, DeletionState.PENDING, DELETE, user=None, mode=one.mode, days=1)

    async def _cancel(self, one: Leaver) -> None:
        one.is_done = True
        await self._ask(one, None, CANCEL, user=None)

    async def _ask(self, one: Leaver, state: DeletionState | None, query: str, **variables: Any) -> None:
        one.states = one.states | {state}
        await self._send(one, query, **variables)
        one.states = {state}

    async def _send(self, one: Leaver, query: str, **variables: Any) -> None:
        name = next(self.names)
        if await one.client.insist(name, query, key=name, **variables) is None:
            raise OutcomeUnknown


async def deletion_violations(stores: State, api: Api, deleting: Sequence[Deleting]) -> list[str]:
    """Returns a sentence for each deletion that is not as it was acknowledged, each thing that is left of a deleted
    user, and each thing that another user has lost. Call it after `deletions_finished`.
    """
    found = []
    for one in deleting:
        rows = await users.by_id(stores.postgres, [leaver.user_id for leaver in one.leavers])
        for leaver in one.leavers:
            found += await _wrong(stores, leaver, rows[leaver.user_id])
        found += await _wrongly_shown(api, one, rows)
        found += await _found_by_search(stores, one, rows)
    return found


async def only_deleted(stores: State, one: Deleting) -> Deleting:
    """Returns the users whose deletions were acknowledged, without those whom a restored database does not have. Their
    last posts and comments may be lost.
    """
    gone = [leaver for leaver in one.leavers if leaver.states == {DeletionState.DONE}]
    known = await users.by_id(stores.postgres, [leaver.user_id for leaver in gone])
    unsure = {verb: {False, True} for verb in _ROWS}
    return replace(one, leavers=[replace(leaver, written=unsure) for leaver in gone if leaver.user_id in known])


async def deletions_finished(stores: State) -> None:
    """Waits until workers have finished the deletions that are due, for a minute at most."""
    deadline = time.monotonic() + _SECONDS
    while await deletions.due(stores.postgres, stores.now_ms(), 1) and time.monotonic() < deadline:
        await asyncio.sleep(0.1)


async def _wrong(stores: State, leaver: Leaver, row: UserRow) -> list[str]:
    found = []
    state = None if row.deletion is None else DeletionState(row.deletion)
    is_late = state is DeletionState.PENDING and (row.deletion_due_ms or 0) > stores.now_ms()  # by the API's clock
    if state not in leaver.states and not (is_late and DeletionState.DONE in leaver.states):
        found.append(f"the deletion of {leaver.user_id} is {state} instead of {leaver.states}")
    is_gone = state is DeletionState.DONE
    if is_gone and (left := await account_rows.left(stores.postgres, leaver.user_id)):
        found.append(f"{left} are left of {leaver.user_id}")
    for verb, statement in _ROWS.items():
        possible = {False} if is_gone and (verb not in _CONTENT or leaver.mode == "ERASE") else leaver.written[verb]
        count = (await stores.postgres.read(statement, user=leaver.user_id))[0][0]
        if count not in map(int, possible):
            found.append(f"{count} rows of {verb} by {leaver.user_id}, whose deletion is {state}, not {possible}")
    return found


async def _wrongly_shown(api: Api, one: Deleting, rows: dict[int, UserRow]) -> list[str]:
    """Compares the users whom the friend is shown with the rows. Anonymized users are shown, without their names."""
    ids = [f"User:{id_}" for id_ in rows]
    nodes = (await api.person(one.friend.handle).ask(_SHOWN, ids=ids))["nodes"]
    shown = {id_ for id_, node in zip(ids, nodes, strict=True) if node}
    expected = {id_ for id_, row in zip(ids, rows.values(), strict=True) if not row.is_hidden(0)}
    return [f"{one.friend.handle} is shown {shown ^ expected} wrongly"] if shown != expected else []


async def _found_by_search(stores: State, one: Deleting, rows: dict[int, UserRow]) -> list[str]:
    """Searches all tables and all of Redis for one of the erased users, as `plaudit deletions check` does."""
    gone = [leaver for leaver in one.leavers if leaver.mode == "ERASE" and rows[leaver.user_id].deletion == 3]
    if not gone:
        return []
    leaver = random.choice(gone)
    searched = remains.Searched.user(leaver.user_id, [leaver.client.handle])
    left = await remains.in_tables(stores.postgres, searched, ())
    for redis in {id(redis): redis for redis in (stores.redis, stores.cache.redis)}.values():
        left += await remains.in_redis(redis, searched)
    return [f"{place.found} of {leaver.user_id} is left in {place.place}" for place in left if place.reason is None]
