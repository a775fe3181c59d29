"""Events of follows, blocks and mutes."""

from typing import Any, NamedTuple

from models.counters import EntityRef
from models.follows import FollowState
from projections.events.fields import FLAGS, Parsers, check_other, ref_of, trace_of
from settings import USERS
from store.own_sets.boundaries import FOREVER_MS, UNFOLLOWER
from store.write_log.journal import ClientTrace, Entry
from store.write_log.pending import BLOCK, FOLLOW, MUTE, THREAD, PublishedChange


class Followed(NamedTuple):
    """An event: an actor followed or unfollowed a user, or asked to follow a private user."""

    partition: int
    version: int
    actor_id: int
    followee_id: int
    state: FollowState
    indirect: bool
    """Whether the actor did not request this change: a block, a removal or the user's answer to a request caused it."""
    trace: ClientTrace

    @property
    def follows(self) -> bool:
        """Tells whether the actor follows the user after this event."""
        return self.state is FollowState.FOLLOWS

    @property
    def is_logged(self) -> bool:
        """Tells whether the log of follows (F5) has a line for this event. It has none for a request, and none for an
        indirect end of a follow.
        """
        return self.follows or (self.state is FollowState.NONE and not self.indirect)

    @property
    def is_acceptance(self) -> bool:
        """Tells whether the followed user accepted the actor's request."""
        return self.follows and self.indirect

    @property
    def ref(self) -> EntityRef:
        """Returns the followed user, whose counters change."""
        return EntityRef(USERS, self.followee_id)

    @property
    def pair(self) -> tuple[int, int]:
        """Returns the ids of both users, the lower one first. They are the key of the pair's row."""
        return min(self.actor_id, self.followee_id), max(self.actor_id, self.followee_id)

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (FOLLOW, self.ref), self.version)


class Blocked(NamedTuple):
    """An event: a user blocked or unblocked another user."""

    partition: int
    version: int
    actor_id: int
    other_id: int
    stands: bool
    unfollows: bool
    """Whether the block may have ended a follow of the blocked user by the blocker."""
    trace: ClientTrace

    @property
    def ref(self) -> EntityRef:
        """Returns the other user."""
        return EntityRef(USERS, self.other_id)

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (BLOCK, self.ref), self.version)


class Muted(NamedTuple):
    """An event: a user muted another user until a time in milliseconds since the Unix epoch, or, with 0, ended that."""

    partition: int
    version: int
    actor_id: int
    other_id: int
    until_ms: int

    @property
    def ref(self) -> EntityRef:
        """Returns the other user."""
        return EntityRef(USERS, self.other_id)

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (MUTE, self.ref), self.version)


class ThreadMuted(NamedTuple):
    """An event: a user muted or unmuted a thread."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post, entity or root comment of the thread."""
    stands: bool

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (THREAD, self.ref), self.version)


class FollowerRemoved(NamedTuple):
    """An event: a user removed another user from the followers. The other user's unfollow is an event of its own."""

    partition: int
    version: int
    actor_id: int
    other_id: int
    operation: str
    """The digest of the operation that removed the follower."""

    @property
    def ref(self) -> EntityRef:
        """Returns the other user."""
        return EntityRef(USERS, self.other_id)

    @property
    def settled(self) -> None:
        """Returns None, because a removal is never pending."""


def _parse_follow(entry: Entry, data: dict[str, Any]) -> Followed:
    actor = int(data["actor"])
    followee, state = check_other(actor, data["followee"]), FollowState(int(entry.fields[b"state"]))
    indirect = "ended" in data or "accepted" in data
    return Followed(entry.partition, entry.version, actor, followee, state, indirect, trace_of(data))


def _parse_block(entry: Entry, data: dict[str, Any]) -> Blocked:
    actor, stands = int(data["actor"]), FLAGS[entry.fields[b"state"]]
    unfollows = stands and FLAGS[entry.fields[b"ends"]]
    return Blocked(
        entry.partition, entry.version, actor, check_other(actor, data["other"]), stands, unfollows, trace_of(data)
    )


def _parse_mute(entry: Entry, data: dict[str, Any]) -> Muted:
    actor, until_ms = int(data["actor"]), int(entry.fields[b"state"])
    if not 0 <= until_ms <= FOREVER_MS:
        raise ValueError(f"a mute cannot end at {until_ms}")
    return Muted(entry.partition, entry.version, actor, check_other(actor, data["other"]), until_ms)


def _parse_thread(entry: Entry, data: dict[str, Any]) -> ThreadMuted:
    stands = FLAGS[entry.fields[b"state"]]
    return ThreadMuted(entry.partition, entry.version, int(data["actor"]), ref_of(data), stands)


def _parse_unfollower(entry: Entry, data: dict[str, Any]) -> FollowerRemoved:
    actor, operation = int(data["actor"]), entry.fields[b"op"].decode()
    return FollowerRemoved(entry.partition, entry.version, actor, check_other(actor, data["other"]), operation)


PARSERS: Parsers[Followed | Blocked | Muted | ThreadMuted | FollowerRemoved] = {
    FOLLOW: _parse_follow,
    BLOCK: _parse_block,
    MUTE: _parse_mute,
    THREAD: _parse_thread,
    UNFOLLOWER: _parse_unfollower,
}
"""The parser of each kind of journal entry."""
