"""Changes that users request: the base class of all changes, and the changes that several commands use."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from models.counters import EntityRef
from state import State
from store.postgres.client import Transaction
from store.write_log.operations import Operation, Outcome, Status

Fields = Mapping[str, object]
"""The fields that an entry in the journal has."""


class DirectWrite(NamedTuple):
    """The transaction of a direct write. It sees all earlier changes of the actor except those in a journal that cannot
    be read.
    """

    state: State
    transaction: Transaction
    actor_id: int


class Change(ABC):
    """One change that a user requests, and how it is made in both write logs. Nothing is changed if `journal` returns
    an outcome with a status other than DONE, or if `entries` returns a status.
    """

    @abstractmethod
    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Makes the change with one atomic script, which also appends it to the actor's journal. Returns the outcome,
        whose status is DONE or says why nothing was changed. Makes the change at most once per operation: a repetition
        gets the outcome that was recorded the first time.

        Raises RedisDown; PostgresDown if the change needs rows and Postgres is down; Moved if writes do not go to this
        journal any more.
        """

    @abstractmethod
    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entries that a direct write applies, or the status of the outcome if nothing is to be
        written.
        """

    @property
    def value(self) -> str:
        """Returns a space and the value of a direct write's outcome; an empty text if the outcome has no value."""
        return ""

    @property
    def about(self) -> EntityRef | None:
        """Returns the object that a direct write stores beside the operation, so that cached copies of the object are
        dropped when Redis is back; None for no object.
        """
        return None

    @property
    def verb(self) -> str | None:
        """Returns the verb that a direct write stores beside the operation, so that the verb can be applied again after
        older changes have arrived; None for no verb.
        """
        return None

    def unfollow(self, _: int) -> tuple[int, int] | None:
        """Returns the ids of a follower and a followee whose follow a direct write also ends; None for no follow. The
        argument is the id of the actor.
        """
        return None


@dataclass(frozen=True, slots=True)
class Patch(Change):
    """A change that its actor sees at once: a new, edited, deleted or pinned post, a new, edited or deleted comment, or
    a change of the comment settings of a post or entity. `ref` is the post, comment or entity, whose id is the value of
    the outcome; `kind` and `data` are those of the journal entry.
    """

    kind: str
    ref: EntityRef
    data: bytes
    changes: bool = True
    """False if the actor sees the wanted state already. Then a journal stores only the outcome. A direct write is made
    in any case, because older changes may still be in a journal.
    """

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the change to the actor's pending changes and to the journal, at most once per operation, unless the
        outcome's status says why not. If `changes` is false, only records an outcome without a value.
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
        """Returns the post, comment or entity."""
        return self.ref


@dataclass(frozen=True, slots=True)
class ModerationStep(Change):
    """A step of moderation about the object `ref`: a report, an appeal, or a moderator's decision or warning. `kind`
    and `data` are those of the journal entry.
    """

    kind: str
    ref: EntityRef
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the step to the journal, at most once per operation, unless the outcome's status says why not. The
        value of the outcome is the id of the entry.
        """
        return await state.patches.append(actor_id, self.kind, operation, self.data)

    async def entries(self, _: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the step."""
        return [{"kind": self.kind, "data": self.data}]

    @property
    def about(self) -> EntityRef | None:
        """Returns the object that the step is about."""
        return self.ref
