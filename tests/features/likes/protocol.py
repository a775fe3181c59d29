"""A model of the write path: journals, rows, counters, copies and pending sets are plain data, every step is a method.

Under test is the real code (`Rules`), or a broken variant of the code that `check` must detect. Only the stores are
modelled: the upsert here, the merging of `included` and the scripts in modelled_stores.py. Each names the code that it
stands for.

Time is counted in halves of the settling time: a reader can use a copy or a pending set for less than `SETTLE` after
its replacement, and a published change leaves its pending set `SETTLE` after its publication.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy as copied
from dataclasses import dataclass, field, replace

from models.counters import Counter, CounterKind, EntityRef
from models.likes import REACT, Reaction
from projections.entries import likes
from projections.entries.likes import Reacted
from settings import USERS
from store.reactions.counts import CounterDeltas
from store.reactions.like_rows import ReactionKey
from store.write_log.journal import ClientTrace
from store.write_log.pending import Pending, PendingHistory, PendingKey, field_of, overlay, parse
from tests.features.likes.modelled_stores import Histories, Included, merged, reacted, swept
from tests.support.reaction_model import OUTCOMES

SETTLE = 2

Key = tuple[EntityRef, CounterKind]
States = Mapping[tuple[int, EntityRef], tuple[int, int]]
"""For each user and entity: the reaction state, and the version of its last change."""


@dataclass(frozen=True)
class Rules:
    """The code under test. Tests replace one function by a broken variant."""

    overlay: Callable[[Counter, int, Iterable[PendingHistory], Callable[[int], int]], int | None] = overlay
    parse: Callable[[Sequence[bytes]], dict[PendingKey, PendingHistory]] = parse
    latest: Callable[[Sequence[Reacted]], dict[ReactionKey, Reacted]] = likes.latest
    move: Callable[[CounterDeltas, Reacted, int, int | None, int, int | None], None] = likes._add_deltas
    mark: Callable[[CounterDeltas, Reacted], None] = likes._mark_watermarks
    merged: Callable[[Included, Included, int], Included] = merged
    reacted: Callable[[Histories, str, int, int, int], Histories] = reacted
    swept: Callable[[Histories, str, int], Histories] = swept
    settle: int = SETTLE


@dataclass(frozen=True, eq=False)
class Copy:
    """A copy of a counter, and the states that it counts."""

    counter: Counter
    states: States


@dataclass(frozen=True, eq=False)
class Read:
    """A copy of a user's pending set, and the states acknowledged to the user by then."""

    stored: Histories
    pending: Pending
    acknowledged: States


@dataclass
class Row:
    state: int
    owner: int | None
    version: int


@dataclass
class Protocol:
    """The state of the model: partitions of users, owners of entities, journals, rows, copies and pending sets."""

    users: dict[int, int]
    entities: dict[EntityRef, int | None]
    rules: Rules = field(default_factory=Rules)
    now: int = 0
    versions: dict[int, int] = field(default_factory=dict)
    journals: dict[int, tuple[Reacted, ...]] = field(default_factory=dict)
    rows: dict[ReactionKey, Row] = field(default_factory=dict)
    moved_at: dict[Key, int] = field(default_factory=dict)
    unpublished: tuple[Reacted, ...] = ()
    waiting: tuple[tuple[int, tuple[Reacted, ...]], ...] = ()
    in_rows: dict[Key, Copy] = field(default_factory=dict)
    cached: dict[Key, Copy] = field(default_factory=dict)
    replaced: dict[Key, tuple[tuple[int, Copy], ...]] = field(default_factory=dict)
    """The former copies of each counter, each with the time of its replacement."""
    reads: dict[int, Read] = field(default_factory=dict)
    past_reads: dict[int, tuple[tuple[int, Read], ...]] = field(default_factory=dict)
    """The former copies of each pending set, each with the time of its replacement."""
    checked: set[tuple[int, Key, Copy, Read]] = field(default_factory=set)
    """The combinations that were right. Clones share them: the result depends on nothing else."""

    def __post_init__(self) -> None:
        for key in self.keys:
            self.in_rows.setdefault(key, Copy(Counter(0, {}), {}))
            self.cached.setdefault(key, self.in_rows[key])
        for user, partition in self.users.items():
            self.reads.setdefault(user, Read({}, Pending(partition), {}))

    @property
    def keys(self) -> list[Key]:
        """All counters."""
        kinds = (CounterKind.LIKES, CounterKind.DISLIKES)
        owners = sorted({owner for owner in self.entities.values() if owner})
        received = [(EntityRef(USERS, owner), CounterKind.LIKES_RECEIVED) for owner in owners]
        return [(ref, kind) for ref in self.entities for kind in kinds] + received

    def clone(self) -> "Protocol":
        """Returns an independent copy. Only the dicts that steps change in place are copied."""
        other = copied(self)
        for name in (
            "versions",
            "journals",
            "rows",
            "moved_at",
            "in_rows",
            "cached",
            "replaced",
            "reads",
            "past_reads",
        ):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def ask(self, user: int, verb: str, ref: EntityRef) -> bool:
        """Acknowledges one verb, as change_own_set.lua does. Returns whether the state changed."""
        read, partition = self.reads[user], self.users[user]
        was = read.acknowledged.get((user, ref), (0, 0))[0]
        state = OUTCOMES[verb][was]
        if state == was:
            return False
        version = self.versions[partition] = self.versions.get(partition, 0) + 1
        owner = self.entities[ref]
        event = Reacted(partition, version, user, ref, owner, was, state, verb, ClientTrace())
        self.journals[partition] = (*self.journals.get(partition, ()), event)
        stored = self.rules.reacted(read.stored, field_of(REACT, ref), was, state, version)
        self._read(user, stored, {**read.acknowledged, (user, ref): (state, version)})
        return True

    def commit(self, partitions: Sequence[int], most: int = 1000) -> bool:
        """Commits the next entries of these partitions, as workers/persist.py does. Returns whether there were any."""
        events = [event for p in partitions for event in self.journals.get(p, ())[:most]]
        for p in partitions:
            self.journals[p] = self.journals.get(p, ())[most:]
        if not events:
            return False
        moves = CounterDeltas(
            {p: max(e.version for e in events if e.partition == p) for p in {e.partition for e in events}}
        )
        for row, event in sorted(self.rules.latest(events).items()):
            self._upsert(row, event, moves)
        for event in events:
            self.rules.mark(moves, event)
        self._add(moves)
        self.unpublished = (*self.unpublished, *events)
        return True

    def publish(self, most: int = 1000) -> bool:
        """Publishes committed changes, as workers/publish.py does. Returns whether there were any."""
        if not self.unpublished:
            return False
        events = self.unpublished[:most]
        refs = {e.ref for e in events} | {EntityRef(USERS, e.owner_id) for e in events if e.owner_id}
        for key in self._stale():
            if key[0] in refs:
                self._replace(self.cached, key, self.in_rows[key])
        self.waiting = (*self.waiting, (self.now, events))
        self.unpublished = self.unpublished[most:]
        self._sweep()
        return True

    def hand_over(self) -> bool:
        """Lets another worker read the unswept changes again. Returns whether any of them were published."""
        self.unpublished = (*(event for _, events in self.waiting for event in events), *self.unpublished)
        published, self.waiting = bool(self.waiting), ()
        return published

    def fill(self) -> bool:
        """Fills an empty cache from rows. Returns whether any cached counter changed."""
        stale = self._stale()
        for key in stale:
            self._replace(self.cached, key, self.in_rows[key])
        return bool(stale)

    def wait(self, ticks: int = 1) -> bool:
        """Lets time pass: drops copies that no reader can use any more, and sweeps changes that are settled."""
        self.now += ticks
        for key, copies in self.replaced.items():
            self.replaced[key] = tuple(copy for copy in copies if self._is_usable(copy))
        for user, reads in self.past_reads.items():
            self.past_reads[user] = tuple(read for read in reads if self._is_usable(read))
        self._sweep()
        return True

    def check(self, *users: int) -> None:
        """Expects that every copy with every pending set that a reader can combine shows each change exactly once."""
        for user in users or self.users:
            for key in self.keys:
                for copy, read in self._combinations(user, key):
                    if (one := (user, key, copy, read)) not in self.checked:
                        self._check(*one)
                        self.checked.add(one)

    def _combinations(self, user: int, key: Key) -> Iterator[tuple[Copy, Read]]:
        current = [self.in_rows[key]]
        if self.cached[key] is not current[0]:
            current.append(self.cached[key])
        for copy in (*current, *(copy for _, copy in self.replaced.get(key, ()))):
            yield copy, self.reads[user]
        for _, read in self.past_reads.get(user, ()):
            for copy in current:
                yield copy, read

    def _check(self, user: int, key: Key, copy: Copy, read: Read) -> None:
        ref, kind = key
        reaction = Reaction.DISLIKE if kind is CounterKind.DISLIKES else Reaction.LIKE

        def weight(state: int) -> int:
            return int(state == reaction)

        if kind is CounterKind.LIKES_RECEIVED:  # readers see what is published
            counted = [entity for entity, owner in self.entities.items() if owner == ref.entity_id]
            received = sum(weight(state) for (_, entity), (state, _) in copy.states.items() if entity in counted)
            assert copy.counter.value == received, (key, copy)
            return
        histories = read.pending.among(REACT, [ref]).values()
        shown = self.rules.overlay(copy.counter, read.pending.partition, histories, weight)
        others = sum(
            weight(state) for (who, entity), (state, _) in copy.states.items() if who != user and entity == ref
        )
        own = {weight(state) for state in _own(read.acknowledged, copy.states, (user, ref))}
        assert shown in {others + one for one in own}, (user, key, shown, others, own, copy, read)

    def _stale(self) -> list[Key]:
        return [key for key in self.keys if self.cached[key] is not self.in_rows[key]]

    def _upsert(self, key: ReactionKey, event: Reacted, moves: CounterDeltas) -> None:
        old = self.rows.get(key) or Row(0, None, 0)
        if old.version < event.version:
            self.rows[key] = Row(event.state, event.owner_id, event.version)
            self.rules.move(moves, event, old.state, old.owner, event.state, event.owner_id)

    def _add(self, moves: CounterDeltas) -> None:
        states = {(user, EntityRef(b, e)): (row.state, row.version) for (user, b, e), row in self.rows.items()}
        for (business, entity, kind), (delta, included) in moves._moves.items():
            key = (EntityRef(business, entity), CounterKind(kind))
            old, new = self.in_rows[key].counter, {str(p): version for p, version in included.items()}
            quiet = self.now - self.moved_at.get(key, self.now)
            self.moved_at[key] = self.now
            counter = Counter(old.value + delta, self.rules.merged(old.included, new, quiet))
            self._replace(self.in_rows, key, Copy(counter, states))
        for key in self.keys:  # an unchanged counter counts the new states too
            self.in_rows[key] = replace(self.in_rows[key], states=states)

    def _replace(self, copies: dict[Key, Copy], key: Key, new: Copy) -> None:
        self.replaced[key] = (*self.replaced.get(key, ()), (self.now, copies[key]))
        copies[key] = new

    def _read(self, user: int, stored: Histories, acknowledged: States) -> None:
        old = self.reads[user]
        self.past_reads[user] = (*self.past_reads.get(user, ()), (self.now, old))
        raw = [part.encode() for named in stored.items() for part in named]
        pending = Pending(old.pending.partition, self.rules.parse(raw))
        self.reads[user] = Read(stored, pending, acknowledged)

    def _is_usable(self, replaced: tuple[int, object]) -> bool:
        """Returns whether a reader can still use a former copy."""
        return self.now - replaced[0] < SETTLE

    def _sweep(self) -> None:
        while self.waiting and self.now - self.waiting[0][0] >= self.rules.settle:
            (_, events), *rest = self.waiting
            self.waiting = tuple(rest)
            for event in events:
                self._drop(event)

    def _drop(self, event: Reacted) -> None:
        read = self.reads[event.actor_id]
        stored = self.rules.swept(read.stored, field_of(REACT, event.ref), event.version)
        self._read(event.actor_id, stored, read.acknowledged)


def _own(acknowledged: States, counted: States, key: tuple[int, EntityRef]) -> tuple[int, ...]:
    """Returns the user's states that a reader may see: the acknowledged one, and a later one that a copy counts."""
    mine, later = acknowledged.get(key, (0, 0)), counted.get(key, (0, 0))
    return (mine[0],) if mine[1] >= later[1] else (mine[0], later[0])
