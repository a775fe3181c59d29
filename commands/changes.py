"""Changes that users request: the base class of all changes, and the changes that several commands use."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from models.counters import EntityRef
from models.follows import FollowVerb
from models.likes import KindVerb, Verb
from state import State
from store.postgres.client import Transaction
from store.write_log.operations import Operation, Outcome, Status

Fields = Mapping[str, object]
"""The fields of one journal entry, by name."""


class DirectWrite(NamedTuple):
    """A write that goes directly to Postgres, because Redis is down, and its transaction. The transaction sees all
    earlier changes of the actor, except those in a journal that cannot be read now.
    """

    state: State
    transaction: Transaction
    actor_id: int


class Change(ABC):
    """One change that a user requests, and two ways to make it. `journal` makes the change in Redis. While Redis is
    down, `entries` says what to write directly to Postgres.

    If `journal` returns an outcome with a status other than DONE, or `entries` returns a status, nothing is changed.
    """

    @abstractmethod
    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Makes the change in Redis and appends it to the actor's journal, in one atomic script. Returns the outcome,
        whose status is DONE or says why nothing was changed. Makes the change at most once for the same `operation`: a
        repetition gets the outcome that was recorded the first time.

        Raises RedisDown; PostgresDown if the change needs rows and Postgres is down; Moved if writes do not go to this
        journal any more.
        """

    @abstractmethod
    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the change as journal entries, which the caller applies to Postgres at once. The list is empty if
        there is nothing to change. Returns a status that says why if the change is not allowed.
        """

    @property
    def value(self) -> str:
        """Returns a space and the value of the outcome of a direct write, such as the id of a new post; an empty text
        if the outcome has no value.
        """
        return ""

    @property
    def about(self) -> EntityRef | None:
        """Returns the changed object; None for no object. A direct write stores the object in its idempotency record.
        When Redis is back, workers read it there, to update the object's hot score or to apply `verb` again.
        """
        return None

    @property
    def verb(self) -> Verb | KindVerb | FollowVerb | None:
        """Returns the verb of a reaction or a follow; None for other changes. A direct write stores the verb in its
        idempotency record. If older changes of the reaction or follow arrive later from a journal, workers apply the
        verb again.
        """
        return None

    def unfollow(self, _: int) -> tuple[int, int] | None:
        """Returns the ids of a follower and a followee if a direct write of this change must also end this follow;
        otherwise None. The argument is the id of the actor.
        """
        return None


@dataclass(frozen=True, slots=True)
class Patch(Change):
    """A change that its actor sees at once, before workers have stored it: a new, edited, deleted or pinned post, a
    new, edited or deleted comment, or changed comment settings of a post or entity.

    `ref` is the post, comment or entity. Its id is the value of the outcome. `kind` is the kind of the journal entry,
    and `data` its JSON.
    """

    kind: str
    ref: EntityRef
    data: bytes
    changes: bool = True
    """False if the actor already sees the wanted state. The journal then gets no entry, and only the outcome is
    recorded. A direct write is made in any case, because older changes may still be in a journal.
    """

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the change to the journal and to the actor's pending changes (those not stored yet), at most once for
        the same `operation`. The status of the outcome is DONE, or says why nothing was appended. If `changes` is
        false, only records an outcome without a value.
        """
        if not self.changes:
            return await state.operations.conclude(actor_id, operation, ()) or Outcome(Status.DONE)
        return await state.patches.write(actor_id, self.kind, self.ref, operation, self.data)

    async def entries(self, _: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the change."""
        return [{"kind": self.kind, "data": self.data}]

    @property
    def value(self) -> str:
        """Returns a space and the id of the post, comment or entity."""
        return f" {self.ref.entity_id}"

    @property
    def about(self) -> EntityRef | None:
        """Returns the changed post, comment or entity."""
        return self.ref


@dataclass(frozen=True, slots=True)
class ModerationStep(Change):
    """A step of moderation about the object `ref`: a report, an appeal, or a moderator's decision or warning. `kind` is
    the kind of the journal entry, and `data` its JSON.
    """

    kind: str
    ref: EntityRef
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the step to the journal, at most once for the same `operation`. The status of the outcome is DONE, or
        says why nothing was appended. The value of the outcome is the id of the journal entry.
        """
        return await state.patches.append(actor_id, self.kind, operation, self.data)

    async def entries(self, _: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the step."""
        return [{"kind": self.kind, "data": self.data}]

    @property
    def about(self) -> EntityRef | None:
        """Returns the object that the step is about."""
        return self.ref
