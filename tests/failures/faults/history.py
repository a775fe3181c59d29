"""The history of a load: the operations of its users with their outcomes, and the violations that clients saw."""

import asyncio
from dataclasses import dataclass, field
from enum import Enum

from tests.failures.faults.authors import Library
from tests.failures.faults.changing import Changing
from tests.failures.faults.client import Client, Violations
from tests.failures.faults.deleting import Deleting
from tests.failures.faults.moderating import Moderated
from tests.failures.faults.pairs import Relations
from tests.failures.faults.reacting import Reacting
from tests.failures.faults.reposting import Reposting
from tests.failures.faults.restricting import Restricting
from tests.failures.faults.saving import Saving

NONE, LIKE, DISLIKE = 0, 1, 2
NAMES = {None: NONE, "LIKE": LIKE, "DISLIKE": DISLIKE}


class Fate(Enum):
    """The outcome of an operation, as far as its client knows."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Op:
    """One intended change, and the state before and after it."""

    name: str
    user_id: int
    target: str
    verb: str
    was: int
    state: int
    fate: Fate = Fate.UNKNOWN
    began_at: float = 0.0
    acknowledged_at: float = 0.0
    """Seconds since the Unix epoch."""


@dataclass(slots=True)
class User:
    """A user with some entities of their own: no other user reacts to them, so their counts are known exactly."""

    client: Client
    user_id: int
    own: list[str]


@dataclass(slots=True)
class History:
    """All operations, in order for each (user, entity), and all violations that clients saw."""

    users: list[User]
    targets: list[str]
    """All entities."""
    owner_handle: str
    ops: list[Op] = field(default_factory=list)
    reads: list[tuple[float, float, bool]] = field(default_factory=list)
    """Begin and end of each read, in seconds since the Unix epoch, and whether it was answered."""
    broken: Violations = field(default_factory=Violations)
    library: Library = field(default_factory=Library)
    relations: Relations = field(default_factory=Relations)
    moderated: list[Moderated] = field(default_factory=list)
    saving: list[Saving] = field(default_factory=list)
    reacting: list[Reacting] = field(default_factory=list)
    reposting: list[Reposting] = field(default_factory=list)
    restricting: list[Restricting] = field(default_factory=list)
    deleting: list[Deleting] = field(default_factory=list)
    changing: list[Changing] = field(default_factory=list)
    going: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared while no user may begin an operation."""

    def __post_init__(self) -> None:
        self.going.set()

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged operations."""
        return sum(op.fate is Fate.ACKNOWLEDGED for op in self.ops)

    def lose_commits(self) -> None:
        """Expects that the newest changes that are in no journal are lost."""
        for one in self.changing:
            one.lose_commits()

    async def has_rare_changes(self) -> None:
        """Returns when the rows would show that a worker does not store pins and policies, does not empty deleted
        collections, or does not delete accounts.
        """
        async with asyncio.timeout(90):
            while not (
                any(one.left for one in self.saving)
                and any("EVERYONE" not in one.policies for one in self.restricting)
                and any({True} in one.pins.values() for one in self.restricting)
                and any(one.has_deleted_a_post for one in self.deleting)
            ):
                await asyncio.sleep(0.01)

    async def has_deletions(self, count: int) -> None:
        """Returns when the deletions of `count` accounts that are due at once have been acknowledged."""
        async with asyncio.timeout(90):
            while sum(one.deleted for one in self.deleting) < count:
                await asyncio.sleep(0.01)

    async def grows(self, count: int) -> None:
        """Returns when `count` more operations have been acknowledged."""
        goal = self.acknowledged + count
        async with asyncio.timeout(90):
            while self.acknowledged < goal:
                await asyncio.sleep(0.01)
