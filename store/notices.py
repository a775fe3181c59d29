"""What a batch has to tell users: collected while rows are written, grouped, and written in the same transaction.

Enters: things that really happened, each once. Leaves: one row per group, however much of it there was, moved to the
top of its user's list. Promised: nobody is told what they did themselves; one thing said is told to a user once; all
moments that a user's rows are given are later than any they had before, in the order of commits, so that nothing ever
appears below what they have seen. Replays tell nothing: what is handed over here happened in this transaction.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from models.notifications import NotificationKind
from settings import USERS
from store.journal import moment_of
from store.postgres import Transaction

LIKE, FOLLOW, COMMENT, REPLY, MENTION, MODERATION = NotificationKind
_BUCKET_MS = 12 * 3_600_000
"""What happens within the same half day (of UTC) is one notification."""
SHOWN_ACTORS = 5
SWEPT_EVERY = 256
"""One in so many notifications has its user's oldest swept: nobody has to be counted to keep everybody's bounded."""
_SWEPT_AT_ONCE = 1000
_BY_WEIGHT = (MENTION, COMMENT, REPLY)
"""Who would be told of one thing said as several of these is told the last."""

# Actors of the others are new to their group whenever they come: nobody is told twice that somebody likes or follows.
_COUNT_ACTORS = text("""
    INSERT INTO notification_actors (user_id, notification_id, actor_id)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:actors AS bigint[]))
    ON CONFLICT DO NOTHING
    RETURNING user_id, notification_id
""")
# A head's row is the lock of all its user's rows, so that these are written in no particular order. The moments of a
# batch are later than its `prev_moment`; where others have come so far already, all move up by as much.
_WRITE = text(f"""
    WITH heads AS (
        INSERT INTO notification_heads AS h (user_id, moment, prev_moment, read_moment)
        SELECT * FROM unnest(CAST(:heads AS bigint[]), CAST(:newest AS bigint[]), CAST(:below AS bigint[]),
                             CAST(:read AS bigint[]))
        ON CONFLICT (user_id) DO UPDATE SET
            moment = excluded.moment + greatest(0, h.moment - excluded.prev_moment),
            prev_moment = greatest(h.moment, excluded.prev_moment),
            read_moment = greatest(h.read_moment, least(h.moment, excluded.read_moment))
        RETURNING user_id, prev_moment
    )
    INSERT INTO notifications AS n
        (user_id, notification_id, kind, business_id, entity_id, created_ms, moment, actors, actor_count, message)
    SELECT g.user_id, notification_id, kind, business_id, entity_id, created_ms, prev_moment + above,
           CAST(actors AS bigint[]), actor_count, message
    FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:kinds AS smallint[]),
                CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:created AS bigint[]),
                CAST(:above AS bigint[]), CAST(:actors AS text[]), CAST(:counts AS bigint[]), CAST(:messages AS text[]))
         AS g(user_id, notification_id, kind, business_id, entity_id, created_ms, above, actors, actor_count, message)
    JOIN heads USING (user_id)
    ON CONFLICT (user_id, notification_id) DO UPDATE SET
        created_ms = least(n.created_ms, excluded.created_ms),
        moment = excluded.moment,
        actors = CASE WHEN n.kind IN ({COMMENT:d}, {REPLY:d}) THEN ARRAY(
            SELECT actor FROM unnest(excluded.actors || n.actors) WITH ORDINALITY AS merged(actor, place)
            GROUP BY actor ORDER BY min(place) LIMIT {SHOWN_ACTORS}
        ) ELSE (excluded.actors || n.actors)[1:{SHOWN_ACTORS}] END,
        actor_count = n.actor_count + excluded.actor_count
    WHERE n.kind <> {MENTION:d}
""")  # noqa: S608 - constants
_SWEEP = text("""
    WITH old AS (
        SELECT wanted.user_id, o.notification_id FROM unnest(CAST(:users AS bigint[])) AS wanted(user_id)
        CROSS JOIN LATERAL (
            SELECT notification_id FROM notifications WHERE user_id = wanted.user_id
            ORDER BY moment DESC OFFSET :kept LIMIT :most
        ) AS o
    ), swept AS (
        DELETE FROM notifications n USING old
        WHERE n.user_id = old.user_id AND n.notification_id = old.notification_id
    )
    DELETE FROM notification_actors a USING old
    WHERE a.user_id = old.user_id AND a.notification_id = old.notification_id
""")


class _Place(NamedTuple):
    """What is told together."""

    user_id: int
    kind: NotificationKind
    business_id: int
    entity_id: int
    bucket: int

    @property
    def notification_id(self) -> int:
        """63 bits of its digest: whoever adds to it finds it, and it is nobody else's."""
        named = "{}:{:d}:{}:{}:{}".format(*self)
        return int.from_bytes(hashlib.blake2b(named.encode(), digest_size=8).digest()) >> 1


@dataclass(slots=True)
class _Group:
    """What a batch tells together: since when, until when, who did it and when they did last."""

    first: int
    last: int
    message: str | None = None
    actors: dict[int, int] = field(default_factory=dict)
    count: int = 0
    """How many of the actors are new."""


class Notices:
    """Handed around like `Moves`: whoever finds that something has happened says so, and `write` writes everything.

    Of each user's notifications about the newest `kept` stay. Versions are those of the journal entries.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._groups: dict[_Place, _Group] = {}
        self._said: dict[tuple[int, int, int], tuple[NotificationKind, EntityRef]] = {}
        self._read: dict[int, int] = {}

    def liked(self, owner_id: int | None, ref: EntityRef, actor_id: int, version: int) -> None:
        """Somebody likes something of a user's, and never did before."""
        if owner_id and owner_id != actor_id:
            self._add(_Place(owner_id, LIKE, *ref, _bucket(version)), actor_id, version)

    def followed(self, user_id: int, actor_id: int, version: int) -> None:
        """Somebody follows a user, and never did before."""
        self._add(_Place(user_id, FOLLOW, USERS, user_id, _bucket(version)), actor_id, version)

    def said(self, kind: NotificationKind, user_id: int | None, ref: EntityRef, actor_id: int, version: int) -> None:
        """Something that everybody may read for the first time: a COMMENT on what a user owns (`ref`), a REPLY to
        their comment (`ref`), a MENTION of them in something (`ref`; they are told of each once, for ever).
        """
        if not user_id or user_id == actor_id:
            return
        place = user_id, actor_id, version
        other = self._said.get(place)
        if other is None or _BY_WEIGHT.index(kind) > _BY_WEIGHT.index(other[0]):
            self._said[place] = kind, ref

    def moderated(self, user_id: int, ref: EntityRef, version: int, message: str) -> None:
        """Something of a user's is not what it was to everybody, and why. Each decision is told on its own."""
        place = _Place(user_id, MODERATION, *ref, version)
        self._groups[place] = _Group(version, version, message)

    def read(self, user_id: int, moment: int) -> None:
        """A user has seen their notifications down from this one."""
        self._read[user_id] = max(moment, self._read.get(user_id, 0))

    def _add(self, place: _Place, actor_id: int, version: int) -> None:
        group = self._groups.get(place)
        if group is None:
            group = self._groups[place] = _Group(version, version)
        group.first, group.last = min(group.first, version), max(group.last, version)
        group.actors[actor_id] = max(version, group.actors.get(actor_id, 0))

    async def write(self, transaction: Transaction) -> None:
        """Everything, in the order of users: whoever is told much makes others wait until our commit."""
        for (user_id, actor_id, version), (kind, ref) in self._said.items():
            bucket = 0 if kind == MENTION else _bucket(version)
            self._add(_Place(user_id, kind, *ref, bucket), actor_id, version)
        if not self._groups and not self._read:
            return
        told = {place: place.notification_id for place in self._groups}
        await self._count(transaction, told)
        await self._write(transaction, told)
        crowded = sorted({place.user_id for place, id_ in told.items() if id_ % SWEPT_EVERY == 0})
        if crowded:
            await transaction.execute(_SWEEP, users=crowded, kept=self._kept, most=_SWEPT_AT_ONCE)

    async def _count(self, transaction: Transaction, told: dict[_Place, int]) -> None:
        """Sets how many actors of each group are new to it."""
        again = {place: id_ for place, id_ in told.items() if place.kind in (COMMENT, REPLY)}
        rows = sorted(
            (place.user_id, id_, actor) for place, id_ in again.items() for actor in self._groups[place].actors
        )
        new: Counter[tuple[int, int]] = Counter()
        if rows:
            users, ids, actors = zip(*rows, strict=True)
            counted = await transaction.execute(_COUNT_ACTORS, users=users, ids=ids, actors=actors)
            new.update((user_id, id_) for user_id, id_ in counted)
        for place, group in self._groups.items():
            group.count = new[place.user_id, again[place]] if place in again else len(group.actors)

    async def _write(self, transaction: Transaction, told: dict[_Place, int]) -> None:
        places: dict[int, list[_Place]] = {user_id: [] for user_id in self._read}
        for place in told:
            places.setdefault(place.user_id, []).append(place)
        heads: list[tuple[int, int, int]] = []
        rows: list[tuple[_Place, int]] = []
        for user_id, some in sorted(places.items()):
            some.sort(key=lambda place: (self._groups[place].last, told[place]))
            moments = _rising(moment_of(self._groups[place].last) for place in some)
            below = moments[0] - 1 if moments else 0
            heads.append((user_id, moments[-1] if moments else 0, below))
            rows += [(place, moment - below) for place, moment in zip(some, moments, strict=True)]
        groups = [self._groups[place] for place, _ in rows]
        await transaction.execute(
            _WRITE,
            heads=[user_id for user_id, _, _ in heads],
            newest=[newest for _, newest, _ in heads],
            below=[below for _, _, below in heads],
            read=[self._read.get(user_id, 0) for user_id, _, _ in heads],
            users=[place.user_id for place, _ in rows],
            ids=[told[place] for place, _ in rows],
            kinds=[int(place.kind) for place, _ in rows],
            businesses=[place.business_id for place, _ in rows],
            entities=[place.entity_id for place, _ in rows],
            created=[group.first >> 20 for group in groups],
            above=[above for _, above in rows],
            actors=[_array(group) for group in groups],
            counts=[group.count for group in groups],
            messages=[group.message for group in groups],
        )


def _bucket(version: int) -> int:
    return (version >> 20) // _BUCKET_MS


def _rising(moments: Iterable[int]) -> list[int]:
    """Moments that do not fall, each later than the one before it."""
    risen: list[int] = []
    for moment in moments:
        risen.append(max(moment, risen[-1] + 1) if risen else moment)
    return risen


def _array(group: _Group) -> str:
    """The newest actors as Postgres writes arrays."""
    newest = nlargest(SHOWN_ACTORS, group.actors, key=lambda actor: (group.actors[actor], actor))
    return f"{{{','.join(map(str, newest))}}}"
