"""The write path in miniature: journals, rows, counters, copies and pending sets as plain data, every step a method.

What is under test is the real code (`Rules`), or a broken variant of it that `check` must find out. Only the stores
are imitated: the upsert, the merging of `included` and the sweep script, each beside the name of what it stands for.

Time is counted in half settles: a copy or a pending set can be in a reader's hands for less than `SETTLE` after it was
replaced, and a published change leaves its pending set `SETTLE` after it was published.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from models.counters import Counter, CounterKind, EntityRef
from models.likes import Reaction
from projections import likes
from projections.events import Reacted
from settings import USERS
from store.reactions.counts import CounterDeltas
from store.reactions.like_rows import ReactionKey
from store.write_log.journal import ClientTrace
from store.write_log.pending import REACT, Pending, PendingHistory, overlay

SETTLE = 2
FORGET = 240
"""How long a counter must not have moved to forget what it includes."""

Included = dict[str, int]
Field = tuple[str, EntityRef]
Key = tuple[EntityRef, CounterKind]
Held = Mapping[tuple[int, EntityRef], tuple[int, int]]
"""Per user and entity: their state, and the version of the change that made it so."""

OUTCOMES = {
    "like": {0: 1, 1: 1, 2: 1},
    "dislike": {0: 2, 1: 2, 2: 2},
    "unlike": {0: 0, 1: 0, 2: 2},
    "undislike": {0: 0, 1: 1, 2: 0},
}


def merged(old: Included, new: Included, quiet: int) -> Included:
    """`included` after a change, where the counter had not moved for `quiet`: the CASE of store/reactions/counts.py."""
    if quiet >= FORGET:
        return new
    return old | {p: max(version, old.get(p, 0)) for p, version in new.items()}


def swept(history: PendingHistory, through: int) -> PendingHistory | None:
    """What is left of a history without its changes up to `through`: the loop of sweep.lua."""
    gone = [state for version, state in history.changes if version <= through]
    kept = tuple(change for change in history.changes if change[0] > through)
    return replace(history, base=gone[-1] if gone else history.base, changes=kept) if kept else None


@dataclass(frozen=True)
class Rules:
    """What is under test. Tests replace one of them by a mistake."""

    overlay: Callable[[Counter, int, Iterable[PendingHistory], Callable[[int], int]], int] = overlay
    history: type[PendingHistory] = PendingHistory
    latest: Callable[[Sequence[Reacted]], dict[ReactionKey, Reacted]] = likes.latest
    move: Callable[[CounterDeltas, Reacted, int, int | None, int, int | None], None] = likes._move
    mark: Callable[[CounterDeltas, Reacted], None] = likes._mark
    merged: Callable[[Included, Included, int], Included] = merged
    swept: Callable[[PendingHistory, int], PendingHistory | None] = swept
    settle: int = SETTLE


@dataclass(frozen=True)
class Copy:
    """A counter as somebody may hold it, the states behind it, and when it was replaced (None: it still stands)."""

    counter: Counter
    held: Held
    until: int | None = None


@dataclass(frozen=True)
class Read:
    """A user's pending set as somebody may hold it, and what the user had been told by then."""

    pending: Pending
    told: Held
    until: int | None = None


@dataclass
class Row:
    state: int
    owner: int | None
    version: int


@dataclass
class Protocol:
    """Users by partition, entities by owner, and everything that has happened."""

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
    replaced: dict[Key, tuple[Copy, ...]] = field(default_factory=dict)
    reads: dict[int, Read] = field(default_factory=dict)
    past_reads: dict[int, tuple[Read, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in self.keys:
            self.in_rows.setdefault(key, Copy(Counter(0, {}), {}))
            self.cached.setdefault(key, self.in_rows[key])
        for user, partition in self.users.items():
            self.reads.setdefault(user, Read(Pending(partition), {}))

    @property
    def keys(self) -> list[Key]:
        """Every counter there is."""
        kinds = (CounterKind.LIKES, CounterKind.DISLIKES)
        owners = sorted({owner for owner in self.entities.values() if owner})
        received = [(EntityRef(USERS, owner), CounterKind.LIKES_RECEIVED) for owner in owners]
        return [(ref, kind) for ref in self.entities for kind in kinds] + received

    def clone(self) -> "Protocol":
        """A copy that may go another way; only what steps change in place is copied."""
        other = replace(self)
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
        """react.lua: one verb, acknowledged. Whether it changed anything."""
        read, partition = self.reads[user], self.users[user]
        was = read.told.get((user, ref), (0, 0))[0]
        state = OUTCOMES[verb][was]
        if state == was:
            return False
        version = self.versions[partition] = self.versions.get(partition, 0) + 1
        owner = self.entities[ref]
        event = Reacted(partition, version, user, ref, owner, was, state, verb, ClientTrace())
        self.journals[partition] = (*self.journals.get(partition, ()), event)
        old = read.pending.histories.get((REACT, ref)) or self.rules.history(owner, was, ())
        history = replace(old, changes=(*old.changes, (version, state)))
        self._read(
            user, {**read.pending.histories, (REACT, ref): history}, {**read.told, (user, ref): (state, version)}
        )
        return True

    def commit(self, partitions: Sequence[int], most: int = 1000) -> bool:
        """workers/persist.py: the next entries of these partitions in one transaction. Whether there were any."""
        events = [event for p in partitions for event in self.journals.get(p, ())[:most]]
        for p in partitions:
            self.journals[p] = self.journals.get(p, ())[most:]
        if not events:
            return False
        moves = CounterDeltas(
            {p: max(e.version for e in events if e.partition == p) for p in {e.partition for e in events}}
        )
        for place, event in sorted(self.rules.latest(events).items()):
            self._upsert(place, event, moves)
        for event in events:
            self.rules.mark(moves, event)
        self._add(moves)
        self.unpublished = (*self.unpublished, *events)
        return True

    def publish(self, most: int = 1000) -> bool:
        """workers/publish.py: what was committed and not published, read back. Whether there was anything."""
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
        """Another worker reads again what is not swept. Whether its predecessor had published any of it."""
        self.unpublished = (*(event for _, events in self.waiting for event in events), *self.unpublished)
        handed, self.waiting = bool(self.waiting), ()
        return handed

    def fill(self) -> bool:
        """The cache lost everything and was filled from rows again. Whether that tells readers anything new."""
        stale = self._stale()
        for key in stale:
            self._replace(self.cached, key, self.in_rows[key])
        return bool(stale)

    def wait(self, ticks: int = 1) -> bool:
        """Time passes: what readers held grows too old, and what was published long enough ago is swept."""
        self.now += ticks
        for key, copies in self.replaced.items():
            self.replaced[key] = tuple(copy for copy in copies if self._is_held(copy.until))
        for user, reads in self.past_reads.items():
            self.past_reads[user] = tuple(read for read in reads if self._is_held(read.until))
        self._sweep()
        return True

    def check(self, *users: int) -> None:
        """Whoever combines any copy with any pending set they can hold together sees everything exactly once."""
        for user in users or self.users:
            for key in self.keys:
                for copy, read in self._combinations(user, key):
                    self._check(user, key, copy, read)

    def _combinations(self, user: int, key: Key) -> Iterator[tuple[Copy, Read]]:
        standing = [self.in_rows[key]]
        if self.cached[key] is not standing[0]:
            standing.append(self.cached[key])
        for copy in (*standing, *self.replaced.get(key, ())):
            yield copy, self.reads[user]
        for read in self.past_reads.get(user, ()):
            for copy in standing:
                yield copy, read

    def _check(self, user: int, key: Key, copy: Copy, read: Read) -> None:
        ref, kind = key
        wanted = Reaction.DISLIKE if kind is CounterKind.DISLIKES else Reaction.LIKE

        def weight(state: int) -> int:
            return int(state == wanted)

        received = kind is CounterKind.LIKES_RECEIVED
        counted = [e for e, owner in self.entities.items() if owner == ref.entity_id] if received else [ref]
        histories = read.pending.owned_by(REACT, ref.entity_id) if received else read.pending.of(REACT, ref)
        shown = self.rules.overlay(copy.counter, read.pending.partition, histories, weight)
        others = sum(
            weight(state) for (who, where), (state, _) in copy.held.items() if who != user and where in counted
        )
        own = [{weight(state) for state in _own(read.told, copy.held, (user, where))} for where in counted]
        assert shown in {others + sum(one) for one in product(*own)}, (user, key, shown, others, own, copy, read)

    def _stale(self) -> list[Key]:
        return [key for key in self.keys if self.cached[key] is not self.in_rows[key]]

    def _upsert(self, place: ReactionKey, event: Reacted, moves: CounterDeltas) -> None:
        old = self.rows.get(place) or Row(0, None, 0)
        if old.version < event.version:
            self.rows[place] = Row(event.state, event.owner_id, event.version)
            self.rules.move(moves, event, old.state, old.owner, event.state, event.owner_id)

    def _add(self, moves: CounterDeltas) -> None:
        held = {(user, EntityRef(b, e)): (row.state, row.version) for (user, b, e), row in self.rows.items()}
        for (business, entity, kind), (delta, included) in moves._moves.items():
            key = (EntityRef(business, entity), CounterKind(kind))
            old, new = self.in_rows[key].counter, {str(p): version for p, version in included.items()}
            quiet = self.now - self.moved_at.get(key, self.now)
            self.moved_at[key] = self.now
            counter = Counter(old.value + delta, self.rules.merged(old.included, new, quiet))
            self._replace(self.in_rows, key, Copy(counter, held))
        for key in self.keys:  # where nothing moved, the row is the same and says as much of the new states
            self.in_rows[key] = replace(self.in_rows[key], held=held)

    def _replace(self, where: dict[Key, Copy], key: Key, new: Copy) -> None:
        self.replaced[key] = (*self.replaced.get(key, ()), replace(where[key], until=self.now))
        where[key] = new

    def _read(self, user: int, histories: dict[Field, PendingHistory], told: Held) -> None:
        old = self.reads[user]
        self.past_reads[user] = (*self.past_reads.get(user, ()), replace(old, until=self.now))
        self.reads[user] = Read(Pending(old.pending.partition, histories), told)

    def _is_held(self, until: int | None) -> bool:
        return until is not None and self.now - until < SETTLE

    def _sweep(self) -> None:
        while self.waiting and self.now - self.waiting[0][0] >= self.rules.settle:
            (_, events), *rest = self.waiting
            self.waiting = tuple(rest)
            for event in events:
                self._drop(event)

    def _drop(self, event: Reacted) -> None:
        read = self.reads[event.actor_id]
        histories = dict(read.pending.histories)
        if history := histories.pop((REACT, event.ref), None):
            if left := self.rules.swept(history, event.version):
                histories[REACT, event.ref] = left
            self._read(event.actor_id, histories, read.told)


def _own(told: Held, held: Held, place: tuple[int, EntityRef]) -> tuple[int, ...]:
    """A user's own state: as they had been told or, where a copy knows of a later change of theirs, that one too."""
    mine, theirs = told.get(place, (0, 0)), held.get(place, (0, 0))
    return (mine[0],) if mine[1] >= theirs[1] else (mine[0], theirs[0])
