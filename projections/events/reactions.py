"""Events of reactions and of recorded actions."""

from typing import Any, NamedTuple

from models.counters import CounterKind, EntityRef
from models.likes import Reaction, Verb
from models.saves import NOT_SAVED
from projections.events.fields import FLAGS, Parsers, ref_of, trace_of
from settings import COLLECTIONS
from store.reactions.leaderboards import DAY_MS
from store.write_log.journal import ClientTrace, Entry, moment_of
from store.write_log.pending import COLLECTION, REACT, SAVE, SHARE, VIEW, PublishedChange

_STATES = {b"%d" % reaction: int(reaction) for reaction in Reaction}
_EARLIER_STATES = {**_STATES, b"?": None}
_ACTIONS = {VIEW: CounterKind.VIEWS, SHARE: CounterKind.SHARES}


class Reacted(NamedTuple):
    """An event: an actor's reaction to an entity, post or comment became `state`."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    owner_id: int | None
    was: int | None
    """The reaction before the event; None if it could not be read, because Redis or Postgres was down."""
    state: int
    verb: str | None
    """The verb that the actor sent. None for a change without a request, which is not logged."""
    trace: ClientTrace

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (REACT, self.ref), self.version)

    @property
    def moment(self) -> int:
        """Returns the moment that orders the reaction in lists."""
        return moment_of(self.version)

    @property
    def day(self) -> int:
        """Returns the day of the event, in days since the Unix epoch, UTC."""
        return (self.version >> 20) // DAY_MS


class Saved(NamedTuple):
    """An event: an actor saved an entity, post or comment into a collection, or removed the save."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    was: int | None
    """The collection before the event; None if it could not be read, because Redis or Postgres was down."""
    collection_id: int

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (SAVE, self.ref), self.version)


class CollectionChanged(NamedTuple):
    """An event: an actor created, changed or deleted a collection. It has the state after the event."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    name: str
    is_public: bool
    deleted: bool

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (COLLECTION, self.ref), self.version)


class ActionRecorded(NamedTuple):
    """An event: an actor viewed or shared a post or entity, or did an action that its business counts."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    what: str
    """The kind of the entry."""
    counter: int
    """The counter that includes the action."""
    bucket: int
    """The hour of the action, counted from the Unix epoch, if it counts once per actor and hour;
    otherwise its version.
    """

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (self.what, self.ref), self.version)


def _parse_reaction(entry: Entry, data: dict[str, Any]) -> Reacted:
    owner = None if data["owner"] is None else int(data["owner"])
    was, state = _EARLIER_STATES[entry.fields[b"was"]], _STATES[entry.fields[b"state"]]
    verb = Verb(data["verb"]).value
    return Reacted(
        entry.partition, entry.version, int(data["actor"]), ref_of(data), owner, was, state, verb, trace_of(data)
    )


def _parse_save(entry: Entry, data: dict[str, Any]) -> Saved:
    was, collection_id = entry.fields[b"was"], int(entry.fields[b"state"])
    before = None if was == b"?" else int(was)
    if min(before or NOT_SAVED, collection_id) < NOT_SAVED:
        raise ValueError(f"{before} or {collection_id} is not a collection")
    return Saved(entry.partition, entry.version, int(data["actor"]), ref_of(data), before, collection_id)


def _parse_collection(entry: Entry, data: dict[str, Any]) -> CollectionChanged:
    ref = EntityRef(COLLECTIONS, int(data["collection"]))
    left = (str(data["name"]), bool(data["public"]), False) if FLAGS[entry.fields[b"state"]] else ("", False, True)
    return CollectionChanged(entry.partition, entry.version, int(data["actor"]), ref, *left)


def parse_action(entry: Entry, data: dict[str, Any]) -> ActionRecorded:
    """Parses a journal entry of a recorded action."""
    what = entry.fields[b"kind"].decode()
    counter = _ACTIONS.get(what) or int(what)
    bucket = int(data["hour"]) if data["once"] else entry.version
    return ActionRecorded(entry.partition, entry.version, int(data["actor"]), ref_of(data), what, counter, bucket)


PARSERS: Parsers[Reacted | Saved | CollectionChanged | ActionRecorded] = {
    REACT: _parse_reaction,
    SAVE: _parse_save,
    COLLECTION: _parse_collection,
    VIEW: parse_action,
    SHARE: parse_action,
}
"""The parser of each kind of journal entry."""
